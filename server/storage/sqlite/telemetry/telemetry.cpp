// Adds each new sample to the sums of its hour, which are written once per batch.
#include "server/storage/sqlite/telemetry/telemetry.hpp"

#include <algorithm>

namespace costcurve::storage::sqlite {

namespace {

constexpr const char* kFindSeries = "SELECT series FROM telemetry_series WHERE source = ? AND device = ? AND metric = ?";
constexpr const char* kAddSeries = "INSERT INTO telemetry_series (source, device, metric) VALUES (?, ?, ?)";
constexpr const char* kAddSample =
    "INSERT OR IGNORE INTO telemetry_sample (minute, series, millisecond, value) VALUES (?, ?, ?, ?)";
constexpr const char* kAddCounter = "INSERT OR IGNORE INTO telemetry_counter (series, time, value) VALUES (?, ?, ?)";
constexpr const char* kBefore =
    "SELECT time, value FROM telemetry_counter WHERE series = ? AND time < ? ORDER BY time DESC LIMIT 1";
constexpr const char* kBehind = "SELECT time, value FROM telemetry_counter WHERE series = ? AND time > ? ORDER BY time LIMIT 1";
constexpr const char* kAddHour = R"(
    INSERT INTO telemetry_hour (hour, series, count, sum, squares, minimum, maximum) VALUES (?, ?, ?, ?, ?, ?, ?)
    ON CONFLICT DO UPDATE SET count = count + excluded.count, sum = sum + excluded.sum, squares = squares + excluded.squares,
        minimum = min(minimum, excluded.minimum), maximum = max(maximum, excluded.maximum))";
// SQLite's min and max return NULL if any argument is NULL.
constexpr const char* kAddCounterHour = R"(
    INSERT INTO telemetry_hour (hour, series, count, minimum, maximum, increase) VALUES (?, ?, ?, ?, ?, ?)
    ON CONFLICT DO UPDATE SET count = count + excluded.count, increase = increase + excluded.increase,
        minimum = min(coalesce(minimum, excluded.minimum), coalesce(excluded.minimum, minimum)),
        maximum = max(coalesce(maximum, excluded.maximum), coalesce(excluded.maximum, maximum)))";
constexpr const char* kOldestMinute = "SELECT minute FROM telemetry_sample WHERE minute < ?1 ORDER BY minute LIMIT 1 OFFSET ?2";
constexpr const char* kClearSamples = "DELETE FROM telemetry_sample WHERE minute < ?";
constexpr const char* kCleared = "SELECT hour FROM telemetry_cleared";
constexpr const char* kSetCleared = "UPDATE telemetry_cleared SET hour = ?";
constexpr const char* kCounters = "SELECT series FROM telemetry_series WHERE metric = ?";
// Keeps the last reading before the window: the first increase inside the window starts from it.
constexpr const char* kClearCounter = R"(
    DELETE FROM telemetry_counter WHERE series = ?1
        AND time < (SELECT max(time) FROM telemetry_counter WHERE series = ?1 AND time < ?2))";

std::int64_t find_or_add_series(Database& database, const SeriesKey& key) {
    {
        Rows rows(database, kFindSeries, key.source, key.device, key.metric);
        if (rows.next()) {
            return rows.integer(0);
        }
    }
    database.run(kAddSeries, key.source, key.device, key.metric);
    return database.last_row();
}

std::optional<Reading> neighbour(Database& database, const char* sql, std::int64_t series, std::int64_t time_ms) {
    Rows rows(database, sql, series, time_ms);
    return rows.next() ? std::optional(Reading{rows.integer(0), rows.real(1)}) : std::nullopt;
}

