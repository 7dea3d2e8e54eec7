// Groups hours that no curve of the scenario can tell apart.
#include "model/hours.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdint>
#include <cstring>
#include <map>
#include <unordered_map>

#include "model/calendar.hpp"
#include "model/kernels.hpp"

namespace costcurve::model {

namespace {

constexpr std::int64_t kHour = 3600;
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

// Numbers distinct 64-bit keys 0, 1, 2 … in the order in which they are first seen.
class DenseIds {
public:
    std::uint32_t id(std::uint64_t key) { return ids_.try_emplace(key, static_cast<std::uint32_t>(ids_.size())).first->second; }

private:
    std::unordered_map<std::uint64_t, std::uint32_t> ids_;
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

// A set of `distinct` hours with room for the values of `curves`.
HourSet make_set(std::size_t distinct, std::size_t curves) {
    HourSet set;
    set.distinct = distinct;
    set.size = padded(distinct);
    set.values.resize(set.size * curves);
    return set;
}

void pad_values(HourSet& set, std::size_t curve) {
    double* const row = set.values.data() + curve * set.size;
    std::fill(row + set.distinct, row + set.size, row[set.distinct - 1]);
}

MonthHours flat_month(std::int64_t hours) {
    MonthHours month;
    month.weights.assign(padded(1), 0.0);
    month.weights.front() = static_cast<double>(hours);
    month.total = static_cast<double>(hours);
    return month;
}

HourTable flat_hours(const std::vector<std::int64_t>& starts) {
    HourTable table;
    table.sets.push_back(make_set(1, 0));
    for (std::size_t m = 0; m + 1 < starts.size(); ++m) {
        table.months.push_back(flat_month(hours_between(starts[m], starts[m + 1])));
    }
    return table;
}

// Groups hours by the tuple of values that day and week curves read. Between two transitions of any zone all
// local clocks run in step, so an hour of the week of the first zone determines the values: a "phase".
class WeekGrouping {
public:
    WeekGrouping(const std::vector<HourlyCurve>& curves, Zones zones) : curves_(curves), zones_(std::move(zones)) {
        ids_.resize(curves.size());
        for (const HourlyCurve& curve : curves) {
            DenseIds& seen = value_numbers_.emplace_back();
            std::vector<std::uint32_t>& numbers = value_ids_.emplace_back();
            for (const double value : curve.values) {
                std::uint64_t bits = 0;
                std::memcpy(&bits, &value, sizeof bits);
                numbers.push_back(seen.id(bits));
            }
        }
    }

