// Reads and writes in the transaction that ends a run.
#include "server/storage/sqlite/run_completion.hpp"

#include <fmt/format.h>

#include "server/storage/list_query.hpp"
#include "server/storage/rows.hpp"
#include "server/storage/sqlite/content.hpp"
#include "server/storage/sqlite/outbox.hpp"
#include "server/storage/sqlite/runs.hpp"

namespace costcurve::storage::sqlite {

namespace {

const std::string kBase = "SELECT " + fmt::format(kStandingColumns, "d.id") + R"(
    FROM named_document d JOIN standing s ON s.comparison = d.document
    WHERE d.kind = 'comparison' AND d.id = ?1 AND s.objective = ?2 AND s.currency = ?3 AND s.is_base = 1
    ORDER BY s.standing DESC LIMIT 1)";
const std::string kStandings = "SELECT " + fmt::format(kStandingColumns, "?1") + R"(
    FROM standing s WHERE s.comparison = ?2 AND (?3 = 0 OR s.standing < ?3) ORDER BY s.standing DESC LIMIT ?4)";
constexpr const char* kFindComparison = "SELECT document FROM named_document WHERE kind = 'comparison' AND id = ?";
constexpr const char* kKeepStanding = R"(
    INSERT INTO standing (comparison, run, recorded_at, objective, currency, cheapest, figure, is_base, event, body)
    SELECT document, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10 FROM named_document WHERE kind = 'comparison' AND id = ?1)";

} // namespace

std::vector<Revision> SqliteRunCompletion::comparisons() const {
    ListQuery query;
    query.kind = Kind::comparison;
    std::vector<Revision> found;
    do {
        std::vector<Stored> page = find_page(database_, query, kNow, true);
        const bool more = cut_to(page, query.limit);
        found.reserve(found.size() + page.size());
        for (Stored& stored : page) {
            load_readable(database_, stored, kNow);
            found.push_back(std::move(stored.revision));
        }
        query.after = more ? found.back().record.key.id : "";
    } while (!query.after.empty());
    return found;
}

std::optional<NewestResult> SqliteRunCompletion::newest(std::string_view scenario) const {
    const auto results = find_results(database_, scenario, 0, 1);
    if (!results || results->empty()) {
        return std::nullopt;
    }
    const StoredResult& first = results->front();
    return NewestResult{first.number, first.headline, first.body};
}

std::string SqliteRunCompletion::body_of(const NewestResult& result) const { return load_result_body(database_, result.body); }

std::optional<Standing> SqliteRunCompletion::base(std::string_view comparison, std::string_view objective,
                                                  std::string_view currency) const {
    Rows rows(database_, kBase, comparison, objective, currency);
    return rows.next() ? std::optional(read_standing(rows)) : std::nullopt;
}

std::optional<Standing> SqliteRunCompletion::last(std::string_view comparison) const {
    std::optional<std::vector<Standing>> newest = find_standings(database_, comparison, 0, 1);
    return newest && !newest->empty() ? std::optional(std::move(newest->front())) : std::nullopt;
}

std::int64_t SqliteRunCompletion::record(const NewEvent& event) { return record_event(database_, event, now_); }

void SqliteRunCompletion::keep(const NewStanding& standing, std::optional<std::int64_t> event) {
    Rows(database_, kKeepStanding, standing.comparison, run().id, now_, standing.objective, standing.currency, standing.cheapest,
         standing.figure, standing.is_base ? 1 : 0, event, standing.body)
        .run();
}

std::optional<std::vector<Standing>> find_standings(Database& database, std::string_view comparison, std::int64_t before,
                                                    std::size_t limit) {
    Rows found(database, kFindComparison, comparison);
    if (!found.next()) {
        return std::nullopt;
    }
    std::vector<Standing> standings;
    Rows rows(database, kStandings, comparison, found.integer(0), before, limit);
    while (rows.next()) {
        standings.push_back(read_standing(rows));
    }
    return standings;
}

} // namespace costcurve::storage::sqlite
