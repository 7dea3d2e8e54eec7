// Writes a batch by a few statements over arrays, with rows in key order so that two daemons writing the same rows wait instead of
// deadlocking. Each new sample is added to the sums of its hour.
#include "server/storage/postgres/telemetry/telemetry.hpp"

#include <algorithm>
#include <set>
#include <unordered_map>

namespace costcurve::storage::postgres {

namespace {

constexpr const char* kFindSeries = R"(
    SELECT w.place, s.series FROM unnest($1, $2, $3) WITH ORDINALITY AS w (source, device, metric, place)
    CROSS JOIN LATERAL (
        SELECT series FROM telemetry_series WHERE (source, device, metric) = (w.source, w.device, w.metric) LIMIT 1) AS s)";
constexpr const char* kAddSeries = R"(
    INSERT INTO telemetry_series (source, device, metric) SELECT * FROM unnest($1, $2, $3) ON CONFLICT DO NOTHING)";
constexpr const char* kAddSamples = R"(
    INSERT INTO telemetry_sample (minute, series, millisecond, value) SELECT * FROM unnest($1, $2, $3, $4)
    ON CONFLICT DO NOTHING RETURNING minute, series, value)";
// A counter's readings are compared with neighbouring ones, so one transaction at a time adds readings of a series.
constexpr const char* kLockSeries = "SELECT 1 FROM telemetry_series WHERE series = ANY ($1) ORDER BY series FOR NO KEY UPDATE";
constexpr const char* kAddCounters = R"(
    INSERT INTO telemetry_counter (series, time, value) SELECT * FROM unnest($1, $2, $3)
    ON CONFLICT DO NOTHING RETURNING series, time, value)";
// The stored neighbours of readings to be stored.
constexpr const char* kNeighbours = R"(
    SELECT b.time, b.value, n.time, n.value
    FROM unnest($1, $2) WITH ORDINALITY AS w (series, time, place)
    LEFT JOIN LATERAL (SELECT time, value FROM telemetry_counter AS c WHERE c.series = w.series AND c.time < w.time
                       ORDER BY time DESC LIMIT 1) AS b ON true
    LEFT JOIN LATERAL (SELECT time, value FROM telemetry_counter AS c WHERE c.series = w.series AND c.time > w.time
                       ORDER BY time LIMIT 1) AS n ON true
    ORDER BY w.place)";
constexpr const char* kAddHours = R"(
    INSERT INTO telemetry_hour AS h (hour, series, count, sum, squares, minimum, maximum)
    SELECT * FROM unnest($1, $2, $3, $4, $5, $6, $7)
    ON CONFLICT (hour, series) DO UPDATE SET count = h.count + excluded.count, sum = h.sum + excluded.sum,
        squares = h.squares + excluded.squares, minimum = least(h.minimum, excluded.minimum),
        maximum = greatest(h.maximum, excluded.maximum))";
// LEAST and GREATEST ignore NULL.
constexpr const char* kAddCounterHours = R"(
    INSERT INTO telemetry_hour AS h (hour, series, count, minimum, maximum, increase)
    SELECT * FROM unnest($1, $2, $3, $4, $5, $6)
    ON CONFLICT (hour, series) DO UPDATE SET count = h.count + excluded.count, increase = h.increase + excluded.increase,
        minimum = least(h.minimum, excluded.minimum), maximum = greatest(h.maximum, excluded.maximum))";
constexpr const char* kOldestMinute = "SELECT minute FROM telemetry_sample WHERE minute < $1 ORDER BY minute LIMIT 1 OFFSET $2";
constexpr const char* kClearSamples = R"(
    DELETE FROM telemetry_sample WHERE ctid = ANY (ARRAY(
        SELECT ctid FROM telemetry_sample WHERE minute < $1 ORDER BY minute, series, millisecond FOR UPDATE SKIP LOCKED)))";
