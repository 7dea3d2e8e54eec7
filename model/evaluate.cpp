// One month after the other: inference by the hour, training into what is left, then power and money.
#include "model/evaluate.hpp"

#include <algorithm>

#include "model/dispatch.hpp"
#include "model/kernels.hpp"

namespace costcurve::model {

namespace {

std::size_t at(Category category) { return static_cast<std::size_t>(category); }

// Cost and cash of the same month, paid at its end.
void bear(Ledger& ledger, std::size_t m, std::size_t p, Category category, double amount) {
    ledger.cost(m, p, at(category)) += amount;
    ledger.cash(m, p, at(category)) += amount;
    ledger.cash_end(m, p) += amount;
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
    for (std::size_t w = 0; w < compiled.workloads.size(); ++w) {
        const CompiledWorkload& workload = compiled.workloads[w];
        double served = 0.0;
        for (std::size_t e = workload.first_entry; e < workload.end_entry; ++e) {
            const CompiledEntry& entry = compiled.entries[e];
            const double units = ledger.served(m, e);
            served += units;
            bear_direct(ledger, m, entry.pool, w, kEgress, units * entry.egress_per_unit);
            if (!entry.price_per_unit.empty()) {
                bear_direct(ledger, m, entry.pool, w, kUsage, units * entry.price_per_unit[m]);
            }
        }
        const double unserved = std::max(0.0, ledger.demanded(m, w) - served);
        bear_direct(ledger, m, compiled.pools.size(), w, kUnserved, unserved * workload.unserved_cost_per_unit);
    }
}

// IT power of a cloud pool's running devices, or of an owned pool's servers, in watts by hour; into work.z.
// `available` are devices that may be busy.
void it_power(const CompiledPool& pool, std::size_t m, const MonthView& month, const Workspace::PoolHours& hours,
              const double* available, Workspace& work) {
    const std::size_t n = month.size;
    double* const u = work.x.data();
    double* const device_w = work.y.data();
    double* const watts = work.z.data();
    const PowerDraw& power = pool.power;
    kernels::utilization(n, hours.busy.data(), available, u);
    if (pool.kind == PoolKind::cloud) {
        read_all(power.device, n, u, device_w);
        kernels::multiply(n, available, device_w, watts);
        return;
    }
    const double active = pool.units_serving[m];
    const double ramping = pool.units_paid[m] - active;
    const double idle_w = ramping * (power.host_idle_w + pool.devices_per_unit * power.device.at_zero);
    kernels::scale(n, idle_w + active * power.host_idle_w, nullptr, watts);
    kernels::add_scaled(n, active * (power.host_max_w - power.host_idle_w), u, watts);
    if (power.pack) {
        kernels::add_scaled(n, power.device.at_one - power.device.at_zero, hours.busy.data(), watts);
        kernels::add_scaled(n, power.device.at_zero, available, watts);
    } else {
        read_all(power.device, n, u, device_w);
        kernels::add_scaled(n, active * pool.devices_per_unit, device_w, watts);
    }
}

// Facility power of the watts in work.z, its energy, cost and carbon.
void meter(const Compiled& compiled, const CompiledPool& pool, std::size_t p, std::size_t m, const MonthView& month,
           Workspace& work) {
    const std::size_t n = month.size;
    Ledger& ledger = work.ledger;
    double* const watts = work.z.data();
    double* const facility_kw = work.y.data();
    if (pool.pue_by_load) {
        double* const load = work.x.data(); // holds the devices' utilization: the load of a cloud pool
        if (pool.kind == PoolKind::owned) {
            kernels::scale(n, pool.power.nameplate_w * pool.units_paid[m], nullptr, facility_kw);
            kernels::utilization(n, watts, facility_kw, load);
        }
        read_all(*pool.pue_by_load, n, load, facility_kw);
        kernels::multiply(n, watts, facility_kw, load);
        kernels::scale(n, 1e-3, load, facility_kw);
    } else {
        const double factor = pool.pue.monthly[m] / 1000;
        if (const double* const pue = month.values(pool.pue)) {
            kernels::multiply(n, watts, pue, work.x.data());
            kernels::scale(n, factor, work.x.data(), facility_kw);
        } else {
            kernels::scale(n, factor, watts, facility_kw);
        }
    }
    const double kwh = kernels::dot(n, month.weights, facility_kw);
    const auto weighted = [&](const Signal& signal) {
        const double* const values = month.values(signal);
        return signal.monthly[m] * (values == nullptr ? kwh : kernels::dot3(n, month.weights, facility_kw, values));
    };
    ledger.energy_kwh(m, p) = kwh;
    ledger.carbon_kg(m, p) = weighted(pool.carbon_g_per_kwh) / 1000;
    ledger.peak_kw(m, p) = kernels::largest_weighted(n, month.weights, facility_kw);
    if (pool.kind == PoolKind::owned) {
        ledger.carbon_kg(m, p) += pool.embodied_kg[m];
        bear(ledger, m, p, Category::energy, weighted(pool.energy_price));
        bear(ledger, m, p, Category::demand_charge, ledger.peak_kw(m, p) * pool.demand_charge_per_kw);
    }
    bear(ledger, m, p, Category::carbon, ledger.carbon_kg(m, p) * compiled.carbon_price_per_kg);
}

void charge_pool(const Compiled& compiled, std::size_t p, std::size_t m, const MonthView& month, Workspace& work) {
    const CompiledPool& pool = compiled.pools[p];
    const Workspace::PoolHours& hours = work.pools[p];
    const std::size_t n = month.size;
    Ledger& ledger = work.ledger;
    double* const available = work.served.data(); // devices that may be busy, by hour
    if (pool.kind == PoolKind::cloud) {
        double* const running = work.left.data();
        if (pool.follows_demand) {
            kernels::running(n, pool.units_paid[m], hours.inference.data(), hours.training.data(), running);
        } else {
            kernels::scale(n, pool.units_paid[m], nullptr, running);
        }
        const double instance_hours = kernels::dot(n, month.weights, running);
        kernels::scale(n, pool.devices_per_unit, running, available);
        ledger.available_hours(m, p) = instance_hours * pool.devices_per_unit;
        bear(ledger, m, p, Category::compute, instance_hours * pool.hourly_price[m]);
    } else {
        kernels::scale(n, pool.units_serving[m] * pool.devices_per_unit, nullptr, available);
        ledger.available_hours(m, p) = month.hours * pool.units_paid[m] * pool.devices_per_unit;
    }
    ledger.busy_hours(m, p) = kernels::dot(n, month.weights, hours.busy.data());
    if (pool.metered) {
        it_power(pool, m, month, hours, available, work);
        meter(compiled, pool, p, m, month, work);
    }
}

} // namespace

Workspace::Workspace(const Compiled& compiled) : ledger(compiled.fixed) {
    const std::vector<double> hours(compiled.hours.largest, 0.0);
    pools.assign(compiled.pools.size(), {hours, hours, hours, hours, hours});
    for (std::vector<double>* array : {&left, &served, &taken, &gangs, &x, &y, &z}) {
        *array = hours;
    }
    std::size_t longest = 0;
    for (const CompiledWorkload& workload : compiled.workloads) {
        longest = std::max(longest, workload.end_entry - workload.first_entry);
    }
    marginal.assign(longest, hours);
    order.resize(longest);
}

const Ledger& evaluate(const Compiled& compiled, Workspace& workspace) {
    workspace.ledger = compiled.fixed; // same shape: copies, does not allocate
    for (std::size_t m = 0; m < compiled.months; ++m) {
        const MonthView month = view_month(compiled, m);
        dispatch_month(compiled, m, month, workspace);
        charge_work(compiled, m, workspace.ledger);
        for (std::size_t p = 0; p < compiled.pools.size(); ++p) {
            if (compiled.pools[p].kind != PoolKind::api) {
                charge_pool(compiled, p, m, month, workspace);
            }
        }
    }
    return workspace.ledger;
}

} // namespace costcurve::model