    HourTable group(const std::vector<std::int64_t>& starts) {
        HourTable table;
        std::map<std::vector<std::uint32_t>, std::size_t> set_of;
        std::vector<double> weights;
        for (std::size_t m = 0; m + 1 < starts.size(); ++m) {
            weigh(starts[m], hours_between(starts[m], starts[m + 1]), weights);
            std::vector<std::uint32_t> present;
            for (std::uint32_t c = 0; c < weights.size(); ++c) {
                if (weights[c] > 0) {
                    present.push_back(c);
                }
            }
            const auto [entry, is_new] = set_of.try_emplace(present, table.sets.size());
            if (is_new) {
                table.sets.push_back(set_of_classes(present));
            }
            MonthHours month;
            month.set = entry->second;
            for (const std::uint32_t c : present) {
                month.weights.push_back(weights[c]);
                month.total += weights[c];
            }
            month.weights.resize(padded(present.size()), 0.0);
            table.months.push_back(std::move(month));
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
            for (std::int64_t i = 0; i < std::min<std::int64_t>(n, kWeek); ++i) {
                const auto at = static_cast<std::size_t>((local[0] + i) % kWeek);
                const std::int64_t times = (n - i + kWeek - 1) / kWeek;
                weights[classes[at]] += static_cast<double>(times);
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
            const std::size_t period = curves_[c].values.size();
            const auto shift = static_cast<std::size_t>(ahead[zones_.of_curve[c]]);
            for (std::size_t h = 0; h < kWeek; ++h) {
                const std::size_t at = (h + shift) % kWeek % period;
                classes[h] = ids_[c].id((std::uint64_t{classes[h]} << 32) | value_ids_[c][at]);
            }
        }
        for (std::size_t h = 0; h < kWeek; ++h) {
            if (classes[h] < class_count_) {
                continue;
            }
            class_count_ = classes[h] + 1;
            for (std::size_t c = 0; c < curves_.size(); ++c) {
                const auto shift = static_cast<std::size_t>(ahead[zones_.of_curve[c]]);
                class_values_.push_back(curves_[c].values[(h + shift) % kWeek % curves_[c].values.size()]);
            }
        }
        return classes;
    }

    [[nodiscard]] HourSet set_of_classes(const std::vector<std::uint32_t>& present) const {
        HourSet set = make_set(present.size(), curves_.size());
        for (std::size_t c = 0; c < curves_.size(); ++c) {
            for (std::size_t h = 0; h < present.size(); ++h) {
                set.values[c * set.size + h] = class_values_[present[h] * curves_.size() + c];
            }
            pad_values(set, c);
        }
        return set;
    }

    const std::vector<HourlyCurve>& curves_;
    Zones zones_;
    std::vector<DenseIds> value_numbers_;
    std::vector<std::vector<std::uint32_t>> value_ids_; ///< by curve and hour of its period
    std::vector<DenseIds> ids_;                         ///< by curve: (class so far, value) -> class
    std::map<std::vector<int>, std::vector<std::uint32_t>> phases_;
    std::uint32_t class_count_ = 0;
    std::vector<double> class_values_; ///< by class and curve
};

// Every hour is its own. The hour of the year is looked up once a local day.
class YearClock {
public:
    int hour(std::int64_t local_seconds) {
        if (local_seconds < day_start_ || local_seconds >= day_start_ + kDay) {
            day_start_ = floor_div(local_seconds, kDay) * kDay;
            day_hour_ = hour_of_year(day_start_);
        }
        return day_hour_ + static_cast<int>((local_seconds - day_start_) / kHour);
    }

private:
    std::int64_t day_start_ = INT64_MAX - kDay;
    int day_hour_ = 0;
};

HourTable every_hour(const std::vector<std::int64_t>& starts, const std::vector<HourlyCurve>& curves, Zones zones) {
    HourTable table;
    std::vector<std::vector<int>> year(zones.clocks.size());
    std::vector<std::vector<int>> week(zones.clocks.size());
    std::vector<YearClock> year_clocks(zones.clocks.size());
    for (std::size_t m = 0; m + 1 < starts.size(); ++m) {
        const auto n = static_cast<std::size_t>(hours_between(starts[m], starts[m + 1]));
        for (std::size_t z = 0; z < zones.clocks.size(); ++z) {
            year[z].resize(n);
            week[z].resize(n);
            for (std::size_t k = 0; k < n; ++k) {
                const std::int64_t local = zones.clocks[z].local(starts[m] + static_cast<std::int64_t>(k) * kHour);
                year[z][k] = year_clocks[z].hour(local);
                week[z][k] = hour_of_week(local);
            }
        }
        HourSet set = make_set(n, curves.size());
        for (std::size_t c = 0; c < curves.size(); ++c) {
            const std::vector<double>& values = curves[c].values;
            const std::size_t z = zones.of_curve[c];
            const std::vector<int>& clock = curves[c].axis == Axis::hour_of_year ? year[z] : week[z];
            const std::size_t period = values.size();
            double* const row = set.values.data() + c * set.size;
            if (period == 24) {
                for (std::size_t k = 0; k < n; ++k) {
                    row[k] = values[static_cast<std::size_t>(clock[k]) % 24];
                }
            } else {
                for (std::size_t k = 0; k < n; ++k) {
                    row[k] = values[static_cast<std::size_t>(clock[k])];
                }
            }
            pad_values(set, c);
        }
        MonthHours month;
        month.set = table.sets.size();
        month.weights.assign(set.size, 0.0);
        std::fill_n(month.weights.begin(), n, 1.0);
        month.total = static_cast<double>(n);
        table.sets.push_back(std::move(set));
        table.months.push_back(std::move(month));
    }
    return table;
}

} // namespace

HourTable group_hours(YearMonth start, int months, const std::string& zone, const std::vector<HourlyCurve>& curves) {
    const std::vector<std::int64_t> starts = month_starts(start, months, zone);
    HourTable table;
    if (curves.empty()) {
        table = flat_hours(starts);
    } else if (std::any_of(curves.begin(), curves.end(), [](const HourlyCurve& c) { return c.axis == Axis::hour_of_year; })) {
        table = every_hour(starts, curves, distinct_zones(curves));
    } else {
        table = WeekGrouping(curves, distinct_zones(curves)).group(starts);
    }
    for (const HourSet& set : table.sets) {
        table.largest = std::max(table.largest, set.size);
    }
    return table;
}

} // namespace costcurve::model
