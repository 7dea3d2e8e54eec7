// Reads each replica's performance at the load that the evaluation chose, and at the load of the highest hour.
#include "model/questions/rank/replicas.hpp"

#include <algorithm>
#include <cmath>

#include "model/kernels.hpp"
#include "model/pairs/pair_work.hpp"
#include "model/performance/classes.hpp"
#include "model/performance/performance.hpp"
#include "model/questions/rank/needs.hpp"
#include "model/questions/rank/sizing.hpp"
#include "model/queueing/under_load.hpp"
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

// Replicas that fit in a pool of a plan, beside the devices that other workloads hold.
double room_of(const Pool& pool, double held, double others) {
    const double per_unit = devices_per_unit(pool);
    double units = pool.kind == PoolKind::cloud ? pool.max_instances : 0.0;
    for (const ServerPurchase& purchase : pool.purchases) {
        units += purchase.servers;
    }
    const double left = std::floor((units * per_unit - others) / held + kernels::kForgiven);
    return held > per_unit ? left : std::min(left, units * std::floor(per_unit / held + kernels::kForgiven));
}

// Cost per million output tokens over all workloads of the plan, such as the groups of a mix.
std::optional<double> cost_per_million_output(const ScenarioPlan& plan) {
    constexpr double kMillion = 1e6;
    double cost = 0.0;
    double output = 0.0;
    for (std::size_t w = 0; w < plan.scenario.workloads.size(); ++w) {
        const UnitsPerRequest request = mean_request(plan.scenario.workloads[w]);
        cost += plan.summary.workloads[w].cost;
        output += plan.summary.workloads[w].units_served * request.output / units_of_request(request);
    }
    return output > 0.0 ? std::optional(cost / output * kMillion) : std::nullopt;
}

bool runs_all(const Pool& pool) { return pool.kind == PoolKind::owned || pool.min_instances == pool.max_instances; }

// One pool's part of the peak demand. Takes what it serves from `left`, in units/s. Earlier workloads hold `others` devices of the
// pool.
PeakLoad peak_load(const ScenarioDocument& scenario, const Workload& workload, const Performance& performance, const Pool& pool,
                   std::optional<int> batch, double& left, double& others) {
    const Device& device = *device_of(pool);
    const double rate = replica_rate(performance, device, workload, batch).units_per_s;
    const double headroom = share_under_load(performance, workload, batch).value_or(1.0);
    const double usable = rate * std::min(workload.peak_utilization, headroom);
    const double held = devices_held(replica_devices(performance, device), devices_per_unit(pool));
    const double room = room_of(pool, held, others);
    const double needed = std::ceil(left / usable - kernels::kForgiven) + workload.spare_replicas;
    const bool has_all = runs_all(pool) && scenario.workloads.size() == 1;
    const double replicas = std::max(0.0, has_all ? room : std::min(room, needed));
    const double asked = std::min(left, replicas * usable);
    left -= asked;
    others += replicas * held;
    PeakLoad load;
    load.replicas = replicas;
    load.utilization = replicas > 0.0 ? asked / (replicas * rate) : 0.0;
    load.percentile = workload.slo.percentile > 0.0 ? workload.slo.percentile : Slo{}.percentile;
    if (const auto latency = latency_under_load(performance, workload, batch, load.utilization)) {
        load.ttft_s = latency->ttft_s;
        load.itl_s = latency->itl_s > 0.0 ? std::optional(latency->itl_s) : std::nullopt;
        load.e2e_s = latency->e2e_s;
    }
    return load;
}

// A replica on a pool, without its load at the peak.
Replica replica_on(const ScenarioPlan& plan, std::size_t w, std::size_t e, const Pool& pool, const Device& device) {
    const Workload& workload = plan.scenario.workloads[w];
    const Performance& performance = *workload.runs_on[e].performance;
    const std::optional<int> batch = plan.summary.workloads[w].batch[static_cast<std::size_t>(&pool - plan.scenario.pools.data())];
    Replica replica;
    replica.workload = workload.id;
    replica.pool = pool.id;
    replica.device = device.id;
    replica.devices = replica_devices(performance, device);
    replica.spares = workload.kind == WorkloadKind::inference ? workload.spare_replicas : workload.spare_hosts;
    replica.precision = performance.precision;
    const std::size_t place = e * plan.scenario.workloads.size() + w;
    if (place < plan.rate_facts.size() && plan.rate_facts[place]) {
        replica.kv_bits = plan.rate_facts[place]->kv_bits;
        replica.ceiling = plan.rate_facts[place]->ceiling;
        replica.ceiling_of = plan.rate_facts[place]->ceiling_of;
        replica.mfu = plan.rate_facts[place]->mfu;
    }
    replica.concurrency = batch;
    replica.ttft_s = read_at(performance.ttft_s, batch);
    replica.itl_s = read_at(performance.itl_s, batch);
    replica.evidence = replica_rate(performance, device, work_of_entry(workload, e, plan.scenario.pools), batch).evidence;
    return replica;
}

} // namespace

