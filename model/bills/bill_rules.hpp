// Validation rules for a site's utility bill.
#pragma once

#include <string>

#include "model/rules.hpp"

namespace costcurve::model {

/// Checks the demand charges, tiers, minimum bill and riders of a site.
void check_bill(const Site& site, const std::string& pointer, Rules& rules);
/// Warns if a reactive charge of a site that pays its bill uses the default kPowerFactor.
void warn_of_power_factor(const Site& site, const std::string& pointer, Rules& rules);

} // namespace costcurve::model
