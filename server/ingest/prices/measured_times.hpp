// Whether the times and the power of a measurement are plausible: among each other, and beside what its devices do.
#pragma once

#include <span>
#include <string>

#include "model/documents/documents.hpp"
#include "model/documents/measurement.hpp"
#include "model/performance/rate_fit.hpp"

namespace costcurve::ingest {

/// Why they contradict its rates; "" where they don't. By Little's law requests at a time are requests/s times the seconds of a
/// request: its median is twice or half of the concurrency, or beyond, or one of it five times or a fifth. Published series come
/// to 0.78 to 1.01. Other percentiles are taken for medians by the spread of published runs, and judged half as strictly (0.78 to
/// 1.8); `looser` times less strictly.
[[nodiscard]] std::string reason_of_little(const model::Measurement& measured, double looser = 1.0);

/// Why they are not what its device does, by medians over rows of the step model: the first token in a fourth of the time or less
/// (published series take 0.34 of it and more; long lines are true of a full replica), time between tokens a third or less, or
/// five times or more (0.5 to 4.3).
[[nodiscard]] std::string reason_of_times(std::span<const model::RateRow> rows, const model::Device& device);

/// Why its power is not what its devices draw: the median is a tenth of their TDP or less, which they draw idle, or above 1.2 of it
/// (published series come to 0.54 to 0.94), or a point is above 1.5.
[[nodiscard]] std::string reason_of_power(const model::Measurement& measured, const model::Device& device);

} // namespace costcurve::ingest
