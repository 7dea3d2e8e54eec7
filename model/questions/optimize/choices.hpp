// Choices among stated values: each combination of them is a scenario of its own, bounded and searched by itself, and the least of
// all is the answer. How a value comes into a scenario is not known here.
#pragma once

#include <vector>

#include "model/questions/optimize/optimize.hpp"

namespace costcurve::model {

/// Combinations that were left out for the same first issue.
struct RefusedCombinations {
    Issue issue;
    std::size_t count = 0;
    std::size_t first = 0; ///< the number of one of them
};

/// What became of the combinations; their sum is `stated`.
struct CombinationCounts {
    std::size_t stated = 0;
    std::size_t examined = 0;   ///< searched, and a plan that keeps the limits found or not worth finding
    std::size_t cut = 0;        ///< not searched: their bound is no less than the best plan's objective
    std::size_t infeasible = 0; ///< no plan keeps the limits
    std::size_t refused = 0;    ///< they break a rule
    std::vector<RefusedCombinations> reasons;
};

struct ChosenOptimum {
    Optimum optimum; ///< `best.combination` is the chosen one, whose decisions, limits taken and hedge these are
    CombinationCounts counts;
};

/// The least over all combinations. First the bound of each, then a search in each in the order of these, while they are below the
/// best so far; the effort's evaluations and programmes are for all together, in equal shares of what is left. The bound is the
/// least of all that are not refused. Over an uncertain future the hedge is that of the chosen combination, and what foresight is
/// worth is not known, since another choice could be made too. Issues: combinations that do not do the same work (what differs is
/// not compared), where every combination breaks a rule those of the first, where none has a plan those of the first that was
/// searched. The same bits with any number of workers.
[[nodiscard]] Result<ChosenOptimum> optimize_combinations(const std::vector<Placed>& combinations, const OptimizeQuestion& question,
                                                          const OptimizeEffort& effort, const Runner& runner);

} // namespace costcurve::model
