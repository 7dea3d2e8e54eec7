// What a site's bill adds to the ledger beside the price of energy by the hour and demand charges; and what of a site's month its
// lines are reckoned from.
#pragma once

#include <cstddef>
#include <optional>

#include "model/compile.hpp"

namespace costcurve::model {

/// The site's kWh, largest kW and days of a month.
[[nodiscard]] MeteredMonth metered_month(const Compiled& compiled, std::size_t site, std::size_t month, const Ledger& ledger);

/// What a demand charge bills in a month, kW: what it measured, adjusted for power factor, the ratchet's share of the months
/// before, or what is contracted. `index`: of the ledger's charges.
[[nodiscard]] double billed_kw(const CompiledCharge& charge, std::size_t index, std::size_t month, const Ledger& ledger);

/// Billed kW of the demand charge at a place of the site's; without one the largest facility power.
[[nodiscard]] double kw_of_place(const CompiledSite& site, std::optional<std::size_t> charge, const MeteredMonth& metered,
                                 const Ledger& ledger);
/// As above, of a tier: the kW by which its blocks are counted.
[[nodiscard]] double kw_of_tier(const CompiledSite& site, const EnergyTier& tier, const MeteredMonth& metered,
                                const Ledger& ledger);

/// A pool's part of the nameplate power in service.
[[nodiscard]] double nameplate_share(const CompiledSite& site, const CompiledPool& pool, std::size_t month);

/// Adds tiers and riders by the kWh, shared by kWh; riders by the kW and the month, reactive power and the minimum, shared by
/// nameplate power in service; fractions of all of it. After demand charges; nothing where no server is in service but tiers.
void charge_bill(const Compiled& compiled, std::size_t site, std::size_t month, Ledger& ledger);

} // namespace costcurve::model
