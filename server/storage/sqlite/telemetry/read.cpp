// Reads hours by hour or by series, and samples minute by minute, whichever touches less.
#include "server/storage/sqlite/telemetry/telemetry.hpp"

#include <algorithm>
#include <utility>

#include "server/storage/list_query.hpp"
#include "server/storage/rows.hpp"

namespace costcurve::storage::sqlite {

namespace {

constexpr std::int64_t kMinutesPerHour = 60;
/// Maximum number of series that are read one by one by index. For more series, everything in the period is read.
constexpr std::size_t kMaxSoughtSeries = 64;

constexpr const char* kHours = R"(
    SELECT hour, series, count, sum, squares, minimum, maximum, increase FROM telemetry_hour
    WHERE (hour, series) > (?1, ?2) AND hour >= ?3 AND hour < ?4 ORDER BY hour, series)";
constexpr const char* kHoursOfSeries = R"(
    SELECT hour, series, count, sum, squares, minimum, maximum, increase
    FROM telemetry_hour INDEXED BY telemetry_hour_by_series
    WHERE series = ?1 AND hour >= ?2 AND hour < ?3 ORDER BY hour LIMIT ?4)";
constexpr const char* kHoursWithSamples =
    "SELECT hour FROM telemetry_hour INDEXED BY telemetry_hour_by_series WHERE series = ? AND hour >= ? AND hour < ? ORDER BY hour";
constexpr const char* kSamplesOfMinute =
    "SELECT millisecond, value FROM telemetry_sample WHERE minute = ? AND series = ? ORDER BY millisecond";
constexpr const char* kSamples = "SELECT minute, series, millisecond, value FROM telemetry_sample WHERE minute >= ? AND minute < ? "
                                 "ORDER BY minute, series, millisecond";

constexpr const char* kReadingsOfCounter =
    "SELECT time, value FROM telemetry_counter WHERE series = ? AND time >= ? AND time < ? ORDER BY time";

SeriesByNumber find_series(Database& database, const SeriesFilter& filter) {
    Rows rows(database, kAllSeries);
    return read_series(rows, filter);
}

// Reads each series by its index, then sorts into page order.
std::vector<HourRow> sought_hours(Database& database, const SeriesByNumber& series, const HourQuery& query) {
    std::vector<HourRow> found;
    for (const auto& [id, key] : series) {
        // In the last hour of the previous page, series up to `after_series` were already returned.
        const std::int64_t after = id > query.after_series ? query.after_hour : query.after_hour + 1;
        Rows rows(database, kHoursOfSeries, id, std::max(query.from, after), query.to, query.limit + 1);
        while (rows.next()) {
            found.push_back(read_hour(rows, key));
        }
    }
    std::sort(found.begin(), found.end(),
              [](const HourRow& a, const HourRow& b) { return std::pair(a.hour, a.series) < std::pair(b.hour, b.series); });
    found.resize(std::min(found.size(), query.limit + 1));
    return found;
}

void seek_samples(Database& database, const SampleQuery& query, std::int64_t id,
                  const std::function<bool(std::int64_t time_ms, double value)>& visit) {
    const std::vector<std::int64_t> hours = sql::read_all(
        Rows(database, kHoursWithSamples, id, query.from_ms / kMillisecondsPerHour, query.to_ms / kMillisecondsPerHour + 1),
        [](const sql::Row& rows) { return rows.integer(0); });
    for (const std::int64_t hour : hours) {
        for (std::int64_t minute = hour * kMinutesPerHour; minute < (hour + 1) * kMinutesPerHour; ++minute) {
            Rows rows(database, kSamplesOfMinute, minute, id);
            while (rows.next()) {
                if (!visit(minute * kMillisecondsPerMinute + rows.integer(0), rows.real(1))) {
                    return;
                }
            }
        }
    }
}

bool read_counter(Database& database, const SampleQuery& query, std::int64_t id, const SeriesKey& key, const SampleVisitor& visit) {
    Rows rows(database, kReadingsOfCounter, id, query.from_ms, query.to_ms);
    while (rows.next()) {
        if (!visit(key, rows.integer(0), rows.real(1))) {
            return false;
        }
    }
    return true;
}

} // namespace

HourPage find_hours(Database& database, const HourQuery& query) {
    HourPage page;
    const SeriesByNumber series = find_series(database, query.filter);
    if (series.size() <= kMaxSoughtSeries) {
        page.items = sought_hours(database, series, query);
    } else {
        Rows rows(database, kHours, query.after_hour, query.after_series, query.from, query.to);
        while (page.items.size() <= query.limit && rows.next()) {
            if (const auto found = series.find(rows.integer(1)); found != series.end()) {
                page.items.push_back(read_hour(rows, found->second));
            }
        }
    }
    page.more = cut_to(page.items, query.limit);
    return page;
}

void read_samples(Database& database, const SampleQuery& query, const SampleVisitor& visit) {
    SeriesByNumber series = find_series(database, query.filter);
    const SeriesByNumber counters = take_counters(series);
    bool goes_on = true;
    for (const std::int64_t id : numbers_of(counters)) {
        if (!read_counter(database, query, id, counters.at(id), visit)) {
            return;
        }
    }
    const auto visit_inside = [&](const SeriesKey& key, std::int64_t time_ms, double value) {
        goes_on = goes_on && (time_ms < query.from_ms || time_ms >= query.to_ms || visit(key, time_ms, value));
        return goes_on;
    };
    if (series.size() <= kMaxSoughtSeries) {
        for (const std::int64_t id : numbers_of(series)) {
            const SeriesKey& key = series.at(id);
            seek_samples(database, query, id,
                         [&](std::int64_t time_ms, double value) { return visit_inside(key, time_ms, value); });
            if (!goes_on) {
                return;
            }
        }
        return;
    }
    Rows rows(database, kSamples, query.from_ms / kMillisecondsPerMinute, query.to_ms / kMillisecondsPerMinute + 1);
    while (goes_on && rows.next()) {
        if (const auto found = series.find(rows.integer(1)); found != series.end()) {
            static_cast<void>(
                visit_inside(found->second, rows.integer(0) * kMillisecondsPerMinute + rows.integer(2), rows.real(3)));
        }
    }
}

} // namespace costcurve::storage::sqlite
