// Dispatches a month: inference first, then training and batch work.
#include "model/dispatch/dispatch.hpp"

#include <algorithm>
#include <cmath>

#include "model/dispatch/parts.hpp"
#include "model/kernels.hpp"

namespace costcurve::model {

namespace {

// Computes the capacity and instances that inference holds, for deferrable work and for the cost of instances.
void close_inference(const CompiledPool& pool, std::size_t m, const MonthView& month, Workspace::PoolHours& hours) {
    const double devices = serving_devices(pool, m);
    if (pool.kind == PoolKind::cloud) {
        kernels::whole_instances(month.size, devices, pool.devices_per_unit, pool.holds_whole, hours.free.data(),
                                 hours.inference.data());
    }
    if (pool.defers) {
        kernels::subtract_from(month.size, devices, hours.free.data(), hours.reserved.data());
        std::fill_n(hours.training.begin(), month.size, 0.0);
        std::fill_n(hours.gangs.begin(), month.size, 0.0);
    }
}

// leave_out_standby for pools that start instances for bursts. Of outages and bursts, the need with the larger fraction of the hour
// is the lower layer of instances.
void leave_out_started(const CompiledPool& pool, std::size_t m, const MonthView& month, const Workspace::PoolHours& hours,
                       double* instances) {
    const double devices = serving_devices(pool, m);
    const auto holding = [&](double held) {
        return std::max(pool.units_paid[m], std::ceil(held / pool.devices_per_unit - kernels::kForgiven));
    };
    for (std::size_t h = 0; h < month.size; ++h) {
        const double standby = hours.standby.empty() ? 0.0 : hours.standby[h];
        const double started = hours.started[h];
        if (standby <= 0.0 && started <= 0.0) {
            continue;
        }
        const double held = devices - hours.free[h];
        const double asked = standby > 0.0 ? hours.asked[h] : 0.0;
        const double runs = started > 0.0 ? pool.between_bursts : 0.0;
        const double all = std::max(pool.units_paid[m], instances[h]);
        const double sure = holding(held - standby - started);
        const double most = holding(held - (asked < runs ? standby : started));
        instances[h] = sure + std::max(asked, runs) * (most - sure) + std::min(asked, runs) * (all - most);
    }
}

} // namespace

MonthView view_month(const Compiled& compiled, std::size_t month) {
    const MonthHours& hours = compiled.hours.months[month];
    const HourSet& set = compiled.hours.sets[hours.set];
    return {set.size,        set.distinct, hours.set, compiled.hours.weights_of(month), compiled.hours.firsts_of(month),
            &compiled.hours, hours.total,  set.size};
}

MonthView folded(MonthView month) {
    const std::vector<Fold>& folds = month.table->folds;
    if (!folds.empty() && !folds[month.set].from.empty()) {
        month.fold = &folds[month.set];
        month.size = month.fold->from.size() * kernels::kLanes;
    }
    return month;
}

void unfold(const MonthView& month, std::vector<double>& load, std::vector<double>& scratch) {
    if (month.fold != nullptr) {
        kernels::unfold(month.fold->at, load.data(), scratch.data());
        std::swap(load, scratch);
    }
}

double sum_over_hours(const MonthView& month, const double* load) {
    return month.fold != nullptr ? kernels::dot_folded(month.fold->at, month.weights, load)
                                 : kernels::dot(month.size, month.weights, load);
}

void touch(const Compiled& compiled, std::size_t p, std::size_t m, const MonthView& month, Workspace& work) {
    Workspace::PoolHours& hours = work.pools[p];
    if (hours.touched) {
        return;
    }
    const CompiledPool& pool = compiled.pools[p];
    hours.touched = true;
    const double free = pool.kind == PoolKind::api ? pool.max_units_per_s[m] : serving_devices(pool, m);
    kernels::scale(month.size, free, month.values(pool.window), hours.free.data());
    kernels::scale(month.size, 0.0, nullptr, hours.busy.data());
    if (!hours.standby.empty()) {
        std::fill_n(hours.standby.begin(), month.size, 0.0);
        std::fill_n(hours.asked.begin(), month.size, 0.0);
    }
    if (!hours.started.empty()) {
        std::fill_n(hours.started.begin(), month.size, 0.0);
    }
}

void leave_out_standby(const CompiledPool& pool, std::size_t m, const MonthView& month, const Workspace::PoolHours& hours,
                       double* instances) {
    const double devices = serving_devices(pool, m);
    if (!hours.started.empty()) {
        leave_out_started(pool, m, month, hours, instances);
        return;
    }
    for (std::size_t h = 0; !hours.standby.empty() && h < month.size; ++h) {
        if (hours.standby[h] > 0.0) {
            const double sure =
                std::ceil((devices - hours.free[h] - hours.standby[h]) / pool.devices_per_unit - kernels::kForgiven);
            instances[h] = sure + hours.asked[h] * (instances[h] - sure);
        }
    }
}

void dispatch_month(const Compiled& compiled, std::size_t m, const MonthView& month, Workspace& work) {
    for (Workspace::PoolHours& pool : work.pools) {
        pool.touched = false;
    }
    if (!work.routings.empty()) {
        dispatch_by_bill(compiled, m, month, work);
    }
    for (std::size_t w = 0; w < compiled.workloads.size() && work.routings.empty(); ++w) {
        if (compiled.workloads[w].kind == WorkloadKind::inference) {
            dispatch_inference(compiled, compiled.workloads[w], w, m, month, work);
        }
    }
    for (std::size_t p = 0; p < compiled.pools.size(); ++p) {
        const CompiledPool& pool = compiled.pools[p];
        if (pool.defers) {
            touch(compiled, p, m, month, work);
        }
        if (work.pools[p].touched && pool.kind != PoolKind::api && (pool.defers || pool.follows_demand)) {
            close_inference(pool, m, month, work.pools[p]);
        }
    }
    for (std::size_t w = 0; w < compiled.workloads.size(); ++w) {
        if (compiled.workloads[w].is_deferrable()) {
            dispatch_deferrable(compiled, compiled.workloads[w], w, m, month, work);
        }
    }
}

bool routes_by_bill(const Compiled& compiled) {
    return std::any_of(compiled.workloads.begin(), compiled.workloads.end(),
                       [](const CompiledWorkload& workload) { return !workload.is_deferrable() && has_choice(workload); });
}

double units_unserved(const Compiled& compiled, const Ledger& ledger, std::size_t m, std::size_t w) {
    const CompiledWorkload& workload = compiled.workloads[w];
    if (workload.carries_over) {
        return m + 1 == ledger.months ? ledger.backlog(m, w) : 0.0;
    }
    double served = 0.0;
    for (std::size_t e = workload.first_answer; e < workload.end_entry; ++e) {
        served += ledger.served(m, e);
    }
    return std::max(0.0, ledger.demanded(m, w) - served);
}

} // namespace costcurve::model
