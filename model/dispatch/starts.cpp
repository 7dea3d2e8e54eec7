// Billed time of instances that start for bursts, and which workloads may use them.
#include "model/dispatch/starts.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "model/commitment.hpp"
#include "model/documents/units.hpp"
#include "model/kernels.hpp"
#include "model/performance/performance.hpp"
#include "model/queueing/under_load.hpp"
#include "model/rules.hpp"

namespace costcurve::model {

namespace {

constexpr double kSecondsPerDay = kSecondsPerHour * kHoursPerDay;

// The largest part_between_bursts over all workloads, since bursts of any of them may overflow to the pool.
double part_between_bursts_of(const ScenarioDocument& document, const Offer& offer) {
    double part = 0.0;
    for (const Workload& workload : document.workloads) {
        if (workload.kind == WorkloadKind::inference && workload.demand.has_bursts()) {
            part = std::max(part, part_between_bursts(offer, *workload.demand.burst));
        }
    }
    return part;
}

Held why_held(const Compiled& compiled, const CompiledEntry& entry, const Workload& workload, const RunsOn& runs_on,
              const Pool& pool) {
    const CompiledPool& on = compiled.pools[entry.pool];
    if (!seconds_paid(*pool.offer, *workload.demand.burst)) {
        return Held::unstated;
    }
    if (on.defers) {
        return Held::deferrable;
    }
    if (compiled.workloads[entry.workload].by_share) {
        return Held::shares;
    }
    if (compiled.workloads[entry.workload].is_pair) {
        return Held::pair;
    }
    if (on.between_bursts >= 1.0) {
        return Held::cheaper;
    }
    return may_wait_for_boot(*pool.offer, workload, *runs_on.performance, entry.batch) ? Held::not_at_all : Held::objectives;
}

const RunsOn& runs_on_of(const ScenarioDocument& document, const Compiled& compiled, std::size_t e) {
    const std::size_t w = compiled.entries[e].workload;
    return document.workloads[w].runs_on[e - compiled.workloads[w].first_entry];
}

} // namespace

std::optional<double> seconds_paid(const Offer& offer, const Burst& burst) {
    if (!offer.boot_s || !offer.idle_timeout_s || !offer.billing_step_s || is_commitment(offer.purchase)) {
        return std::nullopt;
    }
    const double seconds = *offer.boot_s + burst.seconds + *offer.idle_timeout_s;
    const double steps = std::ceil(seconds / *offer.billing_step_s - kernels::kForgiven);
    return std::max(offer.minimum_seconds.value_or(0.0), steps * *offer.billing_step_s);
}

double part_between_bursts(const Offer& offer, const Burst& burst) {
    const std::optional<double> seconds = seconds_paid(offer, burst);
    if (!seconds) {
        return 1.0;
    }
    const double paid = *seconds * burst.per_day / kSecondsPerDay;
    return std::clamp((paid - burst.share()) / (1 - burst.share()), 0.0, 1.0);
}

bool may_wait_for_boot(const Offer& offer, const Workload& workload, const Performance& performance, std::optional<int> batch) {
    Workload waiting = workload;
    bool has_objective = false;
    for (std::optional<double>* const objective : {&waiting.slo.ttft_s, &waiting.slo.e2e_s}) {
        if (*objective) {
            has_objective = true;
            **objective -= *offer.boot_s;
            if (**objective <= 0.0) {
                return false;
            }
        }
    }
    if (!has_objective || has_unknown_latency(performance, workload)) {
        return false;
    }
    Performance at_batch = performance;
    at_batch.batch = batch ? batch : performance.batch;
    const double used = std::min(workload.peak_utilization, share_under_load(performance, workload, batch).value_or(1.0));
    return choose_batch(at_batch, offer.device, waiting).problem == BatchChoice::Problem::none &&
           share_under_load(performance, waiting, batch).value_or(1.0) >= used;
}

Held why_held(const ScenarioDocument& document, const Compiled& compiled, std::size_t e) {
    const CompiledEntry& entry = compiled.entries[e];
    return why_held(compiled, entry, document.workloads[entry.workload], runs_on_of(document, compiled, e),
                    document.pools[entry.pool]);
}

std::string_view words_of(Held why) {
    constexpr auto kWords = std::to_array<std::string_view>({
        "",
        "the offer does not state boot_s, idle_timeout_s and billing_step_s",
        "instances that start for each burst cost no less",
        "with boot_s taken off, no objective of ttft_s or e2e_s is known to be kept",
        "the workload has shares",
        "prompts are read on one pool and answers written on another",
        "training or batch work runs on the pool",
    });
    return kWords[static_cast<std::size_t>(why)];
}

void compile_starts(const ScenarioDocument& document, Compiled& compiled) {
    for (std::size_t p = 0; p < compiled.pools.size(); ++p) {
        CompiledPool& pool = compiled.pools[p];
        if (pool.follows_demand && pool.serves && !pool.defers && document.pools[p].offer->boot_s) {
            pool.between_bursts = part_between_bursts_of(document, *document.pools[p].offer);
        }
    }
    for (std::size_t e = 0; e < compiled.entries.size(); ++e) {
        CompiledEntry& entry = compiled.entries[e];
        const CompiledPool& pool = compiled.pools[entry.pool];
        if (pool.between_bursts < 1.0 && document.workloads[entry.workload].demand.has_bursts()) {
            entry.starts = why_held(document, compiled, e) == Held::not_at_all;
        }
    }
}

void warn_of_held(const Workload& workload, const Performance& performance, const Offer& offer, std::optional<int> batch,
                  const std::string& pointer, Rules& rules) {
    const bool bursts = workload.kind == WorkloadKind::inference && workload.demand.has_bursts();
    if (bursts && seconds_paid(offer, *workload.demand.burst) && !may_wait_for_boot(offer, workload, performance, batch)) {
        rules.warn(
            pointer, Code::held_for_bursts,
            fmt::format("instances of bursts are held all the hour: {} (boot_s is {} s); state objectives that leave it, and "
                        "ttft_s of the performance",
                        words_of(Held::objectives), *offer.boot_s));
    }
}

void check_starts(const Offer& offer, const std::string& pointer, Rules& rules) {
    if (!is_commitment(offer.purchase)) {
        return;
    }
    const auto stated =
        std::to_array<std::pair<std::string_view, std::optional<double>>>({{"boot_s", offer.boot_s},
                                                                           {"idle_timeout_s", offer.idle_timeout_s},
                                                                           {"billing_step_s", offer.billing_step_s},
                                                                           {"minimum_seconds", offer.minimum_seconds}});
    for (const auto& [field, seconds] : stated) {
        if (seconds) {
            rules.add(fmt::format("{}/{}", pointer, field), Code::not_allowed,
                      fmt::format("{} is {} s; {} instances are paid all the time and start for no burst: leave it out", field,
                                  *seconds, name_of(offer.purchase)));
        }
    }
}

} // namespace costcurve::model
