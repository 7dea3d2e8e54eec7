// What is measured, as values: samples of sensors and counters, their hours, and the lines of bills. Knows no SQL and no formats.
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

/// The metrics that count up; all others are sensors.
inline constexpr std::array<std::string_view, 3> kCounterMetrics{"energy_j", "input_tokens", "output_tokens"};
[[nodiscard]] inline bool is_counter(std::string_view metric) {
    return std::ranges::find(kCounterMetrics, metric) != kCounterMetrics.end();
}

/// Longer silence of a counter than this, and it starts anew: what it counted meanwhile belongs to no hour.
inline constexpr std::int64_t kMaxCounterGapMs = 24 * kMillisecondsPerHour;

/// One sensor or counter of one source. A source of two devices, or of a known and an unknown one, is two series.
struct SeriesKey {
    std::string source;
    std::string device; ///< "" where it is unknown
    std::string metric;
    friend auto operator<=>(const SeriesKey&, const SeriesKey&) = default; // NOLINT(modernize-use-nullptr): false alarm
};

/// Readings, by the index of their series.
struct SampleBatch {
    struct Sample {
        std::uint32_t series = 0;
        std::int64_t time_ms = 0; ///< Unix milliseconds
        double value = 0.0;       ///< finite
    };
    std::vector<SeriesKey> series;
    std::vector<Sample> samples;
};

/// The times of samples that are taken: not before raw ones are kept, nor in the time to come.
struct TelemetryWindow {
    std::int64_t oldest_ms = 0; ///< a whole hour
    std::int64_t newest_ms = 0; ///< an hour to come: clocks of hosts may be ahead
    std::int64_t now_ms = 0;    ///< by the store's clock
};

/// What became of the samples of a batch: all others were accepted.
struct AddedSamples {
    std::size_t accepted = 0;
    std::size_t duplicates = 0;       ///< of a series and time that there was already: the first one stays
    std::vector<std::size_t> outside; ///< indices of those outside of the window, ascending
    TelemetryWindow window;
};

/// Which series: those of a device or of one of the sources, where any is given, and of one of the metrics.
struct SeriesFilter {
    std::string device = {};               ///< "" for all
    std::vector<std::string> sources = {}; ///< empty for all
    std::vector<std::string> metrics = {}; ///< empty for all
};

/// Sums of the samples of an hour.
struct HourRow {
    std::int64_t series = 0; ///< the store's number of it
    SeriesKey key;
    std::int64_t hour = 0;         ///< since 1970-01-01 UTC
    std::int64_t count = 0;        ///< samples; 0 where only a counter's difference reaches across the hour
    std::optional<double> sum;     ///< of sensors, as the next
    std::optional<double> squares; ///< the sum of their squares
    std::optional<double> minimum; ///< where count > 0, as the next
    std::optional<double> maximum;
    std::optional<double> increase; ///< of counters: the difference across the hour, resets taken for a start at 0
};

struct HourQuery {
    SeriesFilter filter = {};
    std::int64_t from = 0;                                              ///< the first hour
    std::int64_t to = std::numeric_limits<std::int64_t>::max();         ///< the one behind the last
    std::int64_t after_hour = std::numeric_limits<std::int64_t>::min(); ///< with the next: where the page before ended
    std::int64_t after_series = 0;
    std::size_t limit = 100;
};
struct HourPage {
    std::vector<HourRow> items; ///< ascending by hour, then by series
    bool more = false;
};

/// A sensor's samples from one time up to, and without, another.
struct SampleQuery {
    SeriesFilter filter = {};
    std::int64_t from_ms = 0;
    std::int64_t to_ms = 0;
};
/// Gets each sample, of a series ascending in time; false stops.
using SampleVisitor = std::function<bool(const SeriesKey& series, std::int64_t time_ms, double value)>;

/// How many lines of a bill were new, of other amounts than what was stored, and of the same.
struct BillOutcome {
    std::size_t added = 0;
    std::size_t changed = 0;
    std::size_t unchanged = 0;
    std::size_t beside = 0;  ///< of the new ones: those that may be stored already, under a less or more precise account
    std::int64_t change = 0; ///< that stored them; 0 where nothing changed
};

/// What the undoing of changes made of a bill's lines.
struct UndoneBill {
    std::int64_t removed = 0;  ///< lines that they had stored
    std::int64_t restored = 0; ///< lines that they had replaced or removed
    std::int64_t kept = 0;     ///< lines of theirs that others have replaced since
};

struct BillQuery {
    std::string provider = {}; ///< "" for all, as the next four
    std::string region = {};
    std::string sku = {};
    std::string purchase = {};
    std::string device = {};
    std::int64_t from_day = 0;
    std::int64_t to_day = 0; ///< the one behind the last
};
/// Lines of the same names, added up over their days.
struct BillSum {
    BillLine line; ///< its day is the first one
    std::int64_t last_day = 0;
    std::int64_t lines = 0; ///< one a day
};
using BillVisitor = std::function<void(const BillSum& sum)>;
/// Sums of a currency's lines of usage that match a query.
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
