// In-order placement hour by hour, and convex hulls over whole units.
#include "model/questions/optimize/in_order.hpp"

#include <algorithm>
#include <cmath>

#include "model/dispatch/dispatch.hpp"
#include "model/kernels.hpp"

namespace costcurve::model {

namespace {

constexpr std::size_t kMaxHullLines = 24;

} // namespace

bool is_first_in_routes(const Compiled& compiled, std::size_t pool) {
    return std::all_of(compiled.workloads.begin(), compiled.workloads.end(), [&](const CompiledWorkload& workload) {
        const auto first = compiled.entries.begin() + static_cast<std::ptrdiff_t>(workload.first_entry);
        const auto end = compiled.entries.begin() + static_cast<std::ptrdiff_t>(workload.end_entry);
        const auto entries = std::count_if(first, end, [pool](const CompiledEntry& entry) { return entry.pool == pool; });
        return workload.is_deferrable() || entries == 0 ||
               (entries == 1 && !workload.cheapest && !workload.by_share && !workload.is_pair && first->pool == pool);
    });
}

std::vector<double> hour_demand(const Compiled& compiled, std::size_t m, std::size_t hour) {
    const MonthView month = view_month(compiled, m);
    std::vector<double> demand(compiled.workloads.size(), 0.0);
    for (std::size_t w = 0; w < demand.size(); ++w) {
        if (!compiled.workloads[w].is_deferrable()) {
            const Signal& signal = compiled.workloads[w].demand;
            const double* const values = month.values(signal);
            demand[w] = signal.monthly[m] * (values == nullptr ? 1.0 : values[hour]);
        }
    }
    return demand;
}

OrderedHour serve_in_order(const Compiled& compiled, std::size_t pool, std::size_t m, std::vector<double> demand, double devices) {
    OrderedHour hour{std::move(demand), 0.0};
    for (std::size_t w = 0; w < compiled.workloads.size(); ++w) {
        const CompiledWorkload& workload = compiled.workloads[w];
        if (workload.is_deferrable() || workload.first_entry == workload.end_entry) {
            continue;
        }
        const CompiledEntry& entry = compiled.entries[workload.first_entry];
        if (entry.pool != pool || entry.usable_rate <= 0.0) {
            continue;
        }
        const double part = learned(compiled.pools[pool], m);
        const double usable = entry.usable_rate * part;
        const double wanted = std::ceil(hour.left[w] / usable - kernels::kForgiven);
        const double fit = std::floor(devices / entry.held + kernels::kForgiven);
        const double count = std::max(0.0, std::min(wanted, fit));
        const double work = std::min(hour.left[w], count * usable);
        hour.left[w] -= work;
        hour.busy += work / (entry.rate * part) * entry.devices;
        devices -= count * entry.held;
    }
    return hour;
}

std::vector<UnitLine> hull_of(const std::vector<double>& values) {
    std::vector<std::size_t> corners;
    const auto slope = [&](std::size_t a, std::size_t b) { return (values[b] - values[a]) / static_cast<double>(b - a); };
    for (std::size_t d = 0; d < values.size(); ++d) {
        while (corners.size() > 1 && slope(corners[corners.size() - 2], corners.back()) >= slope(corners.back(), d)) {
            corners.pop_back();
        }
        corners.push_back(d);
    }
    if (corners.size() == 1) {
        return {{values.front(), 0.0}};
    }
    std::vector<UnitLine> lines;
    const std::size_t every = (corners.size() - 1 + kMaxHullLines - 1) / kMaxHullLines;
    for (std::size_t i = 1; i < corners.size(); i += every) {
        const double by = slope(corners[i - 1], corners[i]);
        lines.push_back({values[corners[i]] - by * static_cast<double>(corners[i]), by});
    }
    return lines;
}

} // namespace costcurve::model
