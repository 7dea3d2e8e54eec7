// Work and device-hours of a pool, from the fields of its devices and entries.
#include <array>
#include <string>

#include "model/dispatch/starts.hpp"
#include "model/documents/units.hpp"
#include "model/pairs/pair_work.hpp"
#include "model/performance/performance.hpp"
#include "model/questions/explain/explain_parts.hpp"
#include "model/queueing/under_load.hpp"

namespace costcurve::model::terms {

namespace {

double hours_of(const Question& question, std::size_t month) { return question.compiled.hours.months[month].total; }

// The formula of a throughput estimate and the fields that it reads.
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

// Adds what a prefill or decode half changes of a rate: it is converted to the workload's units and capped by the link.
void read_pair(const Question& question, std::size_t e, const Workload& half, ReplicaRate& rate, std::string& formula,
               Pointers& inputs) {
    const std::size_t w = question.compiled.entries[e].workload;
    const std::size_t place = e - question.compiled.workloads[w].first_entry;
    const Workload& whole = question.document.workloads[w];
    inputs.push_back(entry_at(question, e, "phase"));
    formula += place == 0 ? " × units of a request / Σ units of its prompt and first token"
                          : " × units of a request / Σ units, the prompt cached";
    rate.units_per_s *= units_per_entry_unit(whole, half);
    if (const double sent = sent_units_per_s(whole, place, question.document.pools); sent < rate.units_per_s) {
        formula = "requests/s whose caches the link takes × units of a request, less than " + formula;
        rate.units_per_s = sent;
    }
    if (place == 0) {
        inputs.insert(inputs.end(), {entry_at(question, e, "cache_bytes_per_token"), entry_at(question, e, "link_gb_per_s")});
    }
}

Term units_per_s(const Question& question, std::size_t e) {
    const CompiledEntry& entry = question.compiled.entries[e];
    const Workload& whole = question.document.workloads[entry.workload];
    const std::size_t place = e - question.compiled.workloads[entry.workload].first_entry;
    const Workload workload = work_of_entry(whole, place, question.document.pools);
    const Performance& performance = *whole.runs_on[place].performance;
    ReplicaRate rate = replica_rate(performance, *device_of(question.document.pools[entry.pool]), workload, entry.batch);
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
    if (!performance.rated_by.empty()) {
        formula += ", for the workload's request by the step model";
        inputs.push_back(workload_at(entry.workload, "model"));
        const Pointers units = units_at(question, entry.workload);
        inputs.insert(inputs.end(), units.begin(), units.end());
        if (performance.mix) {
            reads("mix");
        }
    }
    if (performance.scaling) {
        formula += " × scaling";
        reads("scaling");
    }
    if (rate.units_per_weighted != 1.0) {
        formula += " × Σ units / Σ units × class weight";
        reads("class_weights");
        const Pointers units = performance.rated_by.empty() ? units_at(question, entry.workload) : Pointers{};
        inputs.insert(inputs.end(), units.begin(), units.end());
    }
    if (is_pair(whole)) {
        read_pair(question, e, workload, rate, formula, inputs);
    }
    if (rate.capped_by_input) {
        formula = "what the input pipeline feeds: input_units_per_s, less than " + formula;
        reads("input_units_per_s");
    }
    return leaf(question, "units/s of a replica or gang", formula, rate.units_per_s, "units/s", inputs);
}

// Pointers to the fields of a workload's demand bursts. Empty if its demand has none.
Pointers bursts_at(const Question& question, std::size_t w) {
    Pointers inputs;
    if (question.compiled.workloads[w].burst_factor > 1.0) {
        for (const std::string_view field : {"factor", "seconds", "per_day"}) {
            inputs.push_back(workload_at(w, fmt::format("demand/burst/{}", field)));
        }
    }
    return inputs;
}

// How a demand-following pool runs the instances that only bursts need, in words. "" if no workload on the pool has bursts.
std::string started_for_bursts(const Question& question, std::size_t p, Pointers& inputs) {
    std::string held;
    bool starts = false;
    for (std::size_t e = 0; e < question.compiled.entries.size(); ++e) {
        const CompiledEntry& entry = question.compiled.entries[e];
        if (entry.pool != p || question.compiled.workloads[entry.workload].burst_factor == 1.0) {
            continue;
        }
        starts = starts || entry.starts;
        held = held.empty() && !entry.starts ? words_of(why_held(question.document, question.compiled, e)) : held;
    }
    std::string words;
    if (starts) {
        words = fmt::format(
            "; of those that bursts alone need, between these {:.6g}, the largest of (s × per_day / 86400 − share) / (1 "
            "− share), s = max(minimum_seconds, ⌈(boot_s + seconds + idle_timeout_s) / billing_step_s⌉ × "
            "billing_step_s), share = seconds × per_day / 86400",
            question.compiled.pools[p].between_bursts);
        for (const std::string_view field : {"boot_s", "idle_timeout_s", "billing_step_s", "minimum_seconds"}) {
            inputs.push_back(pool_at(p, fmt::format("offer/{}", field)));
        }
        for (std::size_t w = 0; w < question.compiled.workloads.size(); ++w) {
            const Pointers bursts = bursts_at(question, w);
            inputs.insert(inputs.end(), bursts.begin(), bursts.end());
        }
    }
    return held.empty() ? words : words + fmt::format("; held all the hour for bursts, as {}", held);
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
    Pointers inputs = {pool_at(p, "min_instances"), pool_at(p, "max_instances")};
    const std::string formula = fmt::format("hours × {}{}{}", pool.there < 1.0 ? "availability_fraction × " : "",
                                            pool.follows_demand ? "max(min_instances, instances that hold the work)" : "instances",
                                            pool.follows_demand ? started_for_bursts(question, p, inputs) : "");
    return over_months(question, scope,
                       {"instance-hours", formula, "instance-hours",
                        [&, p](std::size_t m) { return question.ledger.available_hours(m, p) / pool.devices_per_unit; },
                        std::move(inputs)});
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

namespace {

// Whether a replica takes fewer requests than its capacity so that randomly arriving requests don't queue too long.
bool keeps_queue_short(const Question& question, std::size_t e) {
    const CompiledEntry& entry = question.compiled.entries[e];
    const Workload& workload = question.document.workloads[entry.workload];
    const std::size_t place = e - question.compiled.workloads[entry.workload].first_entry;
    const std::optional<Performance>& performance = workload.runs_on[place].performance;
    return performance &&
           share_under_load(*performance, work_of_entry(workload, place, question.document.pools), entry.batch).has_value();
}

// Number of hours in which each method of cheapest routing was kept, in words. "" if there is only one method or entry.
std::string ways_kept(const Question& question, std::size_t e, const Scope& scope) {
    const CompiledWorkload& workload = question.compiled.workloads[question.compiled.entries[e].workload];
    if (workload.is_deferrable() || !workload.cheapest || workload.end_entry - workload.first_entry < 2) {
        return {};
    }
    const auto hours = [&](std::size_t way) {
        return sum_of(scope, [&](std::size_t m) { return question.ledger.routed_hours(m, way); });
    };
    return fmt::format("; by the least bill {:.0f} h in list order, {:.0f} by marginal cost, {:.0f} {}", hours(0), hours(1),
                       hours(2), question.compiled.hours.phases.empty() ? "in chunks" : "by that at the bursts' use");
}

std::string phases_of(const Question& question, const CompiledEntry& entry) {
    if (question.compiled.workloads[entry.workload].burst_factor == 1.0) {
        return {};
    }
    const bool has_replicas = question.compiled.pools[entry.pool].kind != PoolKind::api;
    return entry.starts   ? "; in bursts with replicas that start for these, and between them"
           : has_replicas ? "; in bursts and between them, with the bursts' replicas"
                          : "; in bursts and between them";
}

// The stated share of the work that an entry is asked for, in words. "" if none is stated.
std::string share_of(const Question& question, const CompiledEntry& entry) {
    return question.compiled.workloads[entry.workload].by_share
               ? fmt::format("; of it first the share {:g}, then what the others could not do of theirs", entry.share)
               : std::string();
}

// The half of a prefill/decode pair that an entry does, in words. "" if the workload has no pair.
std::string half_of(const Question& question, std::size_t e) {
    const CompiledWorkload& workload = question.compiled.workloads[question.compiled.entries[e].workload];
    return !workload.is_pair           ? std::string()
           : e < workload.first_answer ? "; of prompts, which are read for the demand"
           : workload.has_outages      ? "; of answers to the prompts that there is room for × the part of them that is read"
                                       : "; of answers to the prompts that were read";
}

// Pointers to the fields from which the units that an entry serves are computed.
Pointers inputs_of_units_served(const Question& question, std::size_t e, bool fails, bool waits, bool is_routed) {
    const CompiledEntry& entry = question.compiled.entries[e];
    const CompiledWorkload& workload = question.compiled.workloads[entry.workload];
    const Workload& stated = question.document.workloads[entry.workload];
    Pointers inputs = fails ? interruptions_read(question, e) : Pointers{};
    const auto add_if = [&inputs](bool is_read, std::string pointer) {
        if (is_read) {
            inputs.push_back(std::move(pointer));
        }
    };
    add_if(is_routed, workload_at(entry.workload, "routing"));
    add_if(workload.by_share, entry_at(question, e, "share"));
    add_if(fails, workload_at(entry.workload, "spare_replicas"));
    add_if(fails && question.document.pools[entry.pool].offer, pool_at(entry.pool, "offer/availability_fraction"));
    add_if(!workload.before_fall_back.empty(), workload_at(entry.workload, "fall_back_after_days"));
    add_if(waits, workload_at(entry.workload, "slo"));
    const Pointers bursts = bursts_at(question, entry.workload);
    inputs.insert(inputs.end(), bursts.begin(), bursts.end());
    const std::string demand = stated.demand.utilization ? "demand/utilization" : "demand/mean_per_s";
    inputs.push_back(workload_at(entry.workload, stated.kind == WorkloadKind::inference ? demand
                                                 : stated.kind == WorkloadKind::batch   ? "requests_per_month"
                                                                                        : epochs_at(stated)));
    return inputs;
}

} // namespace

Term units_served_by(const Question& question, std::size_t e, const Scope& scope) {
    const CompiledEntry& entry = question.compiled.entries[e];
    const CompiledWorkload& workload = question.compiled.workloads[entry.workload];
    const bool inference = workload.kind == WorkloadKind::inference;
    const bool api = question.compiled.pools[entry.pool].kind == PoolKind::api;
    const bool fails = inference && !api && workload.has_outages;
    const bool waits = keeps_queue_short(question, e);
    const std::string usable =
        waits ? "units_per_s × min(peak_utilization, share that keeps slo)" : "units_per_s × peak_utilization";
    const std::string ways = ways_kept(question, e, scope);
    const bool is_alone = e == workload.first_entry && !workload.by_share;
    const std::string formula =
        api         ? served_by_api_rule(question.compiled.pools[entry.pool])
        : fails     ? served_where_hosts_fail(entry, is_alone, usable)
        : inference ? "Σ hours × 3600 × min(demand left, replicas × " + usable + ")"
        : workload.is_run
            ? "hours that the run goes on × the part in which none before it in the list is to be had and it is × units_per_s × "
              "goodput × 3600"
            : "min(work left, free gang-hours × units_per_s × goodput × 3600)";
    return over_months(question, scope,
                       {fmt::format("units served by {}", name_of_pool(question, entry.pool)),
                        formula + ways + share_of(question, entry) + half_of(question, e) + phases_of(question, entry), "units",
                        [&, e](std::size_t m) { return question.ledger.served(m, e); },
                        inputs_of_units_served(question, e, fails, waits, !ways.empty())});
}

namespace {

// Busy device-hours of an entry whose pool has a learning curve: the hours per unit fall from month to month.
Term learned_hours(const Question& question, std::size_t e, const Scope& scope) {
    const CompiledEntry& entry = question.compiled.entries[e];
    return over_months(question, scope,
                       {"workload " + question.document.workloads[entry.workload].id,
                        "Σ units served × devices / (units_per_s × goodput of the month × ramp × 3600)",
                        "device-hours",
                        [&question, e](std::size_t m) {
                            const CompiledEntry& of = question.compiled.entries[e];
                            return question.ledger.served(m, e) * of.devices /
                                   (rate_in(of, question.compiled.pools[of.pool], m) * kSecondsPerHour);
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
        if (!question.compiled.pools[p].ramp.empty() || !entry.aged_rate.empty()) {
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

} // namespace costcurve::model::terms
