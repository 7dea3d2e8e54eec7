// The hours of a horizon, and which of them read the same values (model.md, section 2).
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "model/documents/documents.hpp"

namespace costcurve::model {

/// A periodic curve, sampled at its whole hours, and the zone in which it is read.
struct HourlyCurve {
    Axis axis = Axis::hour_of_week;
    std::vector<double> values; ///< 24, 168 or 8760 values; for a window the values outside and within it
    std::string time_zone;
    /// Bounds of a window in Unix seconds: hours that begin in [from, to) are within. A window is no period of a calendar, so
    /// that each hour of the horizon is its own, as with hour_of_year.
    std::int64_t from = 0, to = 0;
    [[nodiscard]] bool is_window() const { return from < to; }
};

/// A demand that bursts within each hour.
struct DemandBurst {
    int curve = -1; ///< index of the curve of the demand without bursts; negative: flat
    double factor = 1.0;
    double share = 0.0; ///< fraction of each hour that is burst, below 1
    friend bool operator==(const DemandBurst&, const DemandBurst&) = default;
};

/// The months of a horizon, and the curves that are read in their hours: what a table of hours is made from.
struct HorizonHours {
    YearMonth start;
    int months = 0;
    std::string time_zone; ///< in which months begin
    std::vector<HourlyCurve> curves;
    std::vector<DemandBurst> bursts = {}; ///< each is a curve of the table after `curves`
};

/// Months that read the same set of different hours.
struct HourSet {
    std::size_t size = 0; ///< padded to whole lanes of the kernels; hours past `distinct` weigh nothing
    std::size_t distinct = 0;
    std::vector<std::size_t> rows; ///< by curve: index in the table's values of its first of `size` values
};

/// Groups blocks of kernels::kLanes hours of a set in which given curves have equal values. What depends on these curves only is
/// computed once for each group, in folded arrays.
struct Fold {
    std::vector<std::uint32_t> at;   ///< by block of the set: where its hours stand in folded arrays
    std::vector<std::uint32_t> from; ///< by block of folded arrays: where the hours of the first such block stand in the set
};

struct MonthHours {
    std::size_t set = 0;     ///< which HourSet
    std::size_t weights = 0; ///< where in the table's weights those of its hours stand: how many real hours each is
    double total = 0.0;      ///< hours in the month
};

/// Values of one curve, side by side in the table.
struct CurveRun {
    std::size_t curve = 0;
    std::size_t begin = 0; ///< in the table's values
    std::size_t end = 0;
};

/// Rows may be shared: by months that read a curve hour by hour, by months as long that begin at the same hour of the week.
struct HourTable {
    HorizonHours made_from;
    std::vector<HourSet> sets;
    std::vector<MonthHours> months;
    std::vector<CurveRun> runs;
    std::vector<std::uint32_t> read_at; ///< by value: its index in its curve's values
    std::vector<double> values;
    std::vector<double> weights;
    std::vector<std::uint32_t> firsts; ///< beside the weights: the first of the month's hours that each stands for
    /// Shares of an hour, which add up to 1; the first is that in which all bursts are. An hour's phases stand side by side as
    /// hours of their own, and weigh that much of it. None: hours are whole.
    std::vector<double> phases;
    std::size_t largest = 0;   ///< size of the largest set
    bool is_as_before = false; ///< made out of a table before, of which no number has changed
    /// By curve: indices of its values in ascending order of value; empty until first needed.
    std::vector<std::vector<std::uint32_t>> ascending;
    std::vector<std::size_t> fold_curves; ///< ascending: curves that the folds group by
    std::vector<Fold> folds;              ///< by set; none: not folded

    /// Number of table hours for one real hour: its phases.
    [[nodiscard]] std::size_t per_hour() const { return phases.empty() ? 1 : phases.size(); }
    [[nodiscard]] const double* values_of(std::size_t set, std::size_t curve) const {
        return values.data() + sets[set].rows[curve];
    }
    [[nodiscard]] const std::uint32_t* firsts_of(std::size_t month) const { return firsts.data() + months[month].weights; }
    [[nodiscard]] const double* weights_of(std::size_t month) const { return weights.data() + months[month].weights; }
};

/// Folds the hours of each set by the values of these curves, if that saves half of the set's blocks. Folds of the same curves with
/// the same values, of a table that was made before, are kept. Cost: O(blocks^2) a set.
void fold_hours(std::vector<std::size_t> curves, HourTable& table);

/// Whether the curves of a horizon group the hours of its months exactly as the curves of the table `before` do.
[[nodiscard]] bool tell_the_same_hours_apart(const HorizonHours& horizon, HourTable& before);

/// Groups the hours of every month by the values the curves read in them. Exact: an hour of the table is `weight`
/// real hours that no curve can tell apart. A curve over the hour of the year makes every hour its own.
/// Cost: O(months x 168 + transitions) without an hour-of-year curve, O(hours x curves) with one.
[[nodiscard]] HourTable group_hours(HorizonHours horizon);

/// The same, bit for bit, out of a table that was made before: where its months and curves tell the same hours apart, as they do
/// when curves are scaled, only values are read anew.
[[nodiscard]] HourTable group_hours(HorizonHours horizon, HourTable&& before);

} // namespace costcurve::model
