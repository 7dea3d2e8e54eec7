// Whether what a site charges beside the price of energy is plausible.
#pragma once

#include <string>

#include "model/documents/documents.hpp"
#include "server/storage/snapshot.hpp"

namespace costcurve::ingest {

/// Why a site is held: what it charges a month for power (its dearest month), for tiers of energy, by the month, for reactive
/// power, for room, for building or for staff is a fourth or four times what is stored of it in the same currency, or beyond, or
/// one charge, tier or rider of a list as long as before is half or twice (riders a kWh and of the bill a fourth or four times, by
/// 2 cents or a tenth of the bill at least); power
/// is dearer than 250 USD a kW and month (Manhattan's summer is 104), or a rider 1 USD a kWh or all other lines of the bill, by
/// rough rates. "" where it isn't.
[[nodiscard]] std::string reason_of_site(const storage::Snapshot& snapshot, const model::Site& listed);

} // namespace costcurve::ingest
