// Questions that the version before queued, with the names of today.
#pragma once

#include <string>
#include <string_view>

#include "server/documents/upgrades.hpp"

namespace costcurve::api {

/// The body with today's names, in its scenarios, in the workloads of a ranking, in pointers and in what they set. A pointer to an
/// objective of latency is placed by the scenarios of the body and those that `load` finds (documents::placed_objective). What has
/// none of the old names, or is no question, stays as it is.
[[nodiscard]] std::string upgraded_question(std::string_view body, const documents::LoadDocument& load);

} // namespace costcurve::api
