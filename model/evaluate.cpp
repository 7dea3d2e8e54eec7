// One month after the other: inference by the hour, training into what is left, then power and money.
#include "model/evaluate.hpp"

#include <algorithm>

#include "model/dispatch/dispatch.hpp"
#include "model/kernels.hpp"
#include "model/stop.hpp"

namespace costcurve::model {

namespace {

std::size_t at(Category category) { return static_cast<std::size_t>(category); }

// Cost and cash of the same month, paid at its end.
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

// What a month's work costs by itself: API usage, egress, work left undone.
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
            bear_direct(ledger, m, entry.pool, w, kEgress, units * entry.egress_per_unit * egress_growth);
            if (!entry.price_per_unit.empty()) {
                bear_direct(ledger, m, entry.pool, w, kUsage, units * entry.price_per_unit[m]);
            }
        }
        bear_direct(ledger, m, compiled.pools.size(), w, kUnserved,
                    units_unserved(compiled, ledger, m, w) * workload.unserved_cost_per_unit);
    }
}

// PUE of each hour, where it is a curve at that load.
const double* read_pue(const CompiledPool& pool, const MonthView& month, const std::vector<double>& load, Workspace& work) {
    if (!pool.pue_by_load) {
        return hourly(pool.pue, month, work);
    }
    read_all(*pool.pue_by_load, month.by_hour, load.data(), work.pue.data());
    return work.pue.data();
}

// Energy of IT power at a PUE, its carbon and water, and what they cost.
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

// Instance-hours of a cloud pool in the month; the running instances of each hour go to `running`.
// Hours and instances are whole, so that a pool whose instances are always the same needs no sum.
double instance_hours(const CompiledPool& pool, std::size_t m, const MonthView& month, Workspace::PoolHours& hours,
                      const std::vector<double>& zeros, bool keeps_hours, double* running) {
    const double least = pool.units_paid[m];
    if (pool.follows_demand && hours.touched) {
        const std::vector<double>& training = pool.defers ? hours.training : zeros;
        leave_out_standby(pool, m, month, hours, hours.inference.data());
        const double sum = kernels::running(month.size, least, month.weights, hours.inference.data(), training.data(), running);
        return month.fold != nullptr ? sum_over_hours(month, running) : sum;
    }
    if (pool.metered || keeps_hours) {
        kernels::scale(month.size, least, nullptr, running);
    }
    return month.hours * least;
}

// Hourly arrays of a pool that is there for a part of each hour, as they are in the mean over the hour.
void thin(double there, const MonthView& month, bool defers, Workspace::PoolHours& hours, Workspace& work) {
    for (std::vector<double>* const array : {&hours.busy, &hours.gangs}) {
        if (array == &hours.busy || defers) {
            kernels::scale(month.size, there, array->data(), work.scratch.data());
            std::copy_n(work.scratch.begin(), month.size, array->begin());
        }
    }
}

// Extra costs by the instance and by the bill.
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

// What a hosted model is known to take for what it served.
void charge_api(const Compiled& compiled, std::size_t p, std::size_t m, Ledger& ledger) {
    const CompiledPool& pool = compiled.pools[p];
    const double units = used_by_all(ledger, m, p);
    ledger.energy_kwh(m, p) = units * pool.kwh_per_unit;
    ledger.carbon_kg(m, p) = units * pool.carbon_kg_per_unit;
    bear(ledger, m, p, Category::carbon, ledger.carbon_kg(m, p) * compiled.carbon_price_per_kg);
    charge_extras(pool, p, m, 0.0, ledger);
}

// What is paid for a pool's devices, and the hours they are there; of a metered pool also its power, into work.power.
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
        paid = instance_hours(pool, m, month, hours, work.zeros, work.keeps_hours, running);
        if (pool.there < 1.0) {
            paid *= pool.there;
        }
        bear(ledger, m, p, Category::compute, paid * pool.hourly_price[m]);
        charge_extras(pool, p, m, paid / month.hours, ledger);
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

// Watts become facility kW.
void keep_kw(const CompiledPool& pool, std::size_t m, const MonthView& month, const double* watts, const double* pue,
             std::vector<double>& kw) {
    for (std::size_t h = 0; h < month.by_hour; ++h) {
        kw[h] = pool.pue.monthly[m] / 1000 * watts[h] * pue[h];
    }
}

void charge_cloud(const Compiled& compiled, std::size_t p, std::size_t m, const MonthView& month, Workspace& work) {
    charge_devices(compiled, p, m, month, work);
    const CompiledPool& pool = compiled.pools[p];
    if (pool.metered) { // the load of a cloud's site is not known: that of the devices stands for it
        const double* const pue = read_pue(pool, month, work.power.utilization, work);
        meter(compiled, p, m, month, work.power.it_watts.data(), pue, work);
        if (work.keeps_hours) {
            keep_kw(pool, m, month, work.power.it_watts.data(), pue, work.pools[p].kw);
        }
    }
}

