// Rules of workloads: demand, performances, and where a workload may run at all (model.md, sections 4 and 6).
#include <algorithm>
#include <set>

#include "model/performance.hpp"
#include "model/rules.hpp"
#include "model/scenario.hpp"

namespace costcurve::model {

namespace {

bool lists(const std::vector<std::string>& known, const std::string& name) {
    return name.empty() || known.empty() || std::find(known.begin(), known.end(), name) != known.end();
}

std::string joined(const std::vector<std::string>& names) { return fmt::format("{}", fmt::join(names, ", ")); }

// One entry of runs_on with all that its rules look at.
struct Entry {
    const ScenarioDocument& scenario;
    const Workload& workload;
    const RunsOn& runs_on;
    const Pool& pool;
    std::string pointer;
};

void check_supported(const Entry& entry, const Device& device, Rules& rules) {
    const Performance& performance = *entry.runs_on.performance;
    const std::string at = entry.pointer + "/performance";
    for (const std::string& framework : std::set<std::string>{entry.workload.framework, performance.framework}) {
        if (!lists(device.frameworks, framework)) {
            rules.add(entry.pointer + (framework == performance.framework ? "/performance/framework" : "/pool"),
                      Code::ineligible_framework,
                      fmt::format("{} does not run {}; it runs {}", device.id, framework, joined(device.frameworks)));
        }
    }
    for (const std::string& precision : std::set<std::string>{entry.workload.precision, performance.precision}) {
        if (!lists(device.precisions, precision)) {
            rules.add(entry.pointer + (precision == performance.precision ? "/performance/precision" : "/pool"),
                      Code::ineligible_precision,
                      fmt::format("{} does not compute in {}; it has {}", device.id, precision, joined(device.precisions)));
        }
    }
    if (!performance.device.id.empty() && !device.id.empty() && performance.device.id != device.id) {
        rules.add(at + "/device", Code::ineligible_device,
                  fmt::format("the performance is of {}, the pool has {}", performance.device.id, device.id));
    }
    const double memory = performance.devices * device.memory_gib.value_or(0.0);
    if (entry.workload.memory_gib && device.memory_gib && *entry.workload.memory_gib > memory) {
        rules.add(at + "/devices", Code::ineligible_memory,
                  fmt::format("{} GiB are needed; {} x {} GiB of {} are {} GiB", *entry.workload.memory_gib, performance.devices,
                              *device.memory_gib, device.id, memory));
    }
}

void check_estimate(const Entry& entry, const Device& device, Rules& rules) {
    const Performance& performance = *entry.runs_on.performance;
    const Estimate& estimate = *performance.estimate;
    const std::string at = entry.pointer + "/performance";
    const std::string& precision = performance.precision.empty() ? entry.workload.precision : performance.precision;
    if (!device.peak_flops.contains(precision)) {
        rules.add(at + "/precision", Code::missing,
                  fmt::format("the estimate needs peak_flops of {} in precision \"{}\"", device.id, precision));
    }
    if (estimate.method == EstimateMethod::decode_roofline) {
        if (!estimate.mbu) {
            rules.add(at + "/estimate/mbu", Code::missing, "decode_roofline needs mbu");
        }
        if (!estimate.weight_bytes) {
            rules.add(at + "/estimate/weight_bytes", Code::missing, "decode_roofline needs weight_bytes");
        }
        if (!device.memory_bandwidth_gb_per_s) {
            rules.add(at + "/device", Code::missing,
                      fmt::format("decode_roofline needs memory_bandwidth_gb_per_s of {}", device.id));
        }
    }
    rules.warn(at + "/estimate", Code::estimated_performance, "no measurement: the rate is a roofline estimate");
}

void check_batch(const Entry& entry, Rules& rules) {
    const Performance& performance = *entry.runs_on.performance;
    const std::string at = entry.pointer + "/performance";
    const BatchChoice choice = choose_batch(performance, entry.workload.latency_objective_s);
    if (!choice.found) {
        rules.add(at + (performance.batch ? "/batch" : "/latency_s"), Code::ineligible_latency,
                  fmt::format("no batch keeps latency_objective_s, {} s", *entry.workload.latency_objective_s));
        return;
    }
    const bool by_batch =
        (performance.units_per_s && performance.units_per_s->curve && performance.units_per_s->curve->axis == Axis::batch) ||
        (performance.estimate && performance.estimate->method == EstimateMethod::decode_roofline);
    if (by_batch && !choice.batch) {
        rules.add(at + "/batch", Code::missing, "state batch, or latency_s here and latency_objective_s at the workload");
        return;
    }
    const double batch = choice.batch.value_or(1);
    if (performance.units_per_s && performance.units_per_s->curve) {
        const double x = performance.units_per_s->curve->axis == Axis::batch ? batch : performance.devices;
        check_covers(*performance.units_per_s->curve, at + "/units_per_s", x, x, rules);
    }
    if (performance.latency_s && performance.latency_s->curve && entry.workload.latency_objective_s) {
        check_covers(*performance.latency_s->curve, at + "/latency_s", batch, batch, rules);
    }
    if (performance.scaling && performance.scaling->curve) {
        check_covers(*performance.scaling->curve, at + "/scaling", performance.devices, performance.devices, rules);
    }
}

void check_performance(const Entry& entry, Rules& rules) {
    const Device* const device = device_of(entry.pool);
    if (device == nullptr) {
        return;
    } // the pool's own issue
    const Performance& performance = *entry.runs_on.performance;
    const std::string at = entry.pointer + "/performance";
    if (!check_rate_given(performance, at, rules)) {
        return;
    }
    const std::size_t before = rules.issues.size();
    check_supported(entry, *device, rules);
    if (performance.estimate) {
        check_estimate(entry, *device, rules);
    }
    check_batch(entry, rules);
    if (rules.issues.size() > before) {
        return;
    }
    const BatchChoice choice = choose_batch(performance, entry.workload.latency_objective_s);
    const ReplicaRate rate = replica_rate(performance, *device, entry.workload.precision, choice.batch);
    if (rate.units_per_s == 0.0) {
        rules.warn(at, Code::zero_rate, "the rate is 0: this entry serves nothing");
    }
    if (rate.capped_by_input) {
        rules.warn(at + "/input_units_per_s", Code::rate_capped,
                   fmt::format("the input pipeline feeds {} units/s, less than the devices could do; they idle, and are paid",
                               rate.units_per_s));
    }
}

void check_entry(const Entry& entry, Rules& rules) {
    if (entry.pool.kind != PoolKind::api) {
        if (entry.runs_on.performance) {
            check_performance(entry, rules);
        } else {
            rules.add(entry.pointer + "/performance", Code::missing, "an entry needs a performance unless its pool is an api");
        }
        return;
    }
    if (entry.runs_on.performance) {
        rules.add(entry.pointer + "/performance", Code::not_allowed, "an api pool has no performance");
    }
    if (entry.workload.kind == WorkloadKind::training) {
        rules.add(entry.pointer + "/pool", Code::not_allowed, fmt::format("api pool {} serves inference only", entry.pool.id));
    } else if (entry.pool.price_per_million_units.split && !entry.workload.units_per_request.split) {
        rules.add(entry.pointer + "/pool", Code::inconsistent,
                  fmt::format("pool {} has input and output prices; give units_per_request as {{input, output}}", entry.pool.id));
    }
}

void check_demand(const Workload& workload, const std::string& pointer, const ScenarioDocument& scenario, Rules& rules) {
    const Demand& demand = workload.demand;
    const std::string at = pointer + "/demand";
    rules.check_zone(at + "/time_zone", demand.time_zone);
    if (demand.mean_per_s.has_value() == demand.utilization.has_value()) {
        rules.add(at + "/mean_per_s", demand.mean_per_s ? Code::not_allowed : Code::missing,
                  "give mean_per_s, or utilization with reference_devices and units_per_s_per_device");
    }
    const auto goes_with_utilization = [&](bool present, const char* field) {
        if (demand.utilization && !present) {
            rules.add(at + "/" + field, Code::missing, fmt::format("utilization needs {}", field));
        }
        if (!demand.utilization && present) {
            rules.add(at + "/" + field, Code::not_allowed, fmt::format("{} goes with utilization only", field));
        }
    };
    goes_with_utilization(demand.reference_devices.has_value(), "reference_devices");
    goes_with_utilization(demand.units_per_s_per_device.has_value(), "units_per_s_per_device");
    if (demand.utilization && demand.shape) {
        rules.add(at + "/shape", Code::not_allowed, "shape goes with mean_per_s only");
    }
    if (demand.shape) {
        check_dates(*demand.shape, at + "/shape", &scenario, rules);
    }
    if (demand.utilization) {
        check_dates(*demand.utilization, at + "/utilization", &scenario, rules);
    }
    const UnitsPerRequest& units = workload.units_per_request;
    if (units.split && units.input + units.output <= 0) {
        rules.add(pointer + "/units_per_request", Code::out_of_range, "input + output is 0; a request has units");
    }
}

} // namespace

bool check_rate_given(const Performance& performance, const std::string& pointer, Rules& rules) {
    const bool one = performance.units_per_s.has_value() != performance.estimate.has_value();
    if (!one) {
        rules.add(pointer + "/units_per_s", performance.estimate ? Code::not_allowed : Code::missing,
                  "give units_per_s or estimate, one of the two");
    }
    return one;
}

void check_workloads(const ScenarioDocument& scenario, Rules& rules) {
    std::set<std::string> ids;
    for (std::size_t w = 0; w < scenario.workloads.size(); ++w) {
        const Workload& workload = scenario.workloads[w];
        const std::string pointer = fmt::format("/workloads/{}", w);
        if (workload.id.empty()) {
            rules.add(pointer + "/id", Code::missing, "a workload needs an id");
        }
        if (!workload.id.empty() && !ids.insert(workload.id).second) {
            rules.add(pointer + "/id", Code::duplicate, fmt::format("another workload has the id {}", workload.id));
        }
        if (workload.kind == WorkloadKind::inference) {
            check_demand(workload, pointer, scenario, rules);
        } else {
            check_dates(workload.epochs_per_month, pointer + "/epochs_per_month", &scenario, rules);
        }
        std::set<std::string> pools;
        for (std::size_t e = 0; e < workload.runs_on.size(); ++e) {
            const RunsOn& runs_on = workload.runs_on[e];
            const std::string at = fmt::format("{}/runs_on/{}", pointer, e);
            const auto pool =
                std::find_if(scenario.pools.begin(), scenario.pools.end(), [&](const Pool& p) { return p.id == runs_on.pool; });
            if (pool == scenario.pools.end()) {
                rules.add(at + "/pool", Code::unknown_reference,
                          fmt::format("no pool of the scenario has the id {}", runs_on.pool));
            } else if (!pools.insert(runs_on.pool).second) {
                rules.add(at + "/pool", Code::duplicate, fmt::format("pool {} stands in this list already", runs_on.pool));
            } else {
                check_entry({scenario, workload, runs_on, *pool, at}, rules);
            }
        }
    }
}

} // namespace costcurve::model
