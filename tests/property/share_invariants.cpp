// What must hold of work in stated shares.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "tests/property/invariants.hpp"
#include "tests/support/scenarios.hpp"

namespace costcurve::tests {

using namespace costcurve::model;

namespace {

// On the first two entries at most, without shares.
ScenarioDocument on_two_pools(ScenarioDocument document) {
    for (Workload& workload : document.workloads) {
        workload.routing = Routing::in_order;
        workload.runs_on.resize(std::min<std::size_t>(2, workload.runs_on.size()));
        for (RunsOn& entry : workload.runs_on) {
            entry.share.reset();
        }
    }
    return document;
}

ScenarioDocument shared(ScenarioDocument document, double first) {
    for (Workload& workload : document.workloads) {
        if (workload.runs_on.size() == 2 && !workload.is_run()) {
            workload.runs_on[0].share = first;
            workload.runs_on[1].share = 1 - first;
        }
    }
    return document;
}

} // namespace

Breaches a_share_of_one_is_the_list(const ScenarioDocument& document) {
    if (has_pair(document)) {
        return {}; // both of its entries are needed
    }
    constexpr double kSame = 1e-8;
    const ScenarioDocument listed = on_two_pools(without_starts(document));
    const Answer list = evaluate_document(listed);
    const Answer share = evaluate_document(shared(listed, 1.0));
    Breaches breaches;
    double gross = 0.0;
    for (const Amounts& amounts : list.summary.by_category) {
        gross += std::fabs(amounts.cost);
    }
    if (std::fabs(share.summary.total.cost - list.summary.total.cost) > kSame * gross) {
        breaches.push_back(fmt::format("costs {}, {} in list order", share.summary.total.cost, list.summary.total.cost));
    }
    for (std::size_t w = 0; w < document.workloads.size(); ++w) {
        const WorkloadSummary& by_list = list.summary.workloads[w];
        const WorkloadSummary& by_share = share.summary.workloads[w];
        const double rounding = kSame * by_list.units_demanded;
        if (std::fabs(by_share.units_served - by_list.units_served) > rounding ||
            std::fabs(by_share.units_lost_to_outages - by_list.units_lost_to_outages) > rounding) {
            breaches.push_back(fmt::format("{}: {} served and {} lost, {} and {} in list order", document.workloads[w].id,
                                           by_share.units_served, by_share.units_lost_to_outages, by_list.units_served,
                                           by_list.units_lost_to_outages));
        }
    }
    return breaches;
}

Breaches shares_serve_what_is_asked_at_most(const ScenarioDocument& document) {
    if (has_pair(document)) {
        return {}; // both of its entries are needed
    }
    Breaches breaches;
    for (const double first : {0.0, 0.3, 0.5, 0.9}) {
        const Answer answer = evaluate_document(shared(on_two_pools(document), first));
        for (const WorkloadSummary& workload : answer.summary.workloads) {
            const double rounding = 1e-9 * workload.units_demanded;
            if (workload.units_served > workload.units_demanded + rounding) {
                breaches.push_back(fmt::format("{} of {} at {}", workload.units_served, workload.units_demanded, first));
            }
        }
    }
    return breaches;
}

} // namespace costcurve::tests
