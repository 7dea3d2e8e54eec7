// Rules of what a site's utility bills.
#pragma once

#include <string>

#include "model/rules.hpp"

namespace costcurve::model {

/// Demand charges, tiers, the minimum and riders of a site.
void check_bill(const Site& site, const std::string& pointer, Rules& rules);
/// Of a site whose bill is paid: a reactive charge that takes kPowerFactor for it.
void warn_of_power_factor(const Site& site, const std::string& pointer, Rules& rules);

} // namespace costcurve::model
