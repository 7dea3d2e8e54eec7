// Arithmetic of telemetry: which samples are taken, what they add to the sums of their hours, and how much is deleted for them.
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

/// The samples that are taken at a time in microseconds since 1970: raw ones are kept for so many days.
[[nodiscard]] TelemetryWindow window_at(std::int64_t now, std::int64_t days);
/// Throws std::invalid_argument where a text of the batch is none that every engine keeps: readers refuse its row.
void check_texts(const SampleBatch& batch);
/// Indices of the samples outside of the window, ascending.
[[nodiscard]] std::vector<std::size_t> outside_of(const TelemetryWindow& window, const SampleBatch& batch);

/// A sample in the order of its table.
struct PlacedSample {
    std::int64_t minute = 0;
    std::int64_t series = 0; ///< the store's number of it
    std::int64_t millisecond = 0;
    double value = 0.0;
    std::size_t index = 0; ///< in its batch
};
/// The counters or the sensors in the window, in the order of their tables, so that neighbours share pages; of equal ones the first
/// stays in front. `series` has the store's numbers by the index of the batch. Cost: O(n log n).
[[nodiscard]] std::vector<PlacedSample> place_samples(const SampleBatch& batch, const std::vector<std::int64_t>& series,
                                                      bool counters, const TelemetryWindow& window);

/// What samples add to an hour.
struct HourSums {
    std::int64_t count = 0;
    double sum = 0.0;
    double squares = 0.0;
    double minimum = 0.0; ///< where count > 0, as the next
    double maximum = 0.0;
    double increase = 0.0;

    void add(double value);
};
using SumsByHour = std::map<std::pair<std::int64_t, std::int64_t>, HourSums>; ///< by hour and series

/// The increase of a counter from one reading to the next, in its unit; 0 where the silence between them is too long. A counter
/// that falls was reset, and has counted from 0.
[[nodiscard]] double increase_between(std::int64_t from_ms, double from, std::int64_t to_ms, double to);

/// A reading of a counter.
struct Reading {
    std::int64_t time_ms = 0;
    double value = 0.0;
};
/// Adds a reading between the stored ones before and behind it, whose difference was counted already: what was counted from one
/// reading to the next is spread evenly over the time between.
void add_reading(SumsByHour& hours, std::int64_t series, const Reading& reading, const std::optional<Reading>& before,
                 const std::optional<Reading>& behind);

/// The most samples that are deleted with a batch because they are too old: the time is bounded even after a long outage.
[[nodiscard]] std::size_t max_deleted_samples(std::size_t batch_size);

/// From where batches were noted in the audit, and in which hour: a row a batch would soon be more than the samples are worth. One
/// thread at a time.
class NotedSources {
public:
    /// Whether no batch of this author and address was noted in the hour of a time in microseconds; it is from now on.
    [[nodiscard]] bool is_first_of_hour(const Author& author, std::int64_t now);

private:
    std::map<std::pair<std::string, std::string>, std::int64_t> hours_; // by name and address
};

} // namespace costcurve::storage
