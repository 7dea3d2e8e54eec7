// Inference in every hour: in order or by marginal cost, each entry taking what its replicas serve of what is left.
#include <algorithm>
#include <cmath>
#include <numeric>

#include "model/dispatch/outages.hpp"
#include "model/dispatch/parts.hpp"
#include "model/documents/units.hpp"
#include "model/kernels.hpp"

namespace costcurve::model {

namespace {

// The sum over the weighted hours [first, first + n) of an array of load.
double sum_of_hours(const MonthView& month, std::size_t first, std::size_t n, const double* load) {
    if (n == month.size) {
        return sum_over_hours(month, load);
    }
    return std::inner_product(load + first, load + first + n, month.weights + first, 0.0);
}

// An entry of a workload with outages.
kernels::Served serve_in_expectation(const Compiled& compiled, std::size_t e, std::size_t m, const MonthView& month,
                                     std::size_t first, std::size_t n, Workspace& work) {
    const CompiledEntry& entry = compiled.entries[e];
    const CompiledPool& target = compiled.pools[entry.pool];
    Workspace::PoolHours& pool = work.pools[entry.pool];
    const OutageHours hours{&work.demand[first], &work.unserved[first], &work.room[first], &work.served[first], &work.held[first]};
    if (target.kind == PoolKind::api) {
        serve_failing_api(n, target.there, hours, &pool.free[first]);
    } else if (entry.usable_rate > 0) {
        const FailingReplicas replicas{entry.replicas_up,
                                       entry.usable_rate * learned(target, m),
                                       entry.rate * learned(target, m),
                                       entry.devices,
                                       entry.held,
                                       target.holds_whole,
                                       compiled.workloads[entry.workload].spare_replicas,
                                       !target.follows_demand,
                                       target.there};
        serve_failing(n, replicas, hours, &pool.free[first], &pool.busy[first]);
    } else {
        return {0.0, 0.0, HUGE_VAL};
    }
    const double most_left = *std::max_element(hours.left, hours.left + n); // of hours that don't weigh, too
    return {sum_of_hours(month, first, n, work.served.data()), target.there * sum_of_hours(month, first, n, work.held.data()),
            most_left};
}

// Serves one entry in the hours [first, first + n) and books it. Returns the most that is left in one of them.
double serve_entry(const Compiled& compiled, std::size_t e, std::size_t m, const MonthView& month, std::size_t first, std::size_t n,
                   Workspace& work) {
    const CompiledEntry& entry = compiled.entries[e];
    touch(compiled, entry.pool, m, month, work);
    const CompiledPool& target = compiled.pools[entry.pool];
    Workspace::PoolHours& pool = work.pools[entry.pool];
    const double* const weights = month.weights + first;
    const double rate = entry.rate * learned(target, m);
    kernels::Served served{0.0, 0.0, HUGE_VAL};
    if (compiled.workloads[entry.workload].has_outages) {
        served = serve_in_expectation(compiled, e, m, month, first, n, work);
    } else if (target.kind == PoolKind::api) {
        served = month.fold != nullptr ? kernels::serve_bounded_folded(month.fold->at, n, weights, work.unserved.data(),
                                                                       pool.free.data(), work.served.data())
                                       : kernels::serve_bounded(n, weights, &work.unserved[first], &pool.free[first]);
    } else if (entry.usable_rate > 0) {
        const kernels::Replicas replicas{entry.usable_rate * learned(target, m), rate, entry.devices, entry.held,
                                         target.holds_whole};
        served = month.fold != nullptr
                     ? kernels::serve_folded(month.fold->at, n, replicas, weights, work.unserved.data(), pool.free.data(),
                                             pool.busy.data(), work.served.data(), work.held.data())
                     : kernels::serve(n, replicas, weights, &work.unserved[first], &pool.free[first], &pool.busy[first]);
    }
    const bool is_api = target.kind == PoolKind::api;
    const double units = served.units * kSecondsPerHour;
    const double busy = rate > 0 ? served.units / rate * entry.devices : 0.0; // device-hours
    work.ledger.served(m, e) += units;
    work.ledger.reserved_hours(m, entry.pool, entry.workload) += is_api ? units : served.devices;
    work.ledger.used_hours(m, entry.pool, entry.workload) += is_api ? units : busy;
    return served.left;
}

void route_cheapest(const Compiled& compiled, const CompiledWorkload& workload, std::size_t m, const MonthView& month,
                    Workspace& work) {
    const std::size_t n = workload.end_entry - workload.first_entry;
    for (std::size_t place = 0; place < n; ++place) {
        price_entry(compiled, compiled.entries[workload.first_entry + place], place, m, month, work);
    }
    const auto same_prices = [&](std::size_t a, std::size_t b) {
        return std::all_of(work.marginal.begin(), work.marginal.begin() + static_cast<std::ptrdiff_t>(n),
                           [&](const std::vector<double>& prices) { return prices[a] == prices[b]; });
    };
    for (std::size_t first = 0; first < month.distinct;) {
        std::size_t end = first + 1;
        while (end < month.distinct && same_prices(first, end)) {
            ++end;
        }
        if (end == month.distinct) {
            end = month.size;
        }
        sort_route(workload, first, work);
        for (std::size_t i = 0; i < n; ++i) {
            serve_entry(compiled, workload.first_entry + work.order[i], m, month, first, end - first, work);
        }
        first = end;
    }
}

} // namespace

void dispatch_inference(const Compiled& compiled, const CompiledWorkload& workload, std::size_t w, std::size_t m,
                        const MonthView& month, Workspace& work) {
    const double* const shape = month.values(workload.demand);
    if (month.fold != nullptr && shape != nullptr) {
        kernels::scale_blocks(month.fold->from, workload.demand.monthly[m], shape, work.unserved.data());
    } else {
        kernels::scale(month.size, workload.demand.monthly[m], shape, work.unserved.data());
    }
    work.ledger.demanded(m, w) = sum_over_hours(month, work.unserved.data()) * kSecondsPerHour;
    if (workload.has_outages) {
        std::copy_n(work.unserved.begin(), month.size, work.demand.begin());
        std::fill_n(work.room.begin(), month.size, 0.0);
    }
    if (workload.cheapest) {
        route_cheapest(compiled, workload, m, month, work);
    } else {
        for (std::size_t e = workload.first_entry; e < workload.end_entry; ++e) {
            if (serve_entry(compiled, e, m, month, 0, month.size, work) == 0.0) {
                break;
            }
        }
    }
    if (workload.has_outages) {
        for (std::size_t h = 0; h < month.size; ++h) {
            work.room[h] = lost_in_hour(work.demand[h], work.unserved[h], work.room[h]);
        }
        work.ledger.lost(m, w) = sum_over_hours(month, work.room.data()) * kSecondsPerHour;
    }
}

} // namespace costcurve::model
