// Measured data as values: samples of sensors and counters, their hourly sums, and bill lines. Knows no SQL and no file formats.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "server/bill/bill_line.hpp"

namespace costcurve::storage {

inline constexpr std::int64_t kMicrosecondsPerMillisecond = 1000;
inline constexpr std::int64_t kMillisecondsPerMinute = 60'000;
inline constexpr std::int64_t kMillisecondsPerHour = 3'600'000;

/// Metrics that are cumulative counters; all others are sensors.
inline constexpr std::array<std::string_view, 3> kCounterMetrics{"energy_j", "input_tokens", "output_tokens"};
[[nodiscard]] inline bool is_counter(std::string_view metric) {
    return std::ranges::find(kCounterMetrics, metric) != kCounterMetrics.end();
}

/// Maximum gap between two readings of a counter. After a longer gap the counter starts anew, and its increase over the gap belongs
/// to no hour.
inline constexpr std::int64_t kMaxCounterGapMs = 24 * kMillisecondsPerHour;

/// One metric of one source. A source with two devices, or with a known and an unknown device, has two series.
struct SeriesKey {
    std::string source;
    std::string device; ///< "" where it is unknown
    std::string metric;
    friend auto operator<=>(const SeriesKey&, const SeriesKey&) = default; // NOLINT(modernize-use-nullptr): false alarm
};

/// Samples that name their series by index.
struct SampleBatch {
    struct Sample {
        std::uint32_t series = 0;
        std::int64_t time_ms = 0; ///< Unix milliseconds
        double value = 0.0;       ///< finite
    };
    std::vector<SeriesKey> series;
    std::vector<Sample> samples;
};

/// Period in which samples are accepted: from the oldest raw sample kept to slightly in the future.
struct TelemetryWindow {
    std::int64_t oldest_ms = 0; ///< a whole hour
    std::int64_t newest_ms = 0; ///< an hour ahead, because clocks of hosts may be fast
    std::int64_t now_ms = 0;    ///< by the store's clock
};

/// Outcome of adding a batch of samples. Samples neither duplicate nor outside were accepted.
struct AddedSamples {
    std::size_t accepted = 0;
    std::size_t duplicates = 0;       ///< samples whose series and time were already stored; the stored sample stays
    std::vector<std::size_t> outside; ///< indices of samples outside of the window, ascending
    TelemetryWindow window;
};

/// Selects series: by device or by one of the sources, if given, and by one of the metrics.
struct SeriesFilter {
    std::string device = {};               ///< "" for all
    std::vector<std::string> sources = {}; ///< empty for all
    std::vector<std::string> metrics = {}; ///< empty for all
};

/// Sums over the samples of one series in one hour.
struct HourRow {
    std::int64_t series = 0; ///< the store's number of the series
    SeriesKey key;
    std::int64_t hour = 0;         ///< since 1970-01-01 UTC
    std::int64_t count = 0;        ///< number of samples; 0 if only a counter's increase spans the hour
    std::optional<double> sum;     ///< sensors only, as the next
    std::optional<double> squares; ///< the sum of their squares
    std::optional<double> minimum; ///< if count > 0, as the next
    std::optional<double> maximum;
    std::optional<double> increase; ///< counters only: increase in the hour; a reset counts as a start at 0
};

struct HourQuery {
    SeriesFilter filter = {};
    std::int64_t from = 0;                                              ///< the first hour
    std::int64_t to = std::numeric_limits<std::int64_t>::max();         ///< the hour after the last
    std::int64_t after_hour = std::numeric_limits<std::int64_t>::min(); ///< with the next: last row of the previous page
    std::int64_t after_series = 0;
    std::size_t limit = 100;
};
struct HourPage {
    std::vector<HourRow> items; ///< ascending by hour, then by series
    bool more = false;
};

/// Query for a sensor's samples in a half-open period.
struct SampleQuery {
    SeriesFilter filter = {};
    std::int64_t from_ms = 0;
    std::int64_t to_ms = 0;
};
/// Called for each sample, in ascending time within a series; returning false stops.
using SampleVisitor = std::function<bool(const SeriesKey& series, std::int64_t time_ms, double value)>;

/// Numbers of bill lines that were new, changed in amount, or unchanged.
struct BillOutcome {
    std::size_t added = 0;
    std::size_t changed = 0;
    std::size_t unchanged = 0;
    std::size_t beside = 0;  ///< new lines that may already be stored under a less or more precise account
    std::int64_t change = 0; ///< number of the change that stored the lines; 0 if nothing changed
};

/// Effect of undoing changes on bill lines.
struct UndoneBill {
    std::int64_t removed = 0;  ///< lines that the undone changes had stored
    std::int64_t restored = 0; ///< lines that the undone changes had replaced or removed
    std::int64_t kept = 0;     ///< lines of the undone changes that later changes have replaced
};

struct BillQuery {
    std::string provider = {}; ///< "" for all, as the next four
    std::string region = {};
    std::string sku = {};
    std::string purchase = {};
    std::string device = {};
    std::int64_t from_day = 0;
    std::int64_t to_day = 0; ///< the day after the last
};
/// Lines with the same names, summed over their days.
struct BillSum {
    BillLine line; ///< its day is the first of the summed days
    std::int64_t last_day = 0;
    std::int64_t lines = 0; ///< number of summed lines, one a day
};
using BillVisitor = std::function<void(const BillSum& sum)>;
/// Sums over the usage lines in one currency that match a query.
struct BillTotal {
    std::string currency;
    std::int64_t lines = 0;
    double hours = 0.0;
    double device_hours = 0.0;
    double billed_cost = 0.0;
    double effective_cost = 0.0;
    double list_cost = 0.0;
};

} // namespace costcurve::storage
