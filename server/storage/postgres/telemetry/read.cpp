// Reads hours and samples in pages, because a query's result is held in memory.
#include <limits>
#include <vector>

#include "server/storage/list_query.hpp"
#include "server/storage/postgres/telemetry/telemetry.hpp"
#include "server/storage/rows.hpp"

namespace costcurve::storage::postgres {

namespace {

/// Maximum number of series that are read one by one by index. For more series, everything in the period is read.
constexpr std::size_t kMaxSoughtSeries = 64;
constexpr std::size_t kSamplesAtOnce = 20'000;
constexpr std::size_t kHoursAtOnce = 24;

constexpr const char* kHours = R"(
    SELECT hour, series, count, sum, squares, minimum, maximum, increase FROM telemetry_hour
    WHERE (hour, series) > ($1, $2) AND hour >= $3 AND hour < $4 AND series = ANY ($5) ORDER BY hour, series LIMIT $6)";
// Reads each series by its index, then sorts into page order. In the last hour of the previous page, series up to a number were
// already returned.
constexpr const char* kHoursOfSeries = R"(
    SELECT h.* FROM unnest($5) AS w (series) CROSS JOIN LATERAL (
        SELECT hour, series, count, sum, squares, minimum, maximum, increase FROM telemetry_hour AS t
        WHERE t.series = w.series AND t.hour >= $3 AND t.hour < $4 AND (t.hour > $1 OR (t.hour = $1 AND t.series > $2))
        ORDER BY t.hour LIMIT $6) AS h
    ORDER BY h.hour, h.series LIMIT $6)";
constexpr const char* kHoursWithSamples =
    "SELECT hour FROM telemetry_hour WHERE series = $1 AND hour >= $2 AND hour < $3 ORDER BY hour LIMIT $4";
constexpr const char* kSamplesOfHours = R"(
    SELECT s.minute, s.millisecond, s.value FROM unnest($2) AS h (hour)
    CROSS JOIN LATERAL generate_series(h.hour * 60, h.hour * 60 + 59) AS m (minute)
    CROSS JOIN LATERAL (SELECT minute, millisecond, value FROM telemetry_sample AS t
                        WHERE t.minute = m.minute AND t.series = $1) AS s
    ORDER BY s.minute, s.millisecond)";
constexpr const char* kSamples = R"(
    SELECT minute, series, millisecond, value FROM telemetry_sample
    WHERE (minute, series, millisecond) > ($1, $2, $3) AND minute < $4 ORDER BY minute, series, millisecond LIMIT $5)";

constexpr const char* kReadingsOfCounter =
    "SELECT time, value FROM telemetry_counter WHERE series = $1 AND time >= $2 AND time < $3 ORDER BY time LIMIT $4";

SeriesByNumber find_series(Connection& connection, const SeriesFilter& filter) {
    Rows rows(connection, kAllSeries);
    return read_series(rows, filter);
}

using VisitSample = std::function<bool(std::int64_t series, std::int64_t time_ms, double value)>;

// Samples of one series, of some hours at a time.
bool seek_samples(Connection& connection, const SampleQuery& query, std::int64_t id, const VisitSample& visit) {
    std::int64_t from = query.from_ms / kMillisecondsPerHour;
    while (true) {
        const std::vector<std::int64_t> hours =
            sql::read_all(Rows(connection, kHoursWithSamples, id, from, query.to_ms / kMillisecondsPerHour + 1, kHoursAtOnce),
                          [](const sql::Row& rows) { return rows.integer(0); });
        if (hours.empty()) {
            return true;
        }
        Rows rows(connection, kSamplesOfHours, id, hours);
        while (rows.next()) {
            if (!visit(id, rows.integer(0) * kMillisecondsPerMinute + rows.integer(1), rows.real(2))) {
                return false;
            }
        }
        from = hours.back() + 1;
    }
}

void scan_samples(Connection& connection, const SampleQuery& query, const VisitSample& visit) {
    std::int64_t minute = query.from_ms / kMillisecondsPerMinute - 1;
    std::int64_t series = std::numeric_limits<std::int64_t>::max();
    std::int64_t millisecond = std::numeric_limits<std::int64_t>::max();
    while (true) {
        std::size_t count = 0;
        Rows rows(connection, kSamples, minute, series, millisecond, query.to_ms / kMillisecondsPerMinute + 1, kSamplesAtOnce);
        while (rows.next()) {
            minute = rows.integer(0);
            series = rows.integer(1);
            millisecond = rows.integer(2);
            ++count;
            if (!visit(series, minute * kMillisecondsPerMinute + millisecond, rows.real(3))) {
                return;
            }
        }
        if (count < kSamplesAtOnce) {
            return;
        }
    }
}

bool read_counter(Connection& connection, SampleQuery query, std::int64_t id, const SeriesKey& key, const SampleVisitor& visit) {
    while (true) {
        std::size_t count = 0;
        Rows rows(connection, kReadingsOfCounter, id, query.from_ms, query.to_ms, kSamplesAtOnce);
        for (; rows.next(); ++count) {
            query.from_ms = rows.integer(0) + 1;
            if (!visit(key, rows.integer(0), rows.real(1))) {
                return false;
            }
        }
        if (count < kSamplesAtOnce) {
            return true;
        }
    }
}

} // namespace

HourPage find_hours(Connection& connection, const HourQuery& query) {
    HourPage page;
    const SeriesByNumber series = find_series(connection, query.filter);
    page.items = sql::read_all(Rows(connection, series.size() <= kMaxSoughtSeries ? kHoursOfSeries : kHours, query.after_hour,
                                    query.after_series, query.from, query.to, numbers_of(series), query.limit + 1),
                               [&](const sql::Row& rows) { return read_hour(rows, series.at(rows.integer(1))); });
    page.more = cut_to(page.items, query.limit);
    return page;
}

void read_samples(Connection& connection, const SampleQuery& query, const SampleVisitor& visit) {
    SeriesByNumber series = find_series(connection, query.filter);
    const SeriesByNumber counters = take_counters(series);
    for (const std::int64_t id : numbers_of(counters)) {
        if (!read_counter(connection, query, id, counters.at(id), visit)) {
            return;
        }
    }
    const VisitSample visit_inside = [&](std::int64_t id, std::int64_t time_ms, double value) {
        const auto found = series.find(id);
        return found == series.end() || time_ms < query.from_ms || time_ms >= query.to_ms || visit(found->second, time_ms, value);
    };
    if (series.size() > kMaxSoughtSeries) {
        scan_samples(connection, query, visit_inside);
        return;
    }
    for (const std::int64_t id : numbers_of(series)) {
        if (!seek_samples(connection, query, id, visit_inside)) {
            return;
        }
    }
}

} // namespace costcurve::storage::postgres
