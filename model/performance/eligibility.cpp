// Rules of workloads: demand, performances, and where a workload may run at all (model.md, sections 4 and 6).
#include <algorithm>
#include <cmath>
#include <set>

#include "model/pairs/pair_work.hpp"
#include "model/performance/classes.hpp"
#include "model/performance/device_facts.hpp"
#include "model/performance/doubts.hpp"
#include "model/performance/step_model.hpp"
#include "model/power.hpp"
#include "model/queueing/under_load.hpp"
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
        const std::optional<WeightPrecision> weights = weight_precision(precision);
        const bool is_widened = weights == WeightPrecision::fp4 && computes_in(device, *weights); // products are of 16 bit
        if (!lists(device.precisions, precision) && !is_widened) {
            rules.add(entry.pointer + (precision == performance.precision ? "/performance/precision" : "/pool"),
                      Code::ineligible_precision,
                      fmt::format("{} does not compute in {}; it has {}", device.id, precision, joined(device.precisions)));
        }
    }
    if (!performance.device.id.empty() && !device.id.empty() && performance.device.id != device.id) {
        rules.add(at + "/device", Code::ineligible_device,
                  fmt::format("the performance is of {}, the pool has {}", performance.device.id, device.id));
    }
    for (const std::string& capability : entry.workload.required_capabilities) {
        if (!lists(device.capabilities, capability)) {
            rules.add(entry.pointer + "/pool", Code::ineligible_capability,
                      fmt::format("{} does not have {}; it has {}", device.id, capability, joined(device.capabilities)));
        }
    }
    const std::optional<double> memory = replica_memory_gib(performance, device);
    if (entry.workload.memory_gib && memory && *entry.workload.memory_gib > *memory) {
        rules.add(at + (performance.slice.empty() ? "/devices" : "/slice"), Code::ineligible_memory,
                  fmt::format("{} GiB are needed; {} of {} have {} GiB", *entry.workload.memory_gib,
                              performance.slice.empty() ? fmt::format("{} x {} GiB", performance.devices, *device.memory_gib)
                                                        : "slice " + performance.slice,
                              device.id, *memory));
    }
}

// What the device's lists leave open, where the workload depends on it.
void warn_of_unknown(const Entry& entry, const Device& device, Rules& rules) {
    std::vector<std::string_view> unknown;
    const auto note = [&](bool is_needed, bool is_known, std::string_view what) {
        if (is_needed && !is_known) {
            unknown.push_back(what);
        }
    };
    note(!entry.workload.framework.empty(), !device.frameworks.empty(), "frameworks");
    note(!entry.workload.precision.empty(), !device.precisions.empty(), "precisions");
    note(!entry.workload.required_capabilities.empty(), !device.capabilities.empty(), "capabilities");
    note(entry.workload.memory_gib.has_value(), device.memory_gib.has_value(), "memory_gib");
    if (!unknown.empty()) {
        rules.warn(entry.pointer + "/pool", Code::compatibility_unknown,
                   fmt::format("{} of {} {} not known, so that nothing of it is checked", fmt::join(unknown, ", "), device.id,
                               unknown.size() == 1 ? "is" : "are"));
    }
}

