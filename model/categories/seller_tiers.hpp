// Prices by the month's volume, and storage (model.md, section 8, "Tiers, storage and support").
#pragma once

#include <optional>
#include <string>

#include "model/commitment.hpp"
#include "model/compile.hpp"
#include "model/rules.hpp"

namespace costcurve::model {

/// Egress prices by a month's GB to a destination: its tiers if the offer states any, else the flat egress_per_gb.
[[nodiscard]] TierRates egress_rates(const Offer& offer, const std::string& destination);

/// GB that an entry stores on its pool: weights, and checkpoints if their size is stated. Empty if the weights' size isn't known.
[[nodiscard]] std::optional<double> stored_gb(const Workload& workload, const RunsOn& runs_on);

/// Whether a workload states a stored size.
[[nodiscard]] bool stores_stated_size(const Workload& workload);

/// GB that all workloads store on a rented pool, as far as their sizes are known.
[[nodiscard]] double stored_on(const ScenarioDocument& scenario, const Pool& pool);

/// Adds the pool's storage cost to the fixed ledger, for the months or days in which the pool is rented.
void add_storage(const ScenarioDocument& scenario, std::size_t pool, Compiled& compiled);

/// Whether storage cost is unknown: the pool has a storage price but the size isn't known, or a size is stated but no price.
[[nodiscard]] bool is_storage_unknown(const Pool& pool, const Workload& workload, const RunsOn& runs_on);

/// Compiles the tiers and support plans of a scenario; its pools and entries must be compiled already.
void compile_seller_tiers(const Scenario& scenario, Compiled& compiled);

/// Factor on an API pool's unit price in a month: the mean over the tiers of the month's units.
[[nodiscard]] double usage_factor(const Compiled& compiled, std::size_t pool, std::size_t m, const Ledger& ledger);

/// Egress cost per unit in a month, before growth, at the mean price of the seller's GB in the month.
[[nodiscard]] double egress_of_unit(const Compiled& compiled, std::size_t entry, std::size_t m, const Ledger& ledger);

/// Reprices `compute` from list prices to the tiers of the month's device-hours.
void charge_device_hours(const Compiled& compiled, std::size_t m, Ledger& ledger);

/// The part of a cloud pool's term after the horizon. Each month's hours are multiplied by the mean price factor of the
/// device-hours that all pools of the same offer are committed to in that month.
[[nodiscard]] TermLeft term_left_in_tiers(const ScenarioDocument& scenario, const Compiled& compiled, std::size_t pool);

/// Lower bound of the price factor of tiers: for an instance-hour of a cloud pool, or a unit of an API pool.
[[nodiscard]] double least_volume_factor(const Compiled& compiled, std::size_t pool);
/// Lower bound of the egress cost per unit, before growth.
[[nodiscard]] double least_egress(const Compiled& compiled, std::size_t entry);

/// Text of an offer's terms beside its hourly price (days, resale, storage, tiers), to tell similar offers apart.
[[nodiscard]] std::string charges_text(const Offer& offer);

/// Whether a pool's price per unit or GB depends on the month's volume.
[[nodiscard]] bool has_volume_prices(const Pool& pool);

/// Checks that tiers are in ascending order.
void check_volume_tiers(const std::vector<VolumeTier>& tiers, const std::string& pointer, Rules& rules);
void check_egress_tiers(const Offer& offer, const std::string& pointer, Rules& rules);
/// Checks that each destination has a price, each stored size is known, and brackets ascend.
void check_seller_tiers(const ScenarioDocument& scenario, Rules& rules);

} // namespace costcurve::model
