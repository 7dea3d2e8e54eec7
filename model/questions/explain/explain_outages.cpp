// Effect of host failures on a gang's rate and on the work that replicas serve.
#include "model/questions/explain/explain_parts.hpp"

namespace costcurve::model::terms {

Pointers interruptions_read(const Question& question, std::size_t e) {
    const CompiledEntry& entry = question.compiled.entries[e];
    const bool is_cloud = question.document.pools[entry.pool].offer.has_value();
    Pointers inputs = {pool_at(entry.pool, is_cloud ? "offer/interruptions_per_hour" : "server/failures_per_hour"),
                       pool_at(entry.pool, is_cloud ? "offer/replacement_s" : "server/repair_hours"),
                       workload_at(entry.workload, "checkpoint/restart_s")};
    if (!entry.aged_up.empty() || !entry.aged_rate.empty()) {
        const bool has_shape = question.document.pools[entry.pool].server->failure_shape.has_value();
        inputs.push_back(pool_at(entry.pool, has_shape ? "server/failure_shape" : "server/failure_factor"));
    }
    return inputs;
}

Term goodput(const Question& question, std::size_t e) {
    const CompiledEntry& entry = question.compiled.entries[e];
    Pointers inputs = interruptions_read(question, e);
    if (question.compiled.workloads[entry.workload].kind == WorkloadKind::inference) {
        return leaf(question, "goodput", "1: outages are reckoned by the hour", entry.goodput, "fraction");
    }
    if (question.compiled.workloads[entry.workload].kind == WorkloadKind::batch) {
        return leaf(question, "goodput", "1 / (1 + Λ·R)", entry.goodput, "fraction", inputs);
    }
    inputs.insert(inputs.end(), {workload_at(entry.workload, "spare_hosts"), workload_at(entry.workload, "checkpoint/write_s"),
                                 workload_at(entry.workload, "checkpoint/interval_s")});
    return leaf(question, "goodput", "τ / ((1/Λ) · e^(Λ·R) · (e^(Λ·(τ+C)) − 1))", entry.goodput, "fraction", inputs);
}

std::string served_where_hosts_fail(const CompiledEntry& entry, bool is_alone, const std::string& usable) {
    const double on_a_host = entry.replicas_up.per_host();
    const std::string of_each = on_a_host == 1.0 ? "" : fmt::format("{:g} replicas of a host × ", on_a_host);
    return fmt::format(
               "Σ hours × 3600 × availability_fraction × Σ_k Binomial({}, 1 / (1 + Λ{}·R))(k) × min(demand left, k × {}{}){}",
               on_a_host == 1.0 ? "replicas" : "hosts", entry.aged_up.empty() ? "" : " by age", of_each, usable,
               on_a_host == 1.0 ? "" : ", of the last host those that it has") +
           (is_alone ? "" : "; what an outage alone left in the part of the hour in which it does");
}

} // namespace costcurve::model::terms
