// Samples rates by the months of a horizon, and collects the hourly curves that its documents use.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "model/compile.hpp"
#include "model/documents/calendar.hpp"
#include "model/finance.hpp"

namespace costcurve::model {

/// Samples rates by month and by hour.
class Sampler {
public:
    explicit Sampler(const ScenarioDocument& scenario)
        : months_(static_cast<std::size_t>(scenario.months)), days_of_first_(days_in(scenario.start)) {
        for (int m = 0; m <= scenario.months; ++m) {
            const YearMonth month = add_months(scenario.start, m);
            first_days_.push_back(days_since_epoch(month.year, month.month, 1));
        }
    }

    /// The rate in each month, times `scale` and compound yearly growth. A date curve is read at the month's first day.
    [[nodiscard]] std::vector<double> monthly(const Rate& rate, double growth_per_year = 0.0, double scale = 1.0) const {
        std::vector<double> values(months_);
        for (std::size_t m = 0; m < months_; ++m) {
            const double value = rate.curve ? read(*rate.curve, first_days_[m]) : rate.number;
            values[m] = value * growth_factor(growth_per_year, static_cast<double>(m)) * scale;
        }
        return values;
    }

    /// The rate as a signal; periodic curves join the hour table.
    Signal signal(const Rate& rate, const std::string& zone, double growth_per_year = 0.0) {
        if (!rate.curve || period_of(rate.curve->axis) == 0) {
            return {Signal::kFlat, monthly(rate, growth_per_year)};
        }
        HourlyCurve curve{rate.curve->axis, sample_period(*rate.curve), zone};
        const auto same = [&](const HourlyCurve& other) {
            return !other.is_window() && other.axis == curve.axis && other.time_zone == zone && other.values == curve.values;
        };
        const auto found = std::find_if(curves.begin(), curves.end(), same);
        const auto at = static_cast<int>(found - curves.begin());
        if (found == curves.end()) {
            curves.push_back(std::move(curve));
        }
        return {at, monthly({1.0, std::nullopt}, growth_per_year)};
    }

    /// 1 in the hours that begin in [from, to), Unix seconds, and 0 in all others.
    Signal window(std::int64_t from, std::int64_t to, const std::string& zone) {
        HourlyCurve curve{Axis::hour_of_year, {0.0, 1.0}, zone};
        curve.from = from;
        curve.to = to;
        curves.push_back(std::move(curve));
        return {static_cast<int>(curves.size()) - 1, monthly({1.0, std::nullopt})};
    }

    /// The fraction of the first month that remains at the start of its day `day` (1-based).
    [[nodiscard]] double share_from(int day) const { return (days_of_first_ - day + 1) / days_of_first_; }

    /// The fraction of each month that lies within `days` days from the start of day `day` of the first month.
    [[nodiscard]] std::vector<double> shares_before(int day, double days) const {
        std::vector<double> shares(months_);
        double left = days;
        for (std::size_t m = 0; m < months_; ++m) {
            const double of_month = first_days_[m + 1] - first_days_[m];
            const double open = m == 0 ? of_month - day + 1 : of_month;
            shares[m] = std::min(left, open) / of_month;
            left = std::max(0.0, left - open);
        }
        return shares;
    }

    std::vector<HourlyCurve> curves;

private:
    std::size_t months_;
    double days_of_first_;
    std::vector<double> first_days_; ///< first day of each month, and the day after the last month
};

} // namespace costcurve::model