std::vector<Replica> replicas_of(const ScenarioPlan& plan) {
    std::vector<Replica> replicas;
    std::vector<double> held(plan.scenario.pools.size()); // devices, by pool
    for (std::size_t w = 0; w < plan.scenario.workloads.size(); ++w) {
        const Workload& workload = plan.scenario.workloads[w];
        const bool is_served = workload.kind == WorkloadKind::inference;
        double left = is_served ? peak_units_per_s(workload, plan.scenario.months - 1) : 0.0;
        for (std::size_t e = 0; e < workload.runs_on.size(); ++e) {
            const RunsOn& entry = workload.runs_on[e];
            const auto pool = std::ranges::find(plan.scenario.pools, entry.pool, &Pool::id);
            const Device* const device = pool == plan.scenario.pools.end() ? nullptr : device_of(*pool);
            if (!entry.performance || device == nullptr) {
                continue;
            }
            Replica& replica = replicas.emplace_back(replica_on(plan, w, e, *pool, *device));
            if (is_served) {
                const Workload work = work_of_entry(workload, e, plan.scenario.pools);
                left = is_pair(workload) ? peak_units_per_s(work, plan.scenario.months - 1) : left; // each half serves all requests
                double& others = held[static_cast<std::size_t>(pool - plan.scenario.pools.begin())];
                replica.at_peak = peak_load(plan.scenario, work, *entry.performance, *pool, replica.concurrency, left, others);
            }
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
    if (std::ranges::any_of(plan.scenario.pools, [](const Pool& pool) { return pool.kind == PoolKind::owned; })) {
        row.resale = plan.summary.terminal.sale;
    }
    row.lost_fraction = lost_to_outages(plan.summary);
    if (plan.is_by_size) {
        row.cost_per_million_output = cost_per_million_output(plan);
    } else if (plan.scenario.workloads.size() == 1 && !plan.run) {
        const UnitsPerRequest request = mean_request(plan.scenario.workloads.front());
        const std::optional<double> cost = plan.summary.workloads.front().cost_per_million_units;
        if (cost && request.output > 0.0) {
            row.cost_per_million_output = *cost * units_of_request(request) / request.output;
        }
    }
    if (const Workload& workload = plan.scenario.workloads.front(); plan.run) {
        row.days = plan.run->days;
        row.days_p90 = plan.run->p90();
        row.probability_in_time = plan.run->chance_within(days_allowed(workload, plan.scenario.pools.front(), plan.scenario));
        row.goodput = plan.run->goodput;
        if (plan.run->fall_back) {
            const double more = left_by_chance(*plan.run) - left_at_the_mean(*plan.run);
            row.fall_back_after_days = plan.run->fall_back->after_days;
            row.expected_cost = plan.summary.total.cost + std::max(0.0, more) * plan.run->fall_back->dearer;
        }
        const double epochs = plan.summary.workloads.front().quantity; // total cost, so idle time counts too
        if (epochs > 0.0) {
            row.cost_per_epoch = plan.summary.total.cost / epochs;
        }
        if (workload.is_run()) {
            row.cost_per_run = plan.summary.total.cost;
        }
    }
    if (plan.chances) {
        row.low = plan.chances->low;
        row.high = plan.chances->high;
        row.probability_feasible = plan.chances->feasible;
    }
    for (const Issue& warning : plan.summary.warnings) {
        std::string code(code_name(warning.code));
        if (std::ranges::find(row.warnings, code) == row.warnings.end()) {
            row.warnings.push_back(std::move(code));
        }
    }
    if (plan.context_is_unknown) {
        row.warnings.emplace_back("context_unknown");
    }
    return row;
}

} // namespace costcurve::model
