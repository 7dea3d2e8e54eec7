// Chooses the kind of table for a horizon, and reads its values.
#include "model/hours/hours.hpp"

#include <algorithm>
#include <utility>

#include "model/documents/calendar.hpp"
#include "model/hours/tables.hpp"

namespace costcurve::model {

namespace {

HourTable flat_hours(const std::vector<std::int64_t>& starts) {
    HourTable table;
    table.sets.push_back({padded(1), 1, {}});
    for (std::size_t m = 0; m + 1 < starts.size(); ++m) {
        const auto hours = static_cast<double>(hours_between(starts[m], starts[m + 1]));
        table.months.push_back({0, add_weights(table, 1, hours), hours});
    }
    return table;
}

// Demands that burst, from those without: where a demand or its factor has changed.
void read_bursts(const HorizonHours& horizon, bool is_made, HourTable& table) {
    for (const CurveRun& run : table.runs) {
        if (run.curve < horizon.curves.size()) {
            continue;
        }
        const std::size_t b = run.curve - horizon.curves.size();
        const DemandBurst& burst = horizon.bursts[b];
        const auto curve = static_cast<std::size_t>(std::max(0, burst.curve));
        const bool is_flat = burst.curve < 0;
        if (is_made && table.made_from.bursts[b] == burst &&
            (is_flat || table.made_from.curves[curve].values == horizon.curves[curve].values)) {
            continue;
        }
        table.is_as_before = false;
        table.folds.clear();
        const std::vector<double> factors = factors_of(burst, table.phases);
        for (std::size_t i = run.begin; i < run.end; ++i) {
            const double value = is_flat ? 1.0 : horizon.curves[curve].values[table.read_at[i]];
            table.values[i] = value * factors[(i - run.begin) % factors.size()];
        }
    }
}

// Reads the curves' values; for a reused table only those that changed.
void read_values(HorizonHours horizon, bool is_made, HourTable& table) {
    table.values.resize(table.read_at.size());
    table.is_as_before = is_made;
    const std::vector<HourlyCurve>& before = table.made_from.curves;
    for (const CurveRun& run : table.runs) {
        if (run.curve >= horizon.curves.size()) {
            continue;
        }
        const std::vector<double>& values = horizon.curves[run.curve].values;
        if (is_made && before[run.curve].values == values) {
            continue;
        }
        table.is_as_before = false;
        if (std::binary_search(table.fold_curves.begin(), table.fold_curves.end(), run.curve)) {
            table.folds.clear();
        }
        std::transform(table.read_at.begin() + static_cast<std::ptrdiff_t>(run.begin),
                       table.read_at.begin() + static_cast<std::ptrdiff_t>(run.end),
                       table.values.begin() + static_cast<std::ptrdiff_t>(run.begin),
                       [of_curve = values.data()](std::uint32_t at) { return of_curve[at]; });
    }
    read_bursts(horizon, is_made, table);
    table.made_from = std::move(horizon);
}

} // namespace

HourTable group_hours(HorizonHours horizon) {
    const std::vector<std::int64_t> starts = month_starts(horizon.start, horizon.months, horizon.time_zone);
    const std::vector<HourlyCurve>& curves = horizon.curves;
    HourTable table = curves.empty()          ? flat_hours(starts)
                      : read_the_year(curves) ? hours_of_years(starts, curves)
                                              : hours_of_weeks(starts, curves);
    split_into_phases(curves.size(), horizon.bursts, table);
    for (const HourSet& set : table.sets) {
        table.largest = std::max(table.largest, set.size);
    }
    read_values(std::move(horizon), false, table);
    return table;
}

HourTable group_hours(HorizonHours horizon, HourTable&& before) {
    if (!tell_the_same_hours_apart(horizon, before)) {
        return group_hours(std::move(horizon));
    }
    read_values(std::move(horizon), true, before);
    return std::move(before);
}

} // namespace costcurve::model
