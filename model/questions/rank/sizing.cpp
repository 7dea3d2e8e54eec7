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

// With so many spares beside the replicas of inference that the month needs.
Need need_of(const ScenarioDocument& document, const Compiled& compiled, int month, int spares) {
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
        const int in_hand = work.is_deferrable() ? 0 : spares;
        units += units_for(std::ceil(replicas - kernels::kForgiven) + in_hand, entry, compiled.pools[entry.pool].devices_per_unit);
    }
    constexpr double kMax = kMaxUnits;
    return {static_cast<int>(units < kMax ? std::max(units, 1.0) : kMax), is_exact}; // growth may have no end
}

// Of each workload of inference on each of its pools.
int units_of_spares(const Compiled& compiled, int spares) {
    double units = 0.0;
    for (const CompiledEntry& entry : compiled.entries) {
        if (!compiled.workloads[entry.workload].is_deferrable()) {
            units += units_for(spares, entry, compiled.pools[entry.pool].devices_per_unit);
        }
    }
    return static_cast<int>(std::min(units, static_cast<double>(kMaxUnits)));
}

// Why a result is in no ranking, above all for want of room; "" where it may be.
std::string reason_against(const Summary& summary) {
    for (const Infeasibility& because : summary.infeasible_because) {
        if (because.code == InfeasibleCode::unserved) {
            return std::string(name_of(because.code));
        }
    }
    return std::string(!summary.is_feasible()         ? name_of(summary.infeasible_because.front().code)
                       : !is_eligible(summary, false) ? code_name(Code::outages)
                       : is_finite(summary)           ? ""
                                                      : "not_finite");
}

bool lacks_room(const SizedPlan& plan) { return plan.reason == name_of(InfeasibleCode::unserved); }
bool loses(const SizedPlan& plan) {
    return plan.reason == name_of(InfeasibleCode::availability) || plan.reason == code_name(Code::outages);
}
bool has_room(const SizedPlan& plan) { return plan.reason.empty() || loses(plan); }

} // namespace

double lost_to_outages(const Summary& summary) {
    double lost = 0.0;
    for (const WorkloadSummary& workload : summary.workloads) {
        lost = workload.units_demanded > 0 ? std::max(lost, workload.units_lost_to_outages / workload.units_demanded) : lost;
    }
    return lost;
}

double peak_units_per_s(const Workload& workload, int month) { return peak_of(workload, month).units_per_s; }

void set_units(Pool& pool, int units, bool is_fixed) {
    if (pool.kind == PoolKind::owned) {
        pool.purchases.front().servers = units;
    } else if (pool.kind == PoolKind::cloud) {
        pool.max_instances = units;
        pool.min_instances = is_fixed ? units : 0;
    }
}

ScenarioDocument Sizing::scenario_of(const std::vector<const Option*>& options, int spares) const {
    ScenarioDocument scenario = question_.work;
    for (Workload& workload : scenario.workloads) {
        workload.spare_replicas = workload.kind == WorkloadKind::inference ? spares : 0;
    }
    for (const Option* const option : options) {
        scenario.pools.push_back(option->pool);
        for (std::size_t w = 0; w < scenario.workloads.size(); ++w) {
            RunsOn& entry = scenario.workloads[w].runs_on.emplace_back();
            entry.pool = option->pool.id;
            entry.porting = option->porting;
            if (!option->performances.empty()) {
                entry.performance = option->performances[w];
            }
        }
    }
    return scenario;
}

bool Sizing::has_inference() const {
    return std::ranges::any_of(question_.work.workloads,
                               [](const Workload& workload) { return workload.kind == WorkloadKind::inference; });
}

bool Sizing::may_only_burst(const Option& option) const {
    return question_.outages.spot == SpotUse::burst && option.pool.offer && option.pool.offer->purchase == Purchase::spot &&
           has_inference();
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
    plan.reason = reason_against(plan.summary);
}

// Work left undone that the question ignores is no reason.
SizedPlan Sizing::judged(SizedPlan plan) const {
    if ((lacks_room(plan) || loses(plan)) && is_eligible(plan.summary, question_.ignore_unserved) && is_finite(plan.summary)) {
        plan.reason.clear();
    }
    return plan;
}

SizedPlan Sizing::with_units(const Option& option, int units, int spares) {
    SizedPlan plan;
    plan.scenario = scenario_of({&option}, spares);
    plan.units = units;
    plan.spares = spares;
    set_units(plan.scenario.pools.front(), units, option.is_fixed);
    evaluate(plan);
    return plan;
}

// The least units in which the work finds room, without spares: doubles them, then halves the range in which the least lies.
SizedPlan Sizing::with_room(const Option& option, int units) {
    int low = 0; // can't do it
    SizedPlan best = with_units(option, units, 0);
    while (lacks_room(best) && best.units < kMaxUnits) {
        low = best.units;
        best = with_units(option, std::min(kMaxUnits, 2 * low), 0);
    }
    while (has_room(best) && best.units - low > 1) {
        SizedPlan middle = with_units(option, low + (best.units - low) / 2, 0);
        if (has_room(middle)) {
            best = std::move(middle);
        } else {
            low = middle.units;
        }
    }
    return best;
}