// Whole devices, or a part of one; and those of a replica in one host.
bool check_devices(const Entry& entry, const Device& device, Rules& rules) {
    const Performance& performance = *entry.runs_on.performance;
    const std::string at = entry.pointer + "/performance";
    const std::size_t before = rules.issues.size();
    if (!performance.slice.empty() && !device.slices.contains(performance.slice)) {
        std::vector<std::string> names;
        for (const auto& [name, slice] : device.slices) {
            names.push_back(name);
        }
        rules.add(
            at + "/slice", Code::unknown_value,
            fmt::format("{} has no slice {}; it has {}", device.id, performance.slice, names.empty() ? "none" : joined(names)));
    }
    if (!performance.slice.empty() && performance.devices != 1.0) {
        rules.add(at + "/devices", Code::not_allowed,
                  fmt::format("devices is {} beside slice {}, which sets it", performance.devices, performance.slice));
    }
    if (performance.devices > 1.0 && performance.devices != std::floor(performance.devices)) {
        rules.add(at + "/devices", Code::out_of_range,
                  fmt::format("devices is {}; give a fraction below 1, or a whole number", performance.devices));
    }
    const double devices = replica_devices(performance, device);
    const int per_host = devices_per_unit(entry.pool);
    if (entry.workload.kind == WorkloadKind::inference && devices > per_host && !performance.spans_hosts) {
        rules.add(at + "/devices", Code::replica_spans_hosts,
                  fmt::format("a replica takes {} devices, {} of pool {} has {}; say spans_hosts where it was measured so", devices,
                              entry.pool.offer ? "an instance" : "a server", entry.pool.id, per_host));
    }
    return rules.issues.size() == before;
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
    const auto needs = [&](bool has, std::string_view field) {
        if (!has) {
            rules.add(fmt::format("{}/estimate/{}", at, field), Code::missing,
                      fmt::format("{} needs {}", name_of(estimate.method), field));
        }
    };
    needs(estimate.mfu || estimate.method == EstimateMethod::decode_step, "mfu");
    if (is_decode(estimate.method)) {
        needs(estimate.mbu || estimate.method == EstimateMethod::decode_step, "mbu");
        needs(estimate.layers || estimate.method != EstimateMethod::decode_step, "layers");
        needs(estimate.weight_bytes.has_value(), "weight_bytes");
        if (!device.memory_bandwidth_gb_per_s) {
            rules.add(at + "/device", Code::missing,
                      fmt::format("{} needs memory_bandwidth_gb_per_s of {}", name_of(estimate.method), device.id));
        }
    }
    rules.warn(at + "/estimate", Code::estimated_performance, "no measurement: the rate is a roofline estimate");
}

void check_batch(const Entry& entry, const Device& device, const BatchChoice& choice, Rules& rules) {
    const Performance& performance = *entry.runs_on.performance;
    const std::string at = entry.pointer + "/performance";
    if (choice.problem == BatchChoice::Problem::latency) {
        rules.add(at + (performance.batch ? "/batch" : "/itl_s"), Code::ineligible_latency,
                  fmt::format("no batch keeps {}", objectives_text(objectives_of(entry.workload))));
        return;
    }
    if (choice.problem == BatchChoice::Problem::memory) {
        const Estimate& estimate = *performance.estimate;
        const EstimateDevices on = estimate_devices(performance, device, entry.workload.precision);
        const int batch = choice.batch.value_or(1);
        rules.add(at + (performance.batch ? "/batch" : "/estimate/weight_bytes"), Code::exceeds_memory,
                  fmt::format("{:.6g} B of weights and {:.6g} B of KV cache (batch {}) exceed {:.6g} B, {} of the memory of {} {}",
                              *estimate.weight_bytes, batch * estimate.kv_bytes_per_sequence, batch,
                              decode_bytes_limit(estimate, on), estimate.memory_use_fraction, on.devices, device.id));
        return;
    }
    const double batch = choice.batch.value_or(1);
    const double devices = replica_devices(performance, device);
    const auto covers = [&](const std::optional<Rate>& rate, std::string_view field, bool is_read) {
        if (is_read && rate && rate->curve) {
            const double x = rate->curve->axis == Axis::devices ? devices : batch;
            check_covers(*rate->curve, fmt::format("{}/{}", at, field), x, x, rules);
        }
    };
    covers(performance.units_per_s, "units_per_s", true);
    const LatencyReads reads = latency_reads(performance, entry.workload);
    covers(performance.itl_s, "itl_s", reads.itl);
    covers(performance.ttft_s, "ttft_s", reads.ttft);
    covers(performance.scaling, "scaling", true);
}

// Objectives that a request misses though it waits for no other.
void check_waiting(const Entry& entry, std::optional<int> batch, Rules& rules) {
    const Performance& performance = *entry.runs_on.performance;
    if (share_under_load(performance, entry.workload, batch) != 0.0) {
        return;
    }
    const LoadedLatency least = least_latency(performance, entry.workload, batch).value_or(LoadedLatency{});
    constexpr auto kNone = "no load keeps {}: of requests that wait for no other the {:.6g}th percentile takes {:.3g} s to the "
                           "first token, {:.3g} s between tokens and {:.3g} s in all; state no less";
    rules.add(entry.pointer + "/performance/ttft_s", Code::ineligible_latency,
              fmt::format(kNone, objectives_text(entry.workload.slo), least.percentile, least.ttft_s, least.itl_s, least.e2e_s));
}

