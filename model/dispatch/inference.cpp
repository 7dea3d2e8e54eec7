// Serves inference hour by hour; each entry in turn takes as much of the remaining demand as its replicas can serve.
#include <algorithm>
#include <cmath>

#include "model/dispatch/outages.hpp"
#include "model/dispatch/parts.hpp"
#include "model/documents/units.hpp"
#include "model/kernels.hpp"

namespace costcurve::model {

namespace {

// Serves an entry of a workload with outages; returns false if it has no capacity.
bool serve_in_expectation(const Compiled& compiled, std::size_t e, std::size_t m, std::size_t first, std::size_t n, bool is_last,
                          Workspace& work, double* served, double* held) {
    const CompiledEntry& entry = compiled.entries[e];
    const CompiledPool& target = compiled.pools[entry.pool];
    Workspace::PoolHours& pool = work.pools[entry.pool];
    const OutageHours hours{
        &work.demand[first], &work.unserved[first], &work.room[first], served + first, held + first, &work.chance[first], is_last};
    if (target.kind == PoolKind::api) {
        serve_failing_api(n, target.there, hours, &pool.free[first]);
    } else if (entry.usable_rate > 0) {
        const FailingReplicas replicas{up_in(entry, m),
                                       entry.usable_rate * learned(target, m),
                                       entry.rate * learned(target, m),
                                       entry.devices,
                                       entry.held,
                                       target.holds_whole,
                                       compiled.workloads[entry.workload].spare_replicas,
                                       !target.follows_demand,
                                       target.there,
                                       entry.starts ? target.between_bursts : 1.0};
        const bool follows = !pool.standby.empty();
        serve_failing(n, compiled.hours.per_hour(), replicas, hours,
                      {&pool.free[first], &pool.busy[first], follows ? &pool.standby[first] : nullptr,
                       follows ? &pool.asked[first] : nullptr, entry.starts ? &pool.started[first] : nullptr});
    } else {
        return false;
    }
    return true;
}

kernels::Replicas replicas_of(const CompiledPool& pool, const CompiledEntry& entry, std::size_t m) {
    return {entry.usable_rate * learned(pool, m), entry.rate * learned(pool, m), entry.devices, entry.held, pool.holds_whole};
}

// Arrays by hour of a pool and of an entry on it.
struct PhaseHours {
    double* left;
    double* free;
    double* busy;
    double* started; ///< null: replicas are held in all phases, as instances don't start for bursts
    double between;  ///< fraction of the time between bursts that started instances run
    double* served;
    double* held;
};

// Serves an entry whose replicas never fail, in hours with phases.
void serve_phases(std::size_t n, std::size_t phases, const kernels::Replicas& replicas, const PhaseHours& hours) {
    const double per_held = 1.0 / replicas.held;
    const double over = kernels::nudge(per_held, replicas.holds_whole);
    const double busy_per_unit = replicas.devices / replicas.rate;
    for (std::size_t first = 0; first < n; first += phases) {
        const double most = *std::max_element(hours.left + first, hours.left + first + phases);
        const double fit = std::floor(hours.free[first] * per_held + over); // equal in all phases
        const double count = std::max(0.0, std::min(std::ceil(most / replicas.usable_rate - kernels::kForgiven), fit));
        for (std::size_t h = first; h < first + phases; ++h) {
            hours.served[h] = std::min(hours.left[h], count * replicas.usable_rate);
            hours.held[h] = count * replicas.held;
            hours.free[h] -= hours.held[h];
            if (hours.started != nullptr) {
                const double here = std::min(count, std::ceil(hours.left[h] / replicas.usable_rate - kernels::kForgiven));
                const double started = (count - std::max(0.0, here)) * replicas.held;
                hours.started[h] += started;
                hours.held[h] -= (1 - hours.between) * started;
            }
            hours.left[h] -= hours.served[h];
            hours.busy[h] += hours.served[h] * busy_per_unit;
        }
    }
}

PhaseHours phase_hours(const Compiled& compiled, const CompiledEntry& entry, std::size_t first, Workspace& work, double* served,
                       double* held) {
    Workspace::PoolHours& pool = work.pools[entry.pool];
    return {&work.unserved[first],
            &pool.free[first],
            &pool.busy[first],
            entry.starts ? &pool.started[first] : nullptr,
            compiled.pools[entry.pool].between_bursts,
            served + first,
            held + first};
}

bool is_last_of_list(const Compiled& compiled, std::size_t e) {
    return e + 1 == compiled.workloads[compiled.entries[e].workload].end_entry;
}

} // namespace

kernels::Served serve_hours(const Compiled& compiled, std::size_t e, std::size_t m, const MonthView& month, Workspace& work) {
    const CompiledEntry& entry = compiled.entries[e];
    touch(compiled, entry.pool, m, month, work);
    const CompiledPool& target = compiled.pools[entry.pool];
    Workspace::PoolHours& pool = work.pools[entry.pool];
    const std::size_t n = month.size;
    double* const left = work.unserved.data();
    if (compiled.workloads[entry.workload].has_outages) {
        if (!serve_in_expectation(compiled, e, m, 0, n, is_last_of_list(compiled, e), work, work.served.data(), work.held.data())) {
            return {0.0, 0.0, HUGE_VAL};
        }
        return {sum_over_hours(month, work.served.data()), target.there * sum_over_hours(month, work.held.data()),
                *std::max_element(left, left + n)}; // includes hours of weight 0
    }
    if (target.kind == PoolKind::api) {
        return month.fold != nullptr
                   ? kernels::serve_bounded_folded(month.fold->at, n, month.weights, left, pool.free.data(), work.served.data())
                   : kernels::serve_bounded(n, month.weights, left, pool.free.data());
    }
    if (entry.usable_rate <= 0) {
        return {0.0, 0.0, HUGE_VAL};
    }
    const kernels::Replicas replicas = replicas_of(target, entry, m);
    const std::size_t phases = compiled.hours.per_hour();
    if (phases > 1) {
        serve_phases(n, phases, replicas, phase_hours(compiled, entry, 0, work, work.served.data(), work.held.data()));
        return {sum_over_hours(month, work.served.data()), sum_over_hours(month, work.held.data()),
                *std::max_element(left, left + n)};
    }
    return month.fold != nullptr ? kernels::serve_folded(month.fold->at, n, replicas, month.weights, left, pool.free.data(),
                                                         pool.busy.data(), work.served.data(), work.held.data())
                                 : kernels::serve(n, replicas, month.weights, left, pool.free.data(), pool.busy.data());
}

double serve_entry(const Compiled& compiled, std::size_t e, std::size_t m, const MonthView& month, Workspace& work) {
    const kernels::Served served = serve_hours(compiled, e, m, month, work);
    book_entry(compiled, e, m, served.units, served.devices, work.ledger);
    return served.left;
}

void book_entry(const Compiled& compiled, std::size_t e, std::size_t m, double units_per_s, double devices, Ledger& ledger) {
    const CompiledEntry& entry = compiled.entries[e];
    const CompiledPool& target = compiled.pools[entry.pool];
    const double rate = entry.rate * learned(target, m);
    const bool is_api = target.kind == PoolKind::api;
    const double units = units_per_s * kSecondsPerHour;
    const double busy = rate > 0 ? units_per_s / rate * entry.devices : 0.0; // device-hours
    ledger.served(m, e) += units;
    ledger.reserved_hours(m, entry.pool, entry.workload) += is_api ? units : devices;
    ledger.used_hours(m, entry.pool, entry.workload) += is_api ? units : busy;
}

void take_hours(const Compiled& compiled, std::size_t e, std::size_t m, std::size_t first, std::size_t n, bool is_last,
                Workspace& work, double* served, double* held) {
    const CompiledEntry& entry = compiled.entries[e];
    const CompiledPool& target = compiled.pools[entry.pool];
    Workspace::PoolHours& pool = work.pools[entry.pool];
    bool serves = target.kind == PoolKind::api || entry.usable_rate > 0;
    if (compiled.workloads[entry.workload].has_outages) {
        serves = serve_in_expectation(compiled, e, m, first, n, is_last, work, served, held);
    } else if (target.kind == PoolKind::api) {
        kernels::serve_bounded_folded({}, n, nullptr, &work.unserved[first], &pool.free[first], served + first);
        std::fill_n(held + first, n, 0.0);
    } else if (serves && compiled.hours.per_hour() > 1) {
        serve_phases(n, compiled.hours.per_hour(), replicas_of(target, entry, m),
                     phase_hours(compiled, entry, first, work, served, held));
    } else if (serves) {
        kernels::serve_folded({}, n, replicas_of(target, entry, m), nullptr, &work.unserved[first], &pool.free[first],
                              &pool.busy[first], served + first, held + first);
    }
    if (!serves) {
        std::fill_n(served + first, n, 0.0);
        std::fill_n(held + first, n, 0.0);
    }
}

void begin_inference(const CompiledWorkload& workload, std::size_t w, std::size_t m, const MonthView& month, Workspace& work) {
    const double* const shape = month.values(workload.demand);
    if (month.fold != nullptr && shape != nullptr) {
        kernels::scale_blocks(month.fold->from, workload.demand.monthly[m], shape, work.unserved.data());
    } else {
        kernels::scale(month.size, workload.demand.monthly[m], shape, work.unserved.data());
    }
    work.ledger.demanded(m, w) = sum_over_hours(month, work.unserved.data()) * kSecondsPerHour;
    if (workload.has_outages || workload.by_share || workload.is_pair) {
        std::copy_n(work.unserved.begin(), month.size, work.demand.begin());
        std::fill_n(work.room.begin(), month.size, 0.0);
        std::fill_n(work.chance.begin(), month.size, 1.0);
    }
}

void dispatch_inference(const Compiled& compiled, const CompiledWorkload& workload, std::size_t w, std::size_t m,
                        const MonthView& month, Workspace& work) {
    begin_inference(workload, w, m, month, work);
    if (workload.by_share) {
        dispatch_by_share(compiled, workload, m, month, work);
    } else if (workload.is_pair) {
        dispatch_pair(compiled, workload, m, month, work);
    }
    const bool is_list = !workload.by_share && !workload.is_pair;
    for (std::size_t e = workload.first_entry; e < workload.end_entry && is_list; ++e) {
        if (serve_entry(compiled, e, m, month, work) == 0.0) {
            break;
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
