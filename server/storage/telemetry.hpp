// Arithmetic of telemetry: accepted samples, their contribution to hourly sums, and the number of samples to delete.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "server/storage/audit.hpp"
#include "server/storage/measurement.hpp"

namespace costcurve::storage {

/// The window of accepted samples at time `now`, in microseconds since 1970, if raw samples are kept for `days`.
[[nodiscard]] TelemetryWindow window_at(std::int64_t now, std::int64_t days);
/// Throws std::invalid_argument if a text of the batch can't be stored in every engine: readers reject such rows.
void check_texts(const SampleBatch& batch);
/// Indices of the samples outside of the window, ascending.
[[nodiscard]] std::vector<std::size_t> outside_of(const TelemetryWindow& window, const SampleBatch& batch);

/// A sample in the order of its table.
struct PlacedSample {
    std::int64_t minute = 0;
    std::int64_t series = 0; ///< the store's number of the series
    std::int64_t millisecond = 0;
    double value = 0.0;
    std::size_t index = 0; ///< index in its batch
};
/// The counter or sensor samples in the window, sorted in the order of their table so that neighbours share pages; the sort is
/// stable. `series` maps the batch's series indices to the store's numbers. Cost: O(n log n).
[[nodiscard]] std::vector<PlacedSample> place_samples(const SampleBatch& batch, const std::vector<std::int64_t>& series,
                                                      bool counters, const TelemetryWindow& window);

/// Sums that samples add to an hour.
struct HourSums {
    std::int64_t count = 0;
    double sum = 0.0;
    double squares = 0.0;
    double minimum = 0.0; ///< if count > 0, as the next
    double maximum = 0.0;
    double increase = 0.0;

    void add(double value);
};
using SumsByHour = std::map<std::pair<std::int64_t, std::int64_t>, HourSums>; ///< by hour and series

/// Increase of a counter between two readings, in its unit; 0 if the gap between them is too long. A counter that falls was reset
/// and has counted from 0.
[[nodiscard]] double increase_between(std::int64_t from_ms, double from, std::int64_t to_ms, double to);

/// A reading of a counter.
struct Reading {
    std::int64_t time_ms = 0;
    double value = 0.0;
};
/// Adds a reading between its stored neighbours, whose difference was already counted. Each increase is spread evenly over the time
/// between two readings.
void add_reading(SumsByHour& hours, std::int64_t series, const Reading& reading, const std::optional<Reading>& before,
                 const std::optional<Reading>& behind);

/// Maximum number of expired samples deleted with a batch. It bounds a batch's time even after a long outage.
[[nodiscard]] std::size_t max_deleted_samples(std::size_t batch_size);

/// Sources whose batches the audit has recorded, by hour: a row per batch would outgrow the samples. For one thread at a time.
class NotedSources {
public:
    /// Whether this is the first batch of this author and address in the hour of `now` (microseconds); also records it.
    [[nodiscard]] bool is_first_of_hour(const Author& author, std::int64_t now);

private:
    std::map<std::pair<std::string, std::string>, std::int64_t> hours_; // by name and address
};

} // namespace costcurve::storage
