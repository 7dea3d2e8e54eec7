// Work, energy and unit costs of a workload: quotients of the ledger's sums and of the work done.
#include "model/allocation.hpp"
#include "model/dispatch/dispatch.hpp"
#include "model/performance/classes.hpp"
#include "model/questions/explain/explain_parts.hpp"

namespace costcurve::model::terms {

namespace {

constexpr double kMillion = 1e6;

const Workload& workload_of(const Question& question, std::size_t w) { return question.document.workloads[w]; }
std::string units_of(const Question& question, std::size_t w) { return workload_of(question, w).unit + "s"; }

Term units_per_request(const Question& question, std::size_t w) {
    const Workload& workload = workload_of(question, w);
    std::vector<Term> terms;
    if (!workload.token_mix.empty()) {
        for (std::size_t i = 0; i < workload.token_mix.size(); ++i) {
            const TokenBucket& bucket = workload.token_mix[i];
            terms.push_back(leaf(question, fmt::format("bucket {}", i + 1), "share × Σ over classes",
                                 bucket.share * units_of_request({bucket, true}), "units/request", bucket_at(question, w, i)));
        }
        return sum("units of a request", "Σ over token_mix", "units/request", std::move(terms));
    }
    if (!workload.units_per_request.split) {
        return stated(question, "units of a request", workload_at(w, "units_per_request"));
    }
    for (const std::string_view name : enum_names<UnitClass>) {
        add_unless_zero(terms, stated(question, std::string(name), workload_at(w, fmt::format("units_per_request/{}", name))));
    }
    return sum("units of a request", "Σ over classes", "units/request", std::move(terms));
}

// Units of a class in the mean request.
Term units_of_class_in_request(const Question& question, std::size_t w, UnitClass unit_class) {
    const Workload& workload = workload_of(question, w);
    std::string name(name_of(unit_class));
    if (workload.token_mix.empty()) {
        return stated(question, name, workload_at(w, "units_per_request/" + name));
    }
    Pointers inputs;
    for (std::size_t i = 0; i < workload.token_mix.size(); ++i) {
        for (const std::string& field : {std::string("share"), name}) {
            inputs.push_back(workload_at(w, fmt::format("token_mix/{}/{}", i, field)));
        }
    }
    return leaf(question, std::move(name), "Σ over token_mix: share × units", mean_request(workload)[unit_class], "units/request",
                inputs);
}

Term millions(const Question& question, std::size_t w, Term units) {
    std::string unit = "million " + units_of(question, w);
    return quotient("millions of units", "units / 10^6", std::move(unit), std::move(units),
                    leaf(question, "a million", "", kMillion, "of 1"));
}

std::string per_million(const Question& question, std::size_t w) { return question.per("million " + units_of(question, w)); }

} // namespace

Term units_demanded(const Question& question, std::size_t w) {
    const Workload& workload = workload_of(question, w);
    const Demand& demand = workload.demand;
    std::string formula = fmt::format("{} × units_per_epoch", epochs_at(workload));
    Pointers inputs = {workload_at(w, epochs_at(workload)), workload_at(w, "units_per_epoch")};
    if (workload.kind == WorkloadKind::inference) {
        inputs = {workload_at(w, "demand/growth_per_month")};
        if (demand.utilization) {
            formula = "Σ hours × 3600 × utilization × reference_devices × units_per_s_per_device × (1 + growth_per_month)^m";
            for (const std::string_view field : {"utilization", "reference_devices", "units_per_s_per_device"}) {
                inputs.push_back(workload_at(w, fmt::format("demand/{}", field)));
            }
        } else {
            formula = "Σ hours × 3600 × mean_per_s × shape × (1 + growth_per_month)^m × units_per_request";
            inputs.push_back(workload_at(w, "demand/mean_per_s"));
            inputs.push_back(workload_at(w, "demand/shape"));
            const Pointers units = units_at(question, w);
            inputs.insert(inputs.end(), units.begin(), units.end());
        }
    } else if (workload.kind == WorkloadKind::batch) {
        formula = "requests_per_month × units_per_request";
        inputs = units_at(question, w);
        inputs.push_back(workload_at(w, "requests_per_month"));
    }
    return over_months(question, whole_horizon(question),
                       {"units demanded", formula, units_of(question, w),
                        [&question, w](std::size_t m) { return question.ledger.demanded(m, w); }, inputs});
}

Term units_served(const Question& question, std::size_t w) {
    const CompiledWorkload& workload = question.compiled.workloads[w];
    std::vector<Term> terms;
    for (std::size_t e = workload.first_answer; e < workload.end_entry; ++e) {
        add_unless_zero(terms, units_served_by(question, e, whole_horizon(question)));
    }
    return sum("units served", "Σ over pools", units_of(question, w), std::move(terms));
}

Term units_unserved(const Question& question, std::size_t w) {
    // No month's shortfall is made up by another month, so the difference is below 0 only by rounding.
    const double value = question.summary.workloads[w].units_unserved;
    if (value == 0.0) {
        return leaf(question, "units unserved", "demanded − served", value, units_of(question, w));
    }
    std::vector<Term> terms;
    terms.push_back(units_demanded(question, w));
    terms.push_back(leaf(question, "−units served", "", -question.summary.workloads[w].units_served, units_of(question, w)));
    return renamed(sum("", "demanded − served", units_of(question, w), std::move(terms)), "units unserved", value);
}

Term days_of_run(const Question& question, std::size_t w) {
    return over_months(question, whole_horizon(question),
                       {"days",
                        "Σ months: days × work done / work that the month has room for, until the run ends",
                        "days",
                        [&question, w](std::size_t m) { return question.ledger.run_days(m, w); },
                        {workload_at(w, "epochs"), workload_at(w, "start_day"), workload_at(w, "fall_back_after_days")}});
}

Term units_lost_to_outages(const Question& question, std::size_t w) {
    if (question.compiled.workloads[w].is_deferrable()) {
        return leaf(question, "lost to outages", "0: what waits is done later", 0.0, units_of(question, w));
    }
    return leaf(
        question, "lost to outages",
        "Σ hours × 3600 × (what is left undone − max(0, demand − Σ over pools of what they have room for if nothing fails))",
        question.summary.workloads[w].units_lost_to_outages, units_of(question, w),
        {workload_at(w, "spare_replicas"), workload_at(w, "checkpoint/restart_s")});
}

Term backlog(const Question& question, std::size_t w, std::size_t month) {
    const CompiledWorkload& workload = question.compiled.workloads[w];
    const std::string unit = units_of(question, w);
    double served = 0.0;
    for (std::size_t e = workload.first_answer; e < workload.end_entry; ++e) {
        served += question.ledger.served(month, e);
    }
    const double unserved = units_unserved(question.compiled, question.ledger, month, w);
    std::vector<Term> terms;
    add_unless_zero(terms, leaf(question, "backlog before", "of the month before",
                                month > 0 ? question.summary.workloads[w].backlog[month - 1] : 0.0, unit));
    add_unless_zero(terms, leaf(question, "units demanded", "of the month", question.ledger.demanded(month, w), unit));
    add_unless_zero(terms, leaf(question, "−units served", "", -served, unit));
    add_unless_zero(terms, leaf(question, "−units unserved", "", -unserved, unit));
    return renamed(sum("", "backlog before + demanded − served − unserved", unit, std::move(terms)), "backlog",
                   question.summary.workloads[w].backlog[month]);
}

Term work_done(const Question& question, std::size_t w) {
    const bool training = workload_of(question, w).kind == WorkloadKind::training;
    return quotient(training ? "epochs done" : "requests served",
                    training ? "units served / units_per_epoch" : "units served / units_per_request",
                    training ? "epochs" : "requests", units_served(question, w),
                    training ? stated(question, "units of an epoch", workload_at(w, "units_per_epoch"))
                             : units_per_request(question, w));
}

Term cost_per_work(const Question& question, std::size_t w) {
    const bool training = workload_of(question, w).kind == WorkloadKind::training;
    return quotient("", training ? "cost / epochs done" : "cost / requests served", question.per(training ? "epoch" : "request"),
                    workload_cost(question, w), work_done(question, w));
}

Term energy_of_workload(const Question& question, std::size_t w) { return workload_share(question, w, "energy", "kWh", kEnergy); }
Term carbon_of_workload(const Question& question, std::size_t w) { return workload_share(question, w, "carbon", "kg", kCarbon); }

Term units_per_kwh(const Question& question, std::size_t w) {
    return quotient("", "units served / energy", units_of(question, w) + "/kWh", units_served(question, w),
                    energy_of_workload(question, w));
}

Term carbon_g_per_unit(const Question& question, std::size_t w) {
    Term thousands = quotient("thousands of units", "units / 10^3", "thousand " + units_of(question, w), units_served(question, w),
                              leaf(question, "a thousand", "", 1000, "of 1"));
    return quotient("", "carbon / units served × 10^3", "g/unit", carbon_of_workload(question, w), std::move(thousands));
}

Term water_l_per_million_units(const Question& question, std::size_t w) {
    return quotient("", "water / units served × 10^6", "l/million " + units_of(question, w),
                    workload_share(question, w, "water", "l", kWater), millions(question, w, units_served(question, w)));
}

Term cost_per_million_units(const Question& question, std::size_t w) {
    return quotient("", "cost / units served × 10^6", per_million(question, w), workload_cost(question, w),
                    millions(question, w, units_served(question, w)));
}

std::string formula_of_unit_price(const Question& question, std::size_t e) {
    const CompiledEntry& entry = question.compiled.entries[e];
    const HostedModel& model = hosted(question.document.pools[entry.pool]);
    std::string formula =
        entry.by_class.empty() ? "price_per_million_units / 10^6" : "Σ units × price of the class / Σ units / 10^6";
    if (prices_at(question, entry.pool).size() > 1) {
        formula = "(Σ units × price of the class × factor of the tier / 10^6 + fees of a request) / Σ units";
    }
    if (!entry.by_length.empty()) {
        formula = "Σ over token_mix: share × " + formula;
    }
    for (const PrefixCache& cache : prefix_caches(model, workload_of(question, entry.workload))) {
        formula += fmt::format("; of prefixes that are kept for {} s, {:.6g} are read", cache.lifetime_s, cache.hit_fraction);
    }
    return formula;
}

std::vector<Term> terms_of_unit_price(const Question& question, std::size_t e, std::size_t month) {
    const CompiledEntry& entry = question.compiled.entries[e];
    std::vector<Term> terms;
    for (std::size_t i = 0; i < entry.by_length.size(); ++i) {
        Pointers inputs = bucket_at(question, entry.workload, i);
        if (workload_of(question, entry.workload).prefix) {
            inputs.push_back(workload_at(entry.workload, "prefix/tokens"));
        }
        terms.push_back(leaf(question, fmt::format("bucket {}", i + 1), "share × price of such a request / Σ units of the mean one",
                             entry.by_length[i][month], question.per("unit"), inputs));
    }
    return terms;
}

// Cost of one class of units of a workload: as an API bills it, otherwise shared by weighted units.
Term cost_of_class(const Question& question, std::size_t w, UnitClass unit_class) {
    const WorkloadSummary& summary = question.summary.workloads[w];
    const Workload& workload = workload_of(question, w);
    const auto c = static_cast<std::size_t>(unit_class);
    const auto part = [&](std::string name, double cost, std::string rule, double share, const Pointers& inputs) {
        std::vector<Term> factors;
        factors.push_back(
            leaf(question, "cost it bears there", "what it causes, and its share of the rest", cost, question.currency()));
        factors.push_back(leaf(question, "share", std::move(rule), share, "of 1", inputs));
        return product(std::move(name), "cost × share", question.currency(), std::move(factors));
    };
    std::vector<Term> terms;
    double rest = summary.cost;
    for (std::size_t p = 0; p < question.ledger.pools; ++p) {
        if (question.compiled.pools[p].kind == PoolKind::api) {
            const double billed = billed_by_class(workload, question.compiled, question.ledger, w, p)[c];
            rest -= summary.cost_by_pool[p];
            Pointers inputs = prices_at(question, p);
            const Pointers units = units_at(question, w);
            inputs.insert(inputs.end(), units.begin(), units.end());
            add_unless_zero(terms,
                            part(name_of_pool(question, p), summary.cost_by_pool[p], "as its usage was billed", billed, inputs));
        }
    }
    Pointers inputs = units_at(question, w);
    inputs.push_back(workload_at(w, "cost_weights"));
    inputs.push_back(workload_at(w, "output_cost_ratio"));
    add_unless_zero(
        terms, part("elsewhere", rest, "units × weight / Σ over classes: units × weight", weighted_by_class(workload)[c], inputs));
    return sum("cost of its units", "Σ over pools", question.currency(), std::move(terms));
}

Term units_of_class(const Question& question, std::size_t w, UnitClass unit_class) {
    std::vector<Term> terms;
    terms.push_back(units_served(question, w));
    terms.push_back(quotient("share of a request", "units of the class / units of a request", "of 1",
                             units_of_class_in_request(question, w, unit_class), units_per_request(question, w)));
    return product("units of the class", "units served × share of a request", units_of(question, w), std::move(terms));
}

Term cost_per_million_of_class(const Question& question, std::size_t w, UnitClass unit_class) {
    return quotient("", "cost / units × 10^6", per_million(question, w), cost_of_class(question, w, unit_class),
                    millions(question, w, units_of_class(question, w, unit_class)));
}

Term levelized_cost(const Question& question, std::size_t w) {
    const CompiledWorkload& workload = question.compiled.workloads[w];
    Term units = over_months(question, whole_horizon(question),
                             {"discounted units",
                              "units served / (1+d)^((m+1)/12)",
                              units_of(question, w),
                              [&](std::size_t m) {
                                  double served = 0.0;
                                  for (std::size_t e = workload.first_answer; e < workload.end_entry; ++e) {
                                      served += question.ledger.served(m, e);
                                  }
                                  return served * question.compiled.discount[m + 1];
                              },
                              {"/finance/discount_rate"}});
    return quotient("", "present value of cash / Σ units / (1+d)^((m+1)/12) × 10^6", per_million(question, w),
                    workload_present_value(question, w), millions(question, w, std::move(units)));
}

Term hours_per_epoch(const Question& question, std::size_t w, std::size_t pool) {
    const CompiledWorkload& workload = question.compiled.workloads[w];
    std::size_t e = workload.first_entry;
    while (question.compiled.entries[e].pool != pool) {
        ++e;
    }
    return quotient("", "units_per_epoch / (units_per_s × goodput × 3600)", "h/epoch",
                    stated(question, "units of an epoch", workload_at(w, "units_per_epoch")), units_per_hour(question, e));
}

Term batch(const Question& question, std::size_t w, std::size_t pool) {
    const CompiledWorkload& workload = question.compiled.workloads[w];
    std::size_t e = workload.first_entry;
    while (question.compiled.entries[e].pool != pool) {
        ++e;
    }
    Pointers inputs = {entry_at(question, e, "performance/batch"), entry_at(question, e, "performance/itl_s"),
                       entry_at(question, e, "performance/ttft_s")};
    if (question.document.workloads[w].kind == WorkloadKind::inference) {
        for (const char* const objective : {"slo/ttft_s", "slo/itl_s", "slo/e2e_s"}) {
            inputs.push_back(workload_at(w, objective));
        }
    }
    return leaf(question, "", "as stated, else the largest that keeps the objectives and fits into memory",
                question.compiled.entries[e].batch.value_or(0), "sequences", inputs);
}

} // namespace costcurve::model::terms
