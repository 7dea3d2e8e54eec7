// Samples and their audit: a row by author, address and hour.
#include "server/storage/telemetry.hpp"
#include "server/storage/sql/engine.hpp"
#include "server/storage/sql/store.hpp"
#include "server/storage/timestamp.hpp"

namespace costcurve::storage::sql {

TelemetryWindow SqlStore::telemetry_window() const { return window_at(now(), settings_.telemetry_days); }

AddedSamples SqlStore::add_samples(const Author& author, const SampleBatch& batch) {
    std::optional<bool>
        is_first; // whether this is the first batch of the hour; determined once, even if the transaction is retried
    return write_marked([&](Connection& connection, ChangeMark& mark) {
        Outcome<AddedSamples> outcome{connection.engine().insert_samples(connection, batch, telemetry_window())};
        const std::int64_t time = now();
        if (outcome.value.accepted > 0 && !is_first) {
            const std::lock_guard lock(sources_mutex_);
            is_first = noted_sources_.is_first_of_hour(author, time);
        }
        if (is_first.value_or(false)) { // the lock of all changes is taken last
            connection.engine().lock_changes(connection);
            mark = sql::record_action(connection, author, "add_samples", fmt::format("in the hour of {}", format_time(time)), time);
        }
        return outcome;
    });
}

HourPage SqlStore::hours(const HourQuery& query) const {
    return read(Reading::moment, [&](Connection& connection) { return connection.engine().find_hours(connection, query); });
}

void SqlStore::visit_samples(const SampleQuery& query, const SampleVisitor& visit) const {
    bool has_begun = false;
    const auto visit_all = [&](Connection& connection) {
        refuse_second_visit(has_begun);
        connection.engine().read_samples(connection, query, [&](const SeriesKey& series, std::int64_t time_ms, double value) {
            has_begun = true;
            return visit(series, time_ms, value);
        });
    };
    read(Reading::large, visit_all);
}

} // namespace costcurve::storage::sql
