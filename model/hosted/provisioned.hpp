// Provisioned throughput of a hosted model: what a unit serves and costs (model.md, section 5).
#pragma once

#include "model/rules.hpp"

namespace costcurve::model {

/// Whether a pool buys units of throughput: it is paid for them alone, and tokens cost nothing there.
[[nodiscard]] inline bool is_provisioned(const Pool& pool) {
    return pool.kind == PoolKind::api && pool.provisioned_units.has_value() && hosted(pool).provisioned.has_value();
}

/// The term that a pool's units are committed for; null where they are bought by the hour, or nobody sells the term.
[[nodiscard]] const ProvisionedTerm* provisioned_term(const Pool& pool);

/// Units of a workload a second that one provisioned unit serves: T / (60 × Σ n_c / r_c), of T units in a request, n_c of them of
/// class c, and r_c tokens of c a minute, or of its kin (input of cached_input and cache_write, output of reasoning). A prefix is
/// counted as input, whatever the cache has. 0 where a class has no rate. Source: Microsoft Learn, "Determine PTU sizing for a
/// workload" (2026): input TPM per PTU, and what an output token counts in input tokens.
[[nodiscard]] double units_per_s_of_unit(const Provisioned& provisioned, const Workload& workload);

/// The hosted model without prices of tokens: what units are bought for. Fees stay.
[[nodiscard]] HostedModel without_token_prices(HostedModel model);

/// The units of a deployment that has `steps` above none: the minimum, then a step more each.
[[nodiscard]] int provisioned_units(const Provisioned& provisioned, int steps);

/// The steps that a pool's units are.
[[nodiscard]] int provisioned_steps(const Pool& pool);

/// Terms have one price each, and no two the same months.
void check_provisioned_terms(const HostedModel& model, const std::string& pointer, const ScenarioDocument* scenario, Rules& rules);
/// What a pool buys is sold, in that number and for that term, and one workload alone runs on it.
void check_provisioned_pools(const ScenarioDocument& scenario, Rules& rules);
/// It is known what a unit serves of the workload.
void check_provisioned_entry(const Workload& workload, const RunsOn& runs_on, const Pool& pool, const std::string& pointer,
                             Rules& rules);

} // namespace costcurve::model
