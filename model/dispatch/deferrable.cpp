// Gangs of training and batch work in the cheapest of the hours that inference leaves.
#include <algorithm>
#include <cmath>

#include "model/dispatch/parts.hpp"
#include "model/documents/units.hpp"
#include "model/kernels.hpp"

namespace costcurve::model {

namespace {

constexpr double kNegligibleWork = 1e-12; // of the month's work
constexpr double kPriceDecimals = 1e9;    // prices are equal where they agree to 9 decimals

double rounded(double price) { return std::round(price * kPriceDecimals); }

// Runs gangs in `hours` at the given fraction of those that fit.
struct GangShare {
    double devices;   ///< of a gang
    double held;      ///< of its hosts
    double instances; ///< of a gang on a cloud pool, 0 on an owned one
    double fraction;
};
void run_gangs(const GangShare& share, std::size_t h, double gangs, Workspace::PoolHours& pool) {
    const double run = share.fraction * gangs;
    pool.reserved[h] += run * share.held;
    pool.busy[h] += run * share.devices;
    pool.gangs[h] += run * share.devices;
    pool.training[h] += run * share.instances;
}

// Fills `wanted` gang-hours into the hours by ascending energy price; returns those that ran.
double fill_gangs(const Compiled& compiled, const CompiledEntry& entry, double wanted, std::size_t m, const MonthView& month,
                  Workspace& work) {
    const CompiledPool& pool = compiled.pools[entry.pool];
    Workspace::PoolHours& hours = work.pools[entry.pool];
    const bool cloud = pool.kind == PoolKind::cloud;
    const double* const prices = cloud ? nullptr : month.values(pool.energy_price);
    GangShare share{entry.devices, entry.held, cloud ? entry.instances : 0.0, 0.0};
    if (prices == nullptr) {
        const double room = pool.there * kernels::dot(month.size, month.weights, work.gangs.data());
        if (room <= 0.0) {
            return 0.0;
        }
        share.fraction = std::min(1.0, wanted / room);
        for (std::size_t h = 0; h < month.size; ++h) {
            run_gangs(share, h, work.gangs[h], hours);
        }
        return share.fraction * room;
    }
    const auto& ascending = compiled.ascending_hours[static_cast<std::size_t>(pool.energy_price.curve)][month.set];
    const double level = pool.energy_price.monthly[m];
    double ran = 0.0;
    for (std::size_t first = 0; first < ascending.size() && ran < wanted;) {
        const double price = rounded(level * prices[ascending[first]]);
        double room = 0.0;
        std::size_t end = first;
        for (; end < ascending.size() && rounded(level * prices[ascending[end]]) == price; ++end) {
            room += month.weights[ascending[end]] * work.gangs[ascending[end]];
        }
        if (room > 0.0) {
            share.fraction = std::min(1.0, (wanted - ran) / room);
            for (std::size_t i = first; i < end; ++i) {
                run_gangs(share, ascending[i], work.gangs[ascending[i]], hours);
            }
            ran += share.fraction * room;
        }
        first = end;
    }
    return std::min(ran, wanted);
}

// Of `units` in as many or fewer: work that fits is done to the last unit, for what rounding leaves must not start a gang
// elsewhere.
double done_of(double units, double ran) { return ran >= units * (1 - kNegligibleWork) ? units : ran; }

// Units that a hosted model does of `units`, in what is left of its bound, all hours alike.
double batch_on_api(std::size_t pool, double there, double units, const MonthView& month, Workspace& work) {
    std::vector<double>& left = work.pools[pool].free;
    if (!std::isfinite(left[0])) {
        return units;
    }
    const double room = there * kernels::dot(month.size, month.weights, left.data()) * kSecondsPerHour;
    if (room <= 0.0) {
        return 0.0;
    }
    const double fraction = std::min(1.0, units / room);
    kernels::scale(month.size, 1 - fraction, left.data(), work.scratch.data());
    std::copy_n(work.scratch.begin(), month.size, left.begin());
    return done_of(units, fraction * room);
}

// Units that gangs do of `units`; the pool's free units are those that inference and earlier work left.
double run_on_devices(const Compiled& compiled, std::size_t e, double units, std::size_t m, const MonthView& month,
                      Workspace& work) {
    const CompiledEntry& entry = compiled.entries[e];
    const CompiledPool& pool = compiled.pools[entry.pool];
    Workspace::PoolHours& hours = work.pools[entry.pool];
    if (pool.kind == PoolKind::cloud) {
        kernels::add(month.size, hours.inference.data(), hours.training.data(), work.scratch.data());
        kernels::whole_gangs(month.size, pool.units_serving[m], work.scratch.data(), entry.instances, work.gangs.data());
    } else {
        kernels::whole_gangs(month.size, serving_devices(pool, m), hours.reserved.data(), entry.held, work.gangs.data());
    }
    const double units_per_gang_hour = entry.rate * learned(pool, m) * kSecondsPerHour;
    const double ran = fill_gangs(compiled, entry, units / units_per_gang_hour, m, month, work);
    work.ledger.reserved_hours(m, entry.pool, entry.workload) += ran * entry.held;
    work.ledger.used_hours(m, entry.pool, entry.workload) += ran * entry.devices;
    return done_of(units, ran * units_per_gang_hour);
}

// Units of training or batch work done of `units`.
double run_on(const Compiled& compiled, std::size_t e, double units, std::size_t m, const MonthView& month, Workspace& work) {
    const CompiledEntry& entry = compiled.entries[e];
    const bool is_api = compiled.pools[entry.pool].kind == PoolKind::api;
    if (units <= 0.0 || (!is_api && entry.rate <= 0.0)) {
        return 0.0;
    }
    const double done = is_api ? batch_on_api(entry.pool, compiled.pools[entry.pool].there, units, month, work)
                               : run_on_devices(compiled, e, units, m, month, work);
    if (is_api) {
        work.ledger.reserved_hours(m, entry.pool, entry.workload) += done;
        work.ledger.used_hours(m, entry.pool, entry.workload) += done;
    }
    work.ledger.served(m, e) = done;
    return done;
}

// The route of deferrable work in a month: by mean marginal price, where that is asked for.
void order_deferrable(const Compiled& compiled, const CompiledWorkload& workload, std::size_t m, const MonthView& month,
                      Workspace& work) {
    const std::size_t n = workload.end_entry - workload.first_entry;
    for (std::size_t place = 0; place < n; ++place) {
        double mean = 0.0;
        if (workload.cheapest) {
            const CompiledEntry& entry = compiled.entries[workload.first_entry + place];
            price_entry(compiled, entry, entry.marginal_price[m], m, month, work, work.marginal[place].data());
            mean = kernels::dot(month.size, month.weights, work.marginal[place].data()) / month.hours;
        }
        work.marginal[place][0] = mean;
    }
    sort_route(workload, 0, work);
}

} // namespace

void dispatch_deferrable(const Compiled& compiled, const CompiledWorkload& workload, std::size_t w, std::size_t m,
                         const MonthView& month, Workspace& work) {
    Ledger& ledger = work.ledger;
    const double carried = m > 0 && workload.carries_over ? ledger.backlog(m - 1, w) : 0.0;
    double left = workload.work[m] + carried;
    ledger.demanded(m, w) = workload.work[m];
    order_deferrable(compiled, workload, m, month, work);
    for (std::size_t i = 0; i < workload.end_entry - workload.first_entry; ++i) {
        left -= run_on(compiled, workload.first_entry + work.order[i], left, m, month, work);
    }
    ledger.backlog(m, w) = workload.carries_over ? std::max(0.0, left) : 0.0;
}

} // namespace costcurve::model
