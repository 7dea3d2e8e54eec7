// What the rest of a committed term brings where the horizon ends within it (model.md, section 8, "The horizon's end").
#pragma once

#include <cstddef>
#include <string>

#include "model/compile.hpp"
#include "model/rules.hpp"

namespace costcurve::model {

/// The resale of a pool's running term at the horizon's end. `sold` is the share of the months left: 1, or what the seller's
/// limit allows of all that the pools at the seller would sell, by prices and by payments left.
struct TermSale {
    double sold = 0.0;
    double income = 0.0;        ///< currency: sold × upfront × months left / term × price_fraction × (1 − fee_fraction)
    double owed_fraction = 1.0; ///< of the payments left: 1 − sold × (1 − payments_owed_fraction)
};
/// The resale of a pool whose offer states `resale` and whose term the horizon cuts, where all is settled at its end; for other
/// pools nothing is sold. Reads the hourly prices of compiled pools.
[[nodiscard]] TermSale term_sale(const ScenarioDocument& scenario, const Compiled& compiled, std::size_t pool);

/// `resale` goes with reserved and committed offers with term_months.
void check_resale(const Offer& offer, const std::string& pointer, Rules& rules);

} // namespace costcurve::model
