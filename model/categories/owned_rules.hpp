// Rules of what an owned pool is paid with, how its servers fail, and what they are sold for.
#pragma once

#include <string>

#include "model/rules.hpp"

namespace costcurve::model {

/// Loans and leases of a pool's purchases; leased servers that are bought have a price and a life beyond the term.
void check_paid_with(const Pool& pool, const std::string& pointer, Rules& rules);

/// Failures by age have a rate that they change, and one rule for it.
void check_failures(const Server& server, const std::string& pointer, Rules& rules);

/// Sales at the horizon's end: a curve is read at the assets' ages, and a number is no market.
void check_resale(const Pool& pool, const std::string& pointer, const ScenarioDocument& scenario, Rules& rules);

} // namespace costcurve::model
