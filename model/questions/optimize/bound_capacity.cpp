// Measures the cost of a server or an instance by compiling the scenario with and without it.
#include "model/questions/optimize/bound_capacity.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "model/assets.hpp"
#include "model/categories/exchange.hpp"
#include "model/commitment.hpp"
#include "model/finance.hpp"
#include "model/hosted/provisioned.hpp"

namespace costcurve::model {

namespace {

Compiled compiled_of(const ScenarioDocument& document) { return compile(make_scenario(document).value()); }

std::vector<double> divided(std::vector<double> values, double by) {
    std::for_each(values.begin(), values.end(), [by](double& value) { value /= by; });
    return values;
}

} // namespace

ScenarioDocument without_capacity(const ScenarioDocument& scenario) {
    ScenarioDocument bare = scenario;
    for (Pool& pool : bare.pools) {
        pool.purchases.clear();
        pool.min_instances = 0;
        pool.max_instances = 0;
        if (is_provisioned(pool)) {
            pool.provisioned_units = 0;
        }
    }
    return bare;
}

Measures fixed_measures(const Compiled& compiled, Goal goal) {
    const Ledger& ledger = compiled.fixed;
    Measures sum;
    double money = 0.0;
    for (std::size_t m = 0; m < compiled.months; ++m) {
        for (std::size_t p = 0; p <= ledger.pools; ++p) {
            for (std::size_t c = 0; c < kCategories; ++c) {
                const double start = compiled.flows.starts(m, p, c);
                const double cash = ledger.cash(m, p, c);
                money += goal == Goal::cost  ? ledger.cost(m, p, c)
                         : goal == Goal::npv ? start * compiled.discount[m] + (cash - start) * compiled.discount[m + 1]
                                             : cash;
            }
            if (p == ledger.pools) {
                continue;
            }
            sum.capital += capital_paid(compiled, m, p);
            const double kg = compiled.pools[p].embodied_kg.empty() ? 0.0 : compiled.pools[p].embodied_kg[m];
            sum.carbon_kg += kg;
            sum.goal += money_weight(compiled, m, goal) * kg * compiled.carbon_price_per_kg;
        }
    }
    sum.goal += goal == Goal::carbon ? sum.carbon_kg : money;
    return sum;
}

std::vector<ServerOption> server_options(const ScenarioDocument& scenario, const ScenarioDocument& bare, const Measures& base,
                                         std::size_t pool, std::size_t purchase, int low, int high, Goal goal) {
    const Pool& source = scenario.pools[pool];
    // probe with a full rack of servers, so that rounding up to whole racks adds nothing
    const double rack = std::clamp(servers_per_rack(*source.server, *source.site), 1.0, 1e6);
    ScenarioDocument probe = bare;
    std::vector<ServerPurchase>& purchases = probe.pools[pool].purchases;
    purchases = {source.purchases[purchase]};
    purchases.front().servers = static_cast<int>(rack);
    std::vector<ServerOption> options;
    options.reserve(static_cast<std::size_t>(high - low) + 1);
    for (int month = low; month <= high; ++month) {
        purchases.front().month = month;
        const Compiled compiled = compiled_of(probe);
        options.push_back({month, 1.0 / rack * (fixed_measures(compiled, goal) - base),
                           divided(compiled.pools[pool].units_paid, rack), divided(compiled.pools[pool].units_serving, rack)});
    }
    return options;
}

Measures instance_measures(const ScenarioDocument& bare, const Measures& base, std::size_t pool, Goal goal) {
    ScenarioDocument probe = bare;
    probe.pools[pool].min_instances = 1;
    probe.pools[pool].max_instances = 1;
    return fixed_measures(compiled_of(probe), goal) - base;
}

Measures provisioned_measures(const ScenarioDocument& bare, const Measures& base, std::size_t pool, Goal goal) {
    ScenarioDocument probe = bare;
    const int units = hosted(probe.pools[pool]).provisioned->minimum_units;
    probe.pools[pool].provisioned_units = units;
    return 1.0 / units * (fixed_measures(compiled_of(probe), goal) - base);
}

namespace {

// Calls visit(extra cost, places, exchange index) for each extra cost of the pools, their sites and the scenario.
template <class F> void for_each_extra(ScenarioDocument& scenario, const F& visit) {
    const std::vector<double> at_first;
    const auto visit_all = [&](std::vector<ExtraCost>& extras, int places, const std::vector<double>& index) {
        std::for_each(extras.begin(), extras.end(), [&](ExtraCost& extra) { visit(extra, places, index); });
    };
    visit_all(scenario.extra_costs, 1, at_first);
    for (Pool& pool : scenario.pools) {
        visit_all(pool.extra_costs, 1, at_first);
        if (pool.site) {
            visit_all(pool.site->extra_costs, pool.site->places, pool.site->stored.exchange_index);
        }
    }
}

// Greatest reduction by a negative extra cost, reached if it is borne in every month of its window. Zero or negative.
double most_taken_off(const ScenarioDocument& scenario, const ExtraCost& extra, const std::vector<double>& exchange_index,
                      Goal goal) {
    const double rate = growth_rate(scenario.finance, extra);
    const int to = extra.months ? extra.from_month + *extra.months : scenario.months;
    double taken = 0.0;
    double once = 0.0;
    for (int m = std::max(0, extra.from_month); m < std::min(to, scenario.months) && goal != Goal::carbon; ++m) {
        const double growth = growth_factor(rate, m) * at_rate_of(exchange_index, m);
        taken += std::min(0.0, extra.per_month) * growth;
        once = std::min(once, extra.once * growth);
    }
    return taken + once; // without discounting, so never too small
}

} // namespace

ScenarioDocument without_lines(const ScenarioDocument& scenario) {
    ScenarioDocument stripped = scenario;
    for (Pool& pool : stripped.pools) {
        if (pool.offer && pool.offer->storage_per_gb_month) { // charged whatever the number of instances
            pool.offer->storage_per_gb_month = 0.0;
        }
        if (pool.offer && !pool.offer->volume_tiers.empty()) { // all volume at the lowest tier price, hours owed included
            std::vector<VolumeTier>& tiers = pool.offer->volume_tiers;
            const double first = tiers.front().above > 0.0 ? 1.0 : HUGE_VAL;
            tiers = {{0.0, std::min(first, std::ranges::min(tiers, {}, &VolumeTier::price_factor).price_factor)}};
        }
        if (pool.site) {
            pool.site->fte = 0.0;
            pool.site->network_per_month = 0.0;
            pool.site->storage_per_month = 0.0;
        }
    }
    for_each_extra(stripped, [](ExtraCost& extra, int /*places*/, const std::vector<double>& /*exchange_index*/) {
        extra.per_month = 0.0;
        extra.once = 0.0;
    });
    for (Workload& workload : stripped.workloads) {
        for (RunsOn& runs_on : workload.runs_on) {
            runs_on.porting.engineer_weeks = 0.0;
        }
    }
    return stripped;
}

ScenarioDocument with_instances(const ScenarioDocument& scenario) {
    ScenarioDocument stocked = scenario;
    for (Pool& pool : stocked.pools) {
        if (pool.kind == PoolKind::cloud) {
            pool.max_instances = std::max(1, pool.max_instances);
            pool.min_instances = is_commitment(pool.offer->purchase) ? pool.max_instances : pool.min_instances;
        }
    }
    return stocked;
}

FixedLines::FixedLines(const ScenarioDocument& scenario, const std::vector<Decision>& decisions, Goal goal)
    : scenario_(scenario), decisions_(decisions), goal_(goal) {
    for_each_extra(scenario_, [&](ExtraCost& extra, int places, const std::vector<double>& exchange_index) {
        negative_ += places * most_taken_off(scenario, extra, exchange_index, goal);
        extra.per_month = std::max(0.0, extra.per_month);
        extra.once = std::max(0.0, extra.once);
        has_lines_ = has_lines_ || extra.per_month > 0.0 || extra.once > 0.0;
    });
    for (const Pool& pool : scenario_.pools) {
        has_lines_ =
            has_lines_ || (pool.offer && pool.offer->storage_per_gb_month.value_or(0.0) > 0.0) ||
            (pool.site && (pool.site->fte > 0.0 || pool.site->network_per_month > 0.0 || pool.site->storage_per_month > 0.0));
    }
    for (const Workload& workload : scenario_.workloads) {
        for (const RunsOn& runs_on : workload.runs_on) {
            has_lines_ = has_lines_ || runs_on.porting.engineer_weeks > 0.0;
        }
    }
    has_lines_ = has_lines_ && goal_ != Goal::carbon;
}

double FixedLines::least(const Box& box) const {
    if (!has_lines_) {
        return negative_;
    }
    ScenarioDocument certain = scenario_;
    for (std::size_t d = 0; d < decisions_.size(); ++d) {
        const Decision& decision = decisions_[d];
        Pool& pool = certain.pools[decision.pool];
        const int low = box.low[d];
        if (decision.lever == Lever::servers) {
            pool.purchases[decision.purchase].servers = low;
        } else if (decision.lever == Lever::min_instances || decision.lever == Lever::instances) {
            pool.min_instances = low;
        }
        if (decision.lever == Lever::provisioned_units) { // one provisioned unit is enough to bring work to the pool
            pool.provisioned_units = low > 0 ? hosted(pool).provisioned->minimum_units : 0;
        }
        if (decision.lever == Lever::max_instances || decision.lever == Lever::instances) {
            pool.max_instances = low;
        }
    }
    for (std::size_t d = 0; d < decisions_.size(); ++d) {
        if (decisions_[d].lever == Lever::month) { // certain only if the box has a single month
            ServerPurchase& purchase = certain.pools[decisions_[d].pool].purchases[decisions_[d].purchase];
            purchase.month = box.low[d];
            purchase.servers = box.low[d] == box.high[d] ? purchase.servers : 0;
        }
    }
    for (Pool& pool : certain.pools) {
        pool.min_instances = std::min(pool.min_instances, pool.max_instances);
    }
    const double with = fixed_measures(compiled_of(certain), goal_).goal;
    return negative_ + with - fixed_measures(compiled_of(without_lines(certain)), goal_).goal;
}

} // namespace costcurve::model
