// Commitments to spend an amount an hour on what is rented on demand (model.md, section 8, "Spend commitments").
#pragma once

#include "model/commitment.hpp"
#include "model/dispatch/dispatch.hpp"
#include "model/rules.hpp"

namespace costcurve::model {

/// The part off an offer's price under a commitment: that of the first discount that means it; nothing where none does.
[[nodiscard]] std::optional<double> discount_on(const SpendCommitment& commitment, const Offer& offer);

/// Months [from, to) of a commitment's terms that reach into the horizon; `to` may lie beyond it.
[[nodiscard]] Window months_of(const SpendCommitment& commitment, int horizon);

/// By commitment: the pools that it pays for, the largest discount first.
[[nodiscard]] std::vector<CompiledSpend> compile_spend(const ScenarioDocument& scenario);

/// What the horizon's end leaves of all running terms, in hours of each commitment: discounted to the end, or not.
[[nodiscard]] double spend_left(const ScenarioDocument& scenario, bool discounted);

/// Applies each hour's spend commitments to the bills of pools: list prices of the instances that a commitment covers become
/// its discounted ones, commitment by commitment, and discount by discount, in the order listed. The unused rest of a
/// commitment is lost, and no pool bears it. Reads `compute` at list prices and instances by hour, then adds the extra costs
/// that are fractions of the bill.
/// Source: AWS, "Understanding how Savings Plans apply to your usage": hour by hour, the highest savings percentage first;
/// usage beyond the commitment is charged at the rate on demand.
void charge_spend(const Compiled& compiled, std::size_t m, const MonthView& month, Workspace& work);

/// The least that an instance-hour of a pool may cost in a month under all commitments.
[[nodiscard]] double least_kept(const Compiled& compiled, std::size_t pool, std::size_t m);

/// Terms are whole, and each discount means an offer of the scenario on demand.
void check_spend(const ScenarioDocument& scenario, Rules& rules);

} // namespace costcurve::model
