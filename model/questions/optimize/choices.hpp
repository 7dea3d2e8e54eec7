// Choices among stated values. Each combination of values is a scenario of its own, bounded and searched by itself. The answer is
// the best over all combinations. This room does not know how a value is written into a scenario.
#pragma once

#include <vector>

#include "model/questions/optimize/optimize.hpp"

namespace costcurve::model {

/// Combinations that were refused with the same first issue.
struct RefusedCombinations {
    Issue issue;
    std::size_t count = 0;
    std::size_t first = 0; ///< index of the first of them
};

/// Number of combinations by result. The results add up to `stated`.
struct CombinationCounts {
    std::size_t stated = 0;
    std::size_t examined = 0;   ///< searched: a plan keeps the limits, or none can beat the best plan
    std::size_t cut = 0;        ///< not searched: the bound is no less than the best plan's objective
    std::size_t infeasible = 0; ///< searched: no plan keeps the limits
    std::size_t refused = 0;    ///< the combination breaks a rule
    std::vector<RefusedCombinations> reasons;
};

struct ChosenOptimum {
    Optimum optimum; ///< `best.combination` is the chosen one; decisions, limits taken and hedge are those of this combination
    CombinationCounts counts;
};

/// The best plan over all combinations. Each combination is bounded first. They are then searched in order of their bounds while
/// the bound is below the best objective. The effort's evaluations and programmes are split equally among the combinations not yet
/// searched. The result's bound is the lowest of all that are not refused. Over an uncertain future, the hedge is that of the
/// chosen combination; the value of foresight is unknown, since another choice could be made too. Issues: combinations do different
/// work; or each breaks a rule (issues of the first); or none has a plan (issues of the first one searched). Same bits with any
/// number of workers.
[[nodiscard]] Result<ChosenOptimum> optimize_combinations(const std::vector<Placed>& combinations, const OptimizeQuestion& question,
                                                          const OptimizeEffort& effort, const Runner& runner);

} // namespace costcurve::model
