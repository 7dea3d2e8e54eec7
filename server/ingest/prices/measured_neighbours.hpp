// Points of a measurement that nothing is stored of, beside the ones next to them.
#pragma once

#include <string>

#include "model/documents/measurement.hpp"

namespace costcurve::ingest {

/// The measurement with those points alone that `stored` has not.
[[nodiscard]] model::Measurement new_points(const model::Measurement& stored, const model::Measurement& measured);

/// Why a new point of requests is not what the next ones are, of the measurement or stored, of requests alike and more or fewer at
/// a time: between a fourth of what they do and four times as much, of times a tenth and ten times, by as much more as there are
/// more requests at a time. "" where all may be.
[[nodiscard]] std::string reason_of_neighbours(const model::Measurement& stored, const model::Measurement& measured);

} // namespace costcurve::ingest
