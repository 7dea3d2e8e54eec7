// Converts questions queued by the previous version to current names.
#pragma once

#include <string>
#include <string_view>

#include "server/documents/upgrades.hpp"

namespace costcurve::api {

/// The body with current names in scenarios, workloads of a ranking, pointers and the values they set. Pointers to a latency
/// objective are resolved by the scenarios in the body and those that `load` finds (documents::placed_objective). Text without old
/// names, or that isn't a question, is unchanged.
[[nodiscard]] std::string upgraded_question(std::string_view body, const documents::LoadDocument& load);

} // namespace costcurve::api
