// Runs all rules (pools, workloads, finance) and converts all prices to one currency.
#include "model/scenario.hpp"

#include <algorithm>
#include <cmath>
#include <set>

#include "model/categories/day_terms.hpp"
#include "model/categories/exchange.hpp"
#include "model/categories/seller_tiers.hpp"
#include "model/categories/spend_commitments.hpp"
#include "model/finance.hpp"
#include "model/hosted/provisioned.hpp"
#include "model/rules.hpp"

namespace costcurve::model {

namespace {

/// Limit of hour_entries() for one evaluation; about half a second of work.
constexpr double kMaxHourEntries = 5e7;

void check_finance(const Finance& finance, Rules& rules) {
    const std::string at = "/finance/tax_depreciation_table";
    const bool by_table = finance.tax_depreciation == TaxDepreciation::table;
    double sum = 0.0;
    for (const double fraction : finance.tax_depreciation_table) {
        sum += fraction;
    }
    if (finance.tax_depreciation == TaxDepreciation::declining_balance && !finance.tax_depreciation_rate) {
        rules.add("/finance/tax_depreciation_rate", Code::missing, "declining_balance needs tax_depreciation_rate, per year");
    }
    if (by_table && finance.tax_depreciation_table.empty()) {
        rules.add(at, Code::missing, "tax_depreciation table needs tax_depreciation_table, fractions by year");
    } else if (by_table && std::abs(sum - 1.0) > 1e-9) {
        rules.add(at, Code::inconsistent, fmt::format("its fractions add up to {}, not 1", sum));
    } else if (!by_table && !finance.tax_depreciation_table.empty()) {
        rules.add(at, Code::not_allowed,
                  fmt::format("it has {} fractions, which go with tax_depreciation table, not {}",
                              finance.tax_depreciation_table.size(), name_of(finance.tax_depreciation)));
    }
    if (finance.discount_rate > 1.0) {
        rules.warn("/finance/discount_rate", Code::out_of_range,
                   fmt::format("discount_rate is {0:g}, {1:g} % a year; {0:g} % is {2:g}", finance.discount_rate,
                               finance.discount_rate * 100.0, finance.discount_rate / 100.0));
    }
    if (finance.investment_credit_fraction > 0.0 && finance.tax_rate == 0.0) {
        rules.add("/finance/investment_credit_fraction", Code::inconsistent,
                  fmt::format("investment_credit_fraction is {} without a tax that it is taken off; give tax_rate",
                              finance.investment_credit_fraction));
    }
    if (finance.taxable_income_per_year && finance.tax_rate == 0.0) {
        rules.add(
            "/finance/taxable_income_per_year", Code::inconsistent,
            fmt::format("taxable_income_per_year is {} without a tax on it; give tax_rate", *finance.taxable_income_per_year));
    }
    for (const auto& [name, rate] : finance.growth_rates) {
        const std::optional<Category> category = value_of<Category>(name);
        if (!category || !may_grow(*category)) {
            rules.add("/finance/growth_rates/" + name, Code::unknown_value,
                      fmt::format("{} has no growth rate ({} is given); categories with one are facility, staff, network, storage, "
                                  "software, maintenance, demand_charge, other, usage and egress",
                                  name, rate));
        }
    }
}

void check_allocation(const ScenarioDocument& scenario, Rules& rules) {
    const Allocation& rule = scenario.allocation;
    const std::string at = "/allocation/shares";
    const bool is_fixed = rule.basis == AllocationBasis::fixed;
    if (is_fixed && rule.idle) {
        rules.add("/allocation/idle", Code::not_allowed,
                  fmt::format("idle is {} beside basis fixed: its shares hold whether a pool is used or not", name_of(*rule.idle)));
    }
    if (!is_fixed && !rule.shares.empty()) {
        rules.add(
            at, Code::not_allowed,
            fmt::format("shares of {} workloads beside basis {}; they go with fixed", rule.shares.size(), name_of(rule.basis)));
    } else if (is_fixed && rule.shares.empty()) {
        rules.add(at, Code::missing, "basis fixed needs shares, {workload: fraction}");
    }
    double sum = 0.0;
    for (const auto& [id, share] : rule.shares) {
        sum += share;
        if (std::none_of(scenario.workloads.begin(), scenario.workloads.end(),
                         [&, &id = id](const Workload& w) { return w.id == id; })) {
            rules.add(fmt::format("{}/{}", at, id), Code::unknown_reference,
                      fmt::format("no workload of the scenario is called {}, which is to bear {}", id, share));
        }
    }
    if (is_fixed && !rule.shares.empty() && std::abs(sum - 1.0) > 1e-9) {
        rules.add(at, Code::inconsistent, fmt::format("shares add up to {}, not 1", sum));
    }
}

// Rejects tag values that by_tag uses itself: for workloads without the key, and for unallocated cost.
void check_tags(const ScenarioDocument& scenario, Rules& rules) {
    for (std::size_t w = 0; w < scenario.workloads.size(); ++w) {
        for (const auto& [key, value] : scenario.workloads[w].tags) {
            if (value == kUntagged || value == kIdle) {
                rules.add(fmt::format("/workloads/{}/tags/{}", w, key), Code::not_allowed,
                          fmt::format("{} is {}; by_tag calls so what {}", key, value,
                                      value == kIdle ? "no workload bears" : "workloads without the key bear"));
            }
        }
    }
}

bool reads_axis(const ScenarioDocument& scenario, bool (*matches)(Axis)) {
    const auto has = [matches](const std::optional<Rate>& rate) { return rate && rate->curve && matches(rate->curve->axis); };
    const auto site_has = [&](const std::optional<Site>& site) {
        return site && (has(site->energy_price) || has(site->pue) || has(site->carbon_g_per_kwh));
    };
    return std::any_of(scenario.workloads.begin(), scenario.workloads.end(),
                       [&](const Workload& w) { return has(w.demand.shape) || has(w.demand.utilization); }) ||
           std::any_of(scenario.pools.begin(), scenario.pools.end(),
                       [&](const Pool& p) { return site_has(p.site) || (p.offer && site_has(p.offer->site)); });
}

// Upper bound of the phases of an hour.
double phases_of_hour(const ScenarioDocument& scenario) {
    std::set<double> shares;
    for (const Workload& workload : scenario.workloads) {
        if (workload.demand.has_bursts()) {
            shares.insert(workload.demand.burst->share());
        }
    }
    return 1.0 + static_cast<double>(shares.size());
}

// Upper bound of a month's distinct hours.
double hours_of_month(const ScenarioDocument& scenario) {
    const bool yearly = reads_axis(scenario, [](Axis axis) { return axis == Axis::hour_of_year; }) ||
                        std::ranges::any_of(scenario.pools, [](const Pool& pool) { return has_day_terms(pool); });
    const bool hourly = yearly || reads_axis(scenario, [](Axis axis) { return period_of(axis) > 0; });
    return phases_of_hour(scenario) * (yearly ? 744.0 : hourly ? 336.0 : 1.0);
}

double entries_of(const ScenarioDocument& scenario) {
    auto entries = static_cast<double>(scenario.pools.size());
    for (const Workload& workload : scenario.workloads) {
        entries += static_cast<double>(workload.runs_on.size());
    }
    return entries;
}

void check_size(const ScenarioDocument& scenario, Rules& rules) {
    const double hours = scenario.months * hours_of_month(scenario);
    const double entries = entries_of(scenario);
    if (hours * entries > kMaxHourEntries) {
        rules.add("/months", Code::too_large,
                  fmt::format("{} hours x {} pools and runs_on entries is above the limit of {}; shorten the horizon, "
                              "use hour_of_week curves, or give bursts the same seconds and per_day",
                              hours, entries, kMaxHourEntries));
    }
}

} // namespace

double hour_entries(const ScenarioDocument& scenario) { return scenario.months * hours_of_month(scenario) * entries_of(scenario); }

std::size_t Scenario::pool_index(std::string_view id) const {
    const auto found = std::find_if(document_.pools.begin(), document_.pools.end(), [&](const Pool& p) { return p.id == id; });
    return static_cast<std::size_t>(found - document_.pools.begin());
}

void Scenario::set_units(std::size_t pool, int units, bool is_fixed) { model::set_units(document_.pools[pool], units, is_fixed); }

void Scenario::set_spares(int spares) { model::set_spares(document_, spares); }

void set_units(Pool& pool, int units, bool is_fixed) {
    if (pool.kind == PoolKind::owned) {
        pool.purchases.front().servers = units;
    } else if (pool.kind == PoolKind::cloud) {
        pool.max_instances = units;
        pool.min_instances = is_fixed ? units : 0;
    } else if (is_provisioned(pool)) {
        pool.provisioned_units = provisioned_units(*hosted(pool).provisioned, units);
    }
}

void set_spares(ScenarioDocument& scenario, int spares) {
    for (Workload& workload : scenario.workloads) {
        workload.spare_replicas = workload.kind == WorkloadKind::inference ? spares : 0;
    }
}

const Device* device_of(const Pool& pool) {
    if (pool.offer) {
        return &pool.offer->device;
    }
    return pool.server ? &pool.server->device : nullptr;
}

int devices_per_unit(const Pool& pool) {
    if (pool.offer) {
        return pool.offer->devices;
    }
    return pool.server ? pool.server->devices : 0;
}

Result<Scenario> make_scenario(ScenarioDocument document) {
    Rules rules;
    rules.check_zone("/time_zone", document.time_zone);
    check_finance(document.finance, rules);
    check_allocation(document, rules);
    check_tags(document, rules);
    check_regions(document, rules);
    check_availability(document, rules);
    check_pools(document, rules);
    check_spend(document, rules);
    check_seller_tiers(document, rules);
    check_workloads(document, rules);
    check_size(document, rules);
    exchange_all(document, rules);
    if (!rules.issues.empty()) {
        return tl::unexpected(std::move(rules.issues));
    }
    return Scenario(std::move(document), std::move(rules.warnings));
}

} // namespace costcurve::model
