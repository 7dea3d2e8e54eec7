// Stores raw samples for a limited period and hourly sums permanently. Writes run inside the caller's transaction. They may
// deadlock with another transaction; the caller then retries.
#pragma once

#include "server/storage/measurement.hpp"
#include "server/storage/postgres/engine/connection.hpp"
#include "server/storage/telemetry.hpp"

namespace costcurve::storage::postgres {

/// Adds the new samples of a batch, also to the hourly sums, and deletes samples older than the window; of sensors at most a few
/// times as many rows as it adds. A dozen statements, whatever the number of samples.
[[nodiscard]] AddedSamples insert_samples(Connection& connection, const SampleBatch& batch, const TelemetryWindow& window);

[[nodiscard]] HourPage find_hours(Connection& connection, const HourQuery& query);

/// Reads samples of sensors only. Cost: all samples in the period, or only those of the series if there are at most 64. Keeps some
/// thousands in memory.
void read_samples(Connection& connection, const SampleQuery& query, const SampleVisitor& visit);

} // namespace costcurve::storage::postgres
