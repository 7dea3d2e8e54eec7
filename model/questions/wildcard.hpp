// JSON Pointers in which * stands for any index of a list or any name of a map: the numbers of a scenario that they name.
#pragma once

#include <string>
#include <vector>

#include "model/documents/documents.hpp"

namespace costcurve::model {

/// Whether one of the pointer's names is *.
[[nodiscard]] bool has_wildcard(const std::vector<std::string>& names);

/// The pointers, as names, of all numbers and curves that the scenario states where `names` leads, each once, in its order; what
/// lacks such a member is passed over. A price by class stands for those of its classes, and a site for the same of the other pools
/// there; the price of units of a pool or of its endpoint for all that the hosted model states, above thresholds and in tiers. None
/// where it states none.
[[nodiscard]] std::vector<std::vector<std::string>> expand_wildcards(const ScenarioDocument& scenario,
                                                                     const std::vector<std::string>& names);

/// The same place of the other pools at the site that /pools/{p}/site/… names.
[[nodiscard]] std::vector<std::vector<std::string>> same_site(const ScenarioDocument& scenario,
                                                              const std::vector<std::string>& names);

/// The documents on the way to a place, the scenario first, are no longer the stored ones.
void forget_stored(ScenarioDocument& scenario, const std::vector<std::string>& names);

} // namespace costcurve::model
