// The scenarios that tests start from.
#include "tests/support/scenarios.hpp"

#include <stdexcept>

#include <fmt/format.h>

namespace costcurve::tests {

using namespace costcurve::model;

namespace {

Device device() {
    Device made;
    made.id = "device";
    draw_in_a_line(made, 100, 500);
    made.memory_gib = 80;
    return made;
}

RunsOn runs_on_pool() {
    RunsOn entry;
    entry.pool = "pool";
    entry.performance.emplace();
    entry.performance->units_per_s = flat(1);
    return entry;
}

} // namespace

void draw_in_a_line(Device& device, double idle_w, double full_w) {
    device.idle_w = idle_w;
    device.tdp_w = full_w;
    device.power = curve(CurveKind::power, Axis::throughput_share, {0, 1}, {idle_w, full_w}).curve;
}

Rate flat(double number) { return {number, std::nullopt}; }

Rate curve(CurveKind kind, Axis axis, std::vector<double> x, std::vector<double> y, Interpolation interpolation) {
    Curve made;
    made.kind = kind;
    made.axis = axis;
    made.interpolation = interpolation;
    made.x = std::move(x);
    made.y = std::move(y);
    return {0.0, made};
}

ScenarioDocument cloud_scenario() {
    ScenarioDocument scenario;
    scenario.start = {2026, 1};
    scenario.months = 1;
    Workload& work = scenario.workloads.emplace_back();
    work.id = "chat";
    work.demand.mean_per_s = 1;
    work.runs_on.push_back(runs_on_pool());
    Pool& pool = scenario.pools.emplace_back();
    pool.id = "pool";
    pool.max_instances = 10;
    Offer& offer = pool.offer.emplace();
    offer.provider = "provider";
    offer.device = device();
    offer.hourly_price = flat(3.6);
    return scenario;
}

ScenarioDocument api_scenario() {
    ScenarioDocument scenario = cloud_scenario();
    Pool& pool = scenario.pools[0] = Pool();
    pool.id = "pool";
    pool.kind = PoolKind::api;
    pool.price_per_million_units = tests::one_price(flat(100));
    scenario.workloads[0].runs_on[0].performance.reset();
    return scenario;
}

ScenarioDocument owned_scenario() {
    ScenarioDocument scenario = cloud_scenario();
    Pool& pool = scenario.pools.front();
    pool = Pool{};
    pool.id = "pool";
    pool.kind = PoolKind::owned;
    Server& server = pool.server.emplace();
    server.device = device();
    server.price = 36500;
    server.life_months = 48;
    server.host_idle_w = 50;
    server.host_max_w = 100;
    pool.site.emplace();
    pool.site->energy_price = flat(0.1);
    pool.purchases.emplace_back();
    return scenario;
}

ScenarioDocument training_scenario() {
    ScenarioDocument scenario = cloud_scenario();
    Workload& work = scenario.workloads.front();
    work.kind = WorkloadKind::training;
    work.units_per_epoch = 1000;
    work.epochs_per_month = flat(36);
    return scenario;
}

Answer evaluate_document(ScenarioDocument document) {
    Result<Scenario> scenario = make_scenario(std::move(document));
    if (!scenario) {
        std::string message = "the scenario breaks rules:";
        for (const Issue& issue : scenario.error()) {
            message += fmt::format("\n  {} {}: {}", issue.pointer, code_name(issue.code), issue.message);
        }
        throw std::runtime_error(message);
    }
    Compiled compiled = compile(*scenario);
    Workspace workspace(compiled);
    evaluate(compiled, workspace);
    Summary summary = summarize(*scenario, compiled, workspace.ledger);
    return {std::move(*scenario), std::move(compiled), std::move(workspace.ledger), std::move(summary)};
}

std::vector<std::string> issues_of(ScenarioDocument document) {
    std::vector<std::string> found;
    const Result<Scenario> scenario = make_scenario(std::move(document));
    if (!scenario) {
        for (const Issue& issue : scenario.error()) {
            found.push_back(fmt::format("{} {}", code_name(issue.code), issue.pointer));
        }
    }
    return found;
}

model::UnitsPerRequest units(double input, double cached_input, double output) {
    model::UnitsPerRequest units;
    units.split = true;
    units.input = input;
    units.cached_input = cached_input;
    units.output = output;
    return units;
}

model::UnitPrice in_and_out(model::Rate input, model::Rate output) {
    model::UnitPrice price;
    price.split = true;
    price.input = std::move(input);
    price.output = std::move(output);
    return price;
}

model::Estimate decode_roofline(double mfu, double mbu, double active_parameters, double weight_bytes,
                                double kv_bytes_per_sequence) {
    model::Estimate estimate;
    estimate.method = model::EstimateMethod::decode_roofline;
    estimate.mfu = mfu;
    estimate.mbu = mbu;
    estimate.active_parameters = active_parameters;
    estimate.weight_bytes = weight_bytes;
    estimate.kv_bytes_per_sequence = kv_bytes_per_sequence;
    return estimate;
}

} // namespace costcurve::tests
