// A standing whose results an older version of the model made, as this version has the same scenarios: what prices and documents
// moved is then told apart from what the model did.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "model/documents/automation.hpp"
#include "model/questions/ranking.hpp"
#include "server/recalculation/standings.hpp"
#include "server/storage/standing.hpp"

namespace costcurve::recalculation {

/// The figure of a result that an objective asks for.
[[nodiscard]] std::optional<double> figure_of(const storage::Headline& headline, model::Objective objective);

struct Rebased {
    std::vector<model::Candidate> candidates;
    std::optional<std::size_t> cheapest;
    std::string body;                    ///< the standing, with what this version makes of its results
    std::vector<StandingReason> reasons; ///< of each scenario whose figure the version moved, the largest move first
};

/// `now`: the newest results of the comparison's scenarios, by which those stand that can't be evaluated as they were. Nothing
/// where base and newest results are of one version. `incumbent` keeps its place where another one is level.
[[nodiscard]] std::optional<Rebased> rebased(const storage::RunCompletion& ending, const model::Comparison& comparison,
                                             const storage::Standing& base,
                                             const std::vector<std::optional<storage::NewestResult>>& now,
                                             model::Objective objective, std::optional<std::size_t> incumbent);

} // namespace costcurve::recalculation
