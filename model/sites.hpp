// Groups owned pools by site, and gives the demand charges that the pools of a site share (model.md, section 7).
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "model/documents/documents.hpp"

namespace costcurve::model {

/// Indices of owned pools by site, ascending; sites are in the order of their first pools. Equal ids are one site; a site without
/// an id is a group of its own. Pools without a site are omitted.
[[nodiscard]] std::vector<std::vector<std::size_t>> pools_by_site(const ScenarioDocument& scenario);

/// The demand charges of a site, including `demand_charge_per_kw_month` as a charge without window or ratchet.
[[nodiscard]] std::vector<DemandCharge> demand_charges_of(const Site& site);

/// Describes the first field in which two documents differ; "" if they are equal. Ids, sources and notes aren't compared.
[[nodiscard]] std::string first_difference(const Site& a, const Site& b);
[[nodiscard]] std::string first_difference(const Server& a, const Server& b);

} // namespace costcurve::model
