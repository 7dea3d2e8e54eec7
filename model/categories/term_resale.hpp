// Resale of the rest of a committed term if the horizon ends within it (model.md, section 8, "The horizon's end").
#pragma once

#include <cstddef>
#include <string>

#include "model/compile.hpp"
#include "model/rules.hpp"

namespace costcurve::model {

/// Resale of a pool's running term at the horizon's end. `sold` is the sold share of the months left: 1, or less if all pools at
/// the seller together would exceed its limit on sales.
struct TermSale {
    double sold = 0.0;
    double income = 0.0;        ///< currency: sold × upfront × months left / term × price_fraction × (1 − fee_fraction)
    double owed_fraction = 1.0; ///< part of the payments left that is still owed: 1 − sold × (1 − payments_owed_fraction)
};
/// The resale of a pool's term, if its offer states `resale`, the term runs beyond the horizon and all is settled at the horizon's
/// end; otherwise nothing is sold. Reads the hourly prices of compiled pools.
[[nodiscard]] TermSale term_sale(const ScenarioDocument& scenario, const Compiled& compiled, std::size_t pool);

/// Checks that `resale` is stated only for reserved and committed offers with term_months.
void check_resale(const Offer& offer, const std::string& pointer, Rules& rules);

} // namespace costcurve::model
