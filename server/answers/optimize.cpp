// Limits and efforts of the optimizer, and its plan with the result it leads to.
#include "server/answers/optimize.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "model/finance.hpp"
#include "server/answers/break_even.hpp"
#include "server/answers/evaluate.hpp"

namespace costcurve::answers {

namespace {

using model::Code;

ByName<int> decisions_of(const model::Optimum& optimum, const model::Plan& plan) {
    ByName<int> decisions;
    for (std::size_t d = 0; d < plan.size(); ++d) {
        decisions.emplace_back(optimum.decisions[d].pointer, plan[d]);
    }
    return decisions;
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
            limits.push_back({std::string(row.name), *limit, optimized.optimum.taken[l], with_currency(row.unit, currency)});
        }
    }
    return limits;
}

} // namespace

void check(OptimizeRequest& request, const QuestionLimits& limits, model::Failure& issues) {
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

model::Result<Optimized> optimize(const model::Placed& scenario, const model::OptimizeQuestion& question,
                                  const model::OptimizeEffort& effort, const model::Runner& runner) {
    model::Result<model::Optimum> optimum = model::optimize(scenario, question, effort, runner);
    if (!optimum) {
        return tl::unexpected(std::move(optimum.error()));
    }
    model::Result<Evaluated> best =
        evaluate_resolved(model::with_plan(scenario.document, optimum->decisions, optimum->best.plan), scenario.at);
    if (!best) {
        return tl::unexpected(std::move(best.error()));
    }
    return Optimized{question, std::move(*optimum), std::move(*best)};
}

std::string encode_optimized(const Optimized& optimized) {
    const model::Optimum& optimum = optimized.optimum;
    const bool has_bound = std::isfinite(optimum.bound);
    OptimizeAnswer answer;
    answer.decisions = decisions_of(optimum, optimum.best.plan);
    answer.objective = optimum.best.objective;
    answer.minimize = optimized.question.minimize;
    answer.unit = with_currency(unit_of(answer.minimize), optimized.best.scenario.document().currency);
    answer.bound = has_bound ? std::optional(optimum.bound) : std::nullopt;
    answer.gap_fraction = has_bound ? std::optional(optimum.gap_fraction) : std::nullopt;
    answer.proof = optimum.proof;
    answer.hedge = optimum.hedge ? std::optional(hedge_of(optimum)) : std::nullopt;
    answer.limits = limits_of(optimized);
    for (const model::RankedPlan& plan : optimum.runners_up) {
        answer.runners_up.push_back({decisions_of(optimum, plan.plan), plan.objective});
    }
    answer.evaluations = optimum.evaluations;
    answer.linear_programmes = optimum.bounds;
    answer.result = {encode_result(optimized.best, false)};
    return encode_answer(answer);
}

model::Result<std::string> answer(const OptimizeRequest& request, const std::vector<model::Placed>& scenarios,
                                  const model::Runner& runner) {
    const model::OptimizeQuestion question{request.decide, request.minimize.value_or(decide_by(scenarios.front().document.finance)),
                                           request.subject_to, request.gap, request.uncertain};
    model::OptimizeEffort effort;
    effort.evaluations = request.evaluations.value_or(effort.evaluations);
    effort.exhaustive_plans = std::min(effort.exhaustive_plans, effort.evaluations);
    return answers::optimize(scenarios.front(), question, effort, runner).map(encode_optimized);
}

} // namespace costcurve::answers
