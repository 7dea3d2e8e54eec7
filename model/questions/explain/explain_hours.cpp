// Work, device-hours, energy and carbon of a pool, from what is stated of its devices, host and site.
#include <array>

#include "model/documents/units.hpp"
#include "model/performance/performance.hpp"
#include "model/questions/explain/explain_parts.hpp"

namespace costcurve::model::terms {

namespace {

double hours_of(const Question& question, std::size_t month) { return question.compiled.hours.months[month].total; }

std::string device_at(const Question& question, std::size_t p, std::string_view rest) {
    return pool_at(p, fmt::format("{}/device/{}", question.document.pools[p].offer ? "offer" : "server", rest));
}
std::string site_at(const Question& question, std::size_t p, std::string_view rest) {
    return pool_at(p, fmt::format("{}{}", question.document.pools[p].offer ? "offer/site/" : "site/", rest));
}

// How an estimate is made, and of what.
struct EstimateWords {
    std::string_view formula;
    std::array<std::string_view, 8> fields;
};
constexpr auto kEstimateWords = std::to_array<EstimateWords>({
    {"estimated: mfu × devices × peak FLOP/s / (6 × active_parameters)", {"estimate/mfu", "estimate/active_parameters", "devices"}},
    {"estimated: min(mfu × devices × peak FLOP/s / (2 × active_parameters), batch × devices × bandwidth × mbu / (weight_bytes + "
     "batch × kv_bytes_per_sequence))",
     {"estimate/mfu", "estimate/active_parameters", "devices", "estimate/mbu", "estimate/weight_bytes",
      "estimate/kv_bytes_per_sequence"}},
    {"estimated: batch / ((weight_bytes + batch × kv_bytes_per_sequence) / (devices × bandwidth × alpha) + 2 × batch × "
     "active_parameters / (devices × peak FLOP/s × beta) + gamma_s × layers)",
     {"estimate/weight_bytes", "estimate/kv_bytes_per_sequence", "devices", "estimate/alpha", "estimate/active_parameters",
      "estimate/beta", "estimate/gamma_s", "estimate/layers"}},
});

Term units_per_s(const Question& question, std::size_t e) {
    const CompiledEntry& entry = question.compiled.entries[e];
    const Workload& workload = question.document.workloads[entry.workload];
    const RunsOn& runs_on = workload.runs_on[e - question.compiled.workloads[entry.workload].first_entry];
    const Performance& performance = *runs_on.performance;
    const ReplicaRate rate = replica_rate(performance, *device_of(question.document.pools[entry.pool]), workload, entry.batch);
    std::string formula = "as stated";
    Pointers inputs;
    const auto reads = [&](std::string_view field) {
        inputs.push_back(entry_at(question, e, fmt::format("performance/{}", field)));
    };
    if (performance.estimate) {
        const EstimateWords& words = kEstimateWords[static_cast<std::size_t>(performance.estimate->method)];
        formula = words.formula;
        for (const std::string_view field : words.fields) {
            if (!field.empty()) {
                reads(field);
            }
        }
    } else {
        reads("units_per_s");
        if (performance.units_per_s->curve) {
            formula = rate.batch ? fmt::format("the curve at batch {}", *rate.batch) : "the curve at its devices";
        }
    }
    if (performance.scaling) {
        formula += " × scaling";
        reads("scaling");
    }
    if (rate.units_per_weighted != 1.0) {
        formula += " × Σ units / Σ units × class weight";
        reads("class_weights");
        inputs.push_back(workload_at(entry.workload, "units_per_request"));
    }
    if (rate.capped_by_input) {
        formula = "what the input pipeline feeds: input_units_per_s, less than " + formula;
        reads("input_units_per_s");
    }
    return leaf(question, "units/s of a replica or gang", formula, rate.units_per_s, "units/s", inputs);
}

Term goodput(const Question& question, std::size_t e) {
    const CompiledEntry& entry = question.compiled.entries[e];
    const Pool& pool = question.document.pools[entry.pool];
    Pointers inputs = {pool_at(entry.pool, pool.offer ? "offer/interruptions_per_hour" : "server/failures_per_hour"),
                       workload_at(entry.workload, "checkpoint/restart_s")};
    if (question.compiled.workloads[entry.workload].kind == WorkloadKind::inference) {
        return leaf(question, "goodput", "1 / (1 + Λ·R)", entry.goodput, "fraction", inputs);
    }
    if (question.compiled.workloads[entry.workload].kind == WorkloadKind::batch) {
        return leaf(question, "goodput", "1: an interruption costs a request", entry.goodput, "fraction");
    }
    inputs.push_back(workload_at(entry.workload, "checkpoint/write_s"));
    inputs.push_back(workload_at(entry.workload, "checkpoint/interval_s"));
    return leaf(question, "goodput", "τ / ((1/Λ) · e^(Λ·R) · (e^(Λ·(τ+C)) − 1))", entry.goodput, "fraction", inputs);
}

// Whether devices of the pool are in their ramp, and draw less than the idle ones of those that serve.
bool has_cooler_ramp(const CompiledPool& pool, const Scope& scope) {
    return pool.kind == PoolKind::owned && pool.power.ramp_w != pool.power.device.at_zero &&
           std::any_of(scope.months.begin(), scope.months.end(),
                       [&](std::size_t m) { return pool.units_paid[m] != pool.units_serving[m]; });
}

// kW that a pool's devices and hosts draw more for each busy device; nothing where power is no straight line of the load.
std::optional<double> kw_per_busy_device(const Question& question, std::size_t p, const Scope& scope) {
    const CompiledPool& pool = question.compiled.pools[p];
    const bool packs = pool.power.pack && pool.kind == PoolKind::owned;
    const bool gangs_draw_the_same = !pool.defers || pool.power.gang_w == pool.power.device.at_one;
    if ((pool.serves && !(packs && gangs_draw_the_same)) || has_cooler_ramp(pool, scope)) {
        return std::nullopt;
    }
    const double host_w = (pool.power.host_max_w - pool.power.host_idle_w) / pool.devices_per_unit;
    return (pool.power.device.at_one - pool.power.device.at_zero + host_w) / 1000;
}

// What states the hosts' power: an owned pool's server, or an offer that does; "" where it is of devices alone.
std::string_view holder_with_host(const Question& question, std::size_t p) {
    const Pool& pool = question.document.pools[p];
    const bool has_host = pool.offer && (pool.offer->host_idle_w || pool.offer->host_max_w);
    return pool.kind == PoolKind::owned ? "server/" : has_host ? "offer/" : "";
}
void add_of_host(std::string_view holder, std::size_t p, std::string_view field, Pointers& inputs) {
    if (!holder.empty()) {
        inputs.push_back(pool_at(p, fmt::format("{}{}", holder, field)));
    }
}

// What a hosted model takes, as it is stated by the unit.
Term by_units_served(const Question& question, std::size_t p, const Scope& scope, const std::string& name, const std::string& unit,
                     std::string_view field, double per_unit) {
    const double units = sum_of(scope, [&](std::size_t m) { return used_by_all(question.ledger, m, p); });
    std::vector<Term> factors;
    factors.push_back(leaf(question, "units served", "Σ over workloads", units, "units"));
    factors.push_back(leaf(question, name + " a unit", fmt::format("{} / 1000", field), per_unit, unit + "/unit",
                           {hosted_at(question, p, field)}));
    return renamed(product("", "units served × " + name + " a unit", unit, std::move(factors)), name, units * per_unit);
}

// What the power of the pool's devices is made of: at no load, or at any.
struct DevicePower {
    std::string_view of_idle; ///< how P(0) follows
    Pointers idle, any;
};
DevicePower device_power(const Question& question, std::size_t p) {
    const Device& device = *device_of(question.document.pools[p]);
    const auto at = [&](std::string_view field) { return device_at(question, p, field); };
    DevicePower power;
    if (!question.compiled.pools[p].serves) {
        power.of_idle = "power(0), gangs alone: idle_w, else the curve at 0";
        power.idle = {at(device.idle_w > 0.0 || !device.power ? "idle_w" : "power")};
        power.any = {power.idle.front(), at(device.power ? "power" : "tdp_w")};
    } else if (has_serving_curve(device)) {
        power.of_idle = "power(0): the curve at 0";
        power.idle = power.any = {at("power")};
    } else if (device.loaded_idle_w) {
        power.of_idle = "power(0): loaded_idle_w";
        power.idle = {at("loaded_idle_w")};
        power.any = {at("loaded_idle_w"), at("tdp_w")};
    } else {
        power.of_idle = "power(0): tdp_w × 0.18 of the default shape, assumed";
        power.idle = power.any = {at("tdp_w")};
    }
    return power;
}

// Energy of everything in service at no load.
Term idle_energy(const Question& question, std::size_t p, const Scope& scope) {
    const CompiledPool& pool = question.compiled.pools[p];
    const std::string_view holder = holder_with_host(question, p);
    const double kw = (pool.power.host_idle_w / pool.devices_per_unit + pool.power.device.at_zero) / 1000;
    DevicePower power = device_power(question, p);
    Pointers inputs = std::move(power.idle);
    for (const std::string_view field : {"host_idle_w", "devices"}) {
        add_of_host(holder, p, field, inputs);
    }
    std::vector<Term> terms;
    terms.push_back(available_hours(question, p, scope));
    terms.push_back(
        leaf(question, "idle power of a device",
             fmt::format("{} / 1000; {}", holder.empty() ? "power(0)" : "(power(0) + host_idle_w / devices)", power.of_idle), kw,
             "kW/device", inputs));
    return product("energy at no load", "device-hours × idle power", "kWh", std::move(terms));
}

Term load_energy(const Question& question, std::size_t p, const Scope& scope, double kw) {
    Pointers inputs = device_power(question, p).any;
    const std::string_view holder = holder_with_host(question, p);
    for (const std::string_view field : {"host_idle_w", "host_max_w", "devices"}) {
        add_of_host(holder, p, field, inputs);
    }
    std::vector<Term> terms;
    terms.push_back(busy_hours(question, p, scope));
    terms.push_back(leaf(question, "power of a busy device above idle",
                         holder.empty() ? "(power(1) − power(0)) / 1000"
                                        : "(power(1) − power(0) + (host_max_w − host_idle_w) / devices) / 1000",
                         kw, "kW/device", inputs));
    return product("energy of the load", "busy device-hours × power above idle", "kWh", std::move(terms));
}

// One PUE for all hours, where it is a number.
std::optional<double> flat_pue(const CompiledPool& pool) {
    return pool.pue.curve == Signal::kFlat && !pool.pue_by_load ? std::optional(pool.pue.monthly.front()) : std::nullopt;
}

Term embodied(const Question& question, std::size_t p, const Scope& scope) {
    std::vector<Term> terms;
    terms.push_back(server_months(question, p, scope, 1, "server-months"));
    terms.push_back(quotient("embodied carbon of a server in a month", "embodied_kg / life_months", "kg/server/month",
                             stated(question, "embodied carbon", pool_at(p, "server/embodied_kg")),
                             stated(question, "life", pool_at(p, "server/life_months"))));
    return product("embodied carbon", "servers in service × embodied_kg / life_months", "kg", std::move(terms));
}

} // namespace

Term server_months(const Question& question, std::size_t p, const Scope& scope, double months, const std::string& unit) {
    return over_months(question, scope,
                       {unit,
                        months == 1 ? "servers in service" : "servers in service / 12",
                        unit,
                        [&, p, months](std::size_t m) { return question.compiled.pools[p].units_paid[m] / months; },
                        {pool_at(p, "purchases"), pool_at(p, "server/life_months")}});
}

Term instance_hours(const Question& question, std::size_t p, const Scope& scope) {
    const CompiledPool& pool = question.compiled.pools[p];
    const std::string formula =
        pool.follows_demand ? "hours × max(min_instances, instances that hold the work)" : "hours × instances";
    return over_months(question, scope,
                       {"instance-hours",
                        formula,
                        "instance-hours",
                        [&, p](std::size_t m) { return question.ledger.available_hours(m, p) / pool.devices_per_unit; },
                        {pool_at(p, "min_instances"), pool_at(p, "max_instances")}});
}

Term available_hours(const Question& question, std::size_t p, const Scope& scope) {
    const double value = sum_of(scope, [&](std::size_t m) { return question.ledger.available_hours(m, p); });
    if (question.compiled.pools[p].kind == PoolKind::api) {
        return leaf(question, "device-hours paid", "an API pool has no devices", value, "device-hours");
    }
    const bool cloud = question.compiled.pools[p].kind == PoolKind::cloud;
    std::vector<Term> terms;
    if (cloud) {
        terms.push_back(instance_hours(question, p, scope));
    } else {
        terms.push_back(
            over_months(question, scope,
                        {"server-hours",
                         "hours × servers in service",
                         "server-hours",
                         [&](std::size_t m) { return hours_of(question, m) * question.compiled.pools[p].units_paid[m]; },
                         {pool_at(p, "purchases"), pool_at(p, "server/life_months")}}));
    }
    terms.push_back(stated(question, "devices in one", pool_at(p, cloud ? "offer/devices" : "server/devices")));
    return renamed(product("", cloud ? "instance-hours × devices" : "server-hours × devices", "device-hours", std::move(terms)),
                   "device-hours paid", value);
}

Term reserved_hours(const Question& question, std::size_t p, const Scope& scope) {
    if (question.compiled.pools[p].kind == PoolKind::api) {
        return leaf(question, "device-hours reserved", "an API pool has no devices", 0.0, "device-hours");
    }
    std::vector<Term> terms;
    for (std::size_t w = 0; w < question.ledger.workloads; ++w) {
        add_unless_zero(terms,
                        over_months(question, scope,
                                    {"workload " + question.document.workloads[w].id, "hours × replicas or gangs × devices of one",
                                     "device-hours", [&](std::size_t m) { return question.ledger.reserved_hours(m, p, w); }}));
    }
    return sum("device-hours reserved", "Σ over workloads", "device-hours", std::move(terms));
}

Term units_per_hour(const Question& question, std::size_t e) {
    std::vector<Term> terms;
    terms.push_back(units_per_s(question, e));
    terms.push_back(goodput(question, e));
    terms.push_back(leaf(question, "seconds in an hour", "", kSecondsPerHour, "s/h"));
    return renamed(product("", "units_per_s × goodput × 3600", "units/h", std::move(terms)), "units an hour of a replica or gang",
                   question.compiled.entries[e].rate * kSecondsPerHour);
}

Term units_served_by(const Question& question, std::size_t e, const Scope& scope) {
    const CompiledEntry& entry = question.compiled.entries[e];
    const bool inference = question.compiled.workloads[entry.workload].kind == WorkloadKind::inference;
    const bool api = question.compiled.pools[entry.pool].kind == PoolKind::api;
    const std::string formula = api ? "Σ hours × 3600 × min(demand left, max_units_per_s left)"
                                : inference
                                    ? "Σ hours × 3600 × min(demand left, replicas × units_per_s × goodput × peak_utilization)"
                                    : "min(work left, free gang-hours × units_per_s × goodput × 3600)";
    Pointers inputs = {};
    if (inference) {
        inputs.push_back(workload_at(entry.workload, question.document.workloads[entry.workload].demand.utilization
                                                         ? "demand/utilization"
                                                         : "demand/mean_per_s"));
    } else {
        inputs.push_back(workload_at(entry.workload, question.document.workloads[entry.workload].kind == WorkloadKind::batch
                                                         ? "requests_per_month"
                                                         : "epochs_per_month"));
    }
    return over_months(question, scope,
                       {fmt::format("units served by {}", name_of_pool(question, entry.pool)), formula, "units",
                        [&, e](std::size_t m) { return question.ledger.served(m, e); }, std::move(inputs)});
}

namespace {

// Device-hours that an entry is busy where its pool learns: a unit takes fewer of them by the month.
Term learned_hours(const Question& question, std::size_t e, const Scope& scope) {
    const CompiledEntry& entry = question.compiled.entries[e];
    return over_months(question, scope,
                       {"workload " + question.document.workloads[entry.workload].id,
                        "Σ units served × devices / (units_per_s × goodput × ramp × 3600)",
                        "device-hours",
                        [&question, e](std::size_t m) {
                            const CompiledEntry& of = question.compiled.entries[e];
                            return question.ledger.served(m, e) * of.devices /
                                   (of.rate * learned(question.compiled.pools[of.pool], m) * kSecondsPerHour);
                        },
                        {pool_at(entry.pool, "ramp"), entry_at(question, e, "performance/devices")}});
}

} // namespace

Term busy_hours(const Question& question, std::size_t p, const Scope& scope) {
    std::vector<Term> terms;
    for (std::size_t e = 0; e < question.compiled.entries.size(); ++e) {
        const CompiledEntry& entry = question.compiled.entries[e];
        if (entry.pool != p || entry.rate <= 0.0) {
            continue;
        }
        if (!question.compiled.pools[p].ramp.empty()) {
            add_unless_zero(terms, learned_hours(question, e, scope));
            continue;
        }
        std::vector<Term> factors;
        factors.push_back(units_served_by(question, e, scope));
        factors.push_back(quotient("device-hours a unit", "devices / units an hour", "device-hours/unit",
                                   leaf(question, "devices of a replica or gang", "as stated, or the slice's part", entry.devices,
                                        "devices", {entry_at(question, e, "performance/devices")}),
                                   units_per_hour(question, e)));
        add_unless_zero(terms, product("workload " + question.document.workloads[entry.workload].id,
                                       "units served × device-hours a unit", "device-hours", std::move(factors)));
    }
    const double value = sum_of(scope, [&](std::size_t m) { return question.ledger.busy_hours(m, p); });
    return renamed(sum("", "Σ over workloads", "device-hours", std::move(terms)), "device-hours busy", value);
}

Term energy(const Question& question, std::size_t p, const Scope& scope) {
    const CompiledPool& pool = question.compiled.pools[p];
    const double value = sum_of(scope, [&](std::size_t m) { return question.ledger.energy_kwh(m, p); });
    if (pool.kind == PoolKind::api && pool.known.energy_kwh) {
        return by_units_served(question, p, scope, "energy", "kWh", "energy_wh_per_unit", pool.kwh_per_unit);
    }
    if (!pool.metered) {
        return leaf(question, "energy", "in the price", value, "kWh");
    }
    const std::optional<double> pue = flat_pue(pool);
    const std::optional<double> kw = kw_per_busy_device(question, p, scope);
    const Pointers pue_input = {site_at(question, p, "pue")};
    if (!pue && !kw) {
        Pointers inputs = device_power(question, p).any;
        inputs.push_back(pue_input[0]);
        return leaf(question, "energy", "Σ hours × P_it × PUE / 1000", value, "kWh", std::move(inputs));
    }
    std::vector<Term> it;
    it.push_back(idle_energy(question, p, scope));
    if (kw) {
        it.push_back(load_energy(question, p, scope, *kw));
    } else {
        it.push_back(leaf(question, "energy of the load", "Σ hours × (P_it(u) − P_it(0)) / 1000", value / *pue - it.front().value,
                          "kWh", device_power(question, p).any));
    }
    Term it_energy = sum("IT energy", "at no load + of the load", "kWh", std::move(it));
    std::vector<Term> terms;
    const double mean = it_energy.value == 0.0 ? 1.0 : value / it_energy.value;
    terms.push_back(std::move(it_energy));
    terms.push_back(leaf(question, "PUE", pue ? "as stated" : "mean of the hours, weighted by IT energy", pue.value_or(mean),
                         "ratio", pue_input));
    return renamed(product("", "IT energy × PUE", "kWh", std::move(terms)), "energy", value);
}

Term water(const Question& question, std::size_t p, const Scope& scope) {
    const double value = sum_of(scope, [&](std::size_t m) { return question.ledger.water_l(m, p); });
    if (!question.compiled.pools[p].known.water_l) {
        return leaf(question, "water", "not stated", value, "l");
    }
    Term each = stated(question, "water of a kWh", site_at(question, p, "water_l_per_kwh"));
    std::vector<Term> terms;
    terms.push_back(leaf(question, "IT energy", "Σ hours × P_it / 1000", each.value == 0.0 ? 0.0 : value / each.value, "kWh"));
    terms.push_back(std::move(each));
    return renamed(product("", "IT energy × water_l_per_kwh", "l", std::move(terms)), "water", value);
}

Term carbon(const Question& question, std::size_t p, const Scope& scope) {
    const CompiledPool& pool = question.compiled.pools[p];
    const double value = sum_of(scope, [&](std::size_t m) { return question.ledger.carbon_kg(m, p); });
    if (pool.kind == PoolKind::api && pool.known.carbon_kg) {
        return by_units_served(question, p, scope, "carbon", "kg", "carbon_g_per_unit", pool.carbon_kg_per_unit);
    }
    if (!pool.metered) {
        return leaf(question, "carbon", "no site is named", value, "kg");
    }
    const auto kwh = [&](std::size_t m) { return question.ledger.energy_kwh(m, p); };
    const auto grid_kg = [&](std::size_t m) {
        return question.ledger.carbon_kg(m, p) - (pool.embodied_kg.empty() ? 0.0 : pool.embodied_kg[m]);
    };
    const auto kg_per_kwh = [&](std::size_t m) {
        if (pool.carbon_g_per_kwh.curve == Signal::kFlat) {
            return pool.carbon_g_per_kwh.monthly[m] / 1000;
        }
        return kwh(m) == 0.0 ? 0.0 : grid_kg(m) / kwh(m);
    };
    const bool hourly = pool.carbon_g_per_kwh.curve != Signal::kFlat;
    std::vector<Term> terms;
    add_unless_zero(terms,
                    priced(question, scope,
                           {"carbon of energy",
                            "Σ energy × carbon intensity",
                            "kg",
                            kwh,
                            kg_per_kwh,
                            [&](const Scope& part) { return energy(question, p, part); },
                            "carbon intensity",
                            hourly ? "carbon_g_per_kwh / 1000, mean of the hours, weighted by energy" : "carbon_g_per_kwh / 1000",
                            "kg/kWh",
                            {site_at(question, p, "carbon_g_per_kwh")}}));
    if (pool.kind == PoolKind::owned) {
        add_unless_zero(terms, embodied(question, p, scope));
    }
    return renamed(sum("", "of energy + embodied", "kg", std::move(terms)), "carbon", value);
}

} // namespace costcurve::model::terms
