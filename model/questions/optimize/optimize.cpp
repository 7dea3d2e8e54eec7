// Every plan, or branch and bound with descent: the search over whole numbers.
#include "model/questions/optimize/optimize.hpp"

#include <algorithm>
#include <cmath>
#include <queue>

#include <fmt/format.h>

#include "model/questions/optimize/bound.hpp"
#include "model/questions/optimize/plan_values.hpp"

namespace costcurve::model {

namespace {

constexpr std::size_t kStarts = 3; // of descent, at the root

struct Node {
    Box box;
    Bound bound;
    std::size_t number = 0; ///< ties go by age
    bool operator<(const Node& other) const {
        return bound.value != other.bound.value ? bound.value > other.bound.value : number > other.number;
    }
};

// The decision whose value is farthest from whole; where all are whole, the one of the widest range.
std::size_t branch_on(const Node& node) {
    std::size_t best = 0;
    double most = -1.0;
    for (std::size_t d = 0; d < node.box.low.size(); ++d) {
        const int width = node.box.high[d] - node.box.low[d];
        const double value = node.bound.plan.empty() ? 0.0 : node.bound.plan[d];
        const double fraction = std::abs(value - std::round(value));
        const double score = width == 0 ? -1.0 : fraction > 1e-6 ? 1e6 * fraction + width : width * 1e-3;
        if (score > most) {
            most = score;
            best = d;
        }
    }
    return best;
}

// Two or three boxes that hold what this one holds.
std::vector<Box> branches_of(const Node& node) {
    const std::size_t d = branch_on(node);
    const int low = node.box.low[d];
    const int high = node.box.high[d];
    const double value = node.bound.plan.empty() ? 0.5 * (low + high) + 0.25 : std::clamp<double>(node.bound.plan[d], low, high);
    std::vector<Box> boxes;
    const auto add = [&](int from, int to) {
        if (from <= to) {
            boxes.push_back(node.box);
            boxes.back().low[d] = from;
            boxes.back().high[d] = to;
        }
    };
    if (std::abs(value - std::round(value)) > 1e-6) {
        add(low, static_cast<int>(std::floor(value)));
        add(static_cast<int>(std::floor(value)) + 1, high);
    } else {
        const int whole = static_cast<int>(std::round(value));
        add(whole, whole);
        add(low, whole - 1);
        add(whole + 1, high);
    }
    return boxes;
}

class PlanSearch {
public:
    PlanSearch(const Scenario& scenario, const OptimizeQuestion& question, const OptimizeEffort& effort, PlanValues& plans,
               const Box& all)
        : question_(question), effort_(effort), plans_(plans), all_(all) {
        if (!question.uncertain) {
            linear_ = bound_of(scenario, plans.decisions(), question.minimize, question.subject_to, effort.blocks);
        }
    }

    // False where the runner was told to stop. `bound` holds in any case.
    bool run(const Plan& stated) {
        Node root{all_, linear_ ? solve(all_) : Bound{LinearProgram::Status::gave_up, -HUGE_VAL, {}}, 0};
        if (root.bound.status == LinearProgram::Status::infeasible) {
            bound = HUGE_VAL;
        }
        std::vector<Plan> starts = {all_.low, all_.high, stated};
        for (const double up : {0.5, 0.999999}) {
            if (!root.bound.plan.empty()) {
                starts.push_back(rounded(root.bound.plan, all_, up));
            }
        }
        bound = std::min(bound, root.bound.value);
        if (!plans_.evaluate(starts)) {
            return false;
        }
        std::sort(starts.begin(), starts.end(), [&](const Plan& a, const Plan& b) { return plans_.is_better(a, b); });
        for (std::size_t i = 0; i < std::min(kStarts, starts.size()); ++i) {
            if (!descend(starts[i])) {
                return false;
            }
        }
        return !linear_ || root.bound.status == LinearProgram::Status::infeasible || branch(std::move(root));
    }

    double bound = -HUGE_VAL;
    std::size_t bounds = 0;

private:
    Bound solve(const Box& box) {
        ++bounds;
        Bound solved = linear_->solve(box);
        solved.value = solved.status == LinearProgram::Status::gave_up      ? -HUGE_VAL
                       : solved.status == LinearProgram::Status::infeasible ? HUGE_VAL
                                                                            : solved.value;
        return solved;
    }

    [[nodiscard]] bool spent() {
        const RankedPlan* const best = plans_.best();
        if (best == nullptr || bound - raised_ > question_.gap / 20 * std::abs(best->objective)) {
            raised_ = bound;
            raised_at_ = bounds;
        }
        return bounds >= effort_.bounds || bounds - raised_at_ >= effort_.patience || plans_.evaluations() >= effort_.evaluations;
    }

    // The least that a box must promise to be looked into.
    [[nodiscard]] double worthwhile(double gap) const {
        const RankedPlan* const best = plans_.best();
        return best == nullptr ? HUGE_VAL : best->objective - gap * std::abs(best->objective);
    }

