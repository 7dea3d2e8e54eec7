// Groups hours that no curve of the scenario can tell apart.
#include "model/hours.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdint>
#include <map>
#include <numeric>
#include <utility>

#include "model/dense_ids.hpp"
#include "model/documents/calendar.hpp"
#include "model/kernels.hpp"

namespace costcurve::model {

namespace {

constexpr std::int64_t kDay = 86400;
constexpr int kWeek = 168;

std::int64_t floor_div(std::int64_t a, std::int64_t b) { return a / b - (a % b < 0 ? 1 : 0); }

// Hours since Monday 1969-12-29 00:00 local; modulo 168 it is the hour of the week.
std::int64_t week_clock(std::int64_t local_seconds) { return floor_div(local_seconds, kHour) + 72; }

int hour_of_week(std::int64_t local_seconds) {
    const std::int64_t clock = week_clock(local_seconds);
    return static_cast<int>(clock - kWeek * floor_div(clock, kWeek));
}

// 0..8759; 29 February reads as the 28th.
int hour_of_year(std::int64_t local_seconds) {
    const std::int64_t day = floor_div(local_seconds, kDay);
    const std::chrono::sys_days date{std::chrono::days{day}};
    const std::chrono::year_month_day ymd{date};
    static constexpr std::array<int, 12> kDaysBefore = {0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334};
    const unsigned month = static_cast<unsigned>(ymd.month());
    const unsigned day_of_month = month == 2 ? std::min(static_cast<unsigned>(ymd.day()), 28U) : static_cast<unsigned>(ymd.day());
    const int day_of_year = kDaysBefore[month - 1] + static_cast<int>(day_of_month) - 1;
    return day_of_year * 24 + static_cast<int>((local_seconds - day * kDay) / kHour);
}

// One zone's offset along a walk through time; looks up the zone only at its transitions.
class ZoneClock {
public:
    explicit ZoneClock(std::string name) : name_(std::move(name)) {}

    /// Local seconds at t, which may not go back.
    std::int64_t local(std::int64_t t) {
        if (t >= offset_.until) {
            offset_ = offset_at(name_, t);
        }
        return t + offset_.seconds;
    }
    /// The first instant at which the offset may differ; valid after local(t).
    [[nodiscard]] std::int64_t until() const { return offset_.until; }

private:
    std::string name_;
    ZoneOffset offset_{0, INT64_MIN};
};

// For each curve the zone it is read in, as an index into the distinct zones.
struct Zones {
    std::vector<ZoneClock> clocks;
    std::vector<std::size_t> of_curve;
};

Zones distinct_zones(const std::vector<HourlyCurve>& curves) {
    Zones zones;
    std::vector<std::string> names;
    for (const HourlyCurve& curve : curves) {
        const auto found = std::find(names.begin(), names.end(), curve.time_zone);
        zones.of_curve.push_back(static_cast<std::size_t>(found - names.begin()));
        if (found == names.end()) {
            names.push_back(curve.time_zone);
            zones.clocks.emplace_back(curve.time_zone);
        }
    }
    return zones;
}

std::size_t padded(std::size_t n) { return (n + kernels::kLanes - 1) / kernels::kLanes * kernels::kLanes; }

// A row of `distinct` weights, and what pads it; returns where it stands.
std::size_t add_weights(HourTable& table, std::size_t distinct, double weight) {
    const std::size_t at = table.weights.size();
    table.weights.resize(at + padded(distinct), 0.0);
    std::fill_n(table.weights.begin() + static_cast<std::ptrdiff_t>(at), distinct, weight);
    table.firsts.resize(table.weights.size(), 0);
    std::iota(table.firsts.begin() + static_cast<std::ptrdiff_t>(at), table.firsts.end(), 0U);
    return at;
}

HourTable flat_hours(const std::vector<std::int64_t>& starts) {
    HourTable table;
    table.sets.push_back({padded(1), 1, {}});
    for (std::size_t m = 0; m + 1 < starts.size(); ++m) {
        const auto hours = static_cast<double>(hours_between(starts[m], starts[m + 1]));
        table.months.push_back({0, add_weights(table, 1, hours), hours});
    }
    return table;
}

// Groups hours by the tuple of values that day and week curves read. Between two transitions of any zone all
// local clocks run in step, so an hour of the week of the first zone determines the values: a "phase".
class WeekGrouping {
public:
    WeekGrouping(const std::vector<HourlyCurve>& curves, Zones zones)
        : curves_(curves), zones_(std::move(zones)), ids_(curves.size()), class_hours_(curves.size()) {}

