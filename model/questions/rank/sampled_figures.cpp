// Counts and quantiles over samples.
#include "model/questions/rank/sampled_figures.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>

#include "model/questions/chance/spread.hpp"
#include "model/questions/same.hpp"

namespace costcurve::model {

namespace {

// The numbers in ascending order, without those that are not a number.
std::vector<double> ascending(std::vector<double> numbers) {
    std::erase_if(numbers, [](double number) { return !std::isfinite(number); });
    std::sort(numbers.begin(), numbers.end());
    return numbers;
}

} // namespace

double count_best(const SampledFigures& figures, std::vector<PlanChances>& chances) {
    double none = 0.0;
    for (std::size_t k = 0; k < figures.samples; ++k) {
        double least = std::numeric_limits<double>::quiet_NaN();
        for (std::size_t e = 0; e < chances.size(); ++e) {
            least = std::fmin(least, figures.of(e)[k]);
        }
        std::vector<std::size_t> ties;
        for (std::size_t e = 0; e < chances.size(); ++e) {
            if (is_same(figures.of(e)[k], least)) {
                ties.push_back(e);
            }
        }
        for (const std::size_t e : ties) {
            chances[e].best += 1.0 / static_cast<double>(ties.size());
        }
        none += ties.empty() ? 1.0 : 0.0;
    }
    for (PlanChances& of_entry : chances) {
        of_entry.best /= static_cast<double>(figures.samples);
    }
    return none / static_cast<double>(figures.samples);
}

void find_intervals(const SampledFigures& figures, std::vector<PlanChances>& chances) {
    if (chances.empty()) {
        return;
    }
    constexpr double kLow = 0.1;
    constexpr double kHigh = 0.9;
    const std::span<const double> first = figures.of(0);
    for (std::size_t e = 0; e < chances.size(); ++e) {
        const std::span<const double> own = figures.of(e);
        if (const std::vector<double> known = ascending({own.begin(), own.end()}); !known.empty()) {
            chances[e].low = quantile_of(known, kLow);
            chances[e].high = quantile_of(known, kHigh);
        }
        std::vector<double> more(own.size());
        std::transform(own.begin(), own.end(), first.begin(), more.begin(), std::minus<>());
        const std::vector<double> differences = ascending(std::move(more));
        chances[e].tied =
            e > 0 && !differences.empty() && quantile_of(differences, kLow) <= 0.0 && quantile_of(differences, kHigh) >= 0.0;
    }
}

} // namespace costcurve::model
