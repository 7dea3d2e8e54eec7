// Samples as rows for a window of time, and by hour for good. Writes work inside a transaction of the caller, and may deadlock with
// another's, which the caller does again.
#pragma once

#include "server/storage/measurement.hpp"
#include "server/storage/postgres/engine/connection.hpp"
#include "server/storage/telemetry.hpp"

namespace costcurve::storage::postgres {

/// Adds what is new of a batch, to the hours too, and deletes what is older than the window: of sensors at most a few times as many
/// rows as it adds. A dozen statements, however many samples.
[[nodiscard]] AddedSamples insert_samples(Connection& connection, const SampleBatch& batch, const TelemetryWindow& window);

[[nodiscard]] HourPage find_hours(Connection& connection, const HourQuery& query);

/// Sensors only. Cost: all samples in the requested time; with up to 64 series only theirs. Some thousands are in memory at a time.
void read_samples(Connection& connection, const SampleQuery& query, const SampleVisitor& visit);

} // namespace costcurve::storage::postgres
