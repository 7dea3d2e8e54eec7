// Default uncertainties of a ranking, and their description in the answer.
#include "server/answers/rank_uncertainty.hpp"

#include <cmath>

#include "model/questions/chance/distribution.hpp"

namespace costcurve::answers {

namespace {

constexpr auto kSizedForSample =
    "in each sample every plan has the servers and instances that its demand and rates need: demand is "
    "taken as known when they are bought or rented";

} // namespace

RankUncertaintyAnswer uncertainty_of(const model::RankUncertainty& uncertainty, std::size_t samples, std::uint64_t seed) {
    RankUncertaintyAnswer answer;
    static_cast<model::RankUncertainty&>(answer) = uncertainty;
    answer.samples = samples;
    answer.seed = seed;
    answer.assumption = kSizedForSample;
    for (std::size_t f = 0; f < model::kRankFactors; ++f) {
        const model::FactorRow& row = model::kFactorRows[f];
        RankFactorAnswer& factor = answer.factors.emplace_back();
        factor.factor = static_cast<model::RankFactor>(f);
        factor.multiplies = row.multiplies;
        factor.sigma = row.sigma;
        factor.p5 = std::exp(row.sigma * model::normal_quantile(0.05));
        factor.p95 = std::exp(row.sigma * model::normal_quantile(0.95));
    }
    return answer;
}

} // namespace costcurve::answers
