// What moved the figures of watched scenarios from one standing to another: drivers of kept results, compared as compare and rank
// compare those of scenarios.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "model/documents/automation.hpp"
#include "server/recalculation/standings.hpp"

namespace costcurve::recalculation {

/// The drivers of a result that was kept as JSON: of its cash where that is the objective, else of its cost, and of the energy or
/// carbon that is. Nothing where it is of a program that did not say enough.
[[nodiscard]] std::optional<StandingDrivers> drivers_of_result(std::string_view result, model::Objective objective);

/// What moved the figures of scenarios between two standings of one objective and currency, the largest move first: another
/// version of the model, where their results are of two, and drivers. `before` is a standing as it was kept; one without
/// drivers has no reasons from them.
[[nodiscard]] std::vector<StandingReason> reasons_of(const storage::RunCompletion& ending, std::string_view before,
                                                     const StandingAnswer& now);

} // namespace costcurve::recalculation
