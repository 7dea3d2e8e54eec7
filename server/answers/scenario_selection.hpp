// The scenarios of a request, resolved from one snapshot of the store with the what-if applied.
#pragma once

#include <vector>

#include "model/questions/alternatives.hpp"
#include "server/answers/request.hpp"
#include "server/documents/references.hpp"

namespace costcurve::answers {

struct ScenarioSelection {
    std::vector<ScenarioInput> scenarios;
    WhatIf set;
    Scaling scale;
    Moment as_of;
};

inline void select(ScenarioSelection& selection, const ScenarioInput& scenario) { selection.scenarios.push_back(scenario); }
inline void select(ScenarioSelection& selection, const std::vector<ScenarioInput>& scenarios) {
    selection.scenarios.insert(selection.scenarios.end(), scenarios.begin(), scenarios.end());
}
inline void select(ScenarioSelection& selection, const WhatIf& set) { selection.set = set; }
inline void select(ScenarioSelection& selection, const Scaling& scale) { selection.scale = scale; }
inline void select(ScenarioSelection& selection, const Moment& as_of) { selection.as_of = as_of; }
template <class T> void select(ScenarioSelection& /*selection*/, const T& /*other*/) {}

/// The scenarios of a request in the order of its fields, and what applies to all of them.
template <class R> [[nodiscard]] ScenarioSelection selection_of(const R& request) {
    ScenarioSelection selection;
    model::for_each_field<R>([&](const auto& field) { select(selection, request.*field.member); });
    return selection;
}

/// Resolves all scenarios from one snapshot, applying the set, then the scale; all issues at once. If `one_currency`, they must
/// share a currency.
[[nodiscard]] model::Result<std::vector<model::Placed>> resolve_selection(const ScenarioSelection& selection,
                                                                          documents::Source& source, bool one_currency = true);

/// Resolves further parts of a request from the scenarios' snapshot before it is answered. Requests with such parts overload
/// this.
template <class R>
[[nodiscard]] model::Failure resolve_more(R& /*request*/, const std::vector<model::Placed>& /*scenarios*/,
                                          documents::Source& /*source*/) {
    return {};
}

} // namespace costcurve::answers