    HourTable group(const std::vector<std::int64_t>& starts) {
        HourTable table;
        std::vector<std::vector<std::uint32_t>> classes_of_sets;
        std::vector<double> weights;
        std::vector<std::uint32_t> present;
        for (std::size_t m = 0; m + 1 < starts.size(); ++m) {
            const std::int64_t hours = hours_between(starts[m], starts[m + 1]);
            weigh(starts[m], hours, weights);
            present.clear();
            for (std::uint32_t c = 0; c < weights.size(); ++c) {
                if (weights[c] > 0) {
                    present.push_back(c);
                }
            }
            // Few sets, and most months have the first: shifts of daylight saving make the others.
            const auto found = std::find(classes_of_sets.begin(), classes_of_sets.end(), present);
            const auto set = static_cast<std::size_t>(found - classes_of_sets.begin());
            if (found == classes_of_sets.end()) {
                classes_of_sets.push_back(present);
                add_set(present, table);
            }
            const std::size_t row = add_weights(table, present.size(), 0.0);
            for (std::size_t h = 0; h < present.size(); ++h) {
                table.weights[row + h] = weights[present[h]];
                table.firsts[row + h] = firsts_[present[h]];
            }
            table.months.push_back({set, row, static_cast<double>(hours)});
        }
        return table;
    }

private:
    // Adds the month's hours to the weights of their classes.
    void weigh(std::int64_t start, std::int64_t hours, std::vector<double>& weights) {
        std::fill(weights.begin(), weights.end(), 0.0);
        for (std::int64_t k = 0; k < hours;) {
            const std::int64_t t = start + k * kHour;
            std::vector<int> local;
            std::int64_t until = INT64_MAX;
            for (ZoneClock& clock : zones_.clocks) {
                local.push_back(hour_of_week(clock.local(t)));
                until = std::min(until, clock.until());
            }
            std::int64_t n = hours - k;
            if (until != INT64_MAX) {
                n = std::min(n, (until - t + kHour - 1) / kHour);
            }
            const std::vector<std::uint32_t>& classes = phase(local);
            weights.resize(class_count_, 0.0);
            firsts_.resize(class_count_);
            const std::int64_t weeks = n / kWeek;
            const std::int64_t more = n % kWeek;
            auto at = static_cast<std::size_t>(local[0]);
            for (std::int64_t i = 0; i < std::min<std::int64_t>(n, kWeek); ++i) {
                if (weights[classes[at]] == 0) {
                    firsts_[classes[at]] = static_cast<std::uint32_t>(k + i);
                }
                weights[classes[at]] += static_cast<double>(weeks + (i < more ? 1 : 0));
                at = at + 1 == kWeek ? 0 : at + 1;
            }
            k += n;
        }
    }

    // The class of each hour of the week of the first zone, with the other zones ahead by the given differences.
    const std::vector<std::uint32_t>& phase(std::vector<int> local) {
        const int first = local[0];
        for (int& hour : local) {
            hour = (hour - first + kWeek) % kWeek;
        }
        const auto [entry, is_new] = phases_.try_emplace(local);
        if (is_new) {
            entry->second = classes_of(local);
        }
        return entry->second;
    }

    std::vector<std::uint32_t> classes_of(const std::vector<int>& ahead) {
        std::vector<std::uint32_t> classes(kWeek, 0);
        for (std::size_t c = 0; c < curves_.size(); ++c) {
            const auto shift = static_cast<std::size_t>(ahead[zones_.of_curve[c]]);
            for (std::size_t h = 0; h < kWeek; ++h) {
                classes[h] = ids_[c].id(classes[h], curves_[c].values[hour_of(c, h + shift)]);
            }
        }
        for (std::size_t h = 0; h < kWeek; ++h) {
            if (classes[h] < class_count_) {
                continue;
            }
            class_count_ = classes[h] + 1;
            for (std::size_t c = 0; c < curves_.size(); ++c) {
                class_hours_[c].push_back(hour_of(c, h + static_cast<std::size_t>(ahead[zones_.of_curve[c]])));
            }
        }
        return classes;
    }

    [[nodiscard]] std::uint32_t hour_of(std::size_t curve, std::size_t hour_of_week) const {
        return static_cast<std::uint32_t>(hour_of_week % kWeek % curves_[curve].values.size());
    }

