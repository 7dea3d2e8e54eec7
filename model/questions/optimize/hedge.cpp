// Draws the samples once, so that every plan is judged by the same samples.
#include "model/questions/optimize/hedge.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include <fmt/format.h>

namespace costcurve::model {

namespace {

double mean_of(const std::vector<double>& values) {
    return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

double multiplier_of(const UncertainInput& input, const Input& bound) {
    return input.distribution.relative ? bound.base.value_or(1.0) : 1.0;
}

bool is_decided(const std::string& pointer, const std::vector<Decision>& decisions) {
    return std::any_of(decisions.begin(), decisions.end(), [&](const Decision& decision) { return decision.pointer == pointer; });
}

} // namespace

Result<Future> draw_future(const Placed& scenario, const std::vector<Decision>& decisions, const Uncertainty& uncertainty,
                           const Runner& runner) {
    Failure issues;
    Uncertain uncertain({scenario}, uncertainty.inputs, issues);
    const Failure wrong = check_inputs(uncertain, uncertainty.inputs);
    issues.add_all(wrong);
    for (const UncertainInput& input : uncertainty.inputs) {
        if (is_decided(input.pointer, decisions)) {
            issues.push_back({input.at + "/pointer", Code::duplicate,
                              fmt::format("{} is decided: it can't be uncertain as well", input.pointer)});
        }
    }
    std::vector<double> triangle = correlate_inputs(uncertainty, issues);
    if (!issues.empty()) {
        return tl::unexpected(std::move(issues));
    }
    Future future{&uncertainty, draw_inputs(uncertainty, std::move(triangle), runner)};
    Failure outside = check_draws(uncertain, uncertainty, future.draws);
    if (future.draws.empty() || !outside.empty()) {
        return tl::unexpected(std::move(outside));
    }
    return future;
}

ScenarioDocument at_means(const ScenarioDocument& scenario, const Future& future) {
    Variant variant(scenario);
    for (std::size_t i = 0; i < future.draws.size(); ++i) {
        const UncertainInput& input = future.uncertainty->inputs[i];
        const std::size_t bound = variant.bind(input.pointer, input.at).value();
        // the mean of draws within a field's range is also within that range
        (void)variant.set(bound, mean_of(future.draws[i]) * multiplier_of(input, variant.input(bound)), input.at);
    }
    return variant.document();
}

HedgeJudge::HedgeJudge(const ScenarioDocument& scenario, const std::vector<Decision>& decisions, const Future& future,
                       Objective objective, const Limits& limits)
    : variant_(scenario, decisions), future_(future), objective_(objective), limits_(limits),
      objectives_(future.uncertainty->samples), least_(future.uncertainty->samples, HUGE_VAL) {
    places_.reserve(future.uncertainty->inputs.size());
    for (const UncertainInput& input : future.uncertainty->inputs) {
        const std::size_t bound = variant_.variant().bind(input.pointer, input.at).value();
        places_.push_back({bound, multiplier_of(input, variant_.variant().input(bound))});
    }
}

Result<Outcome> HedgeJudge::judge(const Plan& plan) {
    if (auto issue = variant_.set(plan)) {
        return tl::unexpected(Failure{std::move(*issue)});
    }
    Variant& variant = variant_.variant();
    const auto samples = static_cast<double>(objectives_.size());
    Outcome mean;
    for (std::size_t k = 0; k < objectives_.size(); ++k) {
        for (std::size_t i = 0; i < places_.size(); ++i) {
            if (auto issue = variant.set(places_[i].input, future_.draws[i][k] * places_[i].multiplier, "")) {
                return tl::unexpected(Failure{std::move(*issue)});
            }
        }
        const auto evaluated = variant.evaluate();
        if (!evaluated) {
            return tl::unexpected(evaluated.error());
        }
        const Outcome outcome = outcome_of(**evaluated, objective_, limits_);
        objectives_[k] = outcome.objective;
        least_[k] = outcome.excess == 0.0 ? std::min(least_[k], outcome.objective) : least_[k];
        for (std::size_t l = 0; l < mean.taken.size(); ++l) {
            mean.taken[l] += outcome.taken[l] / samples;
        }
    }
    mean.possible = true;
    mean.objective = mean_of(objectives_);
    mean.excess = excess_of(mean.taken, limits_);
    return mean;
}

} // namespace costcurve::model
