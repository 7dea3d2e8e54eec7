// What must hold of replicas that fail: of spares, of what is lost, and where nothing fails.
#include <algorithm>
#include <cmath>
#include <limits>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "tests/property/invariants.hpp"
#include "tests/support/scenarios.hpp"

namespace costcurve::tests {

using namespace costcurve::model;

namespace {

bool is_close_to(double a, double b, double scale) {
    return std::fabs(a - b) <= 1e-9 * std::max({scale, std::fabs(a), std::fabs(b)});
}

// Units that a workload may lose where the normal form begins: 1e-5 of a host in every hour. Of hosts that are down most of
// the time the two forms are further apart.
double forgiven(const Compiled& compiled, std::size_t w) {
    constexpr double kInTerms = 64.0;
    const CompiledWorkload& workload = compiled.workloads[w];
    double sum = 0.0;
    for (std::size_t e = workload.first_entry; e < workload.end_entry; ++e) {
        const CompiledEntry& entry = compiled.entries[e];
        const CompiledPool& pool = compiled.pools[entry.pool];
        if (pool.kind == PoolKind::api || !entry.replicas_up.fail() || pool.units_serving.empty()) {
            continue;
        }
        const double units = *std::max_element(pool.units_serving.begin(), pool.units_serving.end());
        const double on_a_host = entry.replicas_up.per_host();
        if (units * pool.devices_per_unit / entry.held / on_a_host > kInTerms) {
            sum += entry.replicas_up.up() < 0.5 ? std::numeric_limits<double>::infinity() : 1e-5 * on_a_host * entry.usable_rate;
        }
    }
    return sum * 744 * 3600 * static_cast<double>(compiled.months);
}

bool has_same_money(const Answer& a, const Answer& b) {
    return std::ranges::equal(a.ledger.cost.numbers(), b.ledger.cost.numbers()) &&
           std::ranges::equal(a.ledger.cash.numbers(), b.ledger.cash.numbers()) &&
           std::ranges::equal(a.ledger.served.numbers(), b.ledger.served.numbers());
}

} // namespace

ScenarioDocument without_failures(ScenarioDocument document) {
    for (Pool& pool : document.pools) {
        if (pool.offer) {
            pool.offer->interruptions_per_hour = 0.0;
            pool.offer->availability_fraction = 1.0;
        }
        if (pool.server) {
            pool.server->failures_per_hour = 0.0;
        }
    }
    return document;
}

Breaches more_spares_serve_no_less(const ScenarioDocument& document) {
    Breaches breaches;
    ScenarioDocument listed = document; // the cheapest leaves the least undone of all workloads together, not of each
    for (Workload& workload : listed.workloads) {
        workload.routing = listed.workloads.size() > 1 ? Routing::in_order : workload.routing;
    }
    for (std::size_t w = 0; w < document.workloads.size(); ++w) {
        if (document.workloads[w].kind != WorkloadKind::inference || document.workloads[w].runs_on.front().phase) {
            continue;
        }
        ScenarioDocument changed = listed; // on its first pool: a mean is asked of those behind, and fewer replicas may stand there
        changed.workloads[w].runs_on.resize(1);
        changed.workloads[w].runs_on.front().share.reset();
        double last = -1.0;
        for (const int spares : {0, 1, 2, 5, 70}) {
            changed.workloads[w].spare_replicas = spares;
            const Answer answer = evaluate_document(changed);
            const WorkloadSummary& summary = answer.summary.workloads[w];
            const double rounding = 1e-9 * summary.units_demanded + forgiven(answer.compiled, w);
            if (summary.units_served < last - rounding) {
                breaches.push_back(
                    fmt::format("{} with {} spares: {} after {}", document.workloads[w].id, spares, summary.units_served, last));
            }
            last = summary.units_served;
        }
    }
    return breaches;
}

Breaches what_is_lost_had_room(const ScenarioDocument& document) {
    if (has_pair(document)) {
        return {}; // both of its entries are needed
    }
    ScenarioDocument first = document; // of one entry each, all that is asked for comes to it
    for (Workload& workload : first.workloads) {
        if (workload.kind == WorkloadKind::inference && workload.runs_on.size() > 1) {
            workload.runs_on.resize(1);
            workload.runs_on.front().share.reset();
        }
    }
    const Answer whole = evaluate_document(document);
    const Answer failing = evaluate_document(first);
    const Answer sound = evaluate_document(without_failures(first));
    Breaches breaches;
    for (std::size_t w = 0; w < document.workloads.size(); ++w) {
        const WorkloadSummary& summary = whole.summary.workloads[w];
        const double rounding = 1e-9 * summary.units_demanded;
        if (summary.units_lost_to_outages < 0 || summary.units_lost_to_outages > summary.units_unserved + rounding) {
            breaches.push_back(fmt::format("{}: {} lost of {} undone", document.workloads[w].id, summary.units_lost_to_outages,
                                           summary.units_unserved));
        }
        if (document.workloads[w].kind != WorkloadKind::inference) {
            continue;
        }
        const WorkloadSummary& of_first = failing.summary.workloads[w];
        const double no_room = of_first.units_unserved - of_first.units_lost_to_outages;
        if (!is_close_to(no_room, sound.summary.workloads[w].units_unserved, of_first.units_demanded)) {
            breaches.push_back(fmt::format("{}: {} found no room, and {} where nothing fails", document.workloads[w].id, no_room,
                                           sound.summary.workloads[w].units_unserved));
        }
    }
    return breaches;
}

Breaches without_outages_no_bit_changes(const ScenarioDocument& document) {
    ScenarioDocument plain = without_failures(document);
    for (Workload& workload : plain.workloads) {
        workload.spare_replicas = 0;
        workload.availability = std::nullopt;
    }
    ScenarioDocument stated = plain; // times that nothing takes, and an availability that is kept
    for (Pool& pool : stated.pools) {
        if (pool.offer) {
            pool.offer->replacement_s = 3600.0;
        }
        if (pool.server) {
            pool.server->repair_hours = 48.0;
        }
    }
    for (Workload& workload : stated.workloads) {
        if (workload.kind == WorkloadKind::inference) {
            workload.availability = 0.999;
        }
    }
    const Answer before = evaluate_document(plain);
    const Answer after = evaluate_document(stated);
    Breaches breaches;
    if (!has_same_money(before, after)) {
        breaches.emplace_back("times of failures that never come move a figure");
    }
    Compiled expected = compile(before.scenario); // by the sums over replicas that are up, all of which are
    for (std::size_t w = 0; w < plain.workloads.size(); ++w) {
        if (before.compiled.workloads[w].has_outages) {
            breaches.push_back(fmt::format("{} has outages where nothing fails", plain.workloads[w].id));
        }
        expected.workloads[w].has_outages = plain.workloads[w].kind == WorkloadKind::inference;
    }
    Workspace work(expected);
    const Summary summary = summarize(before.scenario, expected, evaluate(expected, work));
    const auto hold = [&](std::string_view what, double a, double b, double scale) {
        if (!is_close_to(a, b, scale)) {
            breaches.push_back(fmt::format("{}: {} in expectation, {} without", what, a, b));
        }
    };
    hold("cost", summary.total.cost, before.summary.total.cost, 0.0);
    for (std::size_t w = 0; w < plain.workloads.size(); ++w) {
        hold("served", summary.workloads[w].units_served, before.summary.workloads[w].units_served,
             summary.workloads[w].units_demanded);
        hold("lost", summary.workloads[w].units_lost_to_outages, 0.0, summary.workloads[w].units_demanded);
    }
    return breaches;
}

} // namespace costcurve::tests
