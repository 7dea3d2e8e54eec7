// Samples are sorted as their tables are, so that neighbours share pages; each new one goes into the sum of its hour, which is
// written once a batch.
#include "server/storage/telemetry.hpp"

#include <algorithm>
#include <map>
#include <utility>

namespace costcurve::storage {

namespace {

constexpr std::int64_t kMillisecondsPerMinute = 60'000;

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
// min and max of SQLite are null where one of theirs is.
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
// The last one before the window stays: the first difference inside of it begins there.
constexpr const char* kClearCounter = R"(
    DELETE FROM telemetry_counter WHERE series = ?1
        AND time < (SELECT max(time) FROM telemetry_counter WHERE series = ?1 AND time < ?2))";

// A sample in the order of its table.
struct Placed {
    std::int64_t minute;
    std::int64_t series;
    std::int64_t millisecond;
    double value;
    std::size_t index;
};

struct Sums {
    std::int64_t count = 0;
    double sum = 0.0;
    double squares = 0.0;
    double minimum = 0.0;
    double maximum = 0.0;
    double increase = 0.0;

    void add(double value) {
        minimum = count == 0 ? value : std::min(minimum, value);
        maximum = count == 0 ? value : std::max(maximum, value);
        ++count;
        sum += value;
        squares += value * value;
    }
};
using SumsByHour = std::map<std::pair<std::int64_t, std::int64_t>, Sums>; // hour and series

struct Reading {
    std::int64_t time_ms = 0;
    double value = 0.0;
};

std::int64_t find_or_add_series(Database& database, const SeriesKey& key) {
    {
        Rows rows(database, kFindSeries, key.source, key.device, key.metric);
        if (rows.next()) {
            return rows.integer(0);
        }
    }
    Rows(database, kAddSeries, key.source, key.device, key.metric).run();
    return database.last_row();
}

// Adds or, with a sign of -1, takes away what a counter counted from one reading to the next: spread evenly over the time between.
void spread(SumsByHour& hours, std::int64_t series, const Reading& from, const Reading& to, double sign) {
    const double increase = sign * increase_between(from.time_ms, from.value, to.time_ms, to.value);
    if (increase == 0.0) {
        return;
    }
    const auto length = static_cast<double>(to.time_ms - from.time_ms);
    for (std::int64_t at = from.time_ms; at < to.time_ms;) {
        const std::int64_t hour = at / kMillisecondsPerHour;
        const std::int64_t end = std::min(to.time_ms, (hour + 1) * kMillisecondsPerHour);
        hours[{hour, series}].increase += increase * (static_cast<double>(end - at) / length);
        at = end;
    }
}

std::optional<Reading> neighbour(Database& database, const char* sql, std::int64_t series, std::int64_t time_ms) {
    Rows rows(database, sql, series, time_ms);
    return rows.next() ? std::optional(Reading{rows.integer(0), rows.real(1)}) : std::nullopt;
}

// A reading that comes late stands between two whose difference was counted already.
void add_difference(Database& database, SumsByHour& hours, std::int64_t series, const Reading& reading) {
    const auto before = neighbour(database, kBefore, series, reading.time_ms);
    const auto behind = neighbour(database, kBehind, series, reading.time_ms);
    if (before && behind) {
        spread(hours, series, *before, *behind, -1.0);
    }
    if (before) {
        spread(hours, series, *before, reading, 1.0);
    }
    if (behind) {
        spread(hours, series, reading, *behind, 1.0);
    }
}

void write_hours(Database& database, const SumsByHour& hours, bool counters) {
    for (const auto& [place, sums] : hours) {
        const auto& [hour, series] = place;
        if (counters) {
            const auto minimum = sums.count > 0 ? std::optional(sums.minimum) : std::nullopt;
            const auto maximum = sums.count > 0 ? std::optional(sums.maximum) : std::nullopt;
            Rows(database, kAddCounterHour, hour, series, sums.count, minimum, maximum, sums.increase).run();
        } else {
            Rows(database, kAddHour, hour, series, sums.count, sums.sum, sums.squares, sums.minimum, sums.maximum).run();
        }
    }
}

// The samples in the window, in the order of their tables; of equal ones the first stays in front.
std::vector<Placed> placed(const SampleBatch& batch, const std::vector<std::int64_t>& series, bool counters,
                           const TelemetryWindow& window) {
    std::vector<Placed> rows;
    for (std::size_t i = 0; i < batch.samples.size(); ++i) {
        const SampleBatch::Sample& sample = batch.samples[i];
        const bool is_counter = batch.series[sample.series].metric == kCounterMetric;
        if (is_counter == counters && sample.time_ms >= window.oldest_ms && sample.time_ms <= window.newest_ms) {
            const std::int64_t minute = sample.time_ms / kMillisecondsPerMinute;
            rows.push_back({minute, series[sample.series], sample.time_ms % kMillisecondsPerMinute, sample.value, i});
        }
    }
    std::sort(rows.begin(), rows.end(), [](const Placed& a, const Placed& b) {
        return std::tie(a.minute, a.series, a.millisecond, a.index) < std::tie(b.minute, b.series, b.millisecond, b.index);
    });
    return rows;
}

// Writes the sums of an hour when the next one begins: a batch may reach over many.
std::size_t add_sensors(Database& database, const std::vector<Placed>& rows) {
    std::size_t added = 0;
    SumsByHour hours;
    for (const Placed& row : rows) {
        const std::int64_t hour = row.minute * kMillisecondsPerMinute / kMillisecondsPerHour;
        if (!hours.empty() && hours.begin()->first.first != hour) {
            write_hours(database, hours, false);
            hours.clear();
        }
        Rows(database, kAddSample, row.minute, row.series, row.millisecond, row.value).run();
        if (database.changed() > 0) {
            hours[{hour, row.series}].add(row.value);
            ++added;
        }
    }
    write_hours(database, hours, false);
    return added;
}

std::size_t add_counters(Database& database, const std::vector<Placed>& rows) {
    std::size_t added = 0;
    SumsByHour hours;
    for (const Placed& row : rows) {
        const Reading reading{row.minute * kMillisecondsPerMinute + row.millisecond, row.value};
        Rows(database, kAddCounter, row.series, reading.time_ms, reading.value).run();
        if (database.changed() > 0) {
            hours[{reading.time_ms / kMillisecondsPerHour, row.series}].add(reading.value);
            add_difference(database, hours, row.series, reading);
            ++added;
        }
    }
    write_hours(database, hours, true);
    return added;
}

// Whole minutes from the oldest, so many that a batch takes a bounded time though a daemon was long away.
void clear_samples(Database& database, std::int64_t oldest_ms, std::size_t most) {
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
        Rows rows(database, kOldestMinute, end, most);
        if (rows.next()) {
            end = std::max(first + 1, rows.integer(0));
        }
    }
    Rows(database, kClearSamples, end).run();
}

