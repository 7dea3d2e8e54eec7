// Hours that day and week curves can't tell apart, month by month.
#include <algorithm>
#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "model/documents/calendar.hpp"
#include "model/hours/dense_ids.hpp"
#include "model/hours/tables.hpp"
#include "model/hours/zone_clock.hpp"

namespace costcurve::model {

namespace {

// Groups hours by the tuple of values that day and week curves read. Between two transitions of any zone all
// local clocks run in step: a "phase".
class WeekGrouping {
public:
    explicit WeekGrouping(const std::vector<HourlyCurve>& curves)
        : curves_(curves), zones_(distinct_zones(curves)), ids_(curves.size()), class_hours_(curves.size()) {}

    HourTable group(const std::vector<std::int64_t>& starts) {
        HourTable table;
        std::vector<Month> months;
        std::vector<std::vector<std::uint32_t>> classes_of_sets;
        std::vector<std::uint32_t> present;
        for (std::size_t m = 0; m + 1 < starts.size(); ++m) {
            const std::int64_t hours = hours_between(starts[m], starts[m + 1]);
            months.push_back(month_of(starts[m], hours));
            const auto before = std::find(months.begin(), months.end() - 1, months.back());
            if (before != months.end() - 1) { // as long, and begun at the same hour of the week
                table.months.push_back(table.months[static_cast<std::size_t>(before - months.begin())]);
                continue;
            }
            weigh(months.back());
            list_present(present);
            // Few sets, and most months have the first: shifts of daylight saving make the others.
            const auto found = std::find(classes_of_sets.begin(), classes_of_sets.end(), present);
            const auto set = static_cast<std::size_t>(found - classes_of_sets.begin());
            if (found == classes_of_sets.end()) {
                classes_of_sets.push_back(present);
                add_set(present, table);
            }
            const std::size_t row = add_weights(table, present.size(), 0.0);
            const auto to = static_cast<std::ptrdiff_t>(row);
            std::transform(present.begin(), present.end(), table.weights.begin() + to,
                           [of_class = weights_.data()](std::uint32_t c) { return of_class[c]; });
            std::transform(present.begin(), present.end(), table.firsts.begin() + to,
                           [of_class = firsts_.data()](std::uint32_t c) { return of_class[c]; });
            table.months.push_back({set, row, static_cast<double>(hours)});
        }
        return table;
    }

private:
    // An hour of the week of the first zone determines what all curves read in it, and so its class.
    struct Phase {
        std::vector<std::uint32_t> classes; ///< by hour of two weeks: a week from any hour stands side by side
        std::vector<double> of_week;        ///< by class: its hours of a week
    };
    // Hours of a month that follow each other in a phase.
    struct Stretch {
        const Phase* phase;
        std::size_t first; ///< hour of the week
        std::int64_t hours;
        friend bool operator==(const Stretch&, const Stretch&) = default;
    };
    using Month = std::vector<Stretch>;

    Month month_of(std::int64_t start, std::int64_t hours) {
        Month month;
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
                n = std::min(n, hours_between(t, until));
            }
            const auto first = static_cast<std::size_t>(local[0]);
            month.push_back({&phase(std::move(local)), first, n});
            k += n;
        }
        return month;
    }

    // The weights of the month's classes, and the first hour of each.
    void weigh(const Month& month) {
        weights_.assign(class_count_, 0.0);
        firsts_.assign(class_count_, UINT32_MAX);
        double* const weights = weights_.data();
        std::uint32_t* const firsts = firsts_.data();
        std::uint32_t begun = 0;
        for (const auto& [phase, first, hours] : month) {
            const std::int64_t weeks = hours / kWeek;
            std::transform(
                phase->of_week.begin(), phase->of_week.end(), weights, weights,
                [weeks = static_cast<double>(weeks)](double of_week, double weight) { return weight + weeks * of_week; });
            const std::uint32_t* const classes = phase->classes.data() + first;
            std::for_each_n(classes, hours % kWeek, [&](std::uint32_t c) { weights[c] += 1.0; });
            std::for_each_n(classes, std::min<std::int64_t>(hours, kWeek),
                            [&, hour = begun](std::uint32_t c) mutable { firsts[c] = std::min(firsts[c], hour++); });
            begun += static_cast<std::uint32_t>(hours);
        }
    }

    // The classes of which the month has hours, ascending.
    void list_present(std::vector<std::uint32_t>& present) const {
        present.resize(class_count_);
        std::uint32_t* end = present.data();
        std::uint32_t c = 0;
        for (const double weight : weights_) {
            *end = c++;
            end += weight > 0 ? 1 : 0;
        }
        present.resize(static_cast<std::size_t>(end - present.data()));
    }

    // The phase in which the other zones are ahead of the first by the given differences.
    const Phase& phase(std::vector<int> local) {
        const int first = local[0];
        for (int& hour : local) {
            hour = (hour - first + kWeek) % kWeek;
        }
        const auto [entry, is_new] = phases_.try_emplace(std::move(local));
        Phase& phase = entry->second;
        if (is_new) {
            phase.classes = classes_of(entry->first);
            phase.of_week.resize(class_count_);
            for (const std::uint32_t c : phase.classes) {
                phase.of_week[c] += 1.0;
            }
            phase.classes.resize(std::size_t{2} * kWeek);
            std::copy_n(phase.classes.begin(), kWeek, phase.classes.begin() + kWeek);
        }
        return phase;
    }

    std::vector<std::uint32_t> classes_of(const std::vector<int>& ahead) {
        std::vector<std::uint32_t> classes(kWeek, 0);
        for (std::size_t c = 0; c < curves_.size(); ++c) {
            const std::vector<double>& values = curves_[c].values;
            std::size_t hour = hour_of(c, static_cast<std::size_t>(ahead[zones_.of_curve[c]]));
            for (std::uint32_t& one : classes) {
                one = ids_[c].id(one, values[hour]);
                hour = hour + 1 == values.size() ? 0 : hour + 1;
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
    std::map<std::vector<int>, Phase> phases_;
    std::uint32_t class_count_ = 0;
    std::vector<double> weights_;                         ///< by class, of the month at hand
    std::vector<std::uint32_t> firsts_;                   ///< by class, of the month at hand
    std::vector<std::vector<std::uint32_t>> class_hours_; ///< by curve and class: an hour of the curve
};

} // namespace

HourTable hours_of_weeks(const std::vector<std::int64_t>& starts, const std::vector<HourlyCurve>& curves) {
    return WeekGrouping(curves).group(starts);
}

} // namespace costcurve::model