    bool descend(Plan plan) {
        while (plans_.evaluations() < effort_.evaluations) {
            const std::vector<Plan> around = neighbours(plan, all_);
            if (!plans_.evaluate(around)) {
                return false;
            }
            const auto best = std::min_element(around.begin(), around.end(),
                                               [&](const Plan& a, const Plan& b) { return plans_.is_better(a, b); });
            if (best == around.end() || !plans_.is_better(*best, plan)) {
                return true;
            }
            plan = *best;
        }
        return true;
    }

    // Evaluates the plans, and goes on from the best of them where it is better than all before.
    bool look_at(const std::vector<Plan>& some) {
        const Plan before = plans_.best() != nullptr ? plans_.best()->plan : Plan();
        if (!plans_.evaluate(some)) {
            return false;
        }
        const RankedPlan* const best = plans_.best();
        return best == nullptr || best->plan == before || descend(best->plan);
    }

    bool branch(Node root) {
        std::priority_queue<Node> open;
        open.push(std::move(root));
        std::size_t number = 0;
        while (!open.empty()) {
            bound = open.top().bound.value;
            if (bound >= worthwhile(question_.gap) || spent()) {
                return true;
            }
            const Node node = open.top();
            open.pop();
            for (Box& box : branches_of(node)) {
                if (plans_in(box) <= static_cast<double>(effort_.few_plans)) {
                    if (!look_at(all_plans(box))) {
                        return false;
                    }
                    continue;
                }
                Bound solved = solve(box);
                solved.value = std::max(solved.value, node.bound.value);
                if (solved.value < worthwhile(0.0)) {
                    if (!solved.plan.empty() && !look_at({rounded(solved.plan, box, 0.5), rounded(solved.plan, box, 0.999999)})) {
                        return false;
                    }
                    open.push({std::move(box), std::move(solved), ++number});
                }
            }
        }
        bound = worthwhile(0.0);
        return true;
    }

    const OptimizeQuestion& question_;
    const OptimizeEffort& effort_;
    PlanValues& plans_;
    const Box all_;
    std::unique_ptr<LinearBound> linear_; // null over an uncertain future, and where no bound is known
    double raised_ = -HUGE_VAL;           // the bound when it last rose enough to go on,
    std::size_t raised_at_ = 0;           // and the programmes solved by then
};

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
        const int value = decision.lever == Lever::servers         ? pool.purchases[decision.purchase].servers
                          : decision.lever == Lever::month         ? pool.purchases[decision.purchase].month
                          : decision.lever == Lever::min_instances ? pool.min_instances
                                                                   : pool.max_instances;
        plan.push_back(std::clamp(value, decision.min, decision.max));
    }
    return plan;
}

// By worker; those that judged nothing are null.
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

// The mean over samples of the least that any plan came to in each.
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

// What the best plan is worth; empty where the runner was told to stop.
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

// What is not known can't be the least, nor kept below a limit.
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

Result<Optimum> optimize(const Placed& scenario, const OptimizeQuestion& question, const OptimizeEffort& effort,
                         const Runner& runner) {
    Result<std::vector<Decision>> decisions = bind_decisions(scenario.document, question.decide);
    if (!decisions) {
        return tl::unexpected(std::move(decisions.error()));
    }
    const Result<Scenario> made = make_scenario(scenario.document);
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
    std::optional<Future> future;
    if (question.uncertain) {
        Result<Future> drawn = draw_future(scenario, *decisions, *question.uncertain, runner);
        if (!drawn) {
            return tl::unexpected(std::move(drawn.error()));
        }
        future = std::move(*drawn);
    }
    HedgeJudges judges(runner.workers);
    PlanValues plans(scenario, *decisions, question.subject_to, runner, judges_of(scenario, *decisions, question, future, judges));
    const std::size_t most = future ? effort.hedged_evaluations / question.uncertain->samples : effort.exhaustive_plans;
    Optimum optimum;
    bool done = false;
    if (plans_in(all) <= static_cast<double>(most)) {
        optimum.proof = Proof::exhaustive;
        done = plans.evaluate(all_plans(all));
        optimum.bound = HUGE_VAL;
    } else {
        PlanSearch search(*made, question, effort, plans, all);
        done = search.run(stated_plan(scenario.document, *decisions));
        optimum.bound = search.bound;
        optimum.bounds = search.bounds;
    }
    if (!done) {
        return tl::unexpected(Failure{{"", Code::too_large, "stopped before the best plan was found"}});
    }
    if (plans.best() == nullptr) {
        return tl::unexpected(plans.why_none(optimum.proof == Proof::exhaustive));
    }
    optimum.decisions = std::move(*decisions);
    optimum.best = *plans.best();
    optimum.runners_up = plans.runners_up(effort.runners_up);
    optimum.taken = plans.outcome(optimum.best.plan).taken;
    optimum.evaluations = plans.evaluations();
    optimum.bound = std::min(optimum.bound, optimum.best.objective);
    optimum.proof = std::isfinite(optimum.bound) ? optimum.proof : Proof::none;
    const double size = std::abs(optimum.best.objective);
    optimum.gap_fraction = size > 0.0 ? (optimum.best.objective - optimum.bound) / size : 0.0;
    if (future) {
        optimum.hedge = value_hedge(scenario, question, effort, runner, optimum, *future, judges);
    }
    return optimum;
}

} // namespace costcurve::model
