// The scenario that a question is about: {scenario, set, as_of}, as the members of a request give it.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "server/api/evaluate_scenario.hpp"
#include "server/api/members.hpp"
#include "server/api/route.hpp"

namespace costcurve::api {

/// Points into the request's body, which outlives it.
struct AskedScenario {
    const nlohmann::json* scenario = nullptr; ///< an object or an id
    const nlohmann::json* set = nullptr;      ///< null for none
    std::optional<std::string> as_of;
};

/// Reads the three members; what is wrong with them becomes issues of `members`.
[[nodiscard]] AskedScenario read_asked_scenario(Members& members);

/// The scenario without references, as the store was at `as_of` and as `set` changes it.
[[nodiscard]] Attempt<model::ScenarioDocument> resolve_asked(const Service& service, const AskedScenario& asked);

} // namespace costcurve::api
