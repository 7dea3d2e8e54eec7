// The hours of a horizon, and which of them read the same values (model.md, section 2).
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "model/documents.hpp"

namespace costcurve::model {

/// A periodic curve, sampled at its whole hours, and the zone in which it is read.
struct HourlyCurve {
    Axis axis = Axis::hour_of_week;
    std::vector<double> values; ///< 24, 168 or 8760
    std::string time_zone;
};

/// Months that read the same set of different hours. `values[s * size + h]` is what curve s reads in hour h.
struct HourSet {
    std::size_t size = 0; ///< padded to whole lanes of the kernels; hours past `distinct` repeat the last and weigh nothing
    std::size_t distinct = 0;
    std::vector<double> values;
};

struct MonthHours {
    std::size_t set = 0;         ///< which HourSet
    std::vector<double> weights; ///< hours of the month that each hour of the set stands for; size of the set
    double total = 0.0;          ///< hours in the month
};

struct HourTable {
    std::vector<HourSet> sets;
    std::vector<MonthHours> months;
    std::size_t largest = 0; ///< size of the largest set
};

/// Groups the hours of every month by the values the curves read in them. Exact: an hour of the table is `weight`
/// real hours that no curve can tell apart. A curve over the hour of the year makes every hour its own.
/// Cost: O(months x 168 + transitions) without an hour-of-year curve, O(hours x curves) with one.
[[nodiscard]] HourTable group_hours(YearMonth start, int months, const std::string& zone, const std::vector<HourlyCurve>& curves);

} // namespace costcurve::model
