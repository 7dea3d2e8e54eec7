// What must hold of what is committed: units of throughput, and spend by the hour.
#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "model/hosted/provisioned.hpp"
#include "model/scenario.hpp"
#include "tests/property/invariants.hpp"
#include "tests/support/scenarios.hpp"

namespace costcurve::tests {

using namespace costcurve::model;

namespace {

constexpr double kRoundingOfCommitments = 1e-9;

double category_cost(const Summary& summary, Category category) {
    return summary.by_category[static_cast<std::size_t>(category)].cost;
}

double served_of(const Summary& summary) {
    double served = 0.0;
    for (const WorkloadSummary& workload : summary.workloads) {
        served += workload.units_served;
    }
    return served;
}

} // namespace

Breaches more_units_serve_no_less(const ScenarioDocument& document) {
    Breaches breaches;
    for (std::size_t p = 0; p < document.pools.size(); ++p) {
        if (!is_provisioned(document.pools[p])) {
            continue;
        }
        ScenarioDocument changed = document;
        for (Workload& workload : changed.workloads) {
            workload.routing = Routing::in_order;
        }
        double before = -1.0;
        for (const int steps : {0, 1, 2, 5, 20}) {
            set_units(changed.pools[p], steps, true);
            const double served = served_of(evaluate_document(changed).summary);
            if (served < before * (1 - kRoundingOfCommitments)) {
                breaches.push_back(fmt::format("pool {} at {} units: {} are served, {} with fewer", changed.pools[p].id,
                                               *changed.pools[p].provisioned_units, served, before));
            }
            before = served;
        }
    }
    return breaches;
}

Breaches committed_spend_is_paid_once(const ScenarioDocument& document) {
    if (document.spend_commitments.empty()) {
        return {};
    }
    ScenarioDocument changed = document;
    changed.finance.at_end = AtEnd::continuing;
    changed.support_plans.clear(); // by the bill, as some costs of pools are
    for (Pool& pool : changed.pools) {
        pool.extra_costs.clear();
    }
    const Summary with = evaluate_document(changed).summary;
    double paid = 0.0;
    const Answer answer = evaluate_document(changed);
    for (const CompiledSpend& spend : answer.compiled.spend) {
        for (std::size_t m = 0; m < answer.compiled.months; ++m) {
            paid += spend.hourly[m] * answer.compiled.hours.months[m].total;
        }
    }
    changed.spend_commitments.clear();
    const Summary without = evaluate_document(changed).summary;
    const double rounding =
        kRoundingOfCommitments * (std::fabs(without.total.cost) + paid + category_cost(without, Category::compute));
    Breaches breaches;
    const double more = with.total.cost - without.total.cost;
    if (more > paid + rounding) {
        breaches.push_back(fmt::format("{} are committed, and {} more are paid", paid, more));
    }
    if (category_cost(with, Category::compute) > category_cost(without, Category::compute) + rounding) {
        breaches.push_back("instances cost more with a commitment than without");
    }
    if (served_of(with) != served_of(without)) {
        breaches.push_back("a commitment changes what is served");
    }
    return breaches;
}

namespace {

// List prices alone.
void remove_tiers(ScenarioDocument& document) {
    document.support_plans.clear();
    for (Pool& pool : document.pools) {
        pool.volume_tiers.clear();
        if (pool.offer) {
            pool.offer->volume_tiers.clear();
            pool.offer->egress_tiers.clear();
        }
    }
    for (Workload& workload : document.workloads) {
        workload.egress_destination.clear();
    }
}

// Two tiers, the second at a factor of the list price.
void set_tiers(double factor, ScenarioDocument& document) {
    for (Pool& pool : document.pools) {
        const std::vector<VolumeTier> tiers = {{0, 1}, {500, factor}};
        if (pool.kind == PoolKind::cloud) {
            pool.offer->volume_tiers = tiers;
            pool.offer->egress_tiers = {{"", 10, pool.offer->egress_per_gb * factor}};
        } else if (pool.kind == PoolKind::api && !pool.endpoint) {
            pool.volume_tiers = tiers;
        }
    }
}

} // namespace

Breaches tiers_at_list_price_change_nothing(const ScenarioDocument& document) {
    ScenarioDocument changed = document;
    remove_tiers(changed);
    changed.spend_commitments.clear(); // they and tiers don't go together
    for (Pool& pool : changed.pools) {
        pool.extra_costs.clear(); // some are negative fractions of the bill
    }
    for (Workload& workload : changed.workloads) {
        workload.routing = Routing::in_order;
    }
    const Summary before = evaluate_document(changed).summary;
    const double rounding = kRoundingOfCommitments * (std::fabs(before.total.cost) + category_cost(before, Category::compute) +
                                                      category_cost(before, Category::usage));
    set_tiers(1.0, changed);
    const double at_list = evaluate_document(changed).summary.total.cost;
    set_tiers(0.5, changed);
    const double cheaper = evaluate_document(changed).summary.total.cost;
    Breaches breaches;
    if (std::fabs(at_list - before.total.cost) > rounding) {
        breaches.push_back(fmt::format("tiers at the list price cost {}, no tiers {}", at_list, before.total.cost));
    }
    if (cheaper > at_list + rounding) {
        breaches.push_back(fmt::format("tiers at half the price cost {}, at the price {}", cheaper, at_list));
    }
    return breaches;
}

Breaches what_is_sold_is_taken_off(const ScenarioDocument& document) {
    ScenarioDocument changed = document;
    changed.support_plans.clear();
    changed.finance.at_end = AtEnd::exit;
    const auto set_resale = [&](const std::optional<TermResale>& resale) {
        for (Pool& pool : changed.pools) {
            const bool has_months = pool.kind == PoolKind::cloud && pool.offer->term_months &&
                                    (pool.offer->purchase == Purchase::reserved || pool.offer->purchase == Purchase::committed);
            if (pool.offer) {
                pool.offer->resale = has_months ? resale : std::nullopt;
            }
        }
        return evaluate_document(changed).summary;
    };
    const Summary none = set_resale(std::nullopt);
    const double rounding = kRoundingOfCommitments * (std::fabs(none.total.cost) + category_cost(none, Category::commitment));
    Breaches breaches;
    double before = none.total.cost;
    for (const TermResale& resale : {TermResale{0, 0, 1, {}}, {0, 0, 0.5, {}}, {0.5, 0.12, 0.5, {}}, {1, 0, 0, {}}}) {
        const Summary sold = set_resale(resale);
        if (sold.total.cost > before + rounding) {
            breaches.push_back(
                fmt::format("sold at {} of its price costs {}, at less {}", resale.price_fraction, sold.total.cost, before));
        }
        const double off = none.total.cost - sold.total.cost;
        const double settled = none.terminal.obligations - sold.terminal.obligations + sold.terminal.commitments_sold;
        if (std::fabs(off - settled) > rounding) {
            breaches.push_back(fmt::format("{} are taken off the cost, {} are sold or not owed", off, settled));
        }
        before = sold.total.cost;
    }
    return breaches;
}

} // namespace costcurve::tests
