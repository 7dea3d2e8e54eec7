// The search over whole numbers: all plans, or branch and bound with descent.
#include "model/questions/optimize/optimize.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "model/questions/optimize/plan_search.hpp"

namespace costcurve::model {

namespace {

Failure placed(Failure issues, const std::string& at) {
    for (Issue& issue : issues) {
        issue.pointer.insert(0, at);
    }
    return issues;
}

Plan stated_plan(const ScenarioDocument& scenario, const std::vector<Decision>& decisions) {
    Plan plan;
    plan.reserve(decisions.size());
    for (const Decision& decision : decisions) {
        const Pool& pool = scenario.pools[decision.pool];
        const int value = decision.lever == Lever::servers             ? pool.purchases[decision.purchase].servers
                          : decision.lever == Lever::provisioned_units ? pool.provisioned_units.value_or(0)
                          : decision.lever == Lever::month             ? pool.purchases[decision.purchase].month
                          : decision.lever == Lever::min_instances     ? pool.min_instances
                                                                       : pool.max_instances;
        plan.push_back(std::clamp(value, decision.min, decision.max));
    }
    return plan;
}

// One judge per worker; null for workers that judged no plan.
using HedgeJudges = std::vector<std::unique_ptr<HedgeJudge>>;

std::function<Judge(std::size_t)> judges_of(const Placed& scenario, const std::vector<Decision>& decisions,
                                            const OptimizeQuestion& question, const std::optional<Future>& future,
                                            HedgeJudges& hedges) {
    return [&](std::size_t worker) -> Judge {
        if (future) {
            hedges[worker] =
                std::make_unique<HedgeJudge>(scenario.document, decisions, *future, question.minimize, question.subject_to);
            return [&judge = *hedges[worker]](const Plan& plan) { return judge.judge(plan); };
        }
        return [&question, variant = std::make_shared<PlannedVariant>(scenario.document, decisions)](const Plan& plan) {
            return variant->evaluate(plan).map(
                [&](const Evaluation* evaluation) { return outcome_of(*evaluation, question.minimize, question.subject_to); });
        };
    };
}

// Mean over the samples of the least objective in each sample.
double mean_with_foresight(const HedgeJudges& judges, std::size_t samples) {
    double sum = 0.0;
    for (std::size_t k = 0; k < samples; ++k) {
        double least = HUGE_VAL;
        for (const auto& judge : judges) {
            least = judge ? std::min(least, judge->least()[k]) : least;
        }
        sum += least;
    }
    return sum / static_cast<double>(samples);
}

// The hedge figures of the best plan. Empty if the runner was stopped.
std::optional<Hedge> value_hedge(const Placed& scenario, const OptimizeQuestion& question, const OptimizeEffort& effort,
                                 const Runner& runner, const Optimum& optimum, const Future& future, const HedgeJudges& judges) {
    HedgeJudge judge(scenario.document, optimum.decisions, future, question.minimize, question.subject_to);
    if (!judge.judge(optimum.best.plan)) {
        return std::nullopt;
    }
    Hedge hedge{*spread_of(judge.objectives()), {}, std::nullopt, std::nullopt};
    if (optimum.proof == Proof::exhaustive) {
        const double mean = mean_with_foresight(judges, question.uncertain->samples);
        hedge.value_of_foresight = std::isfinite(mean) ? std::optional(std::max(0.0, optimum.best.objective - mean)) : std::nullopt;
    }
    OptimizeQuestion certain = question;
    certain.uncertain.reset();
    const Result<Optimum> at_the_means = optimize({at_means(scenario.document, future), scenario.at}, certain, effort, runner);
    if (!at_the_means) {
        return hedge;
    }
    hedge.plan_at_means = at_the_means->best.plan;
    const Result<Outcome> mean = judge.judge(hedge.plan_at_means);
    if (mean && mean->excess == 0.0) {
        hedge.value_of_hedging = mean->objective - optimum.best.objective;
    }
    return hedge;
}

// Issues for figures that are unknown: they can neither be minimised nor limited.
Failure unknown_figures(const Scenario& scenario, const OptimizeQuestion& question, const std::string& at) {
    struct Needed {
        bool is_needed;
        bool Meters<bool>::*known;
        std::string_view what, of_api, of_site;
    };
    const std::array<Needed, 2> figures = {
        {{question.minimize == Objective::carbon_kg || question.subject_to.max_carbon_kg, &Meters<bool>::carbon_kg, "carbon",
          "carbon_g_per_unit", "site with carbon_g_per_kwh"},
         {question.minimize == Objective::energy_kwh, &Meters<bool>::energy_kwh, "energy", "energy_wh_per_unit", "site"}}};
    Failure issues;
    const Compiled compiled = compile(scenario);
    for (std::size_t p = 0; p < compiled.pools.size(); ++p) {
        for (const Needed& figure : figures) {
            if (figure.is_needed && !(compiled.pools[p].known.*figure.known)) {
                issues.push_back({fmt::format("{}/pools/{}", at, p), Code::missing,
                                  fmt::format("the {} of pool {} is not known: it can't be minimised or limited; state its {}",
                                              figure.what, scenario.document().pools[p].id,
                                              compiled.pools[p].kind == PoolKind::api ? figure.of_api : figure.of_site)});
            }
        }
    }
    return issues;
}

} // namespace

Result<PlanProblem> make_problem(const Placed& scenario, const OptimizeQuestion& question) {
    Result<std::vector<Decision>> decisions = bind_decisions(scenario.document, question.decide);
    if (!decisions) {
        return tl::unexpected(std::move(decisions.error()));
    }
    Result<Scenario> made = make_scenario(scenario.document);
    if (!made) {
        return tl::unexpected(placed(made.error(), scenario.at));
    }
    if (Failure unknown = unknown_figures(*made, question, scenario.at); unknown.size() > 0) {
        return tl::unexpected(std::move(unknown));
    }
    Box all;
    for (const Decision& decision : *decisions) {
        all.low.push_back(decision.min);
        all.high.push_back(decision.max);
    }
    return PlanProblem{std::move(*made), std::move(*decisions), std::move(all)};
}

SearchOutcome search_plans(const Placed& scenario, PlanProblem problem, const OptimizeQuestion& question,
                           const OptimizeEffort& effort, const Runner& runner) {
    SearchOutcome found;
    std::optional<Future> future;
    if (question.uncertain) {
        Result<Future> drawn = draw_future(scenario, problem.decisions, *question.uncertain, runner);
        if (!drawn) {
            found.is_stopped = drawn.error().empty();
            found.why_none = std::move(drawn.error());
            return found;
        }
        future = std::move(*drawn);
    }
    HedgeJudges judges(runner.workers);
    PlanValues plans(scenario, problem.decisions, question.subject_to, runner,
                     judges_of(scenario, problem.decisions, question, future, judges));
    const std::size_t most = future ? effort.hedged_evaluations / question.uncertain->samples : effort.exhaustive_plans;
    Optimum optimum;
    if (plans_in(problem.all) <= std::max(1.0, static_cast<double>(most))) {
        optimum.proof = Proof::exhaustive;
        found.is_stopped = !plans.evaluate(all_plans(problem.all));
        found.bound = plans.best() == nullptr ? HUGE_VAL : plans.best()->objective;
    } else {
        PlanSearch search(problem.scenario, question, effort, plans, problem.all);
        found.is_stopped = !search.run(stated_plan(scenario.document, problem.decisions));
        found.bound = search.bound;
        found.bounds = search.bounds;
    }
    found.evaluations = plans.evaluations();
    if (found.is_stopped) {
        found.why_none = {{"", Code::too_large, "stopped before the best plan was found"}};
        return found;
    }
    if (plans.best() == nullptr) {
        found.why_none = plans.why_none(optimum.proof == Proof::exhaustive);
        return found;
    }
    optimum.best = *plans.best();
    found.bound = std::min(found.bound, optimum.best.objective);
    optimum.runners_up = plans.runners_up(effort.runners_up);
    optimum.taken = plans.outcome(optimum.best.plan).taken;
    optimum.evaluations = found.evaluations;
    optimum.bounds = found.bounds;
    optimum.decisions = std::move(problem.decisions);
    optimum.proof = std::isfinite(found.bound) ? optimum.proof : Proof::none;
    set_bound(optimum, found.bound);
    if (future) {
        optimum.hedge = value_hedge(scenario, question, effort, runner, optimum, *future, judges);
    }
    found.optimum = std::move(optimum);
    return found;
}

void set_bound(Optimum& optimum, double bound) {
    optimum.bound = bound;
    const double size = std::abs(optimum.best.objective);
    optimum.gap_fraction = size > 0.0 ? (optimum.best.objective - bound) / size : 0.0;
}

Result<Optimum> optimize(const Placed& scenario, const OptimizeQuestion& question, const OptimizeEffort& effort,
                         const Runner& runner) {
    Result<PlanProblem> problem = make_problem(scenario, question);
    if (!problem) {
        return tl::unexpected(std::move(problem.error()));
    }
    SearchOutcome found = search_plans(scenario, std::move(*problem), question, effort, runner);
    if (!found.optimum) {
        return tl::unexpected(std::move(found.why_none));
    }
    return std::move(*found.optimum);
}

} // namespace costcurve::model
