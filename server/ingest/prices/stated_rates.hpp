// What performances state of their rate and times, as the points of a measurement: one judge reads both.
#pragma once

#include <string>
#include <vector>

#include "model/documents/documents.hpp"
#include "model/documents/measurement.hpp"
#include "server/ingest/prices/new_rates.hpp"

namespace costcurve::ingest {

/// Its rate at each load of its curve over batch, or at the one that it states, with the times there. Two of them where it doesn't
/// say whether units of the prompt count: as if they didn't, and as if they did. None where it has no load or no rate.
[[nodiscard]] std::vector<model::Measurement> points_of_performance(const model::Performance& performance, const FindCurve& find);

/// Why its times contradict its rate: by Little's law four times or a fourth, or beyond, or one of them ten times (published ones
/// come to 0.7 to 3.4); "" where they don't, in one of the two readings.
[[nodiscard]] std::string reason_of_stated_times(const std::vector<model::Measurement>& readings);

} // namespace costcurve::ingest
