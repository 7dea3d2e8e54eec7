// Recomputes a standing of an older model version by this version, to separate effects of prices and documents from effects of the
// model.
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

/// Rebases a standing. `now` are the newest results of the comparison's scenarios, used for scenarios whose earlier result can't be
/// re-evaluated. Nothing if base and newest results have the same version. `incumbent` stays cheapest on a tie.
[[nodiscard]] std::optional<Rebased> rebased(const storage::RunCompletion& ending, const model::Comparison& comparison,
                                             const storage::Standing& base,
                                             const std::vector<std::optional<storage::NewestResult>>& now,
                                             model::Objective objective, std::optional<std::size_t> incumbent);

} // namespace costcurve::recalculation
