// Support plans of sellers (model.md, section 8, "Tiers, storage and support").
#pragma once

#include "model/compile.hpp"
#include "model/rules.hpp"

namespace costcurve::model {

/// Compiles the support plans of a scenario; the pools must be compiled already.
void compile_support(const ScenarioDocument& document, Compiled& compiled);

/// A month's cost of compute, usage, commitment, egress and storage of a plan's pools, without the horizon's settlement.
[[nodiscard]] double supported_bill(const Compiled& compiled, const CompiledSupport& support, std::size_t m, const Ledger& ledger);
/// A plan's cost in a month: the brackets' rates applied to supported_bill, at least the plan's minimum.
[[nodiscard]] double support_cost(const Compiled& compiled, const CompiledSupport& support, std::size_t m, const Ledger& ledger);
/// Adds the cost of all support plans to "no pool". Call it after all costs that the plans are computed from.
void charge_support(const Compiled& compiled, std::size_t m, Ledger& ledger);

/// Lower bound of support costs as a fraction of a pool's bill.
[[nodiscard]] double least_support(const Compiled& compiled, std::size_t pool);

/// Warns about plans whose seller bills none of the pools.
void check_support(const ScenarioDocument& scenario, Rules& rules);

} // namespace costcurve::model
