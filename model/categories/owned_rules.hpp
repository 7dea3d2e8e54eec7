// Rules of owned pools: loans and leases, failures of servers, resale.
#pragma once

#include <string>

#include "model/rules.hpp"

namespace costcurve::model {

/// Checks loans and leases of a pool's purchases. Leased servers that are bought out need a price and a life beyond the term.
void check_paid_with(const Pool& pool, const std::string& pointer, Rules& rules);

/// Checks that failures by age have a base rate and only one rule (failure_shape or failure_factor).
void check_failures(const Server& server, const std::string& pointer, Rules& rules);

/// Checks sales at the horizon's end: a resale curve must cover the assets' ages; a plain residual is no market price (warning).
void check_resale(const Pool& pool, const std::string& pointer, const ScenarioDocument& scenario, Rules& rules);

} // namespace costcurve::model
