// Limits and effort of the optimizer, and the encoding of its plan and result.
#include "server/answers/optimize/optimize.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "model/documents/currencies.hpp"
#include "model/finance.hpp"
#include "server/answers/evaluate.hpp"

namespace costcurve::answers {

namespace {

using model::Code;

// Decisions in the form of evaluate; a committed pool's two numbers of instances must be equal.
ByName<int> decisions_of(const model::Optimum& optimum, const model::Plan& plan) {
    ByName<int> decisions;
    for (std::size_t d = 0; d < plan.size(); ++d) {
        for (const std::string& pointer : pointers_of(optimum.decisions[d])) {
            decisions.emplace_back(pointer, plan[d]);
        }
    }
    return decisions;
}

// The values chosen by a combination; nothing if there are no choices.
std::optional<ByName<AnyJson>> choices_of(const Combinations& combinations, std::size_t number) {
    if (combinations.choices.empty()) {
        return std::nullopt;
    }
    ByName<AnyJson> choices;
    for (std::size_t k = 0; k < combinations.choices.size(); ++k) {
        choices.emplace_back(combinations.choices[k].pointer, AnyJson{{combinations.value(number, k)}});
    }
    return choices;
}

PlanAnswer plan_of(const Optimized& optimized, const model::RankedPlan& plan) {
    return {decisions_of(optimized.optimum, plan.plan), choices_of(optimized.combinations, plan.combination), plan.objective};
}

std::optional<CombinationsAnswer> combinations_of(const Optimized& optimized) {
    if (optimized.combinations.choices.empty()) {
        return std::nullopt;
    }
    const model::CombinationCounts& counts = optimized.counts;
    CombinationsAnswer answer{counts.stated, counts.examined, counts.cut, counts.infeasible, counts.refused, {}};
    for (const model::RefusedCombinations& reason : counts.reasons) {
        answer.reasons.push_back({reason.count, reason.issue.code, reason.issue.pointer, reason.issue.message,
                                  *choices_of(optimized.combinations, reason.first)});
    }
    return answer;
}

HedgeAnswer hedge_of(const model::Optimum& optimum) {
    const model::Hedge& hedge = *optimum.hedge;
    HedgeAnswer answer{hedge.spread, std::nullopt, hedge.value_of_hedging, hedge.value_of_foresight};
    if (!hedge.plan_at_means.empty()) {
        answer.plan_at_means = decisions_of(optimum, hedge.plan_at_means);
    }
    return answer;
}

std::vector<LimitAnswer> limits_of(const Optimized& optimized) {
    const std::string& currency = optimized.best.scenario.document().currency;
    std::vector<LimitAnswer> limits;
    for (std::size_t l = 0; l < model::limit_rows().size(); ++l) {
        const model::LimitRow& row = model::limit_rows()[l];
        if (const std::optional<double>& limit = optimized.question.subject_to.*row.limit) {
            limits.push_back({std::string(row.name), *limit, optimized.optimum.taken[l], model::unit_in(row.unit, currency)});
        }
    }
    return limits;
}

} // namespace

void check(OptimizeRequest& request, const QuestionLimits& limits, model::Failure& issues) {
    if (auto decisions = split_decisions(request.decide)) {
        request.ranges = std::move(decisions->ranges);
        request.combinations.choices = std::move(decisions->choices);
    } else {
        issues.add_all(std::move(decisions.error()));
    }
    check_deadline(request.deadline_s, limits, issues);
    if (request.uncertain) {
        check_uncertainty(*request.uncertain, "/uncertain", 1, kFutures, limits, issues);
    }
    if (!request.evaluations) {
        request.evaluations = std::min(limits.plans, model::OptimizeEffort().evaluations);
    } else if (*request.evaluations > limits.plans) {
        issues.push_back(
            {"/evaluations", Code::out_of_range,
             fmt::format("evaluations is {} plans; allowed 1 to {}, the setting --max-plans", *request.evaluations, limits.plans)});
    }
}

model::Result<model::Uncertainty> parse_futures(std::string_view text) {
    return parse_request<UncertaintyInputs>(text, {}).and_then([](UncertaintyInputs inputs) -> model::Result<model::Uncertainty> {
        model::Failure issues;
        check_uncertainty(inputs, "", 1, kFutures, {}, issues);
        if (!issues.empty()) {
            return tl::unexpected(std::move(issues));
        }
        return inputs;
    });
}

model::Failure resolve_more(OptimizeRequest& request, const std::vector<model::Placed>& scenarios, documents::Source& source) {
    auto combined = combine(scenarios.front(), std::move(request.combinations.choices), source);
    if (!combined) {
        return std::move(combined.error());
    }
    request.combinations = std::move(*combined);
    return {};
}

model::Result<Optimized> optimize(const model::Placed& scenario, const Combinations& combinations,
                                  const model::OptimizeQuestion& question, const model::OptimizeEffort& effort,
                                  const model::Runner& runner) {
    const bool is_chosen = !combinations.scenarios.empty();
    auto chosen = is_chosen ? model::optimize_combinations(combinations.scenarios, question, effort, runner)
                            : model::optimize(scenario, question, effort, runner).map([](model::Optimum optimum) {
                                  return model::ChosenOptimum{std::move(optimum), {}};
                              });
    if (!chosen) {
        return tl::unexpected(std::move(chosen.error()));
    }
    model::Optimum& optimum = chosen->optimum;
    const model::Placed& best_of = is_chosen ? combinations.scenarios[optimum.best.combination] : scenario;
    model::Result<Evaluated> best =
        evaluate_resolved(model::with_plan(best_of.document, optimum.decisions, optimum.best.plan), best_of.at);
    if (!best) {
        return tl::unexpected(std::move(best.error()));
    }
    return Optimized{question, std::move(optimum), std::move(*best), {combinations.choices, {}}, std::move(chosen->counts)};
}

std::string encode_optimized(const Optimized& optimized) {
    const model::Optimum& optimum = optimized.optimum;
    const bool has_bound = std::isfinite(optimum.bound);
    OptimizeAnswer answer;
    static_cast<PlanAnswer&>(answer) = plan_of(optimized, optimum.best);
    answer.minimize = optimized.question.minimize;
    answer.unit = model::unit_in(unit_of(answer.minimize), optimized.best.scenario.document().currency);
    answer.bound = has_bound ? std::optional(optimum.bound) : std::nullopt;
    answer.gap_fraction = has_bound ? std::optional(optimum.gap_fraction) : std::nullopt;
    answer.proof = optimum.proof;
    answer.hedge = optimum.hedge ? std::optional(hedge_of(optimum)) : std::nullopt;
    answer.limits = limits_of(optimized);
    for (const model::RankedPlan& plan : optimum.runners_up) {
        answer.runners_up.push_back(plan_of(optimized, plan));
    }
    answer.combinations = combinations_of(optimized);
    answer.evaluations = optimum.evaluations;
    answer.linear_programmes = optimum.bounds;
    answer.result = {encode_result(optimized.best, false)};
    return encode_answer(answer);
}

model::Result<std::string> answer(const OptimizeRequest& request, const std::vector<model::Placed>& scenarios,
                                  const model::Runner& runner) {
    const model::OptimizeQuestion question{request.ranges, request.minimize.value_or(decide_by(scenarios.front().document.finance)),
                                           request.subject_to, request.gap, request.uncertain};
    model::OptimizeEffort effort;
    effort.evaluations = request.evaluations.value_or(effort.evaluations);
    effort.exhaustive_plans = std::min(effort.exhaustive_plans, effort.evaluations);
    return answers::optimize(scenarios.front(), request.combinations, question, effort, runner).map(encode_optimized);
}

} // namespace costcurve::answers
