// Support plans of sellers (model.md, section 8, "Tiers, storage and support").
#pragma once

#include "model/compile.hpp"
#include "model/rules.hpp"

namespace costcurve::model {

/// Fills the support plans of a scenario whose pools are compiled.
void compile_support(const ScenarioDocument& document, Compiled& compiled);

/// A month's compute, usage, commitment, egress and storage of a support plan's pools, without what the horizon's end settles.
[[nodiscard]] double supported_bill(const Compiled& compiled, const CompiledSupport& support, std::size_t m, const Ledger& ledger);
/// What it costs: brackets of that bill, at least the minimum.
[[nodiscard]] double support_cost(const Compiled& compiled, const CompiledSupport& support, std::size_t m, const Ledger& ledger);
/// Bears all support plans, by no pool; after all that they are read off.
void charge_support(const Compiled& compiled, std::size_t m, Ledger& ledger);

/// The least part of a pool's bill that support plans add to it.
[[nodiscard]] double least_support(const Compiled& compiled, std::size_t pool);

/// Warns of plans whose seller bills none of the pools.
void check_support(const ScenarioDocument& scenario, Rules& rules);

} // namespace costcurve::model
