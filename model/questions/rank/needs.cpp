// Demand peaks in the bursts of its highest hour. Replicas are packed into whole hosts.
#include "model/questions/rank/needs.hpp"

#include <algorithm>
#include <cmath>

#include "model/kernels.hpp"
#include "model/performance/classes.hpp"

namespace costcurve::model {

namespace {

constexpr double kHoursOfMonth = 744.0; // h, of the longest month: gives a lower bound of a month's need

// Demand in units of work per second, in the bursts of the highest hour of months 0 to `month`. is_exact: every month has such an
// hour.
struct Peak {
    double units_per_s = 0.0;
    bool is_exact = true;
};

double largest(const Rate& rate) {
    return rate.curve ? *std::max_element(rate.curve->y.begin(), rate.curve->y.end()) : rate.number;
}

Peak peak_of(const Workload& workload, int month) {
    const Demand& demand = workload.demand;
    const double growth = std::max(1.0, std::pow(1.0 + demand.growth_per_month, month));
    const auto is_by_year = [](const std::optional<Rate>& rate) {
        return rate && rate->curve && (rate->curve->axis == Axis::hour_of_year || rate->curve->axis == Axis::date);
    };
    const double burst = demand.has_bursts() ? demand.burst->factor : 1.0;
    Peak peak;
    peak.is_exact = !is_by_year(demand.shape) && !is_by_year(demand.utilization);
    if (demand.utilization) {
        peak.units_per_s = largest(*demand.utilization) * demand.reference_devices.value_or(0.0) *
                           demand.units_per_s_per_device.value_or(0.0) * growth * burst;
    } else {
        const double shape = demand.shape ? largest(*demand.shape) : 1.0;
        peak.units_per_s = demand.mean_per_s.value_or(0.0) * shape * growth * burst * units_of_request(mean_request(workload));
    }
    return peak;
}

double mean_work(const CompiledWorkload& workload, std::size_t months) {
    double sum = 0.0;
    for (const double work : workload.work) {
        sum += work;
    }
    return months == 0 ? 0.0 : sum / static_cast<double>(months);
}

// Units of the entry's pool that hold `replicas` replicas.
double units_for(double replicas, const CompiledEntry& entry, double devices_per_unit) {
    if (entry.held > devices_per_unit) {
        return std::ceil(replicas * entry.held / devices_per_unit);
    }
    return std::ceil(replicas / std::floor(devices_per_unit / entry.held + kernels::kForgiven));
}

} // namespace

Need need_of(const ScenarioDocument& document, const Compiled& compiled, int month, int spares) {
    double units = 0.0;
    bool is_exact = document.workloads.size() == 1;
    for (const CompiledEntry& entry : compiled.entries) {
        const Workload& workload = document.workloads[entry.workload];
        const CompiledWorkload& work = compiled.workloads[entry.workload];
        double replicas = 0.0;
        if (work.is_deferrable()) {
            replicas = mean_work(work, compiled.months) / (entry.rate * kHoursOfMonth * 3600.0);
            is_exact = false;
        } else {
            const Peak peak = peak_of(workload, month);
            replicas = peak.units_per_s / entry.usable_rate;
            is_exact = is_exact && peak.is_exact && workload.max_unserved_fraction == 0.0;
        }
        const int in_hand = work.is_deferrable() ? 0 : spares;
        units += units_for(std::ceil(replicas - kernels::kForgiven) + in_hand, entry, compiled.pools[entry.pool].devices_per_unit);
    }
    constexpr double kMax = kMaxUnits;
    return {static_cast<int>(units < kMax ? std::max(units, 1.0) : kMax), is_exact}; // unbounded growth may exceed any limit
}

int units_of_spares(const Compiled& compiled, int spares) {
    double units = 0.0;
    for (const CompiledEntry& entry : compiled.entries) {
        if (!compiled.workloads[entry.workload].is_deferrable()) {
            units += units_for(spares, entry, compiled.pools[entry.pool].devices_per_unit);
        }
    }
    return static_cast<int>(std::min(units, static_cast<double>(kMaxUnits)));
}

double peak_units_per_s(const Workload& workload, int month) { return peak_of(workload, month).units_per_s; }

double needed_units_per_s(const Workload& workload, int month) {
    return workload.kind == WorkloadKind::batch
               ? largest(workload.requests_per_month) * units_of_request(mean_request(workload)) / (kHoursOfMonth * 3600.0)
               : peak_units_per_s(workload, month);
}

} // namespace costcurve::model
