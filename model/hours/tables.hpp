// Tables of hours by what kind of curve is read in them; group_hours() reads the values.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "model/hours/hours.hpp"

namespace costcurve::model {

/// Whether a curve is over the hours of the year.
[[nodiscard]] bool read_the_year(const std::vector<HourlyCurve>& curves);

/// Rows of a set, padded to whole lanes of the kernels.
[[nodiscard]] std::size_t padded(std::size_t hours);

/// Adds a row of `distinct` weights and what pads it; where it stands.
std::size_t add_weights(HourTable& table, std::size_t distinct, double weight);

/// Without values, of months that begin at `starts`, the last of which ends the horizon: of curves over the hours of the day and
/// the week, at least one.
[[nodiscard]] HourTable hours_of_weeks(const std::vector<std::int64_t>& starts, const std::vector<HourlyCurve>& curves);
/// The same where a curve is over the hours of the year: every hour is its own.
[[nodiscard]] HourTable hours_of_years(const std::vector<std::int64_t>& starts, const std::vector<HourlyCurve>& curves);

} // namespace costcurve::model
