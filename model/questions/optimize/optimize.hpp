// The optimal plan: how many servers and instances, and when, and how far from the best it can be at most.
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
    double gap = 0.01; ///< good enough: this share of the objective above its bound
    /// Where given, plans are judged by their means over samples of these inputs: the objective, and what limits are about.
    std::optional<Uncertainty> uncertain = std::nullopt;
};

/// How long the search may go on. All of it is counted, nothing is timed: the same question has the same answer.
struct OptimizeEffort {
    std::size_t exhaustive_plans = 4000; ///< no more plans than these: all are evaluated
    std::size_t evaluations = 20000;     ///< at most, about; of plans
    std::size_t bounds = 2000;           ///< linear programmes solved at most
    std::size_t patience = 250;          ///< programmes that may raise the bound by less than a twentieth of the gap asked for
    std::size_t blocks = 400;            ///< of hours in one
    std::size_t few_plans = 32;          ///< in a box: evaluated instead
    std::size_t runners_up = 5;
    std::size_t hedged_evaluations = 400'000; ///< of plans in samples: as many or fewer are all tried
    double cutoff = HUGE_VAL;                 ///< a plan that comes to this is known: those that come to more need not be found
};

enum class Proof { exhaustive, linear_bound, none };
template <> inline constexpr auto enum_names<Proof> = std::to_array<std::string_view>({"exhaustive", "linear_bound", "none"});

struct RankedPlan {
    Plan plan;
    double objective = 0.0;
    std::size_t combination = 0; ///< of chosen values; 0 where there are no choices
};

struct Optimum {
    std::vector<Decision> decisions;
    RankedPlan best;                    ///< the lowest objective; among equals the smallest numbers
    double bound = 0.0;                 ///< no plan comes to less
    double gap_fraction = 0.0;          ///< (objective - bound) / |objective|
    Proof proof = Proof::linear_bound;  ///< exhaustive: every plan was evaluated; none: no bound is known
    std::vector<RankedPlan> runners_up; ///< next best of those evaluated, one for each objective
    std::array<double, 4> taken{};      ///< of each limit, by the best plan
    std::size_t evaluations = 0;
    std::size_t bounds = 0;     ///< linear programmes solved
    std::optional<Hedge> hedge; ///< where inputs are uncertain: the objective is a mean
};

/// Writes the bound, and the gap that it leaves.
void set_bound(Optimum& optimum, double bound);

/// A scenario with what is decided of it.
struct PlanProblem {
    Scenario scenario;
    std::vector<Decision> decisions;
    Box all;
};

/// Issues: decisions that the scenario does not have, rules that it breaks, and figures that are minimised or limited but unknown.
[[nodiscard]] Result<PlanProblem> make_problem(const Placed& scenario, const OptimizeQuestion& question);

/// What a search came to, with an optimum or without.
struct SearchOutcome {
    std::optional<Optimum> optimum;
    Failure why_none;         ///< where there is none
    bool is_stopped = false;  ///< by the runner
    double bound = -HUGE_VAL; ///< no plan comes to less, or to `effort.cutoff`; infinite where none keeps the limits
    std::size_t evaluations = 0;
    std::size_t bounds = 0; ///< linear programmes solved
};
[[nodiscard]] SearchOutcome search_plans(const Placed& scenario, PlanProblem problem, const OptimizeQuestion& question,
                                         const OptimizeEffort& effort, const Runner& runner);

/// Exhaustive where there are few plans. Over an uncertain future, and of energy and what is left after a tax, there is no bound
/// (minus infinity): plans are improved by steps from several starts. Else branch and bound: boxes of plans in the order of their
/// linear bounds, plans near each solution evaluated as the model does, and each better one improved by single and paired steps
/// until none helps. Issues: decisions that are none, and where no plan keeps the limits, which limit (/subject_to/…) and by how
/// much; any where the runner was told to stop. The same bits with any number of workers.
[[nodiscard]] Result<Optimum> optimize(const Placed& scenario, const OptimizeQuestion& question, const OptimizeEffort& effort,
                                       const Runner& runner);

} // namespace costcurve::model
