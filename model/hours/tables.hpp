// Tables of hours by what kind of curve is read in them; group_hours() reads the values.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "model/hours/hours.hpp"

namespace costcurve::model {

/// Whether a curve is over the hours of the year, or a window.
[[nodiscard]] bool read_the_year(const std::vector<HourlyCurve>& curves);

/// Rows of a set, padded to whole lanes of the kernels.
[[nodiscard]] std::size_t padded(std::size_t hours);

/// Adds a padded row of `distinct` weights; returns its index.
std::size_t add_weights(HourTable& table, std::size_t distinct, double weight);

/// Without values, of months that begin at `starts`, the last of which ends the horizon: of curves over the hours of the day and
/// the week, at least one.
[[nodiscard]] HourTable hours_of_weeks(const std::vector<std::int64_t>& starts, const std::vector<HourlyCurve>& curves);
/// The table if a curve is over the hours of the year: each hour is distinct.
[[nodiscard]] HourTable hours_of_years(const std::vector<std::int64_t>& starts, const std::vector<HourlyCurve>& curves);

/// Puts the phases that bursts make of an hour in the place of each, and rows of the demands that burst after those of `curves`
/// curves. Bursts fall together, the shorter ones within the longer: n different shares make n + 1 phases.
void split_into_phases(std::size_t curves, const std::vector<DemandBurst>& bursts, HourTable& table);

/// Rate / mean rate of the hour, by phase.
[[nodiscard]] std::vector<double> factors_of(const DemandBurst& burst, const std::vector<double>& phases);

} // namespace costcurve::model
