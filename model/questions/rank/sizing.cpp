// A closed form says how many units the peak needs; an evaluation checks it, and bisection finds what no closed form tells.
#include "model/questions/rank/sizing.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>

#include "model/evaluate.hpp"
#include "model/kernels.hpp"
#include "model/performance/classes.hpp"
#include "model/questions/ranking.hpp"

namespace costcurve::model {

namespace {

constexpr int kMaxUnits = 100'000;

// Units of work a second at the highest hour of the months up to `month`, and whether that hour comes in each month.
struct Peak {
    double units_per_s = 0.0;
    bool is_exact = true;
};

double largest(const Rate& rate) {
    return rate.curve ? *std::max_element(rate.curve->y.begin(), rate.curve->y.end()) : rate.number;
}

Peak peak_of(const Workload& workload, int month) {
    const Demand& demand = workload.demand;
    const double growth = std::max(1.0, std::pow(1.0 + demand.growth_per_month, month));
    const auto is_by_year = [](const std::optional<Rate>& rate) {
        return rate && rate->curve && (rate->curve->axis == Axis::hour_of_year || rate->curve->axis == Axis::date);
    };
    Peak peak;
    peak.is_exact = !is_by_year(demand.shape) && !is_by_year(demand.utilization);
    if (demand.utilization) {
        peak.units_per_s = largest(*demand.utilization) * demand.reference_devices.value_or(0.0) *
                           demand.units_per_s_per_device.value_or(0.0) * growth;
    } else {
        const double shape = demand.shape ? largest(*demand.shape) : 1.0;
        peak.units_per_s = demand.mean_per_s.value_or(0.0) * shape * growth * units_of_request(mean_request(workload));
    }
    return peak;
}

double mean_work(const CompiledWorkload& workload, std::size_t months) {
    double sum = 0.0;
    for (const double work : workload.work) {
        sum += work;
    }
    return months == 0 ? 0.0 : sum / static_cast<double>(months);
}

// Units of a pool that hold so many replicas.
double units_for(double replicas, const CompiledEntry& entry, double devices_per_unit) {
    if (entry.held > devices_per_unit) {
        return std::ceil(replicas * entry.held / devices_per_unit);
    }
    return std::ceil(replicas / std::floor(devices_per_unit / entry.held + kernels::kForgiven));
}

struct Need {
    int units = 1;
    bool is_exact = false;
};

Need need_of(const ScenarioDocument& document, const Compiled& compiled, int month) {
    constexpr double kHoursOfMonth = 744.0; // of the longest: a lower bound
    double units = 0.0;
    bool is_exact = document.workloads.size() == 1;
    for (const CompiledEntry& entry : compiled.entries) {
        const Workload& workload = document.workloads[entry.workload];
        const CompiledWorkload& work = compiled.workloads[entry.workload];
        double replicas = 0.0;
        if (work.is_deferrable()) {
            replicas = mean_work(work, compiled.months) / (entry.rate * kHoursOfMonth * 3600.0);
            is_exact = false;
        } else {
            const Peak peak = peak_of(workload, month);
            replicas = peak.units_per_s / entry.usable_rate;
            is_exact = is_exact && peak.is_exact && workload.max_unserved_fraction == 0.0;
        }
        units += units_for(std::ceil(replicas - kernels::kForgiven), entry, compiled.pools[entry.pool].devices_per_unit);
    }
    constexpr double kMax = kMaxUnits;
    return {static_cast<int>(units < kMax ? std::max(units, 1.0) : kMax), is_exact}; // growth may have no end
}

} // namespace

void set_units(Pool& pool, int units, bool is_fixed) {
    if (pool.kind == PoolKind::owned) {
        pool.purchases.front().servers = units;
    } else if (pool.kind == PoolKind::cloud) {
        pool.max_instances = units;
        pool.min_instances = is_fixed ? units : 0;
    }
}

ScenarioDocument Sizing::scenario_of(const std::vector<const Option*>& options) const {
    ScenarioDocument scenario = question_.work;
    for (const Option* const option : options) {
        scenario.pools.push_back(option->pool);
        for (std::size_t w = 0; w < scenario.workloads.size(); ++w) {
            RunsOn& entry = scenario.workloads[w].runs_on.emplace_back();
            entry.pool = option->pool.id;
            if (!option->performances.empty()) {
                entry.performance = option->performances[w];
            }
        }
    }
    return scenario;
}

Compiled Sizing::compile_next(const Scenario& scenario) {
    return hours_ ? compile(scenario, std::move(*hours_)) : compile(scenario);
}

void Sizing::evaluate(SizedPlan& plan) {
    Result<Scenario> scenario = make_scenario(plan.scenario);
    if (!scenario) {
        plan.reason = code_name(scenario.error().front().code);
        return;
    }
    // What nobody knows keeps no objective.
    if (std::ranges::any_of(scenario->warnings(), [](const Issue& warning) { return warning.code == Code::latency_unknown; })) {
        plan.reason = code_name(Code::latency_unknown);
        return;
    }
    Compiled compiled = compile_next(*scenario);
    Workspace workspace(compiled);
    plan.summary = summarize(*scenario, compiled, model::evaluate(compiled, workspace));
    hours_ = std::move(compiled.hours);
    ++evaluated;
    plan.reason = !plan.summary.is_feasible()         ? name_of(plan.summary.infeasible_because.front().code)
                  : !is_eligible(plan.summary, false) ? code_name(Code::outages)
                  : is_finite(plan.summary)           ? ""
                                                      : "not_finite";
}

// Work left undone that the question ignores is no reason.
SizedPlan Sizing::judged(SizedPlan plan) const {
    const bool is_undone = plan.reason == name_of(InfeasibleCode::unserved) || plan.reason == code_name(Code::outages);
    if (is_undone && is_eligible(plan.summary, question_.ignore_unserved) && is_finite(plan.summary)) {
        plan.reason.clear();
    }
    return plan;
}

SizedPlan Sizing::with_units(const Option& option, int units) {
    SizedPlan plan;
    plan.scenario = scenario_of({&option});
    plan.units = units;
    set_units(plan.scenario.pools.front(), units, option.is_fixed);
    evaluate(plan);
    return plan;
}

SizedPlan Sizing::size(const Option& option) {
    if (option.way == Way::api) {
        return judged(with_units(option, 0));
    }
    SizedPlan plan;
    plan.scenario = scenario_of({&option});
    set_units(plan.scenario.pools.front(), 1, option.is_fixed);
    const Result<Scenario> one = make_scenario(plan.scenario);
    if (!one) {
        plan.reason = code_name(one.error().front().code);
        return plan;
    }
    if (option.is_staged) {
        return staged(option);
    }
    Compiled compiled = compile_next(*one);
    const Need need = need_of(plan.scenario, compiled, plan.scenario.months - 1);
    hours_ = std::move(compiled.hours);
    plan = with_units(option, need.units);
    if (plan.reason.empty() && need.is_exact) {
        return plan;
    }
    // Double until the work is done, then halve the range in which the least lies.
    int low = 0; // can't do it
    SizedPlan best = std::move(plan);
    while (best.reason == name_of(InfeasibleCode::unserved) && best.units < kMaxUnits) {
        low = best.units;
        best = with_units(option, std::min(kMaxUnits, 2 * low));
    }
    while (best.reason.empty() && best.units - low > 1) {
        SizedPlan middle = with_units(option, low + (best.units - low) / 2);
        if (middle.reason.empty()) {
            best = std::move(middle);
        } else {
            low = middle.units;
        }
    }
    return judged(std::move(best));
}

SizedPlan Sizing::staged(const Option& option) {
    SizedPlan plan;
    plan.scenario = scenario_of({&option});
    const Result<Scenario> one = make_scenario(plan.scenario);
    Compiled compiled = compile_next(*one);
    Pool& pool = plan.scenario.pools.front();
    pool.purchases.clear();
    for (int month = 0; month < plan.scenario.months; month += kStageMonths) {
        const int last = std::min(month + kStageMonths, plan.scenario.months) - 1;
        const int more = need_of(plan.scenario, compiled, last).units - plan.units;
        if (more > 0) {
            ServerPurchase& purchase = pool.purchases.emplace_back();
            purchase.month = month;
            purchase.servers = more;
            plan.units += more;
        }
    }
    hours_ = std::move(compiled.hours);
    evaluate(plan);
    plan = judged(std::move(plan));
    if (plan.reason.empty() && plan.scenario.pools.front().purchases.size() < 2) {
        plan.reason = "one_stage"; // the same as bought at once
    }
    return plan;
}

SizedPlan Sizing::combine(const Option& base, int base_units, const Option& burst, int burst_units) {
    SizedPlan plan;
    plan.scenario = scenario_of({&base, &burst});
    plan.units = base_units;
    set_units(plan.scenario.pools[0], base_units, base.is_fixed);
    set_units(plan.scenario.pools[1], burst_units, burst.is_fixed);
    evaluate(plan);
    return judged(std::move(plan));
}

} // namespace costcurve::model
