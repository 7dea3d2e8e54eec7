// What must hold of inference that is routed to the cheapest.
#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include <fmt/format.h>

#include "tests/property/invariants.hpp"
#include "tests/support/scenarios.hpp"

namespace costcurve::tests {

using namespace costcurve::model;

namespace {

// Inference alone, and nothing that a bill by the hour does not have.
ScenarioDocument inference_of(ScenarioDocument document, Routing routing) {
    std::erase_if(document.workloads, [](const Workload& workload) { return workload.kind != WorkloadKind::inference; });
    for (Workload& workload : document.workloads) {
        workload.routing = routing;
        for (RunsOn& entry : workload.runs_on) {
            entry.share.reset();
        }
    }
    document.allocation = {};
    document.spend_commitments.clear(); // routes go by prices on demand
    for (Pool& pool : document.pools) {
        pool.extra_costs.clear();
        if (pool.site) {
            pool.site->energy_tiers.clear();
            pool.site->riders.clear();
            pool.site->minimum_bill.reset();
            pool.site->reactive.reset();
        }
    }
    return document;
}

double bill_of(const Summary& summary) {
    double sum = 0.0;
    for (const Category category : {Category::compute, Category::usage, Category::egress, Category::energy, Category::carbon}) {
        sum += summary.by_category[static_cast<std::size_t>(category)].cost;
    }
    return sum;
}

} // namespace

Breaches cheapest_costs_no_more(const ScenarioDocument& document) {
    if (has_pair(document)) {
        return {}; // both of its entries are needed
    }
    const ScenarioDocument in_order = inference_of(document, Routing::in_order);
    if (in_order.workloads.empty()) {
        return {};
    }
    const Summary list = evaluate_document(in_order).summary;
    const Summary cheapest = evaluate_document(inference_of(document, Routing::cheapest)).summary;
    Breaches breaches;
    bool leaves_as_little = true;
    double undone_by_list = 0.0;
    double undone = 0.0;
    for (std::size_t w = 0; w < list.workloads.size(); ++w) {
        const double demanded = std::max(list.workloads[w].units_demanded, 1e-300);
        const double more = (cheapest.workloads[w].units_unserved - list.workloads[w].units_unserved) / demanded;
        leaves_as_little = leaves_as_little && std::fabs(more) < 1e-9;
        undone += cheapest.workloads[w].units_unserved;
        undone_by_list += list.workloads[w].units_unserved;
    }
    if (list.workloads.size() == 1 && undone > undone_by_list + 1e-8 * list.workloads[0].units_demanded) {
        breaches.push_back(fmt::format("{} undone, {} in list order", undone, undone_by_list));
    }
    double gross = 0.0;
    for (const Amounts& amounts : list.by_category) {
        gross += std::fabs(amounts.cost);
    }
    if (leaves_as_little && bill_of(cheapest) > bill_of(list) + 1e-8 * gross) {
        breaches.push_back(fmt::format("a bill of {}, {} in list order", bill_of(cheapest), bill_of(list)));
    }
    return breaches;
}

} // namespace costcurve::tests
