// Provisioned throughput of a hosted model: what a unit serves and costs (model.md, section 5).
#pragma once

#include "model/rules.hpp"

namespace costcurve::model {

/// Whether a pool buys provisioned units: it pays for these only, and tokens are free.
[[nodiscard]] inline bool is_provisioned(const Pool& pool) {
    return pool.kind == PoolKind::api && pool.provisioned_units.has_value() && hosted(pool).provisioned.has_value();
}

/// The term of a pool's provisioned units; null if they are bought by the hour or the model doesn't offer the term.
[[nodiscard]] const ProvisionedTerm* provisioned_term(const Pool& pool);

/// Units of a workload a second that one provisioned unit serves: T / (60 × Σ n_c / r_c), of T units in a request, n_c of them of
/// class c, and r_c tokens of c a minute, or of its kin (input of cached_input and cache_write, output of reasoning). A prefix is
/// counted as input, whatever the cache has. 0 where a class has no rate. Source: Microsoft Learn, "Determine PTU sizing for a
/// workload" (2026): input TPM per PTU, and what an output token counts in input tokens.
[[nodiscard]] double units_per_s_of_unit(const Provisioned& provisioned, const Workload& workload);

/// The hosted model without token prices, as for pools with provisioned units. Fees stay.
[[nodiscard]] HostedModel without_token_prices(HostedModel model);

/// Units after `steps` steps: 1 is the minimum, each further step adds unit_step.
[[nodiscard]] int provisioned_units(const Provisioned& provisioned, int steps);

/// Number of steps of a pool's units (inverse of provisioned_units).
[[nodiscard]] int provisioned_steps(const Pool& pool);

/// Checks that each term has one price, and that no two terms have the same months.
void check_provisioned_terms(const HostedModel& model, const std::string& pointer, const ScenarioDocument* scenario, Rules& rules);
/// Checks that a pool's units are offered in that number and term, and that only one workload runs on it.
void check_provisioned_pools(const ScenarioDocument& scenario, Rules& rules);
/// Checks that a provisioned unit's capacity for the workload is known.
void check_provisioned_entry(const Workload& workload, const RunsOn& runs_on, const Pool& pool, const std::string& pointer,
                             Rules& rules);

} // namespace costcurve::model
