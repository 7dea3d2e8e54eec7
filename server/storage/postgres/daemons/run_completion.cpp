// Reads and writes in the transaction that ends a run.
#include "server/storage/postgres/daemons/run_completion.hpp"

#include <iterator>

#include <fmt/format.h>

#include "server/storage/list_query.hpp"
#include "server/storage/postgres/daemons/outbox.hpp"
#include "server/storage/postgres/daemons/runs.hpp"
#include "server/storage/rows.hpp"

namespace costcurve::storage::postgres {

namespace {

const std::string kBase = "SELECT " + fmt::format(kStandingColumns, "d.id") + R"(
    FROM named_document d JOIN standing s ON s.comparison = d.document
    WHERE d.kind = 'comparison' AND d.id = $1 AND s.objective = $2 AND s.currency = $3 AND s.is_base = 1
    ORDER BY s.standing DESC LIMIT 1)";
const std::string kStandings = "SELECT " + fmt::format(kStandingColumns, "$1") + R"(
    FROM standing s WHERE s.comparison = $2 AND ($3 = 0 OR s.standing < $3) ORDER BY s.standing DESC LIMIT $4)";
constexpr const char* kFindComparison = "SELECT document FROM named_document WHERE kind = 'comparison' AND id = $1";
constexpr const char* kKeepStanding = R"(
    INSERT INTO standing (comparison, run, recorded_at, objective, currency, cheapest, figure, is_base, event, body)
    SELECT document, $2, $3, $4, $5, $6, $7, $8, $9, $10 FROM named_document WHERE kind = 'comparison' AND id = $1)";

} // namespace

std::vector<Revision> PostgresRunCompletion::comparisons() const {
    ListQuery query;
    query.kind = Kind::comparison;
    std::vector<Revision> found;
    const auto snapshot = store_.snapshot();
    bool more = true;
    while (more) {
        Page page = snapshot->list(query);
        std::move(page.items.begin(), page.items.end(), std::back_inserter(found));
        query.after = found.empty() ? "" : found.back().record.key.id;
        more = page.more;
    }
    return found;
}

std::optional<NewestResult> PostgresRunCompletion::newest(std::string_view scenario) const {
    const auto results = find_results(connection_, scenario, 0, 1);
    if (!results || results->empty()) {
        return std::nullopt;
    }
    const StoredResult& first = results->front();
    return NewestResult{first.number, first.headline, first.body};
}

std::string PostgresRunCompletion::body_of(const NewestResult& result) const { return load_result_body(connection_, result.body); }

std::optional<Standing> PostgresRunCompletion::base(std::string_view comparison, std::string_view objective,
                                                    std::string_view currency) const {
    Rows rows(connection_, kBase, comparison, objective, currency);
    return rows.next() ? std::optional(read_standing(rows)) : std::nullopt;
}

std::optional<Standing> PostgresRunCompletion::last(std::string_view comparison) const {
    std::optional<std::vector<Standing>> newest = find_standings(connection_, comparison, 0, 1);
    return newest && !newest->empty() ? std::optional(std::move(newest->front())) : std::nullopt;
}

std::int64_t PostgresRunCompletion::record(const NewEvent& event) { return record_event(connection_, event, now_); }

void PostgresRunCompletion::keep(const NewStanding& standing, std::optional<std::int64_t> event) {
    Rows(connection_, kKeepStanding, standing.comparison, run().id, now_, standing.objective, standing.currency, standing.cheapest,
         standing.figure, standing.is_base ? 1 : 0, event, standing.body)
        .run();
}

std::optional<std::vector<Standing>> find_standings(Connection& connection, std::string_view comparison, std::int64_t before,
                                                    std::size_t limit) {
    Rows found(connection, kFindComparison, comparison);
    if (!found.next()) {
        return std::nullopt;
    }
    std::vector<Standing> standings;
    Rows rows(connection, kStandings, comparison, found.integer(0), before, limit);
    while (rows.next()) {
        standings.push_back(read_standing(rows));
    }
    return standings;
}

} // namespace costcurve::storage::postgres
