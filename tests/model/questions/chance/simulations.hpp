// Simulations to ask for: inputs by their distributions, figures by scenario.
#pragma once

#include "model/questions/chance/simulate.hpp"
#include "tests/support/affordable.hpp"
#include "tests/support/scenarios.hpp"

namespace costcurve::tests::simulations {

using model::Distribution;
using model::DistributionKind;
using model::SimulateQuestion;
using model::Simulation;
using model::Spread;

inline constexpr double kHours = 744; // of the month
inline constexpr auto kFirst = "/pools/0/offer/hourly_price";
inline constexpr auto kSecond = "/pools/1/offer/hourly_price";
inline constexpr auto kDemand = "/workloads/0/demand/mean_per_s";

inline Distribution uniform(double low, double high) {
    Distribution made;
    made.low = low;
    made.high = high;
    return made;
}

inline Distribution discrete(std::vector<double> values, std::vector<double> weights) {
    Distribution made;
    made.kind = DistributionKind::discrete;
    made.values = std::move(values);
    made.weights = std::move(weights);
    return made;
}

inline constexpr std::size_t kSamples = affordable(20'000);

inline SimulateQuestion question(std::vector<std::pair<std::string, Distribution>> inputs, std::size_t samples = kSamples) {
    SimulateQuestion asked;
    for (auto& [pointer, distribution] : inputs) {
        asked.inputs.push_back({pointer, "/inputs/" + std::to_string(asked.inputs.size()), distribution, std::nullopt});
    }
    asked.outputs = {"/total/cost"};
    asked.samples = samples;
    asked.seed = 42;
    return asked;
}

inline model::Result<Simulation> simulated(const std::vector<model::ScenarioDocument>& scenarios, const SimulateQuestion& asked,
                                           const model::Runner& runner = model::one_by_one()) {
    std::vector<model::Placed> placed;
    for (const model::ScenarioDocument& scenario : scenarios) {
        placed.push_back({scenario, "/scenarios/" + std::to_string(placed.size())});
    }
    return model::simulate(placed, asked, runner);
}

inline const Spread& spread(const Simulation& answer, std::size_t scenario = 0) {
    return *answer.scenarios[scenario].outputs[0].spread;
}

} // namespace costcurve::tests::simulations
