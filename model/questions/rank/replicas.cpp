// Reads each entry's performance at the load that the evaluation chose.
#include "model/questions/rank/replicas.hpp"

#include <algorithm>

#include "model/performance/classes.hpp"
#include "model/performance/performance.hpp"
#include "model/questions/rank/sizing.hpp"
#include "model/scenario.hpp"

namespace costcurve::model {

namespace {

std::optional<double> read_at(const std::optional<Rate>& figure, std::optional<int> batch) {
    if (!figure) {
        return std::nullopt;
    }
    if (!figure->curve) {
        return figure->number;
    }
    return batch && figure->curve->axis == Axis::batch ? std::optional(read(*figure->curve, *batch)) : std::nullopt;
}

} // namespace

std::vector<Replica> replicas_of(const ScenarioPlan& plan) {
    std::vector<Replica> replicas;
    for (std::size_t w = 0; w < plan.scenario.workloads.size(); ++w) {
        const Workload& workload = plan.scenario.workloads[w];
        for (const RunsOn& entry : workload.runs_on) {
            const auto pool = std::ranges::find(plan.scenario.pools, entry.pool, &Pool::id);
            const Device* const device = pool == plan.scenario.pools.end() ? nullptr : device_of(*pool);
            if (!entry.performance || device == nullptr) {
                continue;
            }
            const Performance& performance = *entry.performance;
            const std::optional<int> batch =
                plan.summary.workloads[w].batch[static_cast<std::size_t>(pool - plan.scenario.pools.begin())];
            replicas.push_back({workload.id, pool->id, device->id, replica_devices(performance, *device), workload.spare_replicas,
                                performance.precision, batch, read_at(performance.ttft_s, batch), read_at(performance.itl_s, batch),
                                replica_rate(performance, *device, workload, batch).evidence});
        }
    }
    return replicas;
}

PlanRow row_of(const ScenarioPlan& plan) {
    PlanRow row;
    double busy = 0.0;
    double paid = 0.0;
    for (const PoolSummary& pool : plan.summary.pools) {
        busy += pool.busy_device_hours;
        paid += pool.available_device_hours;
    }
    if (paid > 0.0) {
        row.utilization = busy / paid;
    }
    row.lost_fraction = lost_to_outages(plan.summary);
    if (plan.scenario.workloads.size() == 1) {
        const UnitsPerRequest request = mean_request(plan.scenario.workloads.front());
        const std::optional<double> cost = plan.summary.workloads.front().cost_per_million_units;
        if (cost && request.output > 0.0) {
            row.cost_per_million_output = *cost * units_of_request(request) / request.output;
        }
    }
    if (plan.chances) {
        row.low = plan.chances->low;
        row.high = plan.chances->high;
        row.probability_feasible = plan.chances->feasible;
    }
    return row;
}

} // namespace costcurve::model
