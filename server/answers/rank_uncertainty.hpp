// Assumptions behind plans' probabilities, as stated by rankings and by simulations that resize plans.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "model/questions/chance/distribution.hpp"
#include "model/questions/rank/probabilities.hpp"
#include "server/answers/answer.hpp"

namespace costcurve::answers {

/// One of the default uncertainties, as it is stated in the answer.
struct RankFactorAnswer {
    model::RankFactor factor{};
    std::string multiplies;
    model::DistributionKind kind = model::DistributionKind::lognormal;
    double median = 1.0;
    double sigma = 0.0;
    double p5 = 0.0;
    double p95 = 0.0;
};
struct RankUncertaintyAnswer : model::RankUncertainty {
    std::size_t samples = 0;
    std::uint64_t seed = 0;
    std::string assumption;
    std::vector<RankFactorAnswer> factors;
};
[[nodiscard]] RankUncertaintyAnswer uncertainty_of(const model::RankUncertainty& uncertainty, std::size_t samples,
                                                   std::uint64_t seed);

} // namespace costcurve::answers

namespace costcurve::model {

template <>
inline constexpr auto fields<answers::RankFactorAnswer> =
    Rows{Field{"factor", &answers::RankFactorAnswer::factor, {}},
         Field{"multiplies", &answers::RankFactorAnswer::multiplies, {.help = "the same in all plans that have it"}},
         Field{"kind", &answers::RankFactorAnswer::kind, {}},
         Field{"median", &answers::RankFactorAnswer::median, {}},
         Field{"sigma", &answers::RankFactorAnswer::sigma, {.help = "of the logarithm"}},
         Field{"p5", &answers::RankFactorAnswer::p5, {}},
         Field{"p95", &answers::RankFactorAnswer::p95, {}}};
template <>
inline constexpr auto fields<answers::RankUncertaintyAnswer> = Rows{
    Field{"samples", &answers::RankUncertaintyAnswer::samples, {}},
    Field{"seed", &answers::RankUncertaintyAnswer::seed, {}},
    Field{"in_running", &RankUncertainty::in_running, {.help = "plans that are compared in every sample, listed ones included"}},
    Field{"probability_others",
          &RankUncertainty::probability_others,
          {.help = "that one in the running is the best that is not listed"}},
    Field{"probability_none", &RankUncertainty::probability_none, {.help = "that none in the running can do the work"}},
    Field{"assumption", &answers::RankUncertaintyAnswer::assumption, {}},
    Field{"factors",
          &answers::RankUncertaintyAnswer::factors,
          {.help = "each drawn once a sample, or once a device and model, independent of the others"}}};

} // namespace costcurve::model
