// Sums of the ledger in a fixed order; shares by reserved device-hours.
#include "model/summary.hpp"

#include <algorithm>
#include <cmath>
#include <initializer_list>

#include <fmt/format.h>

namespace costcurve::model {

namespace {

constexpr double kMillion = 1e6;
/// Work left undone below this share of the demand is rounding.
constexpr double kNegligible = 1e-9;

/// Categories that all workloads of a pool bear.
constexpr auto kShared = [] {
    std::array<std::size_t, kCategories - kDirect.size()> shared{};
    std::size_t n = 0;
    for (std::size_t c = 0; c < kCategories; ++c) {
        if (!is_direct(c)) {
            shared[n++] = c;
        }
    }
    return shared;
}();

std::optional<double> ratio(double a, double b) { return b > 0 ? std::optional(a / b) : std::nullopt; }

// Reserved device-hours by pool and workload, of a month and of the horizon.
class Shares {
public:
    explicit Shares(const Ledger& ledger)
        : ledger_(ledger), horizon_(ledger.pools + 1, ledger.workloads), used_(ledger.pools + 1, 1) {
        for (std::size_t m = 0; m < ledger.months; ++m) {
            for (std::size_t p = 0; p < ledger.pools; ++p) {
                for (std::size_t w = 0; w < ledger.workloads; ++w) {
                    horizon_(p, w) += ledger.reserved_hours(m, p, w);
                    used_(p, 0) += ledger.reserved_hours(m, p, w);
                }
            }
        }
    }
    /// Device-hours of the pool in the month, over all workloads.
    [[nodiscard]] double used(std::size_t m, std::size_t p) const {
        double sum = 0.0;
        for (std::size_t w = 0; w < ledger_.workloads; ++w) {
            sum += ledger_.reserved_hours(m, p, w);
        }
        return sum;
    }
    [[nodiscard]] double used(std::size_t p) const { return used_(p, 0); }
    /// The share of a workload in the horizon; 0 where nothing used the pool.
    [[nodiscard]] double horizon(std::size_t p, std::size_t w) const {
        return used_(p, 0) > 0 ? horizon_(p, w) / used_(p, 0) : 0.0;
    }

private:
    const Ledger& ledger_;
    Cube horizon_;
    Cube used_;
};

double shared_cost(const Ledger& ledger, std::size_t m, std::size_t p) {
    double sum = 0.0;
    for (const std::size_t c : kShared) {
        sum += ledger.cost(m, p, c);
    }
    return sum;
}

// Present value of what a workload pays by itself: engineering at the start, the rest at month end.
double npv_direct(const Ledger& ledger, const std::vector<double>& discount, std::size_t w) {
    double npv = 0.0;
    for (std::size_t m = 0; m < ledger.months; ++m) {
        for (std::size_t p = 0; p <= ledger.pools; ++p) {
            for (std::size_t d = 0; d < kDirect.size(); ++d) {
                const double at = kDirect[d] == Category::engineering ? discount[0] : discount[m + 1];
                npv += ledger.direct(m, p, w, d) * at;
            }
        }
    }
    return npv;
}

double npv_shared(const Ledger& ledger, const std::vector<double>& discount, std::size_t p) {
    double npv = 0.0;
    for (std::size_t m = 0; m < ledger.months; ++m) {
        npv += ledger.cash_start(m, p) * discount[m] + ledger.cash_end(m, p) * discount[m + 1];
    }
    return npv;
}

void add(Amounts& sum, const Amounts& row) {
    sum.cost += row.cost;
    sum.cash += row.cash;
}

void add(AmountsByCategory& sum, const AmountsByCategory& row) {
    for (std::size_t c = 0; c < kCategories; ++c) {
        add(sum[c], row[c]);
    }
}

// Rows into months and pools, months into the horizon.
void sum_amounts(const Ledger& ledger, Summary& summary) {
    summary.pools.resize(ledger.pools + 1);
    summary.months.resize(ledger.months);
    for (std::size_t m = 0; m < ledger.months; ++m) {
        MonthSummary& month = summary.months[m];
        month.by_pool.resize(ledger.pools + 1);
        for (std::size_t p = 0; p <= ledger.pools; ++p) {
            AmountsByCategory row;
            for (std::size_t c = 0; c < kCategories; ++c) {
                row[c] = {ledger.cost(m, p, c), ledger.cash(m, p, c)};
                add(month.by_pool[p], row[c]);
            }
            add(month.by_category, row);
            add(summary.pools[p].by_category, row);
            add(summary.pools[p].total, month.by_pool[p]);
            add(month.total, month.by_pool[p]);
            month.energy_kwh += ledger.energy_kwh(m, p);
            month.carbon_kg += ledger.carbon_kg(m, p);
        }
        add(summary.by_category, month.by_category);
        add(summary.total, month.total);
        summary.energy_kwh += month.energy_kwh;
        summary.carbon_kg += month.carbon_kg;
    }
}

void sum_pools(const Compiled& compiled, const Ledger& ledger, const Shares& shares, Summary& summary) {
    for (std::size_t p = 0; p <= ledger.pools; ++p) {
        PoolSummary& pool = summary.pools[p];
        for (std::size_t m = 0; m < ledger.months; ++m) {
            pool.energy_kwh += ledger.energy_kwh(m, p);
            pool.carbon_kg += ledger.carbon_kg(m, p);
            pool.available_device_hours += ledger.available_hours(m, p);
            pool.busy_device_hours += ledger.busy_hours(m, p);
        }
        pool.reserved_device_hours = shares.used(p);
        pool.utilization_fraction = ratio(pool.busy_device_hours, pool.available_device_hours);
        pool.cost_per_reserved_device_hour = ratio(pool.total.cost, pool.reserved_device_hours);
        if (p < ledger.pools && !compiled.pools[p].racks.empty()) {
            pool.racks = *std::max_element(compiled.pools[p].racks.begin(), compiled.pools[p].racks.end());
        }
    }
}

// Shares of pool costs, energy and carbon by month; what no workload used is unallocated.
void allocate(const Ledger& ledger, const Shares& shares, Summary& summary) {
    for (std::size_t m = 0; m < ledger.months; ++m) {
        for (std::size_t p = 0; p <= ledger.pools; ++p) {
            const double used = shares.used(m, p);
            const double cost = shared_cost(ledger, m, p);
            if (used <= 0) {
                summary.unallocated_cost += cost;
            }
            for (std::size_t w = 0; w < ledger.workloads; ++w) {
                WorkloadSummary& workload = summary.workloads[w];
                for (std::size_t d = 0; d < kDirect.size(); ++d) {
                    workload.cost += ledger.direct(m, p, w, d);
                }
                if (used <= 0) {
                    continue;
                }
                const double share = ledger.reserved_hours(m, p, w) / used;
                workload.cost += cost * share;
                workload.energy_kwh += ledger.energy_kwh(m, p) * share;
                workload.carbon_kg += ledger.carbon_kg(m, p) * share;
            }
        }
    }
}

void sum_work(const Compiled& compiled, const Ledger& ledger, std::size_t w, WorkloadSummary& summary, double& discounted_units) {
    const CompiledWorkload& workload = compiled.workloads[w];
    summary.hours_per_epoch.resize(ledger.pools);
    summary.batch.resize(ledger.pools);
    for (std::size_t m = 0; m < ledger.months; ++m) {
        double served = 0.0;
        for (std::size_t e = workload.first_entry; e < workload.end_entry; ++e) {
            served += ledger.served(m, e);
        }
        summary.units_demanded += ledger.demanded(m, w);
        summary.units_served += served;
        summary.units_unserved += std::max(0.0, ledger.demanded(m, w) - served);
        discounted_units += served * compiled.discount[m + 1];
    }
    for (std::size_t e = workload.first_entry; e < workload.end_entry; ++e) {
        double served = 0.0;
        for (std::size_t m = 0; m < ledger.months; ++m) {
            served += ledger.served(m, e);
        }
        const CompiledEntry& entry = compiled.entries[e];
        summary.batch[entry.pool] = entry.batch;
        if (served > 0) {
            summary.evidence = std::max(summary.evidence.value_or(Evidence::measured), entry.evidence);
        }
    }
}

void divide(const Workload& workload, const Compiled& compiled, const Ledger& ledger, std::size_t w, double present_value,
            double discounted_units, WorkloadSummary& summary) {
    const double units = summary.units_served;
    const auto per_million = [&](double cost, double count) {
        const std::optional<double> each = ratio(cost, count);
        return each ? std::optional(*each * kMillion) : std::nullopt;
    };
    summary.cost_per_million_units = per_million(summary.cost, units);
    summary.levelized_cost_per_million_units = per_million(present_value, discounted_units);
    if (workload.kind == WorkloadKind::training) {
        summary.quantity = units / workload.units_per_epoch;
        const CompiledWorkload& target = compiled.workloads[w];
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
        const UnitsPerRequest& request = workload.units_per_request;
        const double per_request = request.split ? request.input + request.output : request.total;
        summary.quantity = units / per_request;
        if (request.split) {
            const double weighted = units * (request.input + workload.output_cost_ratio * request.output) / per_request;
            summary.cost_per_million_input_units = per_million(summary.cost, weighted);
            if (summary.cost_per_million_input_units) {
                summary.cost_per_million_output_units = *summary.cost_per_million_input_units * workload.output_cost_ratio;
            }
        }
    }
    summary.cost_per_quantity = ratio(summary.cost, summary.quantity);
}

void warn(const Scenario& scenario, const Compiled& compiled, Summary& summary) {
    const ScenarioDocument& document = scenario.document();
    summary.warnings = scenario.warnings();
    for (std::size_t w = 0; w < document.workloads.size(); ++w) {
        const WorkloadSummary& workload = summary.workloads[w];
        const CompiledWorkload& target = compiled.workloads[w];
        for (std::size_t e = target.first_entry; e < target.end_entry; ++e) {
            const CompiledEntry& entry = compiled.entries[e];
            const CompiledPool& pool = compiled.pools[entry.pool];
            if (pool.kind == PoolKind::api) {
                continue;
            }
            const double most = *std::max_element(pool.units_serving.begin(), pool.units_serving.end()) * pool.devices_per_unit;
            if (most < entry.devices) {
                summary.warnings.push_back({fmt::format("/workloads/{}/runs_on/{}", w, e - target.first_entry), Code::no_capacity,
                                            fmt::format("{} devices are needed at once; pool {} serves with {} at most",
                                                        entry.devices, document.pools[entry.pool].id, most)});
            }
        }
        if (workload.units_unserved > kNegligible * workload.units_demanded) {
            summary.warnings.push_back(
                {fmt::format("/workloads/{}", w), Code::unserved_work,
                 fmt::format("{:.6g} of {:.6g} {}s ({:.3g} %) find no capacity", workload.units_unserved, workload.units_demanded,
                             document.workloads[w].unit, 100 * workload.units_unserved / workload.units_demanded)});
        }
    }
}

} // namespace

Summary summarize(const Scenario& scenario, const Compiled& compiled, const Ledger& ledger) {
    const ScenarioDocument& document = scenario.document();
    Summary summary;
    summary.workloads.resize(ledger.workloads);
    const Shares shares(ledger);
    sum_amounts(ledger, summary);
    sum_pools(compiled, ledger, shares, summary);
    allocate(ledger, shares, summary);
    std::vector<double> pool_npv(ledger.pools + 1);
    for (std::size_t p = 0; p <= ledger.pools; ++p) {
        pool_npv[p] = npv_shared(ledger, compiled.discount, p);
        summary.npv += pool_npv[p];
    }
    for (std::size_t w = 0; w < ledger.workloads; ++w) {
        double discounted_units = 0.0;
        sum_work(compiled, ledger, w, summary.workloads[w], discounted_units);
        double present_value = npv_direct(ledger, compiled.discount, w);
        summary.npv += present_value;
        for (std::size_t p = 0; p < ledger.pools; ++p) {
            present_value += pool_npv[p] * shares.horizon(p, w);
        }
        divide(document.workloads[w], compiled, ledger, w, present_value, discounted_units, summary.workloads[w]);
    }
    summary.npv_after_tax = (summary.npv - compiled.npv_capital) * (1 - compiled.tax_rate) + compiled.npv_capital -
                            compiled.tax_rate * compiled.npv_tax_credit;
    if (compiled.tax_rate == 0.0) {
        summary.npv_after_tax = summary.npv;
    }
    warn(scenario, compiled, summary);
    return summary;
}

bool is_finite(const Summary& summary) {
    const auto all_finite = [](std::initializer_list<double> figures) {
        return std::all_of(figures.begin(), figures.end(), [](double figure) { return std::isfinite(figure); });
    };
    const auto amounts_finite = [&](const Amounts& amounts) { return all_finite({amounts.cost, amounts.cash}); };
    bool good = amounts_finite(summary.total) &&
                all_finite({summary.npv, summary.npv_after_tax, summary.energy_kwh, summary.carbon_kg, summary.unallocated_cost});
    for (const PoolSummary& pool : summary.pools) {
        good = good && std::all_of(pool.by_category.begin(), pool.by_category.end(), amounts_finite) &&
               amounts_finite(pool.total) &&
               all_finite({pool.energy_kwh, pool.carbon_kg, pool.available_device_hours, pool.reserved_device_hours,
                           pool.busy_device_hours, pool.utilization_fraction.value_or(0),
                           pool.cost_per_reserved_device_hour.value_or(0)});
    }
    for (const WorkloadSummary& workload : summary.workloads) {
        good =
            good &&
            all_finite({workload.cost, workload.units_demanded, workload.units_served, workload.units_unserved, workload.energy_kwh,
                        workload.carbon_kg, workload.quantity, workload.cost_per_quantity.value_or(0),
                        workload.cost_per_million_units.value_or(0), workload.cost_per_million_input_units.value_or(0),
                        workload.cost_per_million_output_units.value_or(0), workload.levelized_cost_per_million_units.value_or(0)});
        for (const std::optional<double>& hours : workload.hours_per_epoch) {
            good = good && std::isfinite(hours.value_or(0));
        }
    }
    for (const MonthSummary& month : summary.months) {
        good = good && amounts_finite(month.total) && std::all_of(month.by_pool.begin(), month.by_pool.end(), amounts_finite);
    }
    return good;
}

std::vector<LedgerRow> ledger_rows(const Ledger& ledger) {
    const Shares shares(ledger);
    std::vector<LedgerRow> rows;
    const auto add = [&](LedgerRow row) {
        if (row.pool == ledger.pools) {
            row.pool = LedgerRow::kNone;
        }
        if (row.cost != 0.0 || row.cash != 0.0) {
            rows.push_back(row);
        }
    };
    for (std::size_t m = 0; m < ledger.months; ++m) {
        for (std::size_t p = 0; p <= ledger.pools; ++p) {
            const double used = shares.used(m, p);
            for (const std::size_t c : kShared) {
                const double cost = ledger.cost(m, p, c);
                const double cash = ledger.cash(m, p, c);
                for (std::size_t w = 0; w < ledger.workloads; ++w) {
                    const double share = used > 0 ? ledger.reserved_hours(m, p, w) / used : 0.0;
                    add({m, p, w, static_cast<Category>(c), cost * share, cash * shares.horizon(p, w)});
                }
                add({m, p, LedgerRow::kNone, static_cast<Category>(c), used > 0 ? 0.0 : cost, shares.used(p) > 0 ? 0.0 : cash});
            }
            for (std::size_t w = 0; w < ledger.workloads; ++w) {
                for (std::size_t d = 0; d < kDirect.size(); ++d) {
                    const double cost = ledger.direct(m, p, w, d);
                    double cash = cost;
                    if (kDirect[d] == Category::engineering) { // paid as a whole at the start
                        cash = 0.0;
                        for (std::size_t k = 0; m == 0 && k < ledger.months; ++k) {
                            cash += ledger.direct(k, p, w, d);
                        }
                    }
                    add({m, p, w, kDirect[d], cost, cash});
                }
            }
        }
    }
    return rows;
}

} // namespace costcurve::model
