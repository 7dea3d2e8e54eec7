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
    bool operator==(const HourlyCurve&) const = default;
};

/// The months of a horizon, and the curves that are read in their hours: what a table of hours is made from.
struct HorizonHours {
    YearMonth start;
    int months = 0;
    std::string time_zone; ///< in which months begin
    std::vector<HourlyCurve> curves;
    bool operator==(const HorizonHours& other) const {
        return start.year == other.start.year && start.month == other.start.month && months == other.months &&
               time_zone == other.time_zone && curves == other.curves;
    }
};

/// Months that read the same set of different hours.
struct HourSet {
    std::size_t size = 0; ///< padded to whole lanes of the kernels; hours past `distinct` weigh nothing
    std::size_t distinct = 0;
    std::vector<std::size_t> rows; ///< by curve: where in the table's values the `size` values of its hours stand
};

struct MonthHours {
    std::size_t set = 0;     ///< which HourSet
    std::size_t weights = 0; ///< where in the table's weights those of its hours stand: how many real hours each is
    double total = 0.0;      ///< hours in the month
};

/// Rows may overlap: months that read a curve hour by hour share one copy of it.
struct HourTable {
    HorizonHours made_from;
    std::vector<HourSet> sets;
    std::vector<MonthHours> months;
    std::vector<double> values;
    std::vector<double> weights;
    std::size_t largest = 0; ///< size of the largest set

    [[nodiscard]] const double* values_of(std::size_t set, std::size_t curve) const {
        return values.data() + sets[set].rows[curve];
    }
    [[nodiscard]] const double* weights_of(std::size_t month) const { return weights.data() + months[month].weights; }
};

/// Groups the hours of every month by the values the curves read in them. Exact: an hour of the table is `weight`
/// real hours that no curve can tell apart. A curve over the hour of the year makes every hour its own.
/// Cost: O(months x 168 + transitions) without an hour-of-year curve, O(hours x curves) with one.
[[nodiscard]] HourTable group_hours(YearMonth start, int months, const std::string& zone, std::vector<HourlyCurve> curves);

} // namespace costcurve::model