// Once an hour, of every counter: those that are silent too.
void clear_counters(Database& database, std::int64_t oldest_ms) {
    const std::int64_t hour = oldest_ms / kMillisecondsPerHour;
    if (database.number(kCleared) >= hour) {
        return;
    }
    Rows counters(database, kCounters, std::string_view(kCounterMetric));
    while (counters.next()) {
        Rows(database, kClearCounter, counters.integer(0), oldest_ms).run();
    }
    Rows(database, kSetCleared, hour).run();
}

} // namespace

double increase_between(std::int64_t from_ms, double from, std::int64_t to_ms, double to) {
    if (to_ms - from_ms > kMostCounterGapMs) {
        return 0.0;
    }
    return to >= from ? to - from : to;
}

AddedSamples add_samples(Database& database, const SampleBatch& batch, const TelemetryWindow& window) {
    constexpr std::size_t kLeastCleared = 20'000;
    constexpr std::size_t kClearedPerSample = 4;
    AddedSamples outcome;
    outcome.window = window;
    for (std::size_t i = 0; i < batch.samples.size(); ++i) {
        if (batch.samples[i].time_ms < window.oldest_ms || batch.samples[i].time_ms > window.newest_ms) {
            outcome.outside.push_back(i);
        }
    }
    std::vector<std::int64_t> series;
    for (const SeriesKey& key : batch.series) {
        series.push_back(find_or_add_series(database, key));
    }
    outcome.accepted = add_sensors(database, placed(batch, series, false, window));
    outcome.accepted += add_counters(database, placed(batch, series, true, window));
    outcome.duplicates = batch.samples.size() - outcome.outside.size() - outcome.accepted;
    clear_samples(database, window.oldest_ms, std::max(kLeastCleared, kClearedPerSample * batch.samples.size()));
    clear_counters(database, window.oldest_ms);
    return outcome;
}

} // namespace costcurve::storage