void check_performance(const Entry& entry, Rules& rules) {
    const Device* const device = device_of(entry.pool);
    if (device == nullptr) {
        return;
    } // the pool's own issue
    const Performance& performance = *entry.runs_on.performance;
    const std::string at = entry.pointer + "/performance";
    if (!check_rate_given(performance, at, rules) || !check_devices(entry, *device, rules)) {
        return;
    }
    const std::size_t before = rules.issues.size();
    check_supported(entry, *device, rules);
    if (performance.estimate) {
        check_estimate(entry, *device, rules);
    }
    if (rules.issues.size() > before) {
        return;
    }
    const BatchChoice choice = choose_batch(performance, *device, entry.workload);
    check_batch(entry, *device, choice, rules);
    if (rules.issues.size() > before) {
        return;
    }
    check_waiting(entry, choice.batch, rules);
    if (entry.pool.offer && !entry.runs_on.phase) {
        warn_of_held(entry.workload, performance, *entry.pool.offer, choice.batch, at + "/ttft_s", rules);
    }
    warn_of_unknown(entry, *device, rules);
    for (const Doubt& doubt : doubts_of(performance, *device, entry.workload, devices_per_unit(entry.pool))) {
        rules.warn(fmt::format("{}/{}", at, doubt.field), doubt.code, doubt.message);
    }
    const ReplicaRate rate = replica_rate(performance, *device, entry.workload, choice.batch);
    if (rate.units_per_weighted == 0.0) {
        rules.add(at + "/class_weights", Code::out_of_range,
                  "a request takes nothing of the device: the classes that it has units of weigh 0");
    } else if (rate.units_per_s == 0.0) {
        rules.warn(at, Code::zero_rate, "the rate is 0: this entry serves nothing");
    }
    if (rate.capped_by_input) {
        rules.warn(at + "/input_units_per_s", Code::rate_capped,
                   fmt::format("the input pipeline feeds {} units/s, less than the devices could do; they idle, and are paid",
                               *performance.input_units_per_s));
    }
}

void check_api(const Entry& entry, Rules& rules) {
    if (entry.runs_on.performance) {
        rules.add(entry.pointer + "/performance", Code::not_allowed, "an api pool has no performance");
    }
    if (entry.workload.kind == WorkloadKind::training) {
        rules.add(entry.pointer + "/pool", Code::not_allowed,
                  fmt::format("api pool {} serves inference and batch work only", entry.pool.id));
        return;
    }
    const HostedModel& model = hosted(entry.pool);
    const ClassValues units = units_by_class(mean_request(entry.workload));
    for (std::size_t c = 0; c < kUnitClasses && model.price_per_million_units; ++c) {
        const auto unit_class = static_cast<UnitClass>(c);
        if (units[c] > 0.0 && price_of(*model.price_per_million_units, unit_class) == nullptr) {
            rules.add(entry.pointer + "/pool", Code::missing,
                      fmt::format("pool {} has no price of {} units; give price_per_million_units/{}", entry.pool.id,
                                  name_of(unit_class), name_of(unit_class)));
        }
    }
    if (!model.model.empty() && !entry.workload.model.empty() && model.model != entry.workload.model) {
        rules.warn(entry.pointer + "/pool", Code::model_differs,
                   fmt::format("api pool {} serves {}, the workload runs {}", entry.pool.id, model.model, entry.workload.model));
    }
    check_hosted_entry(entry.workload, entry.runs_on, entry.pool, entry.pointer, rules);
}

void check_entry(const Entry& entry, Rules& rules) {
    if (entry.pool.kind != PoolKind::api) {
        if (entry.runs_on.service_tier) {
            rules.add(entry.pointer + "/service_tier", Code::not_allowed,
                      fmt::format("service_tier is of api pools; pool {} is {}", entry.pool.id, name_of(entry.pool.kind)));
        }
        if (entry.runs_on.performance) {
            check_performance(entry, rules);
        } else {
            rules.add(entry.pointer + "/performance", Code::missing,
                      "an entry needs a performance unless its pool is an api, or its workload counts tokens of a stored model");
        }
        return;
    }
    check_api(entry, rules);
}

