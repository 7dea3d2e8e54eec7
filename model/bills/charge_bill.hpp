// Adds a site's bill lines to the ledger, except hourly energy and demand charges; and computes the metered quantities that bill
// lines need.
#pragma once

#include <cstddef>
#include <optional>

#include "model/compile.hpp"

namespace costcurve::model {

/// The site's kWh, largest kW and number of days in a month.
[[nodiscard]] MeteredMonth metered_month(const Compiled& compiled, std::size_t site, std::size_t month, const Ledger& ledger);

/// The kW that a demand charge bills in a month: the measured kW adjusted for power factor, the ratchet's share of earlier months,
/// or the contracted kW. `index`: the charge's index in the ledger.
[[nodiscard]] double billed_kw(const CompiledCharge& charge, std::size_t index, std::size_t month, const Ledger& ledger);

/// Billed kW of the site's demand charge `charge`; the largest facility power if it is empty.
[[nodiscard]] double kw_of_place(const CompiledSite& site, std::optional<std::size_t> charge, const MeteredMonth& metered,
                                 const Ledger& ledger);
/// The kW that an energy tier's blocks are scaled by, as in kw_of_place().
[[nodiscard]] double kw_of_tier(const CompiledSite& site, const EnergyTier& tier, const MeteredMonth& metered,
                                const Ledger& ledger);

/// A pool's share of the site's nameplate power in service.
[[nodiscard]] double nameplate_share(const CompiledSite& site, const CompiledPool& pool, std::size_t month);

/// Adds tiers and riders by the kWh, shared by kWh; riders by the kW and the month, reactive power and the minimum, shared by
/// nameplate power in service; fractions of all of it. After demand charges; nothing where no server is in service but tiers.
void charge_bill(const Compiled& compiled, std::size_t site, std::size_t month, Ledger& ledger);

} // namespace costcurve::model
