// Hours and months of pools, times the measured cost of each.
#include "model/questions/evaluation_cost.hpp"

#include "model/scenario.hpp"

namespace costcurve::model {

EvaluationCost cost_of_evaluations(const std::vector<Placed>& scenarios, double evaluations) {
    constexpr double kSecondsAnHourEntry = 18e-9;
    constexpr double kSecondsAPoolMonth = 0.6e-6;
    constexpr double kBytesAPoolMonth = 200;
    double entries = 0.0;
    double pool_months = 0.0;
    for (const auto& [document, at] : scenarios) {
        entries += hour_entries(document);
        pool_months += static_cast<double>(document.pools.size()) * document.months;
    }
    return {(entries * kSecondsAnHourEntry + pool_months * kSecondsAPoolMonth) * evaluations,
            static_cast<std::size_t>(pool_months * kBytesAPoolMonth)};
}

} // namespace costcurve::model
