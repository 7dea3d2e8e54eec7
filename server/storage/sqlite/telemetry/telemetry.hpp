// Stores raw samples for a limited period and hourly sums permanently. Writes run inside the caller's transaction.
#pragma once

#include "server/storage/measurement.hpp"
#include "server/storage/sqlite/engine/database.hpp"
#include "server/storage/telemetry.hpp"

namespace costcurve::storage::sqlite {

/// Adds the new samples of a batch, also to the hourly sums, and deletes samples older than the window; of sensors at most a few
/// times as many rows as it adds. Cost: O(n log n) for n samples.
[[nodiscard]] AddedSamples insert_samples(Database& database, const SampleBatch& batch, const TelemetryWindow& window);

[[nodiscard]] HourPage find_hours(Database& database, const HourQuery& query);

/// Reads samples of sensors only. Cost: all samples in the period, or only those of the series if there are at most 64.
void read_samples(Database& database, const SampleQuery& query, const SampleVisitor& visit);

} // namespace costcurve::storage::sqlite
