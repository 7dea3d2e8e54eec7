// Cost of each hour under a routing of inference, to compare routings; ignores gangs, tiers and demand charges.
#include <algorithm>

#include "model/dispatch/parts.hpp"
#include "model/documents/units.hpp"
#include "model/kernels.hpp"

namespace costcurve::model {

namespace {

void add_product(std::size_t n, double factor, const double* x, double* bill) {
    for (std::size_t h = 0; h < n; ++h) {
        bill[h] += factor * x[h];
    }
}

// Adds the cost of energy (owned pools only) and of carbon for a pool's IT power.
void bill_power(const Compiled& compiled, const CompiledPool& pool, std::size_t m, const MonthView& month, const double* watts,
                const double* pue, const Workspace& work, double* bill) {
    const double* const tariff = hourly(pool.energy_price, month, work);
    const double* const intensity = hourly(pool.carbon_g_per_kwh, month, work);
    const double kwh = pool.there * pool.pue.monthly[m] / 1000; // kWh an hour per watt of IT power
    const double energy = pool.kind == PoolKind::owned ? kwh * pool.energy_price.monthly[m] : 0.0;
    const double carbon = kwh / 1000 * compiled.carbon_price_per_kg * pool.carbon_g_per_kwh.monthly[m];
    for (std::size_t h = 0; h < month.size; ++h) {
        bill[h] += watts[h] * pue[h] * (energy * tariff[h] + carbon * intensity[h]);
    }
}

// Computes the IT power of a pool's devices without gangs into work.power.
void read_power_of_inference(const CompiledPool& pool, std::size_t p, std::size_t m, const MonthView& month, Workspace& work) {
    if (pool.defers) {
        std::fill_n(work.pools[p].gangs.begin(), month.size, 0.0);
    }
    read_power(pool, m, month, work.pools[p], work.power);
}

void bill_cloud(const Compiled& compiled, std::size_t p, std::size_t m, const MonthView& month, Workspace& work, double* bill) {
    const CompiledPool& pool = compiled.pools[p];
    double* const instances = work.power.instances.data();
    kernels::scale(month.size, pool.units_paid[m], month.values(pool.window), instances);
    if (pool.follows_demand) {
        kernels::whole_instances(month.size, serving_devices(pool, m), pool.devices_per_unit, pool.holds_whole,
                                 work.pools[p].free.data(), work.scratch.data());
        leave_out_standby(pool, m, month, work.pools[p], work.scratch.data());
        for (std::size_t h = 0; h < month.size; ++h) {
            instances[h] = std::max(instances[h], work.scratch[h]);
        }
    }
    add_product(month.size, pool.there * pool.hourly_price[m], instances, bill);
    if (!pool.metered || compiled.carbon_price_per_kg == 0.0) {
        return;
    }
    kernels::scale(month.size, pool.devices_per_unit, instances, work.power.available.data());
    read_power_of_inference(pool, p, m, month, work);
    const double* pue = hourly(pool.pue, month, work);
    if (pool.pue_by_load) {
        read_all(*pool.pue_by_load, month.size, work.power.utilization.data(), work.pue.data());
        pue = work.pue.data();
    }
    bill_power(compiled, pool, m, month, work.power.it_watts.data(), pue, work, bill);
}

void bill_site(const Compiled& compiled, const CompiledSite& site, std::size_t m, const MonthView& month, Workspace& work,
               double* bill) {
    const CompiledPool& first = compiled.pools[site.pools.front()]; // all pools of a site have the same PUE
    double* const watts = work.site_watts.data();
    std::fill_n(watts, month.size, 0.0);
    for (const std::size_t p : site.pools) {
        const CompiledPool& pool = compiled.pools[p];
        kernels::scale(month.size, serving_devices(pool, m), nullptr, work.power.available.data());
        read_power_of_inference(pool, p, m, month, work);
        add_product(month.size, 1.0, work.power.it_watts.data(), watts);
    }
    const double* pue = hourly(first.pue, month, work);
    if (first.pue_by_load) {
        kernels::scale(month.size, site.nameplate_kw[m] * 1000, nullptr, work.scratch.data());
        kernels::utilization(month.size, watts, work.scratch.data(), work.load.data());
        read_all(*first.pue_by_load, month.size, work.load.data(), work.pue.data());
        pue = work.pue.data();
    }
    bill_power(compiled, first, m, month, watts, pue, work, bill);
}

} // namespace

void bill_hours(const Compiled& compiled, std::size_t m, const MonthView& month, Workspace& work, Workspace::Routing& routing) {
    double* const bill = routing.bill.data();
    std::fill_n(bill, month.size, 0.0);
    for (std::size_t p = 0; p < compiled.pools.size(); ++p) {
        if (compiled.pools[p].kind == PoolKind::cloud && compiled.pools[p].serves) {
            bill_cloud(compiled, p, m, month, work, bill);
        }
    }
    for (const CompiledSite& site : compiled.sites) {
        const auto serves = [&](std::size_t p) { return compiled.pools[p].serves; };
        if (std::any_of(site.pools.begin(), site.pools.end(), serves)) {
            bill_site(compiled, site, m, month, work, bill);
        }
    }
    for (std::size_t e = 0; e < compiled.entries.size(); ++e) {
        const CompiledEntry& entry = compiled.entries[e];
        const CompiledPool& pool = compiled.pools[entry.pool];
        double unit = entry.egress_per_unit * compiled.growth(static_cast<std::size_t>(Category::egress), m);
        if (pool.kind == PoolKind::api) {
            unit += entry.price_per_unit[m] + pool.carbon_kg_per_unit * compiled.carbon_price_per_kg;
        }
        if (unit != 0.0 && !compiled.workloads[entry.workload].is_deferrable()) {
            add_product(month.size, unit * kSecondsPerHour, routing.served[e].data(), bill);
        }
    }
}

} // namespace costcurve::model
