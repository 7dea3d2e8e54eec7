// Every hour of a horizon, read by curves over the hours of the year and others.
#include <algorithm>
#include <cstdint>
#include <vector>

#include "model/documents/calendar.hpp"
#include "model/hours/tables.hpp"
#include "model/hours/zone_clock.hpp"

namespace costcurve::model {

namespace {

// Hours of a month that follow each other on a zone's clock.
struct Run {
    std::size_t size;
    int hour_of_week; ///< of the first
    int hour_of_year;
};

std::vector<Run> runs_of(ZoneClock& clock, std::int64_t start, std::int64_t hours) {
    std::vector<Run> runs;
    for (std::int64_t k = 0; k < hours;) {
        const std::int64_t t = start + k * kHour;
        const std::int64_t local = clock.local(t);
        std::int64_t n = std::min(hours - k, hours_to_leap_day(local));
        if (clock.until() != INT64_MAX) {
            n = std::min(n, hours_between(t, clock.until()));
        }
        runs.push_back({static_cast<std::size_t>(n), hour_of_week(local), hour_of_year(local)});
        k += n;
    }
    return runs;
}

// Rows of a window's values, 0 outside and 1 within, in a month.
void add_window(const HourlyCurve& window, std::size_t curve, std::int64_t start, HourSet& set, HourTable& table) {
    set.rows.push_back(table.read_at.size());
    for (std::size_t k = 0; k < set.size; ++k) {
        const std::int64_t at = start + static_cast<std::int64_t>(k) * kHour;
        table.read_at.push_back(window.from <= at && at < window.to ? 1 : 0);
    }
    table.runs.push_back({curve, set.rows.back(), table.read_at.size()});
}

constexpr std::size_t kLongestMonth = 745; // hours: of 31 days, one of them of 25

// Each curve once; where each begins.
std::vector<std::size_t> add_curves(const std::vector<HourlyCurve>& curves, HourTable& table) {
    std::vector<std::size_t> copies;
    for (std::size_t c = 0; c < curves.size(); ++c) {
        copies.push_back(table.read_at.size());
        if (curves[c].is_window()) {
            continue;
        }
        for (std::size_t h = 0; h < curves[c].values.size() + padded(kLongestMonth); ++h) {
            table.read_at.push_back(static_cast<std::uint32_t>(h % curves[c].values.size()));
        }
        table.runs.push_back({c, copies.back(), table.read_at.size()});
    }
    return copies;
}

} // namespace

// Every hour is its own. A curve stands in the table once, long enough that a month may begin anywhere in it; months in which
// a clock shifts have rows of their own.
HourTable hours_of_years(const std::vector<std::int64_t>& starts, const std::vector<HourlyCurve>& curves) {
    Zones zones = distinct_zones(curves);
    HourTable table;
    const std::vector<std::size_t> copies = add_curves(curves, table);
    std::vector<std::vector<Run>> runs(zones.clocks.size());
    for (std::size_t m = 0; m + 1 < starts.size(); ++m) {
        const std::int64_t hours = hours_between(starts[m], starts[m + 1]);
        const auto n = static_cast<std::size_t>(hours);
        for (std::size_t z = 0; z < zones.clocks.size(); ++z) {
            runs[z] = runs_of(zones.clocks[z], starts[m], hours);
        }
        HourSet set{padded(n), n, {}};
        for (std::size_t c = 0; c < curves.size(); ++c) {
            if (curves[c].is_window()) {
                add_window(curves[c], c, starts[m], set, table);
                continue;
            }
            const auto row_at = [&](const Run& run) {
                const int clock = curves[c].axis == Axis::hour_of_year ? run.hour_of_year : run.hour_of_week;
                return copies[c] + static_cast<std::size_t>(clock) % curves[c].values.size();
            };
            const std::vector<Run>& of_curve = runs[zones.of_curve[c]];
            if (of_curve.size() == 1) {
                set.rows.push_back(row_at(of_curve.front()));
                continue;
            }
            set.rows.push_back(table.read_at.size());
            for (const Run& run : of_curve) {
                for (std::size_t k = 0, from = row_at(run); k < run.size; ++k) {
                    table.read_at.push_back(table.read_at[from + k]);
                }
            }
            table.read_at.resize(set.rows.back() + set.size, table.read_at.back());
            table.runs.push_back({c, set.rows.back(), table.read_at.size()});
        }
        const auto same = std::find_if(table.months.begin(), table.months.end(),
                                       [&](const MonthHours& other) { return table.sets[other.set].distinct == n; });
        const std::size_t weights = same == table.months.end() ? add_weights(table, n, 1.0) : same->weights;
        table.months.push_back({m, weights, static_cast<double>(n)});
        table.sets.push_back(std::move(set));
    }
    return table;
}

} // namespace costcurve::model
