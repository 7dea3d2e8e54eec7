// Expands JSON Pointers in which * stands for any list index or map name to the numbers of a scenario that they match.
#pragma once

#include <string>
#include <vector>

#include "model/documents/documents.hpp"

namespace costcurve::model {

/// Whether one of the pointer's names is *.
[[nodiscard]] bool has_wildcard(const std::vector<std::string>& names);

/// The pointers, as names, of all numbers and curves that the scenario states and that `names` matches, each once, in the
/// scenario's order. Elements without the member are skipped. A price by class stands for the prices of its classes, a site's field
/// for the same field of other pools at that site, and the unit price of a pool or endpoint for all unit prices that its hosted
/// model states, above thresholds and in tiers. Empty if nothing matches.
[[nodiscard]] std::vector<std::vector<std::string>> expand_wildcards(const ScenarioDocument& scenario,
                                                                     const std::vector<std::string>& names);

/// The same field in the other pools at the site that /pools/{p}/site/… names.
[[nodiscard]] std::vector<std::vector<std::string>> same_site(const ScenarioDocument& scenario,
                                                              const std::vector<std::string>& names);

/// Marks the documents on the way to a place, the scenario first, as different from the stored ones.
void forget_stored(ScenarioDocument& scenario, const std::vector<std::string>& names);

} // namespace costcurve::model