void write_hours(Database& database, const SumsByHour& hours, bool counters) {
    for (const auto& [place, sums] : hours) {
        const auto& [hour, series] = place;
        if (counters) {
            const auto minimum = sums.count > 0 ? std::optional(sums.minimum) : std::nullopt;
            const auto maximum = sums.count > 0 ? std::optional(sums.maximum) : std::nullopt;
            database.run(kAddCounterHour, hour, series, sums.count, minimum, maximum, sums.increase);
        } else {
            database.run(kAddHour, hour, series, sums.count, sums.sum, sums.squares, sums.minimum, sums.maximum);
        }
    }
}

// Writes the sums of an hour when the next hour begins, because a batch may span many hours.
std::size_t add_sensors(Database& database, const std::vector<PlacedSample>& rows) {
    std::size_t added = 0;
    SumsByHour hours;
    for (const PlacedSample& row : rows) {
        const std::int64_t hour = row.minute * kMillisecondsPerMinute / kMillisecondsPerHour;
        if (!hours.empty() && hours.begin()->first.first != hour) {
            write_hours(database, hours, false);
            hours.clear();
        }
        if (database.run(kAddSample, row.minute, row.series, row.millisecond, row.value) > 0) {
            hours[{hour, row.series}].add(row.value);
            ++added;
        }
    }
    write_hours(database, hours, false);
    return added;
}

std::size_t add_counters(Database& database, const std::vector<PlacedSample>& rows) {
    std::size_t added = 0;
    SumsByHour hours;
    for (const PlacedSample& row : rows) {
        const Reading reading{row.minute * kMillisecondsPerMinute + row.millisecond, row.value};
        if (database.run(kAddCounter, row.series, reading.time_ms, reading.value) > 0) {
            hours[{reading.time_ms / kMillisecondsPerHour, row.series}].add(reading.value);
            add_reading(hours, row.series, reading, neighbour(database, kBefore, row.series, reading.time_ms),
                        neighbour(database, kBehind, row.series, reading.time_ms));
            ++added;
        }
    }
    write_hours(database, hours, true);
    return added;
}

// Clears whole minutes from the oldest on, at most about `max_rows` rows, so that a batch takes bounded time even after a long
// downtime.
void clear_samples(Database& database, std::int64_t oldest_ms, std::size_t max_rows) {
    std::int64_t end = oldest_ms / kMillisecondsPerMinute;
    std::int64_t first = 0;
    {
        Rows rows(database, kOldestMinute, end, std::int64_t{0});
        if (!rows.next()) {
            return;
        }
        first = rows.integer(0);
    }
    {
        Rows rows(database, kOldestMinute, end, max_rows);
        if (rows.next()) {
            end = std::max(first + 1, rows.integer(0));
        }
    }
    database.run(kClearSamples, end);
}

// Runs once an hour for every counter, including silent ones.
void clear_counters(Database& database, std::int64_t oldest_ms) {
    const std::int64_t hour = oldest_ms / kMillisecondsPerHour;
    if (database.number(kCleared) == hour) { // a later hour was written under a clock that was ahead
        return;
    }
    for (const std::string_view metric : kCounterMetrics) {
        Rows counters(database, kCounters, metric);
        while (counters.next()) {
            database.run(kClearCounter, counters.integer(0), oldest_ms);
        }
    }
    database.run(kSetCleared, hour);
}

} // namespace

AddedSamples insert_samples(Database& database, const SampleBatch& batch, const TelemetryWindow& window) {
    check_texts(batch);
    AddedSamples outcome;
    outcome.window = window;
    outcome.outside = outside_of(window, batch);
    std::vector<std::int64_t> series;
    for (const SeriesKey& key : batch.series) {
        series.push_back(find_or_add_series(database, key));
    }
    outcome.accepted = add_sensors(database, place_samples(batch, series, false, window));
    outcome.accepted += add_counters(database, place_samples(batch, series, true, window));
    outcome.duplicates = batch.samples.size() - outcome.outside.size() - outcome.accepted;
    clear_samples(database, window.oldest_ms, max_deleted_samples(batch.samples.size()));
    clear_counters(database, window.oldest_ms);
    return outcome;
}

} // namespace costcurve::storage::sqlite