// One daemon clears at a time; other daemons skip the clearing.
constexpr const char* kClaimClearing = "SELECT hour FROM telemetry_cleared WHERE hour <> $1 FOR UPDATE SKIP LOCKED";
constexpr const char* kSetCleared = "UPDATE telemetry_cleared SET hour = $1";
// Keeps the last reading before the window: the first increase inside the window starts from it.
constexpr const char* kClearCounters = R"(
    DELETE FROM telemetry_counter AS c USING telemetry_series AS s
    WHERE s.metric = ANY ($1) AND c.series = s.series
        AND c.time < (SELECT max(time) FROM telemetry_counter AS l WHERE l.series = c.series AND l.time < $2))";

std::vector<std::int64_t> find_series(Connection& connection, const std::vector<SeriesKey>& keys) {
    std::vector<std::int64_t> found(keys.size(), 0);
    Rows rows(connection, kFindSeries, column_of(keys, &SeriesKey::source), column_of(keys, &SeriesKey::device),
              column_of(keys, &SeriesKey::metric));
    while (rows.next()) {
        found[static_cast<std::size_t>(rows.integer(0) - 1)] = rows.integer(1);
    }
    return found;
}

// The numbers of series, which are added where they are new.
std::vector<std::int64_t> find_or_add_series(Connection& connection, const std::vector<SeriesKey>& keys) {
    std::vector<std::int64_t> found = find_series(connection, keys);
    std::set<SeriesKey> unknown;
    for (std::size_t i = 0; i < keys.size(); ++i) {
        if (found[i] == 0) {
            unknown.insert(keys[i]);
        }
    }
    if (unknown.empty()) {
        return found;
    }
    connection.run(kAddSeries, column_of(unknown, &SeriesKey::source), column_of(unknown, &SeriesKey::device),
                   column_of(unknown, &SeriesKey::metric));
    return find_series(connection, keys);
}

void write_hours(Connection& connection, const SumsByHour& hours, bool counters) {
    if (hours.empty()) {
        return;
    }
    using Hour = SumsByHour::value_type;
    const auto numbers = column_of(hours, [](const Hour& hour) { return hour.first.first; });
    const auto series = column_of(hours, [](const Hour& hour) { return hour.first.second; });
    const auto sums = column_of(hours, [](const Hour& hour) { return &hour.second; });
    const auto counts = column_of(sums, &HourSums::count);
    const auto minima =
        column_of(sums, [](const HourSums* of) { return of->count > 0 ? std::optional(of->minimum) : std::nullopt; });
    const auto maxima =
        column_of(sums, [](const HourSums* of) { return of->count > 0 ? std::optional(of->maximum) : std::nullopt; });
    if (counters) {
        connection.run(kAddCounterHours, numbers, series, counts, minima, maxima, column_of(sums, &HourSums::increase));
    } else {
        connection.run(kAddHours, numbers, series, counts, column_of(sums, &HourSums::sum), column_of(sums, &HourSums::squares),
                       minima, maxima);
    }
}

std::size_t add_sensors(Connection& connection, const std::vector<PlacedSample>& samples) {
    if (samples.empty()) {
        return 0;
    }
    std::size_t added = 0;
    SumsByHour hours;
    Rows rows(connection, kAddSamples, column_of(samples, &PlacedSample::minute), column_of(samples, &PlacedSample::series),
              column_of(samples, &PlacedSample::millisecond), column_of(samples, &PlacedSample::value));
    while (rows.next()) {
        hours[{rows.integer(0) * kMillisecondsPerMinute / kMillisecondsPerHour, rows.integer(1)}].add(rows.real(2));
        ++added;
    }
    write_hours(connection, hours, false);
    return added;
}

// Readings of a batch as columns; of duplicates in series and time, only the first.
struct CounterColumns {
    std::vector<std::int64_t> series;
    std::vector<std::int64_t> times;
    std::vector<double> values;
};
CounterColumns counter_columns(const std::vector<PlacedSample>& samples) {
    CounterColumns columns;
    std::set<std::pair<std::int64_t, std::int64_t>> known;
    for (const PlacedSample& sample : samples) {
        const std::int64_t time = sample.minute * kMillisecondsPerMinute + sample.millisecond;
        if (known.emplace(sample.series, time).second) {
            columns.series.push_back(sample.series);
            columns.times.push_back(time);
            columns.values.push_back(sample.value);
        }
    }
    return columns;
}

