// The months of a horizon, and the hourly curves found while its documents are compiled.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "model/compile.hpp"
#include "model/documents/calendar.hpp"
#include "model/finance.hpp"

namespace costcurve::model {

/// Reads rates by month and by hour.
class Sampler {
public:
    explicit Sampler(const ScenarioDocument& scenario) : months_(static_cast<std::size_t>(scenario.months)) {
        for (int m = 0; m < scenario.months; ++m) {
            const YearMonth month = add_months(scenario.start, m);
            first_days_.push_back(days_since_epoch(month.year, month.month, 1));
        }
    }

    /// The rate in each month, times `scale` and compound growth by year. A date curve is read at the first day.
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
            return other.axis == curve.axis && other.time_zone == zone && other.values == curve.values;
        };
        const auto found = std::find_if(curves.begin(), curves.end(), same);
        const auto at = static_cast<int>(found - curves.begin());
        if (found == curves.end()) {
            curves.push_back(std::move(curve));
        }
        return {at, monthly({1.0, std::nullopt}, growth_per_year)};
    }

    std::vector<HourlyCurve> curves;

private:
    std::size_t months_;
    std::vector<double> first_days_;
};

} // namespace costcurve::model
