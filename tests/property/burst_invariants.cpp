// What must hold of demand that bursts within the hour.
#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

#include "tests/property/invariants.hpp"
#include "tests/support/scenarios.hpp"

namespace costcurve::tests {

using namespace costcurve::model;

namespace {

constexpr Burst kSixMinutes{1.0, 360, 24};

// What the first entry of a workload holds over the horizon, and the demand.
struct HeldAndAsked {
    double held = 0.0;
    double asked = 0.0;
};
HeldAndAsked held_for(const Answer& answer, std::size_t w) {
    HeldAndAsked sums;
    const std::size_t pool = answer.compiled.entries[answer.compiled.workloads[w].first_entry].pool;
    for (std::size_t m = 0; m < answer.ledger.months; ++m) {
        sums.held += answer.ledger.reserved_hours(m, pool, w);
        sums.asked += answer.ledger.demanded(m, w);
    }
    return sums;
}

ScenarioDocument in_order(ScenarioDocument document) {
    for (Workload& workload : document.workloads) {
        workload.routing = Routing::in_order;
    }
    return document;
}

} // namespace

Breaches larger_bursts_hold_no_less(const ScenarioDocument& document) {
    constexpr double kRounding = 1e-9;
    ScenarioDocument changed = in_order(without_starts(document)); // what starts for bursts is not held
    const auto first = std::ranges::find(changed.workloads, WorkloadKind::inference, &Workload::kind);
    if (first == changed.workloads.end()) {
        return {};
    }
    const auto w = static_cast<std::size_t>(first - changed.workloads.begin());
    const Pool& pool = *std::ranges::find(changed.pools, first->runs_on.front().pool, &Pool::id);
    Breaches breaches;
    HeldAndAsked before;
    for (const double factor : {1.0, 1.5, 3.0, 10.0}) {
        first->demand.burst = kSixMinutes;
        first->demand.burst->factor = factor;
        const HeldAndAsked now = held_for(evaluate_document(changed), w);
        if (pool.kind != PoolKind::api && now.held < before.held * (1 - kRounding)) {
            breaches.push_back(
                fmt::format("{} holds {} at bursts of {}, {} at smaller ones", first->id, now.held, factor, before.held));
        }
        if (factor > 1.0 && std::fabs(now.asked - before.asked) > kRounding * before.asked) {
            breaches.push_back(fmt::format("{} asks for {} at bursts of {}, {} else", first->id, now.asked, factor, before.asked));
        }
        before = now;
    }
    return breaches;
}

Breaches small_bursts_change_nothing(const ScenarioDocument& document) {
    constexpr double kSame = 1e-8;
    ScenarioDocument none = in_order(document);
    for (Workload& workload : none.workloads) {
        workload.demand.burst.reset();
    }
    ScenarioDocument small = none;
    for (Workload& workload : small.workloads) {
        if (workload.kind == WorkloadKind::inference) {
            workload.demand.burst = kSixMinutes;
            workload.demand.burst->factor = 1 + 1e-13;
        }
    }
    const Summary expected = evaluate_document(none).summary;
    const Summary found = evaluate_document(small).summary;
    double gross = 0.0;
    for (const Amounts& amounts : expected.by_category) {
        gross += std::fabs(amounts.cost);
    }
    Breaches breaches;
    for (std::size_t c = 0; c < kCategories; ++c) {
        const double difference = found.by_category[c].cost - expected.by_category[c].cost;
        if (std::fabs(difference) > kSame * gross) {
            breaches.push_back(fmt::format("{} is {} off", name_of(static_cast<Category>(c)), difference));
        }
    }
    return breaches;
}

} // namespace costcurve::tests
