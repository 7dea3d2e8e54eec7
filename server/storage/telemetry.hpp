// Samples as rows for a window of time, and by hour for good. Writes work inside a transaction of the caller.
#pragma once

#include "server/storage/database.hpp"
#include "server/storage/measurement.hpp"

namespace costcurve::storage {

/// Adds what is new of a batch, to the hours too, and deletes what is older than the window: of sensors at most a few times as many
/// rows as it adds. Cost: O(n log n) for n samples.
[[nodiscard]] AddedSamples add_samples(Database& database, const SampleBatch& batch, const TelemetryWindow& window);

/// Of a counter from one reading to the next, in the unit it counts; 0 where the silence between them is too long. One that falls
/// was reset, and has counted from 0.
[[nodiscard]] double increase_between(std::int64_t from_ms, double from, std::int64_t to_ms, double to);

[[nodiscard]] HourPage find_hours(Database& database, const HourQuery& query);

/// Sensors only. Cost: what lies in the time asked for; with up to 64 series only theirs.
void visit_samples(Database& database, const SampleQuery& query, const SampleVisitor& visit);

} // namespace costcurve::storage
