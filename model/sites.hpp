// Which owned pools stand at one site, and what they share there (model.md, section 7).
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "model/documents/documents.hpp"

namespace costcurve::model {

/// Indices of owned pools, ascending, site by site in the order of their first pools: one id is one place, and a site without an id
/// stands alone. Pools without a site are left out.
[[nodiscard]] std::vector<std::vector<std::size_t>> pools_by_site(const ScenarioDocument& scenario);

/// The demand charges of a site; `demand_charge_per_kw_month` is one without window or ratchet.
[[nodiscard]] std::vector<DemandCharge> demand_charges_of(const Site& site);

/// The first field in which two documents differ, "" where they say the same; ids, sources and notes are not compared.
[[nodiscard]] std::string first_difference(const Site& a, const Site& b);
[[nodiscard]] std::string first_difference(const Server& a, const Server& b);

} // namespace costcurve::model
