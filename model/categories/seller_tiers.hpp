// What sellers bill by the month's volume, and storage (model.md, section 8, "Tiers, storage and support").
#pragma once

#include <optional>
#include <string>

#include "model/commitment.hpp"
#include "model/compile.hpp"
#include "model/rules.hpp"

namespace costcurve::model {

/// Prices of a month's GB to a destination: its tiers where the offer states any, else egress_per_gb of all.
[[nodiscard]] TierRates egress_rates(const Offer& offer, const std::string& destination);

/// GB that an entry's pool stores for it: weights, and checkpoints where their size is stated. Nothing where the weights' size is
/// not known.
[[nodiscard]] std::optional<double> stored_gb(const Workload& workload, const RunsOn& runs_on);

/// Whether it states that it stores anything.
[[nodiscard]] bool stores_stated_size(const Workload& workload);

/// What a rented pool stores of all its workloads, of known sizes.
[[nodiscard]] double stored_on(const ScenarioDocument& scenario, const Pool& pool);

/// Bears it in the months, or days of them, in which the pool is there; into the fixed ledger.
void add_storage(const ScenarioDocument& scenario, std::size_t pool, Compiled& compiled);

/// Whether a pool bills what it stores, and its size is not known; or a size is stated, and not what a GB of it costs.
[[nodiscard]] bool is_storage_unknown(const Pool& pool, const Workload& workload, const RunsOn& runs_on);

/// Fills the tiers and support plans of a scenario whose pools and entries are compiled.
void compile_seller_tiers(const Scenario& scenario, Compiled& compiled);

/// What an API pool's price of a unit is times in a month: the mean over the month's units.
[[nodiscard]] double usage_factor(const Compiled& compiled, std::size_t pool, std::size_t m, const Ledger& ledger);

/// Egress of a unit in a month, before growth: the mean over the month's GB of the seller.
[[nodiscard]] double egress_of_unit(const Compiled& compiled, std::size_t entry, std::size_t m, const Ledger& ledger);

/// Brings `compute` at list prices to the tiers of the month's device-hours.
void charge_device_hours(const Compiled& compiled, std::size_t m, Ledger& ledger);

/// What the horizon's end leaves of a cloud pool's term, its hours times the mean price factor of the device-hours that all pools
/// of the same offer are bound to take in their month.
[[nodiscard]] TermLeft term_left_in_tiers(const ScenarioDocument& scenario, const Compiled& compiled, std::size_t pool);

/// The least that is paid of a list price: by an instance-hour of a cloud pool, or a unit of an API pool.
[[nodiscard]] double least_volume_factor(const Compiled& compiled, std::size_t pool);
/// The least that egress of a unit costs, before growth.
[[nodiscard]] double least_egress(const Compiled& compiled, std::size_t entry);

/// What an offer charges beside its hourly price, by which offers that are alike differ: its days, resale, storage and tiers.
[[nodiscard]] std::string charges_text(const Offer& offer);

/// Whether what a unit or a GB of a pool costs depends on the month's volume.
[[nodiscard]] bool has_volume_prices(const Pool& pool);

/// Tiers ascend.
void check_volume_tiers(const std::vector<VolumeTier>& tiers, const std::string& pointer, Rules& rules);
void check_egress_tiers(const Offer& offer, const std::string& pointer, Rules& rules);
/// Each destination has a price, each stored size is known, and brackets ascend.
void check_seller_tiers(const ScenarioDocument& scenario, Rules& rules);

} // namespace costcurve::model
