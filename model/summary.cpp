// Sums up the ledger in a fixed order, so that results have the same bits everywhere.
#include "model/summary.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <initializer_list>

#include <fmt/format.h>

#include "model/allocation.hpp"
#include "model/categories/tax_losses.hpp"
#include "model/dispatch/dispatch.hpp"
#include "model/documents/units.hpp"
#include "model/finance.hpp"
#include "model/performance/classes.hpp"
#include "model/verdict.hpp"
#include "model/wanted.hpp"

namespace costcurve::model {

namespace {

constexpr double kMillion = 1e6;
std::optional<double> ratio(double a, double b) { return b > 0 ? std::optional(a / b) : std::nullopt; }

void add(Amounts& sum, const Amounts& row) {
    sum.cost += row.cost;
    sum.cash += row.cash;
}

void add(AmountsByCategory& sum, const AmountsByCategory& row) {
    for (std::size_t c = 0; c < kCategories; ++c) {
        add(sum[c], row[c]);
    }
}

std::uint64_t bits(double number) { return std::bit_cast<std::uint64_t>(number); }

// A month's cash: the part paid at its first instant, and all of it.
struct MonthCash {
    double starts = 0.0;
    double all = 0.0;
};
MonthCash sum_month(const Compiled& compiled, const Ledger& ledger, std::size_t m, MonthSummary& month, Summary& summary) {
    MonthCash paid;
    for (std::size_t p = 0; p <= ledger.pools; ++p) {
        Amounts of_pool;
        const double* const cost = ledger.cost.row(m, p).data();
        const double* const cash = ledger.cash.row(m, p).data();
        const double* const starts = compiled.flows.starts.row(m, p).data();
        for (std::size_t c = 0; c < kCategories; ++c) {
            if ((bits(cost[c]) | bits(cash[c]) | bits(starts[c])) == 0) { // true for most categories: a pool uses few
                continue;
            }
            const Amounts row{cost[c], cash[c]};
            add(of_pool, row);
            add(month.by_category[c], row);
            if (!summary.pools.empty()) {
                add(summary.pools[p].by_category[c], row);
            }
            paid.starts += starts[c];
            paid.all += row.cash;
        }
        add(month.total, of_pool);
        const Meters<Metered> meters = meters_of(compiled, ledger, m, p);
        add(month.meters, meters);
        if (!summary.pools.empty()) {
            add(summary.pools[p].total, of_pool);
            add(summary.pools[p].meters, meters);
        }
        if (!month.by_pool.empty()) {
            month.by_pool[p] = of_pool;
        }
    }
    return paid;
}

// Adds up rows to months and pools, and months to the horizon.
void sum_amounts(const Compiled& compiled, const Ledger& ledger, const Wanted& wanted, Summary& summary) {
    summary.pools.resize(wanted.needs_pools() ? ledger.pools + 1 : 0);
    summary.months.resize(wanted.months ? ledger.months : 0);
    for (MonthSummary& month : summary.months) {
        month.by_pool.resize(ledger.pools + 1);
    }
    for (std::size_t m = 0; m < ledger.months; ++m) {
        MonthSummary unwanted;
        MonthSummary& month = wanted.months ? summary.months[m] : unwanted;
        const MonthCash paid = sum_month(compiled, ledger, m, month, summary);
        add(summary.by_category, month.by_category);
        add(summary.total, month.total);
        add(summary.meters, month.meters);
        summary.npv += paid.starts * compiled.discount[m] + (paid.all - paid.starts) * compiled.discount[m + 1];
    }
}

// Utilization of provisioned units, and the break-even utilization above which they cost less than pay-per-token.
void sum_provisioned(const Compiled& compiled, const Ledger& ledger, std::size_t p, PoolSummary& pool) {
    double most = 0.0; // capacity in units
    double at_token_prices = 0.0;
    double paid = 0.0;
    double served = 0.0;
    for (const CompiledEntry& entry : compiled.entries) {
        for (std::size_t m = 0; m < ledger.months && entry.pool == p; ++m) {
            const double units = compiled.pools[p].max_units_per_s[m] * compiled.hours.months[m].total * kSecondsPerHour;
            most += units;
            at_token_prices += units * entry.token_price[m];
            paid += compiled.pools[p].paid_for_units(m, compiled.hours.months[m].total);
            served += ledger.served(m, static_cast<std::size_t>(&entry - compiled.entries.data()));
        }
    }
    pool.unit_utilization = ratio(served, most);
    pool.break_even_utilization = ratio(paid, at_token_prices);
}

void sum_pools(const Compiled& compiled, const Ledger& ledger, Summary& summary) {
    for (std::size_t p = 0; p <= ledger.pools; ++p) {
        PoolSummary& pool = summary.pools[p];
        const bool is_api = p < ledger.pools && compiled.pools[p].kind == PoolKind::api;
        for (std::size_t m = 0; m < ledger.months; ++m) {
            pool.available_device_hours += ledger.available_hours(m, p);
            pool.busy_device_hours += ledger.busy_hours(m, p);
            if (p < ledger.pools && compiled.pools[p].metered) {
                pool.peak_kw = std::max(pool.peak_kw.value_or(0.0), ledger.peak_kw(m, p));
            }
            if (!is_api) {
                pool.reserved_device_hours += used_by_all(ledger, m, p);
            }
        }
        pool.utilization_fraction = ratio(pool.busy_device_hours, pool.available_device_hours);
        pool.cost_per_reserved_device_hour = ratio(pool.total.cost, pool.reserved_device_hours);
        if (p < ledger.pools) {
            pool.obligation = compiled.payments[p].obligation;
            pool.lease_liability = compiled.payments[p].lease_liability;
        }
        if (p < ledger.pools && compiled.pools[p].units_per_s_of_unit > 0.0) {
            sum_provisioned(compiled, ledger, p, pool);
        }
        if (p < ledger.pools && !compiled.pools[p].racks.empty()) {
            pool.racks = *std::max_element(compiled.pools[p].racks.begin(), compiled.pools[p].racks.end());
        }
    }
}

void sum_sites(const ScenarioDocument& document, const Compiled& compiled, const Ledger& ledger, Summary& summary) {
    for (std::size_t s = 0; s < compiled.sites.size(); ++s) {
        const CompiledSite& target = compiled.sites[s];
        const Site& stated = *document.pools[target.pools.front()].site;
        if (stated.id.empty()) {
            continue;
        }
        SiteSummary& site = summary.sites.emplace_back();
        site.id = stated.id;
        site.pools = target.pools;
        for (std::size_t m = 0; m < ledger.months; ++m) {
            site.peak_kw = std::max(site.peak_kw, ledger.site_peak_kw(m, s));
            double bill = 0.0;
            for (const std::size_t p : target.pools) {
                bill += ledger.cost(m, p, static_cast<std::size_t>(Category::energy)) +
                        ledger.cost(m, p, static_cast<std::size_t>(Category::demand_charge));
            }
            site.bill_by_month.push_back(bill);
        }
        for (const std::size_t p : target.pools) {
            site.cost += summary.pools[p].total.cost;
            add(site.meters, summary.pools[p].meters);
        }
    }
}

void sum_tags(const ScenarioDocument& document, const Borne& nobody, Summary& summary) {
    summary.by_tag = tags_of(document);
    for (TagSummary& tag : summary.by_tag) {
        for (std::size_t w = 0; w < tag.value_of.size(); ++w) {
            const Borne& part = w < summary.workloads.size() ? summary.workloads[w] : nobody;
            Borne& sum = tag.borne[tag.value_of[w]];
            sum.cost += part.cost;
            sum.cash += part.cash;
            sum.npv += part.npv;
            add(sum.meters, part.meters);
        }
    }
}

// Sums units demanded, served and unserved; returns the discounted units served.
double sum_units(const Compiled& compiled, const Ledger& ledger, std::size_t w, WorkloadSummary& summary) {
    const CompiledWorkload& workload = compiled.workloads[w];
    double discounted_units = 0.0;
    for (std::size_t m = 0; m < ledger.months; ++m) {
        double served = 0.0;
        for (std::size_t e = workload.first_answer; e < workload.end_entry; ++e) {
            served += ledger.served(m, e);
        }
        summary.units_demanded += ledger.demanded(m, w);
        summary.units_served += served;
        summary.units_unserved += units_unserved(compiled, ledger, m, w);
        summary.units_lost_to_outages += ledger.lost(m, w);
        discounted_units += served * compiled.discount[m + 1];
    }
    return discounted_units;
}

// Sets hours per epoch, batch and evidence of the entries that did the workload's work.
void sum_work(const Compiled& compiled, const Ledger& ledger, std::size_t w, WorkloadSummary& summary) {
    const CompiledWorkload& workload = compiled.workloads[w];
    summary.hours_per_epoch.resize(ledger.pools);
    summary.batch.resize(ledger.pools);
    for (std::size_t e = workload.first_entry; e < workload.end_entry; ++e) {
        double served = 0.0;
        for (std::size_t m = 0; m < ledger.months; ++m) {
            served += ledger.served(m, e);
        }
        const CompiledEntry& entry = compiled.entries[e];
        summary.batch[entry.pool] = entry.batch;
        const bool is_api =
            compiled.pools[entry.pool].kind == PoolKind::api; // an API has no performance, but its price may be assumed
        if (served > 0 && (!is_api || entry.evidence == Evidence::assumed)) {
            summary.evidence = std::max(summary.evidence.value_or(Evidence::measured), entry.evidence);
        }
    }
}

void divide(const Workload& workload, const Compiled& compiled, const Ledger& ledger, std::size_t w, double discounted_units,
            WorkloadSummary& summary) {
    const double units = summary.units_served;
    const auto per_million = [&](double cost, double count) {
        const std::optional<double> each = ratio(cost, count);
        return each ? std::optional(*each * kMillion) : std::nullopt;
    };
    summary.cost_per_million_units = per_million(summary.cost, units);
    summary.levelized_cost_per_million_units = per_million(summary.npv, discounted_units);
    const CompiledWorkload& target = compiled.workloads[w];
    if (workload.kind == WorkloadKind::training) {
        summary.quantity = units / workload.units_per_epoch;
        for (std::size_t e = target.first_entry; e < target.end_entry; ++e) {
            double served = 0.0;
            for (std::size_t m = 0; m < ledger.months; ++m) {
                served += ledger.served(m, e);
            }
            const CompiledEntry& entry = compiled.entries[e];
            if (served > 0) {
                summary.hours_per_epoch[entry.pool] = workload.units_per_epoch / (entry.rate * 3600);
            }
        }
    } else {
        summary.quantity = units / units_of_request(mean_request(workload));
        if (has_classes(workload)) {
            split_classes(workload, compiled, ledger, w, summary);
        }
    }
    summary.cost_per_quantity = ratio(summary.cost, summary.quantity);
    for (std::size_t m = 0; target.is_deferrable() && m < ledger.months; ++m) {
        summary.backlog.push_back(m + 1 < ledger.months ? ledger.backlog(m, w) : 0.0);
    }
}

} // namespace

Summary summarize(const Scenario& scenario, const Compiled& compiled, const Ledger& ledger) {
    return summarize(scenario, compiled, ledger, kEverything);
}

Summary summarize(const Scenario& scenario, const Compiled& compiled, const Ledger& ledger, const Wanted& wanted) {
    const ScenarioDocument& document = scenario.document();
    Summary summary;
    summary.workloads.resize(ledger.workloads);
    sum_amounts(compiled, ledger, wanted, summary);
    if (wanted.needs_pools()) {
        sum_pools(compiled, ledger, summary);
        sum_sites(document, compiled, ledger, summary);
    }
    if (wanted.workloads) {
        const Borne nobody = allocate(compiled, ledger, Shares(document, ledger), summary);
        summary.unallocated_cost = nobody.cost;
        sum_tags(document, nobody, summary);
    }
    for (std::size_t w = 0; w < ledger.workloads; ++w) {
        const double discounted_units = sum_units(compiled, ledger, w, summary.workloads[w]);
        if (wanted.workloads) {
            sum_work(compiled, ledger, w, summary.workloads[w]);
            divide(document.workloads[w], compiled, ledger, w, discounted_units, summary.workloads[w]);
        }
    }
    summary.npv_after_tax = (summary.npv - compiled.npv_capital) * (1 - compiled.tax_rate) + compiled.npv_capital -
                            compiled.tax_rate * compiled.npv_tax_credit;
    const std::vector<TaxYear> years = tax_years(compiled, ledger);
    if (compiled.tax_rate == 0.0) {
        summary.npv_after_tax = summary.npv;
    } else if (!years.empty()) {
        summary.npv_after_tax += npv_of_losses(years, compiled);
    }
    summary.equivalent_annual_cost =
        equivalent_annual_cost(summary.npv, document.finance.discount_rate, static_cast<double>(compiled.months));
    if (compiled.has_loans) {
        summary.npv_before_financing = summary.npv;
        for (std::size_t p = 0; p <= ledger.pools; ++p) {
            *summary.npv_before_financing -= present_value(compiled, ledger, p, static_cast<std::size_t>(Category::financing));
        }
    }
    summary.terminal = compiled.terminal;
    summary.terminal.tax_loss = years.empty() ? 0.0 : years.back().carried;
    summary.decide_by = decide_by(document.finance);
    judge(document, compiled, ledger, summary);
    if (wanted.warnings) {
        warn(scenario, compiled, summary);
    }
    return summary;
}

double present_value(const Compiled& compiled, const Ledger& ledger, std::size_t pool, std::size_t category) {
    double value = 0.0;
    for (std::size_t m = 0; m < ledger.months; ++m) {
        const double start = compiled.flows.starts(m, pool, category);
        value += start * compiled.discount[m] + (ledger.cash(m, pool, category) - start) * compiled.discount[m + 1];
    }
    return value;
}

bool is_finite(const Summary& summary) {
    const auto all_finite = [](std::initializer_list<double> figures) {
        return std::all_of(figures.begin(), figures.end(), [](double figure) { return std::isfinite(figure); });
    };
    const auto amounts_finite = [&](const Amounts& amounts) { return all_finite({amounts.cost, amounts.cash}); };
    bool good =
        amounts_finite(summary.total) &&
        all_finite({summary.npv, summary.npv_after_tax, summary.meters.energy_kwh.at_least, summary.meters.carbon_kg.at_least,
                    summary.meters.water_l.at_least, summary.unallocated_cost, summary.terminal.sale, summary.terminal.book,
                    summary.terminal.obligations, summary.terminal.loan_balance, summary.npv_before_financing.value_or(0),
                    summary.equivalent_annual_cost});
    for (const PoolSummary& pool : summary.pools) {
        good = good && std::all_of(pool.by_category.begin(), pool.by_category.end(), amounts_finite) &&
               amounts_finite(pool.total) &&
               all_finite({pool.meters.energy_kwh.at_least, pool.meters.carbon_kg.at_least, pool.available_device_hours,
                           pool.reserved_device_hours, pool.busy_device_hours, pool.utilization_fraction.value_or(0),
                           pool.cost_per_reserved_device_hour.value_or(0)});
    }
    for (const WorkloadSummary& workload : summary.workloads) {
        good = good &&
               all_finite({workload.cost, workload.cash, workload.npv, workload.units_demanded, workload.units_served,
                           workload.units_unserved, workload.units_lost_to_outages, workload.meters.energy_kwh.at_least,
                           workload.meters.carbon_kg.at_least, workload.quantity, workload.cost_per_quantity.value_or(0),
                           workload.cost_per_million_units.value_or(0), workload.levelized_cost_per_million_units.value_or(0)});
        for (const std::optional<double>& hours : workload.hours_per_epoch) {
            good = good && std::isfinite(hours.value_or(0));
        }
    }
    for (const MonthSummary& month : summary.months) {
        good = good && amounts_finite(month.total) && std::all_of(month.by_pool.begin(), month.by_pool.end(), amounts_finite);
    }
    return good;
}

} // namespace costcurve::model
