// The optimal plan: how many servers and instances, when to buy them, and how far the plan can be from the optimum.
#pragma once

#include <cmath>
#include <vector>

#include "model/questions/optimize/box.hpp"
#include "model/questions/optimize/hedge.hpp"
#include "model/questions/runner.hpp"

namespace costcurve::model {

struct OptimizeQuestion {
    std::vector<Decide> decide;
    Objective minimize = Objective::cost;
    Limits subject_to;
    double gap = 0.01; ///< the search ends when the gap is at most this share of the objective
    /// If set, plans are judged by means over samples of these inputs, both for the objective and for the limits.
    std::optional<Uncertainty> uncertain = std::nullopt;
};

/// Limits of the search. They count work and not time, so the same question gets the same answer.
struct OptimizeEffort {
    std::size_t exhaustive_plans = 4000; ///< up to this many plans, all are evaluated
    std::size_t evaluations = 20000;     ///< approximate limit on evaluated plans
    std::size_t bounds = 2000;           ///< most linear programmes solved
    std::size_t patience = 250;          ///< ends after so many programmes that raise the bound by less than gap / 20
    std::size_t blocks = 400;            ///< approximate number of hour blocks in a programme
    std::size_t few_plans = 32;          ///< up to this many plans in a box are evaluated instead of bounded
    std::size_t runners_up = 5;
    std::size_t hedged_evaluations = 400'000; ///< up to this many evaluations (plans × samples), all plans are tried
    double cutoff = HUGE_VAL;                 ///< objective of a known plan: plans above it need not be found
};

enum class Proof { exhaustive, linear_bound, none };
template <> inline constexpr auto enum_names<Proof> = std::to_array<std::string_view>({"exhaustive", "linear_bound", "none"});

struct RankedPlan {
    Plan plan;
    double objective = 0.0;
    std::size_t combination = 0; ///< index of the combination of chosen values; 0 if there are no choices
};

struct Optimum {
    std::vector<Decision> decisions;
    RankedPlan best;                    ///< lowest objective; among equal ones, the plan with the smallest numbers
    double bound = 0.0;                 ///< lower bound on the objective of every plan
    double gap_fraction = 0.0;          ///< (objective - bound) / |objective|
    Proof proof = Proof::linear_bound;  ///< exhaustive: every plan was evaluated; none: no bound is known
    std::vector<RankedPlan> runners_up; ///< next best evaluated plans, one for each objective
    std::array<double, 4> taken{};      ///< amount of each limit that the best plan uses
    std::size_t evaluations = 0;
    std::size_t bounds = 0;     ///< linear programmes solved
    std::optional<Hedge> hedge; ///< set if inputs are uncertain; `best.objective` is then a mean
};

/// Sets the bound and the gap that results from it.
void set_bound(Optimum& optimum, double bound);

/// A scenario and its decisions.
struct PlanProblem {
    Scenario scenario;
    std::vector<Decision> decisions;
    Box all;
};

/// Binds a question to a scenario. Issues: unknown decisions, rules that the scenario breaks, and figures that are to be minimised
/// or limited but are unknown.
[[nodiscard]] Result<PlanProblem> make_problem(const Placed& scenario, const OptimizeQuestion& question);

/// Result of a search, with or without an optimum.
struct SearchOutcome {
    std::optional<Optimum> optimum;
    Failure why_none;         ///< why there is no optimum
    bool is_stopped = false;  ///< whether the runner was stopped
    double bound = -HUGE_VAL; ///< lower bound on all plans, or on those below `effort.cutoff`; infinite if no plan keeps the limits
    std::size_t evaluations = 0;
    std::size_t bounds = 0; ///< linear programmes solved
};
[[nodiscard]] SearchOutcome search_plans(const Placed& scenario, PlanProblem problem, const OptimizeQuestion& question,
                                         const OptimizeEffort& effort, const Runner& runner);

/// Finds the best plan. If there are few plans, all are evaluated. Over an uncertain future, and for energy and NPV after a tax,
/// there is no bound (minus infinity): plans are improved by steps from several starts. Otherwise branch and bound: boxes in the
/// order of their linear bounds. Plans near each solution are evaluated with the full model, and each better plan is improved by
/// single and paired steps until none helps. Issues: unknown decisions; if no plan keeps the limits, which limit is broken
/// (/subject_to/…) and by how much. Any issue may be given if the runner was stopped. Same bits with any number of workers.
[[nodiscard]] Result<Optimum> optimize(const Placed& scenario, const OptimizeQuestion& question, const OptimizeEffort& effort,
                                       const Runner& runner);

} // namespace costcurve::model