// Parts of devices of two sizes in one pool: what does not fit between them is not reckoned.
void warn_of_slices(const ScenarioDocument& scenario, Rules& rules) {
    for (std::size_t p = 0; p < scenario.pools.size(); ++p) {
        const Pool& pool = scenario.pools[p];
        const Device* const device = device_of(pool);
        std::set<double> sizes;
        for (const Workload& workload : scenario.workloads) {
            for (const RunsOn& runs_on : workload.runs_on) {
                if (runs_on.pool == pool.id && runs_on.performance && device != nullptr) {
                    sizes.insert(replica_devices(*runs_on.performance, *device));
                }
            }
        }
        if (sizes.size() > 1 && *sizes.begin() < 1.0) {
            constexpr auto kMixed = "replicas of {} devices share pool {}; parts that no replica fits into are not reckoned";
            rules.warn(fmt::format("/pools/{}", p), Code::slices_mixed, fmt::format(kMixed, fmt::join(sizes, ", "), pool.id));
        }
    }
}

// A server is busy all the time at a tenth of its largest rate: busy time says little of what it draws. Without a curve, as on one
// over busy time, its watts are those of another device; where no site is stated they aren't reckoned.
void warn_of_power(const Workload& workload, const Pool& pool, const std::string& at, Rules& rules) {
    const Device* const device = device_of(pool);
    if (workload.kind != WorkloadKind::inference || device == nullptr || has_serving_curve(*device)) {
        return;
    }
    if (device->power) {
        rules.warn(at, Code::power_axis_differs,
                   fmt::format("the power curve of {} is over busy_time: inference draws the default shape of tdp_w", device->id));
    } else if (pool.site || (pool.offer && pool.offer->site)) {
        rules.warn(
            at, Code::power_assumed,
            fmt::format("{} has no power curve: inference draws the default shape of tdp_w, measured on one H100", device->id));
    }
}

} // namespace

void check_workloads(const ScenarioDocument& scenario, Rules& rules) {
    std::set<std::string> ids;
    for (std::size_t w = 0; w < scenario.workloads.size(); ++w) {
        const Workload& workload = scenario.workloads[w];
        const std::string pointer = fmt::format("/workloads/{}", w);
        if (workload.id.empty()) {
            rules.add(pointer + "/id", Code::missing, "a workload needs an id");
        } else if (!ids.insert(workload.id).second) {
            rules.add(pointer + "/id", Code::duplicate, fmt::format("another workload has the id {}", workload.id));
        }
        if (workload.kind == WorkloadKind::inference) {
            check_demand(workload, pointer, scenario, rules);
        }
        if (workload.kind != WorkloadKind::training) {
            check_units(workload, pointer, rules);
        }
        if (workload.kind == WorkloadKind::training) {
            check_training(workload, pointer, scenario, rules);
        }
        check_dates(workload.requests_per_month, pointer + "/requests_per_month", &scenario, rules);
        check_shares(workload, pointer, rules);
        const bool is_checked = check_pair(workload, scenario, pointer, rules);
        std::set<std::string> pools;
        for (std::size_t e = 0; e < workload.runs_on.size(); ++e) {
            const RunsOn& runs_on = workload.runs_on[e];
            const std::string at = fmt::format("{}/runs_on/{}", pointer, e);
            const auto pool = std::ranges::find(scenario.pools, runs_on.pool, &Pool::id);
            if (pool == scenario.pools.end()) {
                rules.add(at + "/pool", Code::unknown_reference, fmt::format("no pool here has the id {}", runs_on.pool));
            } else if (!pools.insert(runs_on.pool).second) {
                rules.add(at + "/pool", Code::duplicate, fmt::format("pool {} stands in this list already", runs_on.pool));
            } else if (is_checked) {
                const Workload work = work_of_entry(workload, e, scenario.pools);
                check_entry({scenario, work, runs_on, *pool, at}, rules);
                warn_of_power(workload, *pool, at, rules);
            }
        }
    }
    warn_of_slices(scenario, rules);
}

} // namespace costcurve::model
