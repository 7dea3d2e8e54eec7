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
// `available` are devices that may be busy. Leaves their utilization in work.x.
void it_power(const CompiledPool& pool, std::size_t m, const MonthView& month, const Workspace::PoolHours& hours,
              const double* available, Workspace& work) {
    const std::size_t n = month.size;
    double* const u = work.x.data();
    double* const device_w = work.y.data();
    double* const watts = work.z.data();
    const PowerDraw& power = pool.power;
    kernels::utilization(n, hours.busy.data(), available, u);
    if (!power.pack || pool.kind == PoolKind::cloud) {
        read_all(power.device, n, u, device_w);
    }
    if (pool.kind == PoolKind::cloud) {
        kernels::multiply(n, available, device_w, watts);
        return;
    }
    const double active = pool.units_serving[m];
    const double ramping = pool.units_paid[m] - active;
    const double idle_w = ramping * (power.host_idle_w + pool.devices_per_unit * power.device.at_zero);
    const double constant = idle_w + active * power.host_idle_w;
    const double by_u = active * (power.host_max_w - power.host_idle_w);
    const double devices = active * pool.devices_per_unit;
    if (power.pack) {
        const double by_busy = power.device.at_one - power.device.at_zero;
        kernels::linear(n, {constant, by_u, by_busy, power.device.at_zero * devices}, u, hours.busy.data(), watts);
    } else {
        kernels::linear(n, {constant, by_u, devices, 0.0}, u, device_w, watts);
    }
}

// Facility power of the watts in work.z, its energy, cost and carbon.
void meter(const Compiled& compiled, const CompiledPool& pool, std::size_t p, std::size_t m, const MonthView& month,
           Workspace& work) {
    const std::size_t n = month.size;
    Ledger& ledger = work.ledger;
    const double* const watts = work.z.data();
    const auto hourly = [&](const Signal& signal) {
        const double* const values = month.values(signal);
        return values == nullptr ? work.ones.data() : values;
    };
    const double* pue = hourly(pool.pue);
    if (pool.pue_by_load) {
        double* const load = work.x.data(); // holds the devices' utilization: the load of a cloud pool
        double* const read = work.y.data();
        if (pool.kind == PoolKind::owned) {
            kernels::scale(n, pool.power.nameplate_w * pool.units_paid[m], nullptr, read);
            kernels::utilization(n, watts, read, load);
        }
        read_all(*pool.pue_by_load, n, load, read);
        pue = read;
    }
    if (work.keeps_hours) {
        std::vector<double>& kw = work.pools[p].kw;
        for (std::size_t h = 0; h < n; ++h) {
            kw[h] = pool.pue.monthly[m] / 1000 * watts[h] * pue[h];
        }
    }
    const kernels::Metered metered = kernels::meter(n, pool.pue.monthly[m] / 1000, month.weights, watts, pue,
                                                    hourly(pool.energy_price), hourly(pool.carbon_g_per_kwh));
    ledger.energy_kwh(m, p) = metered.kwh;
    ledger.carbon_kg(m, p) = pool.carbon_g_per_kwh.monthly[m] * metered.carbon / 1000;
    ledger.peak_kw(m, p) = metered.peak_kw;
    if (pool.kind == PoolKind::owned) {
        ledger.carbon_kg(m, p) += pool.embodied_kg[m];
        bear(ledger, m, p, Category::energy, pool.energy_price.monthly[m] * metered.priced);
        bear(ledger, m, p, Category::demand_charge, metered.peak_kw * pool.demand_charge_per_kw);
    }
    bear(ledger, m, p, Category::carbon, ledger.carbon_kg(m, p) * compiled.carbon_price_per_kg);
}

// Instance-hours of a cloud pool in the month; the running instances of each hour go to `running`.
// Hours and instances are whole, so that a pool whose instances are always the same needs no sum.
double instance_hours(const CompiledPool& pool, std::size_t m, const MonthView& month, const Workspace::PoolHours& hours,
                      const std::vector<double>& zeros, bool keeps_hours, double* running) {
    const double least = pool.units_paid[m];
    if (pool.follows_demand && hours.touched) {
        const std::vector<double>& training = pool.trains ? hours.training : zeros;
        return kernels::running(month.size, least, month.weights, hours.inference.data(), training.data(), running);
    }
    if (pool.metered || keeps_hours) {
        kernels::scale(month.size, least, nullptr, running);
    }
    return month.hours * least;
}

void charge_pool(const Compiled& compiled, std::size_t p, std::size_t m, const MonthView& month, Workspace& work) {
    const CompiledPool& pool = compiled.pools[p];
    const Workspace::PoolHours& hours = work.pools[p];
    Ledger& ledger = work.ledger;
    double paid = month.hours * pool.units_paid[m];
    double* const running = work.left.data(); // instances, by hour
    if (pool.kind == PoolKind::cloud) {
        paid = instance_hours(pool, m, month, hours, work.zeros, work.keeps_hours, running);
        bear(ledger, m, p, Category::compute, paid * pool.hourly_price[m]);
    }
    ledger.available_hours(m, p) = paid * pool.devices_per_unit;
    if (hours.touched) {
        ledger.busy_hours(m, p) = kernels::dot(month.size, month.weights, hours.busy.data());
    }
    if (pool.metered || work.keeps_hours) {
        touch(compiled, p, m, month, work);
        double* const available = work.gangs.data(); // devices that may be busy, by hour
        const bool is_cloud = pool.kind == PoolKind::cloud;
        kernels::scale(month.size, (is_cloud ? 1.0 : pool.units_serving[m]) * pool.devices_per_unit, is_cloud ? running : nullptr,
                       available);
        if (work.keeps_hours) {
            work.pools[p].available = work.gangs;
        }
        if (pool.metered) {
            it_power(pool, m, month, hours, available, work);
            meter(compiled, pool, p, m, month, work);
        }
    }
}

} // namespace

Workspace::Workspace(const Compiled& compiled) : ledger(compiled.fixed) {
    const std::vector<double> hours(compiled.hours.largest, 0.0);
    pools.assign(compiled.pools.size(), {false, hours, hours, hours, hours, hours, hours, hours});
    for (std::vector<double>* array : {&left, &gangs, &x, &y, &z, &zeros}) {
        *array = hours;
    }
    ones.assign(compiled.hours.largest, 1.0);
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
        evaluate_month(compiled, m, workspace);
    }
    return workspace.ledger;
}

void evaluate_month(const Compiled& compiled, std::size_t m, Workspace& workspace) {
    const MonthView month = view_month(compiled, m);
    dispatch_month(compiled, m, month, workspace);
    charge_work(compiled, m, workspace.ledger);
    for (std::size_t p = 0; p < compiled.pools.size(); ++p) {
        if (compiled.pools[p].kind != PoolKind::api) {
            charge_pool(compiled, p, m, month, workspace);
        }
    }
}

} // namespace costcurve::model
