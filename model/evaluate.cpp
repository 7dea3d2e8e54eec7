// Evaluates month by month: places inference by the hour, training into the free capacity, then computes power and cost.
#include "model/evaluate.hpp"

#include <algorithm>

#include "model/bills/charge_bill.hpp"
#include "model/categories/seller_tiers.hpp"
#include "model/categories/spend_commitments.hpp"
#include "model/categories/support_plans.hpp"
#include "model/dispatch/dispatch.hpp"
#include "model/kernels.hpp"
#include "model/stop.hpp"

namespace costcurve::model {

namespace {

std::size_t at(Category category) { return static_cast<std::size_t>(category); }

// Adds `amount` to the month's cost and to its cash at the month's end.
void bear(Ledger& ledger, std::size_t m, std::size_t p, Category category, double amount) {
    ledger.cost(m, p, at(category)) += amount;
    ledger.cash(m, p, at(category)) += amount;
}

void bear_direct(Ledger& ledger, std::size_t m, std::size_t p, std::size_t w, std::size_t direct, double amount) {
    if (amount == 0.0) {
        return;
    }
    ledger.direct(m, p, w, direct) += amount;
    ledger.cost(m, p, at(kDirect[direct])) += amount;
    ledger.cash(m, p, at(kDirect[direct])) += amount;
}

// Charges the direct costs of a month's work: API usage, egress, unserved work.
void charge_work(const Compiled& compiled, std::size_t m, Ledger& ledger) {
    constexpr std::size_t kUsage = 0;
    constexpr std::size_t kEgress = 1;
    constexpr std::size_t kUnserved = 3;
    static_assert(kDirect[kUsage] == Category::usage && kDirect[kEgress] == Category::egress &&
                  kDirect[kUnserved] == Category::unserved);
    const double egress_growth = compiled.growth(at(Category::egress), m);
    for (std::size_t w = 0; w < compiled.workloads.size(); ++w) {
        const CompiledWorkload& workload = compiled.workloads[w];
        for (std::size_t e = workload.first_entry; e < workload.end_entry; ++e) {
            const CompiledEntry& entry = compiled.entries[e];
            const double units = ledger.served(m, e);
            bear_direct(ledger, m, entry.pool, w, kEgress, units * egress_of_unit(compiled, e, m, ledger) * egress_growth);
            if (!entry.price_per_unit.empty()) {
                const double factor = usage_factor(compiled, entry.pool, m, ledger);
                bear_direct(ledger, m, entry.pool, w, kUsage, units * entry.price_per_unit[m] * factor);
            }
        }
        bear_direct(ledger, m, compiled.pools.size(), w, kUnserved,
                    units_unserved(compiled, ledger, m, w) * workload.unserved_cost_per_unit);
    }
}

// PUE of each hour; a curve of PUE is read at the hour's `load`.
const double* read_pue(const CompiledPool& pool, const MonthView& month, const std::vector<double>& load, Workspace& work) {
    if (!pool.pue_by_load) {
        return hourly(pool.pue, month, work);
    }
    read_all(*pool.pue_by_load, month.by_hour, load.data(), work.pue.data());
    return work.pue.data();
}

// Adds energy, carbon and water of IT power `watts` at a PUE, and their costs.
void meter(const Compiled& compiled, std::size_t p, std::size_t m, const MonthView& month, const double* watts, const double* pue,
           Workspace& work) {
    const CompiledPool& pool = compiled.pools[p];
    Ledger& ledger = work.ledger;
    const kernels::Metered metered =
        kernels::meter(month.by_hour, pool.pue.monthly[m] / 1000, month.weights, watts, pue, hourly(pool.energy_price, month, work),
                       hourly(pool.carbon_g_per_kwh, month, work));
    ledger.energy_kwh(m, p) = metered.kwh;
    ledger.carbon_kg(m, p) = pool.carbon_g_per_kwh.monthly[m] * metered.carbon / 1000;
    ledger.peak_kw(m, p) = metered.peak_kw;
    if (pool.water_l_per_kwh > 0) {
        ledger.water_l(m, p) = pool.water_l_per_kwh * kernels::dot(month.by_hour, month.weights, watts) / 1000;
    }
    if (pool.kind == PoolKind::owned) {
        ledger.carbon_kg(m, p) += pool.embodied_kg[m];
        bear(ledger, m, p, Category::energy, pool.energy_price.monthly[m] * metered.priced);
    }
    bear(ledger, m, p, Category::carbon, ledger.carbon_kg(m, p) * compiled.carbon_price_per_kg);
}

// Instance-hours of a cloud pool in the month; writes the running instances of each hour to `running`.
// A pool with a constant number of instances needs no sum: hours and instances are whole numbers, so their product is exact.
double instance_hours(const CompiledPool& pool, std::size_t m, const MonthView& month, Workspace::PoolHours& hours,
                      const std::vector<double>& zeros, bool keeps_hours, double* running) {
    const double least = pool.units_paid[m];
    if (pool.follows_demand && hours.touched) {
        const std::vector<double>& training = pool.defers ? hours.training : zeros;
        leave_out_standby(pool, m, month, hours, hours.inference.data());
        const double sum = kernels::running(month.size, least, month.weights, hours.inference.data(), training.data(), running);
        return month.fold != nullptr ? sum_over_hours(month, running) : sum;
    }
    const double* const window = month.values(pool.window);
    if (pool.metered || keeps_hours || window != nullptr) {
        kernels::scale(month.size, least, window, running);
    }
    return window == nullptr ? month.hours * least : sum_over_hours(month, running);
}

// Scales the busy devices of a pool that is available for the fraction `there` of each hour to means over the hour.
void thin(double there, const MonthView& month, bool defers, Workspace::PoolHours& hours, Workspace& work) {
    for (std::vector<double>* const array : {&hours.busy, &hours.gangs}) {
        if (array == &hours.busy || defers) {
            kernels::scale(month.size, there, array->data(), work.scratch.data());
            std::copy_n(work.scratch.begin(), month.size, array->begin());
        }
    }
}

// Charges extra costs that scale with paid instances or with the bill.
void charge_extras(const CompiledPool& pool, std::size_t p, std::size_t m, double instances, Ledger& ledger) {
    double bill = -1.0;
    for (const VariableExtra& extra : pool.extras) {
        double amount = extra.per_unit[m] * instances;
        if (extra.of_bill[m] != 0.0) {
            if (bill < 0.0) {
                bill = ledger.cost(m, p, at(Category::compute)) + ledger.cost(m, p, at(Category::usage)) + pool.commitment[m];
            }
            amount += extra.of_bill[m] * bill;
        }
        bear(ledger, m, p, extra.category, amount);
    }
}

// Adds energy and carbon of the units that a hosted model served, the carbon's cost, and the pool's extra costs.
void charge_api(const Compiled& compiled, std::size_t p, std::size_t m, Ledger& ledger) {
    const CompiledPool& pool = compiled.pools[p];
    const double units = used_by_all(ledger, m, p);
    ledger.energy_kwh(m, p) = units * pool.kwh_per_unit;
    ledger.carbon_kg(m, p) = units * pool.carbon_kg_per_unit;
    bear(ledger, m, p, Category::carbon, ledger.carbon_kg(m, p) * compiled.carbon_price_per_kg);
    charge_extras(pool, p, m, 0.0, ledger);
}

// Charges a pool's devices and adds their available hours; computes a metered pool's power into work.power.
void charge_devices(const Compiled& compiled, std::size_t p, std::size_t m, const MonthView& month, Workspace& work) {
    const CompiledPool& pool = compiled.pools[p];
    Workspace::PoolHours& hours = work.pools[p];
    Ledger& ledger = work.ledger;
    if (pool.there < 1.0 && hours.touched) {
        thin(pool.there, month, pool.defers, hours, work);
    }
    double paid = month.hours * pool.units_paid[m];
    double* const running = work.power.instances.data();
    if (pool.kind == PoolKind::cloud) {
        const bool is_committed = !compiled.spend.empty();
        const bool is_billed_later = is_committed || !compiled.device_hour_tiers.empty();
        paid = instance_hours(pool, m, month, hours, work.zeros, work.keeps_hours || is_committed, running);
        if (is_committed) {
            std::copy_n(running, month.size, hours.running.begin());
        }
        if (pool.there < 1.0) {
            paid *= pool.there;
        }
        bear(ledger, m, p, Category::compute, paid * pool.hourly_price[m]);
        if (!is_billed_later) { // otherwise charged after the discounts of spend commitments and tiers
            charge_extras(pool, p, m, paid / month.hours, ledger);
        }
    }
    ledger.available_hours(m, p) = paid * pool.devices_per_unit;
    if (hours.touched) {
        ledger.busy_hours(m, p) = sum_over_hours(month, hours.busy.data());
    }
    if (pool.metered || work.keeps_hours) {
        touch(compiled, p, m, month, work);
        std::vector<double>& available = work.power.available;
        const bool is_cloud = pool.kind == PoolKind::cloud;
        kernels::scale(month.size, (is_cloud ? pool.there : pool.units_serving[m]) * pool.devices_per_unit,
                       is_cloud ? running : nullptr, available.data());
        if (work.keeps_hours) {
            work.pools[p].available = available;
        }
        if (pool.metered) {
            read_power(pool, m, month, hours, work.power);
            unfold(month, work.power.it_watts, work.scratch);
            if (pool.pue_by_load) {
                unfold(month, work.power.utilization, work.scratch);
            }
        }
    }
}

// Charges rented pools after spend commitments and price tiers, then the extra costs that are fractions of that bill.
void charge_committed(const Compiled& compiled, std::size_t m, const MonthView& month, Workspace& work) {
    if (!compiled.spend.empty()) {
        charge_spend(compiled, m, month, work);
    }
    charge_device_hours(compiled, m, work.ledger);
    for (std::size_t p = 0; p < compiled.pools.size(); ++p) {
        if (compiled.pools[p].kind == PoolKind::cloud) {
            const double instances = work.ledger.available_hours(m, p) / compiled.pools[p].devices_per_unit / month.hours;
            charge_extras(compiled.pools[p], p, m, instances, work.ledger);
        }
    }
}

// Converts IT watts to facility kW.
void keep_kw(const CompiledPool& pool, std::size_t m, const MonthView& month, const double* watts, const double* pue,
             std::vector<double>& kw) {
    for (std::size_t h = 0; h < month.by_hour; ++h) {
        kw[h] = pool.pue.monthly[m] / 1000 * watts[h] * pue[h];
    }
}

void charge_cloud(const Compiled& compiled, std::size_t p, std::size_t m, const MonthView& month, Workspace& work) {
    charge_devices(compiled, p, m, month, work);
    const CompiledPool& pool = compiled.pools[p];
    if (pool.metered) { // a cloud site's load isn't known: the utilization of the devices stands in for it
        const double* const pue = read_pue(pool, month, work.power.utilization, work);
        meter(compiled, p, m, month, work.power.it_watts.data(), pue, work);
        if (work.keeps_hours) {
            keep_kw(pool, m, month, work.power.it_watts.data(), pue, work.pools[p].kw);
        }
    }
}

// Writes the load of a site to work.load: IT power over nameplate power.
void read_load(const CompiledSite& site, std::size_t m, const MonthView& month, const double* watts, Workspace& work) {
    kernels::scale(month.by_hour, site.nameplate_kw[m] * 1000, nullptr, work.scratch.data());
    kernels::utilization(month.by_hour, watts, work.scratch.data(), work.load.data());
}

// The largest power in the counted hours, and the earliest hour in which it occurs.
struct SitePeak {
    double kw = 0.0;
    std::size_t hour = 0;
};
SitePeak peak_of(const MonthView& month, const double* kw, const double* counts) {
    constexpr double kSame = 1e-9;
    SitePeak peak;
    for (std::size_t h = 0; h < month.distinct; ++h) {
        peak.kw = counts[h] > 0.0 ? std::max(peak.kw, kw[h]) : peak.kw;
    }
    std::uint32_t first = UINT32_MAX;
    for (std::size_t h = 0; h < month.distinct; ++h) {
        if (counts[h] > 0.0 && kw[h] >= peak.kw * (1 - kSame) && month.firsts[h] < first) {
            first = month.firsts[h];
            peak.hour = h;
        }
    }
    return peak;
}

// The mean power in the counted hours; 0 if no hour counts.
double mean_of(const MonthView& month, const double* kw, const double* counts) {
    double hours = 0.0;
    double kwh = 0.0;
    for (std::size_t h = 0; h < month.distinct; ++h) {
        const double weight = counts[h] > 0.0 ? month.weights[h] : 0.0;
        hours += weight;
        kwh += weight * kw[h];
    }
    return hours > 0.0 ? kwh / hours : 0.0;
}

// Bills a demand charge on the month's peak or the ratchet's, and allocates it to pools by `kw_of`, their power at the peak.
template <class KwOf>
void charge_peak(const Compiled& compiled, const CompiledSite& site, std::size_t d, std::size_t m, double kw, const KwOf& kw_of,
                 Workspace& work) {
    const CompiledCharge& charge = site.charges[d];
    Ledger& ledger = work.ledger;
    ledger.charge_kw(m, site.first_charge + d) = kw;
    const double amount = charge_amount(charge.prices, billed_kw(charge, site.first_charge + d, m, ledger), m);
    if (site.nameplate_kw[m] <= 0.0 || amount == 0.0) {
        return;
    }
    for (const std::size_t p : site.pools) {
        const CompiledPool& pool = compiled.pools[p];
        const double share = site.pools.size() == 1 ? 1.0 : kw > 0.0 ? kw_of(p) / kw : nameplate_share(site, pool, m);
        bear(ledger, m, p, Category::demand_charge, amount * share);
    }
}

// Charges a site of one pool whose demand charges count all hours: they need only the month's largest power.
void charge_plain_site(const Compiled& compiled, std::size_t s, std::size_t m, const MonthView& month, Workspace& work) {
    const CompiledSite& site = compiled.sites[s];
    const std::size_t p = site.pools.front();
    charge_devices(compiled, p, m, month, work);
    if (compiled.pools[p].pue_by_load) {
        read_load(site, m, month, work.power.it_watts.data(), work);
    }
    const double* const pue = read_pue(compiled.pools[p], month, work.load, work);
    meter(compiled, p, m, month, work.power.it_watts.data(), pue, work);
    if (work.keeps_hours) {
        keep_kw(compiled.pools[p], m, month, work.power.it_watts.data(), pue, work.pools[p].kw);
    }
    work.ledger.site_peak_kw(m, s) = work.ledger.peak_kw(m, p);
    for (std::size_t d = 0; d < site.charges.size(); ++d) {
        charge_peak(
            compiled, site, d, m, work.ledger.peak_kw(m, p), [](std::size_t) { return 0.0; }, work);
    }
}

void add_to(std::size_t n, const double* x, double* sum) {
    for (std::size_t h = 0; h < n; ++h) {
        sum[h] += x[h];
    }
}

// Bills a demand charge of a site whose power is known by hour and pool.
void charge_window(const Compiled& compiled, const CompiledSite& site, std::size_t d, std::size_t m, const MonthView& month,
                   const SitePeak& of_all, Workspace& work) {
    const CompiledCharge& charge = site.charges[d];
    const double* const counts = charge.has_hours ? hourly(charge.hours, month, work) : work.ones.data();
    if (charge.is_mean) {
        const auto mean_of_pool = [&](std::size_t p) { return mean_of(month, work.pools[p].kw.data(), counts); };
        charge_peak(compiled, site, d, m, mean_of(month, work.site_kw.data(), counts), mean_of_pool, work);
        return;
    }
    const SitePeak peak = charge.has_hours ? peak_of(month, work.site_kw.data(), counts) : of_all;
    charge_peak(
        compiled, site, d, m, peak.kw, [&](std::size_t p) { return work.pools[p].kw[peak.hour]; }, work);
}

// Charges a site of several pools, or with charges in some hours: power by hour and pool, at the PUE of the site's total load.
void charge_shared_site(const Compiled& compiled, std::size_t s, std::size_t m, const MonthView& month, Workspace& work) {
    const CompiledSite& site = compiled.sites[s];
    double* const watts = work.site_watts.data();
    std::fill_n(watts, month.by_hour, 0.0);
    for (const std::size_t p : site.pools) {
        charge_devices(compiled, p, m, month, work);
        std::copy_n(work.power.it_watts.data(), month.by_hour, work.pools[p].it_watts.data());
        add_to(month.by_hour, work.power.it_watts.data(), watts);
    }
    const CompiledPool& first = compiled.pools[site.pools.front()]; // all pools of a site have the same PUE
    if (first.pue_by_load) {
        read_load(site, m, month, watts, work);
    }
    const double* const pue = read_pue(first, month, work.load, work);
    double* const kw = work.site_kw.data();
    std::fill_n(kw, month.by_hour, 0.0);
    for (const std::size_t p : site.pools) {
        Workspace::PoolHours& hours = work.pools[p];
        meter(compiled, p, m, month, hours.it_watts.data(), pue, work);
        keep_kw(compiled.pools[p], m, month, hours.it_watts.data(), pue, hours.kw);
        add_to(month.by_hour, hours.kw.data(), kw);
    }
    const SitePeak peak = peak_of(month, kw, work.ones.data());
    work.ledger.site_peak_kw(m, s) = peak.kw;
    for (std::size_t d = 0; d < site.charges.size(); ++d) {
        charge_window(compiled, site, d, m, month, peak, work);
    }
}

void charge_site(const Compiled& compiled, std::size_t s, std::size_t m, const MonthView& month, Workspace& work) {
    if (compiled.sites[s].needs_hours) {
        charge_shared_site(compiled, s, m, month, work);
    } else {
        charge_plain_site(compiled, s, m, month, work);
    }
    charge_bill(compiled, s, m, work.ledger);
}

} // namespace

const Ledger& evaluate(const Compiled& compiled, Workspace& workspace) {
    workspace.ledger = compiled.fixed; // same shape: copies, does not allocate
    for (std::size_t m = 0; m < compiled.months; ++m) {
        stop_where_unwanted();
        evaluate_month(compiled, m, workspace);
    }
    return workspace.ledger;
}

void evaluate_month(const Compiled& compiled, std::size_t m, Workspace& workspace) {
    const MonthView whole = view_month(compiled, m);
    const MonthView month = workspace.keeps_hours ? whole : folded(whole);
    dispatch_month(compiled, m, month, workspace);
    charge_work(compiled, m, workspace.ledger);
    for (std::size_t p = 0; p < compiled.pools.size(); ++p) {
        if (compiled.pools[p].kind == PoolKind::cloud) {
            charge_cloud(compiled, p, m, month, workspace);
        } else if (compiled.pools[p].kind == PoolKind::api) {
            charge_api(compiled, p, m, workspace.ledger);
        }
    }
    if (!compiled.spend.empty() || !compiled.device_hour_tiers.empty()) {
        charge_committed(compiled, m, month, workspace);
    }
    charge_support(compiled, m, workspace.ledger);
    for (std::size_t s = 0; s < compiled.sites.size(); ++s) {
        charge_site(compiled, s, m, month, workspace);
    }
}

} // namespace costcurve::model