template <class Sized> SizedPlan Sizing::with_least_spares(SizedPlan best, const Sized& sized) {
    constexpr int kMaxMore = 1024;
    constexpr double kHelps = 1 - 1e-6; // what is not to be had at all no spare brings back
    const int spares = best.spares;
    int low = spares;
    for (int more = 1; loses(best) && more <= kMaxMore; more *= 2) {
        SizedPlan next = sized(spares + more);
        if (lost_to_outages(next.summary) >= kHelps * lost_to_outages(best.summary)) {
            break;
        }
        low = best.spares;
        best = std::move(next);
    }
    while (!loses(best) && best.spares - low > 1) {
        SizedPlan middle = sized(low + (best.spares - low) / 2);
        if (loses(middle)) {
            low = middle.spares;
        } else {
            best = std::move(middle);
        }
    }
    return best;
}

SizedPlan Sizing::size(const Option& option) {
    if (option.way == Way::api) {
        return judged(with_units(option, 0, 0));
    }
    SizedPlan plan;
    plan.scenario = scenario_of({&option}, 0);
    set_units(plan.scenario.pools.front(), 1, option.is_fixed);
    const Result<Scenario> one = make_scenario(plan.scenario);
    if (!one) {
        plan.reason = code_name(one.error().front().code);
        return plan;
    }
    Compiled compiled = compile_next(*one);
    hours_ = std::move(compiled.hours);
    const int last_month = plan.scenario.months - 1;
    const Need need = need_of(plan.scenario, compiled, last_month, 0);
    bool is_exact = need.is_exact;
    SizedPlan roomy;
    const auto sized = [&](int spares) {
        if (option.is_staged) {
            return staged(option, compiled, spares);
        }
        if (is_exact) {
            return with_units(option, need_of(plan.scenario, compiled, last_month, spares).units, spares);
        }
        if (spares == 0 || !has_room(roomy)) {
            return roomy;
        }
        return with_units(option, std::min(kMaxUnits, roomy.units + units_of_spares(compiled, spares)), spares);
    };
    const int spares = has_inference() ? question_.outages.spares : 0;
    SizedPlan first = is_exact || option.is_staged ? sized(spares) : SizedPlan();
    if (!option.is_staged && (!is_exact || lacks_room(first))) {
        is_exact = false;
        roomy = with_room(option, need.units);
        first = sized(spares);
    }
    if (may_only_burst(option)) {
        first.reason = has_room(first) ? kSpotAlone : first.reason;
        return first;
    }
    return finished(with_least_spares(std::move(first), sized), option);
}

// Servers bought at once are a way of their own.
SizedPlan Sizing::finished(SizedPlan plan, const Option& option) const {
    plan = judged(std::move(plan));
    if (option.is_staged && plan.reason.empty() && plan.scenario.pools.front().purchases.size() < 2) {
        plan.reason = "one_stage";
    }
    return plan;
}

SizedPlan Sizing::staged(const Option& option, const Compiled& compiled, int spares) {
    SizedPlan plan;
    plan.scenario = scenario_of({&option}, spares);
    plan.spares = spares;
    Pool& pool = plan.scenario.pools.front();
    pool.purchases.clear();
    for (int month = 0; month < plan.scenario.months; month += kStageMonths) {
        const int last = std::min(month + kStageMonths, plan.scenario.months) - 1;
        const int more = need_of(plan.scenario, compiled, last, spares).units - plan.units;
        if (more > 0) {
            ServerPurchase& purchase = pool.purchases.emplace_back();
            purchase.month = month;
            purchase.servers = more;
            plan.units += more;
        }
    }
    evaluate(plan);
    return plan;
}

// Of all its demand, not of what finds room alone.
bool Sizing::keeps_availability(const Summary& summary) const {
    for (std::size_t w = 0; w < summary.workloads.size(); ++w) {
        const Workload& workload = question_.work.workloads[w];
        const WorkloadSummary& sums = summary.workloads[w];
        const bool is_served = workload.kind != WorkloadKind::inference || !workload.availability ||
                               sums.units_served >= *workload.availability * sums.units_demanded * (1 - kernels::kForgiven);
        if (sums.loses_too_much || !is_served) {
            return false;
        }
    }
    return true;
}

SizedPlan Sizing::at_size(const std::vector<const Option*>& options, const ScenarioDocument& sized) {
    SizedPlan plan;
    plan.scenario = scenario_of(options, 0);
    for (std::size_t w = 0; w < sized.workloads.size(); ++w) {
        plan.scenario.workloads[w].spare_replicas = sized.workloads[w].spare_replicas;
    }
    for (std::size_t p = 0; p < sized.pools.size(); ++p) {
        Pool& pool = plan.scenario.pools[p];
        pool.purchases = sized.pools[p].purchases;
        pool.min_instances = sized.pools[p].min_instances;
        pool.max_instances = sized.pools[p].max_instances;
    }
    evaluate(plan);
    return judged(std::move(plan));
}

SizedPlan Sizing::combine(const Option& base, int base_units, const Option& burst, int burst_units, int spares) {
    if (may_only_burst(burst)) { // the base keeps the availability without it
        SizedPlan alone = with_units(base, base_units, spares);
        if (!keeps_availability(alone.summary)) {
            alone.reason = name_of(InfeasibleCode::availability);
            return alone;
        }
    }
    SizedPlan plan;
    plan.scenario = scenario_of({&base, &burst}, spares);
    plan.units = base_units;
    plan.spares = spares;
    set_units(plan.scenario.pools[0], base_units, base.is_fixed);
    set_units(plan.scenario.pools[1], burst_units, burst.is_fixed);
    evaluate(plan);
    return judged(std::move(plan));
}

} // namespace costcurve::model