struct Neighbours {
    std::optional<Reading> before;
    std::optional<Reading> behind;
};
std::vector<Neighbours> stored_neighbours(Connection& connection, const CounterColumns& columns) {
    std::vector<Neighbours> found;
    Rows rows(connection, kNeighbours, columns.series, columns.times);
    while (rows.next()) {
        Neighbours of;
        if (!rows.is_null(0)) {
            of.before = Reading{rows.integer(0), rows.real(1)};
        }
        if (!rows.is_null(2)) {
            of.behind = Reading{rows.integer(2), rows.real(3)};
        }
        found.push_back(of);
    }
    return found;
}

// Readings ascend in time: those of the batch are before the next, those that were stored may be before or behind it.
std::size_t add_counters(Connection& connection, const std::vector<PlacedSample>& samples) {
    const CounterColumns columns = counter_columns(samples);
    if (columns.series.empty()) {
        return 0;
    }
    connection.run(kLockSeries, columns.series);
    const std::vector<Neighbours> stored = stored_neighbours(connection, columns);
    std::set<std::pair<std::int64_t, std::int64_t>> added;
    {
        Rows rows(connection, kAddCounters, columns.series, columns.times, columns.values);
        while (rows.next()) {
            added.emplace(rows.integer(0), rows.integer(1));
        }
    }
    SumsByHour hours;
    std::unordered_map<std::int64_t, Reading> last; // last reading of the batch, by series
    for (std::size_t i = 0; i < columns.series.size(); ++i) {
        const std::int64_t series = columns.series[i];
        if (!added.contains({series, columns.times[i]})) {
            continue;
        }
        const Reading reading{columns.times[i], columns.values[i]};
        std::optional<Reading> before = stored[i].before;
        if (const auto found = last.find(series); found != last.end() && (!before || before->time_ms < found->second.time_ms)) {
            before = found->second;
        }
        hours[{reading.time_ms / kMillisecondsPerHour, series}].add(reading.value);
        add_reading(hours, series, reading, before, stored[i].behind);
        last[series] = reading;
    }
    write_hours(connection, hours, true);
    return added.size();
}

// Clears whole minutes from the oldest on, at most about `max_rows` rows, so that a batch takes bounded time even after a long
// downtime.
void clear_samples(Connection& connection, std::int64_t oldest_ms, std::size_t max_rows) {
    std::int64_t end = oldest_ms / kMillisecondsPerMinute;
    Rows first(connection, kOldestMinute, end, 0);
    if (!first.next()) {
        return;
    }
    Rows last(connection, kOldestMinute, end, max_rows);
    if (last.next()) {
        end = std::max(first.integer(0) + 1, last.integer(0));
    }
    connection.run(kClearSamples, end);
}

// Runs once an hour for every counter, including silent ones.
void clear_counters(Connection& connection, std::int64_t oldest_ms) {
    const std::int64_t hour = oldest_ms / kMillisecondsPerHour;
    if (!Rows(connection, kClaimClearing, hour).next()) { // a later hour was written under a clock that was ahead
        return;
    }
    connection.run(kClearCounters, kCounterMetrics, oldest_ms);
    connection.run(kSetCleared, hour);
}

} // namespace

AddedSamples insert_samples(Connection& connection, const SampleBatch& batch, const TelemetryWindow& window) {
    check_texts(batch);
    AddedSamples outcome;
    outcome.window = window;
    outcome.outside = outside_of(window, batch);
    const std::vector<std::int64_t> series = find_or_add_series(connection, batch.series);
    outcome.accepted = add_sensors(connection, place_samples(batch, series, false, window));
    outcome.accepted += add_counters(connection, place_samples(batch, series, true, window));
    outcome.duplicates = batch.samples.size() - outcome.outside.size() - outcome.accepted;
    clear_samples(connection, window.oldest_ms, max_deleted_samples(batch.samples.size()));
    clear_counters(connection, window.oldest_ms);
    return outcome;
}

} // namespace costcurve::storage::postgres
