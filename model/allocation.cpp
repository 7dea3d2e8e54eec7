// Allocates pool costs to workloads by the scenario's rule, and lists the ledger's rows by workload.
#include "model/allocation.hpp"

#include <algorithm>
#include <functional>
#include <map>
#include <numeric>
#include <set>

#include "model/performance/classes.hpp"

namespace costcurve::model {

namespace {

// Cash of a direct category of a workload. Engineering is paid at the horizon's start; all else is paid in the month of its cost.
double direct_cash(const Ledger& ledger, std::size_t m, std::size_t p, std::size_t w, std::size_t d) {
    if (kDirect[d] != Category::engineering) {
        return ledger.direct(m, p, w, d);
    }
    double whole = 0.0;
    for (std::size_t k = 0; m == 0 && k < ledger.months; ++k) {
        whole += ledger.direct(k, p, w, d);
    }
    return whole;
}

void allocate_direct(const Compiled& compiled, const Ledger& ledger, std::size_t w, WorkloadSummary& workload) {
    workload.cost_by_pool.assign(ledger.pools + 1, 0.0);
    for (std::size_t m = 0; m < ledger.months; ++m) {
        for (std::size_t p = 0; p <= ledger.pools; ++p) {
            for (std::size_t d = 0; d < kDirect.size(); ++d) {
                const double cash = direct_cash(ledger, m, p, w, d);
                workload.cost += ledger.direct(m, p, w, d);
                workload.cost_by_pool[p] += ledger.direct(m, p, w, d);
                workload.cash += cash;
                workload.npv += cash * compiled.discount[kDirect[d] == Category::engineering ? 0 : m + 1];
            }
        }
    }
}

double stated_share(const ScenarioDocument& scenario, std::size_t w) {
    const auto& stated = scenario.allocation.shares;
    const auto found = stated.find(scenario.workloads[w].id);
    return found == stated.end() ? 0.0 : found->second;
}

} // namespace

Meters<Metered> meters_of(const Compiled& compiled, const Ledger& ledger, std::size_t month, std::size_t pool) {
    Meters<Metered> meters{{ledger.energy_kwh(month, pool)}, {ledger.carbon_kg(month, pool)}, {ledger.water_l(month, pool)}};
    if (pool == ledger.pools) {
        return meters;
    }
    const bool idle = ledger.available_hours(month, pool) + used_by_all(ledger, month, pool) == 0.0;
    const Meters<bool>& known = compiled.pools[pool].known;
    meters.energy_kwh.is_known = known.energy_kwh || idle;
    meters.carbon_kg.is_known = known.carbon_kg || idle;
    meters.water_l.is_known = known.water_l || idle;
    return meters;
}

Shares::Shares(const ScenarioDocument& scenario, const Ledger& ledger)
    : months_(ledger.months), workloads_(ledger.workloads), shares_(ledger.months + 1, ledger.pools + 1, ledger.workloads + 1) {
    const Allocation& rule = scenario.allocation;
    const Cube& hours = rule.basis == AllocationBasis::used ? ledger.used_hours : ledger.reserved_hours;
    for (std::size_t p = 0; p < ledger.pools; ++p) {
        const bool is_apart = rule.idle == IdleRule::apart && scenario.pools[p].kind != PoolKind::api;
        double available = 0.0;
        for (std::size_t m = 0; m < months_; ++m) {
            for (std::size_t w = 0; w < workloads_; ++w) {
                const double stated = rule.basis == AllocationBasis::fixed ? stated_share(scenario, w) : hours(m, p, w);
                shares_(m, p, w) = stated;
                shares_(months_, p, w) += stated;
            }
            divide(m, p, is_apart ? ledger.available_hours(m, p) : 0.0);
            available += ledger.available_hours(m, p);
        }
        divide(months_, p, is_apart ? available : 0.0);
    }
    for (std::size_t row = 0; row <= months_; ++row) {
        shares_(row, ledger.pools, nobody()) = 1.0;
    }
}

void Shares::divide(std::size_t row, std::size_t p, double available) {
    constexpr double kRounding = 1e-12; // a smaller share is rounding, and counts as 0
    double used = 0.0;
    for (std::size_t w = 0; w < workloads_; ++w) {
        used += shares_(row, p, w);
    }
    double idle = 1.0;
    for (std::size_t w = 0; used > 0.0 && w < workloads_; ++w) {
        shares_(row, p, w) /= std::max(used, available);
        idle -= shares_(row, p, w);
    }
    shares_(row, p, nobody()) = idle > kRounding ? idle : 0.0;
}

std::vector<MonthlyShare> borne_by_month(const Ledger& ledger, const Cube* starts) {
    const std::size_t row = ledger.pools + 1;
    std::vector<MonthlyShare> borne(ledger.months * row);
    for (std::size_t m = 0; m < ledger.months; ++m) {
        for (std::size_t p = 0; p < row; ++p) {
            MonthlyShare& sum = borne[m * row + p];
            const double* const cost = ledger.cost.row(m, p).data();
            const double* const cash = ledger.cash.row(m, p).data();
            const double* const start = starts == nullptr ? nullptr : starts->row(m, p).data();
            for (const std::size_t c : kShared) {
                sum.cost += cost[c];
                sum.cash += cash[c];
                sum.start += start == nullptr ? 0.0 : start[c];
            }
        }
    }
    for (const HorizonRow& part : ledger.over_horizon) {
        MonthlyShare& sum = borne[part.month * row + part.pool];
        sum.cost -= part.cost;
        sum.cash -= part.cash;
        sum.start -= part.start;
    }
    return borne;
}

Borne allocate(const Compiled& compiled, const Ledger& ledger, const Shares& shares, Summary& summary) {
    const std::vector<double>& discount = compiled.discount;
    Borne nobody;
    // Adds a workload's share of an amount; `amount.start` is the cash that is paid at the month's first instant.
    const auto bear = [&](std::size_t m, std::size_t p, std::size_t w, double share, MonthlyShare amount) -> Borne& {
        Borne& borne = w == shares.nobody() ? nobody : summary.workloads[w];
        borne.cost += amount.cost * share;
        borne.cash += amount.cash * share;
        borne.npv += (amount.start * discount[m] + (amount.cash - amount.start) * discount[m + 1]) * share;
        (w == shares.nobody() ? summary.pools[p].idle_cost : summary.workloads[w].cost_by_pool[p]) += amount.cost * share;
        return borne;
    };
    for (std::size_t w = 0; w < ledger.workloads; ++w) {
        allocate_direct(compiled, ledger, w, summary.workloads[w]);
    }
    const std::vector<MonthlyShare> by_month = borne_by_month(ledger, &compiled.flows.starts);
    for (std::size_t m = 0; m < ledger.months; ++m) {
        for (std::size_t p = 0; p <= ledger.pools; ++p) {
            const Meters<Metered> meters = meters_of(compiled, ledger, m, p);
            for (std::size_t w = 0; w <= ledger.workloads; ++w) {
                const double share = shares.month(m, p, w);
                if (share == 0.0) {
                    continue;
                }
                add(bear(m, p, w, share, by_month[m * (ledger.pools + 1) + p]).meters, meters, share);
            }
        }
    }
    for (const HorizonRow& row : ledger.over_horizon) {
        for (std::size_t w = 0; w <= ledger.workloads; ++w) {
            bear(row.month, row.pool, w, shares.horizon(row.pool, w), {row.cost, row.cash, row.start});
        }
    }
    return nobody;
}

std::vector<TagSummary> tags_of(const ScenarioDocument& scenario) {
    std::map<std::string, std::set<std::string>> values;
    for (const Workload& workload : scenario.workloads) {
        for (const auto& [key, value] : workload.tags) {
            values[key].insert(value);
        }
    }
    std::vector<TagSummary> tags;
    for (const auto& [key, of_key] : values) {
        TagSummary& tag = tags.emplace_back();
        tag.key = key;
        tag.values.assign(of_key.begin(), of_key.end());
        for (const Workload& workload : scenario.workloads) {
            const auto found = workload.tags.find(key);
            tag.value_of.push_back(found == workload.tags.end()
                                       ? of_key.size()
                                       : static_cast<std::size_t>(std::distance(of_key.begin(), of_key.find(found->second))));
        }
        if (std::find(tag.value_of.begin(), tag.value_of.end(), of_key.size()) != tag.value_of.end()) {
            tag.values.emplace_back(kUntagged);
        }
        tag.value_of.push_back(tag.values.size());
        tag.values.emplace_back(kIdle);
        tag.borne.resize(tag.values.size());
    }
    return tags;
}

namespace {

// Divides the parts by their sum, or `otherwise` by its sum if the parts sum to 0.
ClassValues shares_of(const ClassValues& parts, const ClassValues& otherwise) {
    const double whole = std::accumulate(parts.begin(), parts.end(), 0.0);
    const ClassValues& from = whole > 0.0 ? parts : otherwise;
    const double sum = whole > 0.0 ? whole : std::accumulate(from.begin(), from.end(), 0.0);
    ClassValues shares{};
    std::transform(from.begin(), from.end(), shares.begin(), [sum](double part) { return part / sum; });
    return shares;
}

} // namespace

ClassValues billed_by_class(const Workload& workload, const Compiled& compiled, const Ledger& ledger, std::size_t w,
                            std::size_t pool) {
    const CompiledWorkload& target = compiled.workloads[w];
    ClassValues billed{};
    for (std::size_t e = target.first_entry; e < target.end_entry; ++e) {
        const CompiledEntry& entry = compiled.entries[e];
        for (std::size_t m = 0; entry.pool == pool && m < ledger.months; ++m) {
            for (const ClassPrice& part : entry.by_class) {
                billed[static_cast<std::size_t>(part.unit_class)] += ledger.served(m, e) * part.price[m];
            }
        }
    }
    return shares_of(billed, units_by_class(mean_request(workload)));
}

ClassValues weighted_by_class(const Workload& workload) {
    const ClassValues units = units_by_class(mean_request(workload));
    ClassValues parts = cost_weights_of(workload);
    std::transform(units.begin(), units.end(), parts.begin(), parts.begin(), std::multiplies<>());
    return shares_of(parts, units);
}

void split_classes(const Workload& workload, const Compiled& compiled, const Ledger& ledger, std::size_t w,
                   WorkloadSummary& summary) {
    const ClassValues units = units_by_class(mean_request(workload));
    const ClassValues weighted = weighted_by_class(workload);
    const double per_request = units_of_request(mean_request(workload));
    for (std::size_t c = 0; c < kUnitClasses; ++c) {
        if (units[c] > 0.0) {
            summary.by_class[c] = {summary.cost * weighted[c], summary.units_served * units[c] / per_request};
        }
    }
    for (std::size_t p = 0; p < ledger.pools;
         ++p) { // all pools: under fixed shares a workload also bears pools that it does not run on
        if (compiled.pools[p].kind != PoolKind::api) {
            continue;
        }
        const ClassValues billed = billed_by_class(workload, compiled, ledger, w, p);
        for (std::size_t c = 0; c < kUnitClasses; ++c) {
            if (units[c] > 0.0) {
                summary.by_class[c]->cost += summary.cost_by_pool[p] * (billed[c] - weighted[c]);
            }
        }
    }
}

namespace {

// Adds the rows of one shared category of a pool in a month: one for each workload, and one for the unallocated part.
template <class Add>
void add_shared_rows(const Ledger& ledger, const Shares& shares, std::size_t m, std::size_t p, std::size_t c, Amounts over,
                     const Add& add) {
    const Amounts month{ledger.cost(m, p, c) - over.cost, ledger.cash(m, p, c) - over.cash};
    for (std::size_t w = 0; w <= ledger.workloads; ++w) {
        const double share = shares.month(m, p, w);
        const double whole = shares.horizon(p, w);
        add({m, p, w == shares.nobody() ? LedgerRow::kNone : w, static_cast<Category>(c), month.cost * share + over.cost * whole,
             month.cash * share + over.cash * whole});
    }
}

} // namespace

std::vector<LedgerRow> ledger_rows(const ScenarioDocument& scenario, const Ledger& ledger) {
    const Shares shares(scenario, ledger);
    Cube over_cost(ledger.months, ledger.pools + 1, kCategories);
    Cube over_cash = over_cost;
    for (const HorizonRow& row : ledger.over_horizon) {
        over_cost(row.month, row.pool, row.category) += row.cost;
        over_cash(row.month, row.pool, row.category) += row.cash;
    }
    std::vector<LedgerRow> rows;
    const auto add = [&](LedgerRow row) {
        row.pool = row.pool == ledger.pools ? LedgerRow::kNone : row.pool;
        if (row.cost != 0.0 || row.cash != 0.0) {
            rows.push_back(row);
        }
    };
    for (std::size_t m = 0; m < ledger.months; ++m) {
        for (std::size_t p = 0; p <= ledger.pools; ++p) {
            for (const std::size_t c : kShared) {
                add_shared_rows(ledger, shares, m, p, c, {over_cost(m, p, c), over_cash(m, p, c)}, add);
            }
            for (std::size_t w = 0; w < ledger.workloads; ++w) {
                for (std::size_t d = 0; d < kDirect.size(); ++d) {
                    add({m, p, w, kDirect[d], ledger.direct(m, p, w, d), direct_cash(ledger, m, p, w, d)});
                }
            }
        }
    }
    return rows;
}

} // namespace costcurve::model