    void add_set(const std::vector<std::uint32_t>& present, HourTable& table) const {
        HourSet& set = table.sets.emplace_back();
        set.distinct = present.size();
        set.size = padded(set.distinct);
        for (std::size_t c = 0; c < curves_.size(); ++c) {
            set.rows.push_back(table.read_at.size());
            for (const std::uint32_t hour : present) {
                table.read_at.push_back(class_hours_[c][hour]);
            }
            table.read_at.resize(set.rows.back() + set.size, table.read_at.back());
            table.runs.push_back({c, set.rows.back(), table.read_at.size()});
        }
    }

    const std::vector<HourlyCurve>& curves_;
    Zones zones_;
    std::vector<DenseIds> ids_; ///< by curve: (class so far, value) -> class
    std::map<std::vector<int>, std::vector<std::uint32_t>> phases_;
    std::uint32_t class_count_ = 0;
    std::vector<std::uint32_t> firsts_;                   ///< by class, of the month at hand
    std::vector<std::vector<std::uint32_t>> class_hours_; ///< by curve and class: an hour of the curve
};

// Hours of a month that follow each other on a zone's clock.
struct Run {
    std::size_t size;
    int hour_of_week; ///< of the first
    int hour_of_year;
};

// Hours that start before the 29th of February of the year, where one is to come: that day repeats the hours of the 28th.
std::int64_t hours_to_leap_day(std::int64_t local_seconds) {
    const std::chrono::year_month_day today{std::chrono::sys_days{std::chrono::days{floor_div(local_seconds, kDay)}}};
    const std::chrono::year_month_day leap_day{today.year(), std::chrono::February, std::chrono::day{29}};
    if (!leap_day.ok() || today >= leap_day) {
        return INT64_MAX;
    }
    return hours_between(local_seconds, std::chrono::sys_days{leap_day}.time_since_epoch().count() * kDay);
}

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

constexpr std::size_t kLongestMonth = 768; // hours, padded; the longest has 745

// Every hour is its own. A curve stands in the table once, long enough that a month may begin anywhere in it; months in which
// a clock shifts have rows of their own.
HourTable every_hour(const std::vector<std::int64_t>& starts, const std::vector<HourlyCurve>& curves, Zones zones) {
    HourTable table;
    std::vector<std::size_t> copies;
    for (std::size_t c = 0; c < curves.size(); ++c) {
        copies.push_back(table.read_at.size());
        for (std::size_t h = 0; h < curves[c].values.size() + kLongestMonth; ++h) {
            table.read_at.push_back(static_cast<std::uint32_t>(h % curves[c].values.size()));
        }
        table.runs.push_back({c, copies.back(), table.read_at.size()});
    }
    std::vector<std::vector<Run>> runs(zones.clocks.size());
    for (std::size_t m = 0; m + 1 < starts.size(); ++m) {
        const std::int64_t hours = hours_between(starts[m], starts[m + 1]);
        const auto n = static_cast<std::size_t>(hours);
        for (std::size_t z = 0; z < zones.clocks.size(); ++z) {
            runs[z] = runs_of(zones.clocks[z], starts[m], hours);
        }
        HourSet set{padded(n), n, {}};
        for (std::size_t c = 0; c < curves.size(); ++c) {
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

bool is_by_year(const std::vector<HourlyCurve>& curves) {
    return std::any_of(curves.begin(), curves.end(), [](const HourlyCurve& c) { return c.axis == Axis::hour_of_year; });
}

// Reads the curves' values anew; of a table that was made before, those that differ.
void read_values(HorizonHours horizon, bool is_made, HourTable& table) {
    table.values.resize(table.read_at.size());
    table.is_as_before = is_made;
    const std::vector<HourlyCurve>& before = table.made_from.curves;
    for (const CurveRun& run : table.runs) {
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
    table.made_from = std::move(horizon);
}

} // namespace

HourTable group_hours(HorizonHours horizon) {
    const std::vector<std::int64_t> starts = month_starts(horizon.start, horizon.months, horizon.time_zone);
    const std::vector<HourlyCurve>& curves = horizon.curves;
    HourTable table = curves.empty()       ? flat_hours(starts)
                      : is_by_year(curves) ? every_hour(starts, curves, distinct_zones(curves))
                                           : WeekGrouping(curves, distinct_zones(curves)).group(starts);
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
