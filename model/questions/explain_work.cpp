// What a workload asks for, gets and costs a unit: quotients of the ledger's sums and the work done.
#include "model/questions/explain_parts.hpp"

namespace costcurve::model::terms {

namespace {

constexpr double kMillion = 1e6;

const Workload& workload_of(const Question& question, std::size_t w) { return question.document.workloads[w]; }
std::string units_of(const Question& question, std::size_t w) { return workload_of(question, w).unit + "s"; }

Term units_per_request(const Question& question, std::size_t w) {
    if (!workload_of(question, w).units_per_request.split) {
        return stated(question, "units of a request", workload_at(w, "units_per_request"));
    }
    std::vector<Term> terms;
    terms.push_back(stated(question, "units in", workload_at(w, "units_per_request/input")));
    terms.push_back(stated(question, "units out", workload_at(w, "units_per_request/output")));
    return sum("units of a request", "input + output", "units/request", std::move(terms));
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
    std::string formula = "epochs_per_month × units_per_epoch";
    Pointers inputs = {workload_at(w, "epochs_per_month"), workload_at(w, "units_per_epoch")};
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
            if (workload.units_per_request.split) {
                inputs.push_back(workload_at(w, "units_per_request/input"));
                inputs.push_back(workload_at(w, "units_per_request/output"));
            } else {
                inputs.push_back(workload_at(w, "units_per_request"));
            }
        }
    }
    return over_months(question, whole_horizon(question),
                       {"units demanded", formula, units_of(question, w),
                        [&question, w](std::size_t m) { return question.ledger.demanded(m, w); }, inputs});
}

Term units_served(const Question& question, std::size_t w) {
    const CompiledWorkload& workload = question.compiled.workloads[w];
    std::vector<Term> terms;
    for (std::size_t e = workload.first_entry; e < workload.end_entry; ++e) {
        add_unless_zero(terms, units_served_by(question, e, whole_horizon(question)));
    }
    return sum("units served", "Σ over pools", units_of(question, w), std::move(terms));
}

Term units_unserved(const Question& question, std::size_t w) {
    // A month's shortfall is not made up by another, so that what is left stays below 0 by rounding only.
    const double value = question.summary.workloads[w].units_unserved;
    if (value == 0.0) {
        return leaf(question, "units unserved", "demanded − served", value, units_of(question, w));
    }
    std::vector<Term> terms;
    terms.push_back(units_demanded(question, w));
    terms.push_back(leaf(question, "−units served", "", -question.summary.workloads[w].units_served, units_of(question, w)));
    return renamed(sum("", "demanded − served", units_of(question, w), std::move(terms)), "units unserved", value);
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

Term cost_per_million_units(const Question& question, std::size_t w) {
    return quotient("", "cost / units served × 10^6", per_million(question, w), workload_cost(question, w),
                    millions(question, w, units_served(question, w)));
}

Term cost_per_million_input(const Question& question, std::size_t w) {
    std::vector<Term> output;
    output.push_back(stated(question, "ρ", workload_at(w, "output_cost_ratio")));
    output.push_back(stated(question, "units out", workload_at(w, "units_per_request/output")));
    std::vector<Term> weighted;
    weighted.push_back(stated(question, "units in", workload_at(w, "units_per_request/input")));
    weighted.push_back(product("output, in input units", "ρ × output", "units/request", std::move(output)));
    std::vector<Term> terms;
    terms.push_back(work_done(question, w));
    terms.push_back(sum("input units of a request", "input + ρ × output", "units/request", std::move(weighted)));
    return quotient(
        "cost per million input units", "cost / (I + ρ·O) × 10^6", per_million(question, w), workload_cost(question, w),
        millions(question, w, product("I + ρ·O", "requests × input units of a request", units_of(question, w), std::move(terms))));
}

Term cost_per_million_output(const Question& question, std::size_t w) {
    std::vector<Term> terms;
    terms.push_back(cost_per_million_input(question, w));
    terms.push_back(stated(question, "ρ", workload_at(w, "output_cost_ratio")));
    return product("", "cost per million input units × ρ", per_million(question, w), std::move(terms));
}

Term levelized_cost(const Question& question, std::size_t w) {
    const CompiledWorkload& workload = question.compiled.workloads[w];
    Term units = over_months(question, whole_horizon(question),
                             {"discounted units",
                              "units served / (1+d)^((m+1)/12)",
                              units_of(question, w),
                              [&](std::size_t m) {
                                  double served = 0.0;
                                  for (std::size_t e = workload.first_entry; e < workload.end_entry; ++e) {
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
    Pointers inputs = {entry_at(question, e, "performance/batch"), entry_at(question, e, "performance/latency_s"),
                       workload_at(w, "latency_objective_s")};
    return leaf(question, "", "as stated, else the largest that keeps latency_objective_s",
                question.compiled.entries[e].batch.value_or(0), "sequences", inputs);
}

} // namespace costcurve::model::terms
