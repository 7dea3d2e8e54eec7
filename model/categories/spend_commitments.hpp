// Commitments to spend an amount an hour on on-demand instances (model.md, section 8, "Spend commitments").
#pragma once

#include "model/commitment.hpp"
#include "model/dispatch/dispatch.hpp"
#include "model/rules.hpp"

namespace costcurve::model {

/// Discount (fraction) on an offer under a commitment: the first that matches the offer; empty if none does.
[[nodiscard]] std::optional<double> discount_on(const SpendCommitment& commitment, const Offer& offer);

/// Months [from, to) of a commitment's terms that reach into the horizon; `to` may lie beyond it.
[[nodiscard]] Window months_of(const SpendCommitment& commitment, int horizon);

/// For each commitment the pools that it covers, the largest discount first.
[[nodiscard]] std::vector<CompiledSpend> compile_spend(const ScenarioDocument& scenario);

/// Amount still committed after the horizon by all running terms, undiscounted or discounted to the horizon's end.
[[nodiscard]] double spend_left(const ScenarioDocument& scenario, bool discounted);

/// Applies the spend commitments of each hour to the bills of pools, in the order listed, and within each the largest discount
/// first. Covered instances cost the discounted price instead of the list price. The unused rest of a commitment is lost and
/// charged to "no pool". Reads `compute` at list prices and instances by hour, then adds the extra costs that are fractions of
/// the bill.
/// Source: AWS, "Understanding how Savings Plans apply to your usage": hour by hour, the highest savings percentage first;
/// usage beyond the commitment is charged at the on-demand rate.
void charge_spend(const Compiled& compiled, std::size_t m, const MonthView& month, Workspace& work);

/// Lower bound of a pool's price of an instance-hour in a month, as a fraction of the list price, under all commitments.
[[nodiscard]] double least_kept(const Compiled& compiled, std::size_t pool, std::size_t m);

/// Checks that terms are whole and that each discount matches an on-demand offer of the scenario.
void check_spend(const ScenarioDocument& scenario, Rules& rules);

} // namespace costcurve::model
