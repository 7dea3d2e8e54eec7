// Samples as rows for a window of time, and by hour for good. Writes work inside a transaction of the caller.
#pragma once

#include "server/storage/measurement.hpp"
#include "server/storage/sqlite/engine/database.hpp"
#include "server/storage/telemetry.hpp"

namespace costcurve::storage::sqlite {

/// Adds what is new of a batch, to the hours too, and deletes what is older than the window: of sensors at most a few times as many
/// rows as it adds. Cost: O(n log n) for n samples.
[[nodiscard]] AddedSamples insert_samples(Database& database, const SampleBatch& batch, const TelemetryWindow& window);

[[nodiscard]] HourPage find_hours(Database& database, const HourQuery& query);

/// Sensors only. Cost: all samples in the requested time; with up to 64 series only theirs.
void read_samples(Database& database, const SampleQuery& query, const SampleVisitor& visit);

} // namespace costcurve::storage::sqlite
