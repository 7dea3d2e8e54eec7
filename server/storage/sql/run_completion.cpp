// End of a run: the standings of watched comparisons and what is recorded about them.
#include <iterator>
#include <utility>

#include <fmt/format.h>

#include "server/storage/rows.hpp"
#include "server/storage/sql/outbox.hpp"
#include "server/storage/sql/runs.hpp"
#include "server/storage/sql/store.hpp"
#include "server/storage/standing.hpp"
#include "server/storage/writes/chain.hpp"

namespace costcurve::storage::sql {

namespace {

const std::string kBase = "SELECT " + fmt::format(kStandingColumns, "d.id") + R"(
    FROM named_document d JOIN standing s ON s.comparison = d.document
    WHERE d.kind = 'comparison' AND d.id = $1 AND s.objective = $2 AND s.currency = $3 AND s.is_base = 1
    ORDER BY s.standing DESC LIMIT 1)";
const std::string kStandings = "SELECT " + fmt::format(kStandingColumns, "$1") + R"(
    FROM standing s WHERE s.comparison = $2 AND ($3 = 0 OR s.standing < $3) ORDER BY s.standing DESC LIMIT $4)";
constexpr const char* kKeepStanding = R"(
    INSERT INTO standing (comparison, run, recorded_at, objective, currency, cheapest, figure, is_base, event, body)
    SELECT document, $1, $2, $3, $4, $5, $6, $7, $8, $9 FROM named_document WHERE kind = 'comparison' AND id = $10)";

// Standings of a comparison, newest first, below number `before` (0: from the newest). Nothing if the comparison never existed.
std::optional<std::vector<Standing>> find_standings(Connection& connection, std::string_view comparison, std::int64_t before,
                                                    std::size_t limit) {
    const std::optional<std::int64_t> document = row_of(connection, Kind::comparison, comparison);
    if (!document) {
        return std::nullopt;
    }
    return read_all(Rows(connection, kStandings, comparison, *document, before, limit), read_standing);
}

// Works inside a transaction of the caller that has locked the run.
class StoredRunCompletion final : public RunCompletion {
public:
    StoredRunCompletion(Connection& connection, const DocumentStore& store, Run run, std::int64_t now)
        : RunCompletion(std::move(run)), connection_(connection), store_(store), now_(now) {}

    [[nodiscard]] std::vector<Revision> comparisons() const override {
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
    [[nodiscard]] std::optional<NewestResult> newest(std::string_view scenario) const override { return result_below(scenario, 0); }
    [[nodiscard]] std::optional<NewestResult> result(std::string_view scenario, std::int64_t number) const override {
        std::optional<NewestResult> found = result_below(scenario, number + 1);
        return found && found->number == number ? std::move(found) : std::nullopt;
    }
    [[nodiscard]] std::optional<Revision> revision(const DocumentKey& key, std::int64_t number) const override {
        const std::vector<Revision> found = store_.snapshot()->history(key, number + 1, 1);
        return found.empty() ? std::nullopt : store_.snapshot(format_sequence(found.front().sequence))->load(key);
    }
    [[nodiscard]] std::string model_version_of(std::string_view scenario, std::int64_t number) const override {
        const auto results = find_results(connection_, scenario, number + 1, 1);
        return results && !results->empty() && results->front().number == number ? results->front().model_version : "";
    }
    [[nodiscard]] std::string body_of(const NewestResult& result) const override {
        return load_result_body(connection_, result.body);
    }
    [[nodiscard]] std::optional<Standing> base(std::string_view comparison, std::string_view objective,
                                               std::string_view currency) const override {
        Rows rows(connection_, kBase, comparison, objective, currency);
        return rows.next() ? std::optional(read_standing(*rows)) : std::nullopt;
    }
    [[nodiscard]] std::optional<Standing> last(std::string_view comparison) const override {
        std::optional<std::vector<Standing>> newest = find_standings(connection_, comparison, 0, 1);
        return newest ? first_of(std::move(*newest)) : std::nullopt;
    }
    [[nodiscard]] std::vector<UndoneRun> undone() const override {
        return read_all(Rows(connection_, R"(
            SELECT coalesce(d.id, ''), r.run FROM feed_run r LEFT JOIN document d ON d.document = r.feed
            WHERE r.recalculation = $1 ORDER BY r.run)",
                             run().id),
                        [](const Row& row) {
                            return UndoneRun{std::string(row.text(0)), row.integer(1)};
                        });
    }
    std::int64_t record(const NewEvent& event) override { return record_event(connection_, event, now_); }
    void keep(const NewStanding& standing, std::optional<std::int64_t> event) override {
        connection_.post(kKeepStanding, run().id, now_, standing.objective, standing.currency, standing.cheapest, standing.figure,
                         standing.is_base ? 1 : 0, event, standing.body, standing.comparison);
        standings_.emplace_back(0, hash_of_standing({standing.comparison, run().id, now_, standing.objective, standing.currency,
                                                     standing.cheapest, standing.figure, standing.is_base, event, standing.body}));
    }
    /// Stores the hash of the standings stored so far; called after the last one.
    void seal() {
        connection_.post("UPDATE run SET standings_hash = $1 WHERE run = $2", Bytes{text_of(content_of(standings_))}, run().id);
    }

private:
    [[nodiscard]] std::optional<NewestResult> result_below(std::string_view scenario, std::int64_t before) const {
        const auto results = find_results(connection_, scenario, before, 1);
        if (!results || results->empty()) {
            return std::nullopt;
        }
        const StoredResult& first = results->front();
        return NewestResult{first.number, first.headline, first.body};
    }

    Connection& connection_;
    const DocumentStore& store_; // reads documents on a connection of its own
    std::int64_t now_;
    std::vector<std::pair<std::int64_t, Hash>> standings_;
};

} // namespace

bool SqlStore::set_run_state(std::int64_t run, RunState state, std::string_view model_version, const OnRunCompleted& on_completed) {
    return write_marked([&](Connection& connection, ChangeMark&) {
        const std::int64_t time = now();
        const bool changed = set_state(connection, run, state, model_version, time);
        if (changed && has_ended(state)) {
            StoredRunCompletion completion(connection, *this, find_run(connection, run).value(), time);
            if (on_completed) {
                on_completed(completion);
            }
            completion.seal();
        }
        return Outcome<bool>{changed, changed};
    });
}

std::optional<std::vector<Standing>> SqlStore::standings(std::string_view comparison, std::int64_t before,
                                                         std::size_t limit) const {
    return read(Reading::moment, [&](Connection& connection) { return find_standings(connection, comparison, before, limit); });
}

} // namespace costcurve::storage::sql
