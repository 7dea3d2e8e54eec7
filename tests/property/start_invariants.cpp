// What must hold of instances that start for bursts: against those that are held, of longer starts, and without bursts.
#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "tests/property/invariants.hpp"
#include "tests/support/scenarios.hpp"

namespace costcurve::tests {

using namespace costcurve::model;

namespace {

constexpr double kRoundingOfCost = 1e-9;

bool may_start(const Pool& pool) {
    return pool.offer && (pool.offer->purchase == Purchase::on_demand || pool.offer->purchase == Purchase::spot);
}

void state_starts(ScenarioDocument& document, double boot_s, double idle_timeout_s, double billing_step_s, double minimum_seconds) {
    for (Pool& pool : document.pools) {
        if (may_start(pool)) {
            pool.offer->boot_s = boot_s;
            pool.offer->idle_timeout_s = idle_timeout_s;
            pool.offer->billing_step_s = billing_step_s;
            pool.offer->minimum_seconds = minimum_seconds;
        }
    }
}

// All inference in list order bursts, may wait for long and never fails.
ScenarioDocument bursting(const ScenarioDocument& stated) {
    ScenarioDocument document = without_failures(stated);
    double factor = 8.0;
    for (Workload& workload : document.workloads) {
        workload.routing = Routing::in_order;
        if (workload.kind != WorkloadKind::inference) {
            continue;
        }
        workload.demand.burst = Burst{factor, 300, 24};
        factor /= 2;
        workload.spare_replicas = 0;
        workload.slo.e2e_s.reset();
        workload.slo.ttft_s = 5000;
        workload.slo.percentile = 0;
        for (RunsOn& entry : workload.runs_on) {
            entry.service_tier.reset(); // one that answers within hours is too late for the objective
            if (entry.performance) {
                entry.performance->ttft_s = flat(1);
            }
        }
    }
    return document;
}

double cost_of(const ScenarioDocument& document) { return evaluate_document(document).summary.total.cost; }

double gross_of(const ScenarioDocument& document) {
    double gross = 0.0;
    for (const Amounts& amounts : evaluate_document(document).summary.by_category) {
        gross += std::fabs(amounts.cost);
    }
    return gross;
}

} // namespace

ScenarioDocument without_starts(ScenarioDocument document) {
    for (Pool& pool : document.pools) {
        if (pool.offer) {
            pool.offer->boot_s.reset();
            pool.offer->idle_timeout_s.reset();
            pool.offer->billing_step_s.reset();
            pool.offer->minimum_seconds.reset();
        }
    }
    return document;
}

Breaches starts_cost_no_more(const ScenarioDocument& document) {
    ScenarioDocument changed = bursting(document);
    changed = without_starts(std::move(changed));
    const double held = cost_of(changed);
    const double rounding = kRoundingOfCost * gross_of(changed);
    Breaches breaches;
    double before = -HUGE_VAL;
    struct Start {
        double boot_s, idle_timeout_s, billing_step_s, minimum_seconds;
    };
    for (const Start& start : {Start{0, 0, 1, 0}, Start{60, 0, 1, 0}, Start{60, 300, 1, 0}, Start{60, 300, 900, 0},
                               Start{60, 300, 900, 1800}, Start{60, 300, 3600, 1800}}) {
        state_starts(changed, start.boot_s, start.idle_timeout_s, start.billing_step_s, start.minimum_seconds);
        const double now = cost_of(changed);
        if (now > held + rounding || now < before - rounding) {
            breaches.push_back(fmt::format("costs {} with a boot of {} s, time-out {}, step {}, least {}; {} with less, {} held",
                                           now, start.boot_s, start.idle_timeout_s, start.billing_step_s, start.minimum_seconds,
                                           before, held));
        }
        before = now;
    }
    if (std::fabs(before - held) > rounding) {
        breaches.push_back(fmt::format("costs {} by the whole hour, {} held", before, held));
    }
    return breaches;
}

Breaches starts_serve_as_much(const ScenarioDocument& document) {
    ScenarioDocument changed = bursting(document);
    changed = without_starts(std::move(changed));
    const Answer held = evaluate_document(changed);
    state_starts(changed, 30, 60, 1, 60);
    const Answer started = evaluate_document(changed);
    Breaches breaches;
    if (!std::ranges::equal(held.ledger.served.numbers(), started.ledger.served.numbers())) {
        breaches.push_back("other units are served where instances start");
    }
    return breaches;
}

Breaches starts_without_bursts_change_no_bit(const ScenarioDocument& document) {
    ScenarioDocument changed = document;
    for (Workload& workload : changed.workloads) {
        workload.demand.burst.reset();
    }
    changed = without_starts(std::move(changed));
    const Answer without = evaluate_document(changed);
    state_starts(changed, 30, 60, 1, 60);
    const Answer with = evaluate_document(changed);
    Breaches breaches;
    if (!std::ranges::equal(with.ledger.cost.numbers(), without.ledger.cost.numbers()) ||
        !std::ranges::equal(with.ledger.served.numbers(), without.ledger.served.numbers())) {
        breaches.push_back("starts are stated, nothing bursts, and figures differ");
    }
    return breaches;
}

} // namespace costcurve::tests