// The load of a site: IT power over nameplate.
void read_load(const CompiledSite& site, std::size_t m, const MonthView& month, const double* watts, Workspace& work) {
    kernels::scale(month.by_hour, site.nameplate_kw[m] * 1000, nullptr, work.scratch.data());
    kernels::utilization(month.by_hour, watts, work.scratch.data(), work.load.data());
}

// The largest power in the hours that count, and the first hour in the month's order of time that has it.
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

// A demand charge: bills its peak or the ratchet's, and shares it by the pools' power at the peak.
void charge_peak(const Compiled& compiled, const CompiledSite& site, std::size_t d, std::size_t m, const SitePeak& peak,
                 Workspace& work) {
    const CompiledCharge& charge = site.charges[d];
    Ledger& ledger = work.ledger;
    ledger.charge_kw(m, site.first_charge + d) = peak.kw;
    const double amount = billed_kw(charge, site.first_charge + d, m, ledger) * charge.per_kw[m];
    if (site.nameplate_kw[m] <= 0.0 || amount == 0.0) {
        return;
    }
    for (const std::size_t p : site.pools) {
        const CompiledPool& pool = compiled.pools[p];
        const double share = site.pools.size() == 1 ? 1.0
                             : peak.kw > 0.0        ? work.pools[p].kw[peak.hour] / peak.kw
                                                    : pool.units_paid[m] * pool.power.nameplate_w / 1000 / site.nameplate_kw[m];
        bear(ledger, m, p, Category::demand_charge, amount * share);
    }
}

// What is added to the price of energy beyond numbers of kWh.
void charge_tiers(const CompiledSite& site, std::size_t m, Ledger& ledger) {
    double kwh = 0.0;
    for (const std::size_t p : site.pools) {
        kwh += ledger.energy_kwh(m, p);
    }
    double amount = 0.0;
    for (const EnergyTier& tier : site.tiers) {
        amount += tier.add_per_kwh * std::max(0.0, kwh - tier.above_kwh_month);
    }
    for (const std::size_t p : site.pools) {
        if (amount != 0.0) {
            bear(ledger, m, p, Category::energy, amount * ledger.energy_kwh(m, p) / kwh);
        }
    }
}

// One pool without windows: the month's largest power is all that is needed of its hours.
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
        charge_peak(compiled, site, d, m, {work.ledger.peak_kw(m, p), 0}, work);
    }
}

void add_to(std::size_t n, const double* x, double* sum) {
    for (std::size_t h = 0; h < n; ++h) {
        sum[h] += x[h];
    }
}

// Several pools, or charges in hours: every pool's power by hour, at the PUE of all together.
void charge_shared_site(const Compiled& compiled, std::size_t s, std::size_t m, const MonthView& month, Workspace& work) {
    const CompiledSite& site = compiled.sites[s];
    double* const watts = work.site_watts.data();
    std::fill_n(watts, month.by_hour, 0.0);
    for (const std::size_t p : site.pools) {
        charge_devices(compiled, p, m, month, work);
        std::copy_n(work.power.it_watts.data(), month.by_hour, work.pools[p].it_watts.data());
        add_to(month.by_hour, work.power.it_watts.data(), watts);
    }
    const CompiledPool& first = compiled.pools[site.pools.front()]; // all of one site read the same
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
        const CompiledCharge& charge = site.charges[d];
        charge_peak(compiled, site, d, m, charge.has_hours ? peak_of(month, kw, hourly(charge.hours, month, work)) : peak, work);
    }
}

void charge_site(const Compiled& compiled, std::size_t s, std::size_t m, const MonthView& month, Workspace& work) {
    if (compiled.sites[s].needs_hours) {
        charge_shared_site(compiled, s, m, month, work);
    } else {
        charge_plain_site(compiled, s, m, month, work);
    }
    if (!compiled.sites[s].tiers.empty()) {
        charge_tiers(compiled.sites[s], m, work.ledger);
    }
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
    for (std::size_t s = 0; s < compiled.sites.size(); ++s) {
        charge_site(compiled, s, m, month, workspace);
    }
}

double billed_kw(const CompiledCharge& charge, std::size_t index, std::size_t m, const Ledger& ledger) {
    double kw = ledger.charge_kw(m, index);
    for (std::size_t back = m - std::min(m, charge.ratchet_months); charge.ratchet_fraction > 0.0 && back < m; ++back) {
        if (charge.is_peak_month[back] != 0) {
            kw = std::max(kw, charge.ratchet_fraction * ledger.charge_kw(back, index));
        }
    }
    return kw;
}

} // namespace costcurve::model
