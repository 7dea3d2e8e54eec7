// Sizes training runs: chooses a gang of an option, evaluates the whole scenario, and sizes hosted models beside training.
#include <algorithm>
#include <cmath>
#include <vector>

#include "model/documents/calendar.hpp"
#include "model/documents/units.hpp"
#include "model/hosted/provisioned.hpp"
#include "model/performance/goodput.hpp"
#include "model/performance/performance.hpp"
#include "model/questions/rank/sizing.hpp"
#include "model/scenario.hpp"

namespace costcurve::model {

namespace {

// Numbers of spare hosts to try: 0, and enough that 99 % of failed hosts find a spare.
std::vector<int> spare_hosts_of(const Workload& workload, const Pool& pool, double devices, bool holds_spares) {
    constexpr int kMaxSpares = 1000;
    constexpr double kFewWaits = 0.01;
    Workload with = workload;
    with.spare_hosts = 0;
    const bool none_waits = gang_interruptions(with, pool, devices).times.restart.value * kSecondsPerHour <=
                            workload.checkpoint.restart_s.value_or(0.0);
    if (workload.spare_hosts > 0 || !holds_spares || none_waits) {
        return {workload.spare_hosts};
    }
    while (with.spare_hosts < kMaxSpares && waits_for_repair(with, pool, devices) > kFewWaits) {
        ++with.spare_hosts;
    }
    return {0, with.spare_hosts};
}

// Sets the gang and its hosts in the pool at index `place` of the scenario.
void take_gang(const Option& option, const Gang& gang, std::size_t place, ScenarioDocument& scenario) {
    scenario.workloads.front().runs_on[place].performance = gang.performance;
    const double hosts =
        std::ceil(gang.performance.devices / devices_per_unit(option.pool)) + scenario.workloads.front().spare_hosts;
    set_units(scenario.pools[place], static_cast<int>(hosts), option.is_fixed);
}

const Gang* gang_of(const Option& option, double devices) {
    const auto found = std::ranges::find_if(option.gangs, [&](const Gang& gang) { return gang.performance.devices == devices; });
    return found == option.gangs.end() ? nullptr : &*found;
}

} // namespace

// If the plan trains: sets the gangs with as many devices as in `sized`.
void Sizing::take_gangs_of(const std::vector<const Option*>& options, const ScenarioDocument& sized,
                           ScenarioDocument& scenario) const {
    const Workload& workload = sized.workloads.front();
    scenario.workloads.front().fall_back_after_days = workload.fall_back_after_days;
    scenario.workloads.front().spare_hosts = workload.spare_hosts;
    for (std::size_t place = 0; place < options.size() && !options[place]->gangs.empty(); ++place) {
        if (const Gang* const gang = gang_of(*options[place], workload.runs_on[place].performance->devices)) {
            take_gang(*options[place], *gang, place, scenario);
        }
    }
}

// Price of an instance-hour on the first day.
double Sizing::first_price(const Option& option) const {
    const Rate& price = option.pool.offer->hourly_price;
    const YearMonth start = question_.work.start;
    return price.curve ? read(*price.curve, days_since_epoch(start.year, start.month, 1)) : price.number;
}

SizedPlan Sizing::size_fall_back(const Option& spot, const Option& on_demand) {
    const Workload& workload = question_.work.workloads.front();
    const double within = days_allowed(workload, horizon_days(question_.work));
    SizedPlan plan;
    plan.reason = name_of(InfeasibleCode::deadline);
    const Gang* best = nullptr;
    double least = 0.0;
    double least_alone = HUGE_VAL; // cost of gangs on one pool alone
    for (const Gang& gang : spot.gangs) {
        const Gang* const same = gang_of(on_demand, gang.performance.devices);
        if (same == nullptr) {
            continue;
        }
        RunTime run = run_time(workload, spot.pool, gang);
        const RunTime on_last = run_time(workload, on_demand.pool, *same);
        const double all_on_spot = run.days * availability_of(*spot.pool.offer) * first_price(spot);
        if (on_last.chance_within(within) >= kChanceInTime) {
            least_alone = std::min(least_alone, on_last.days * first_price(on_demand) * run.devices);
        }
        if (run.chance_within(within) >= kChanceInTime) {
            least_alone = std::min(least_alone, all_on_spot * run.devices);
            continue;
        }
        run.fall_back = latest_fall_back(run, on_last.days, within);
        if (!run.fall_back || run.fall_back->after_days == 0.0 || !std::isfinite(all_on_spot)) { // never makes progress on spot
            continue;
        }
        const double more = run.fall_back->days_of_all * first_price(on_demand) - all_on_spot;
        const double till_then = std::min(1.0, run.fall_back->after_days / run.days) * all_on_spot;
        const double paid = (till_then + left_at_the_mean(run) * run.fall_back->days_of_all * first_price(on_demand)) * run.devices;
        run.fall_back->dearer = more * kHoursPerDay * run.devices / devices_per_unit(spot.pool);
        if (best == nullptr || paid < least) {
            best = &gang;
            least = paid;
            plan.run = run;
        }
    }
    if (best == nullptr || least >= least_alone) {
        plan.run.reset();
        plan.reason = std::isfinite(least_alone) ? "unused_burst" : plan.reason;
        return plan;
    }
    plan.scenario = scenario_of({&spot, &on_demand}, 0);
    plan.scenario.workloads.front().fall_back_after_days = plan.run->fall_back->after_days;
    take_gang(spot, *best, 0, plan.scenario);
    take_gang(on_demand, *gang_of(on_demand, plan.run->devices), 1, plan.scenario);
    plan.units = static_cast<int>(plan.run->devices / devices_per_unit(spot.pool));
    plan.reason.clear();
    evaluate(plan);
    if (!plan.summary.workloads.empty()) {
        plan.run->days = plan.summary.workloads.front().days.value_or(plan.run->days);
    }
    return judged(std::move(plan));
}

// Chooses a training run's gang. Of gangs that end in time often enough it takes the cheapest: the one with the fewest
// device-hours, or with the fewest devices if servers are paid for anyway. If none ends in time, the fastest.
SizedPlan Sizing::size_run(const Option& option) {
    Workload workload = question_.work.workloads.front();
    const double within = days_allowed(workload, option.pool, question_.work);
    const bool holds_spares = question_.outages.spares > 0;
    const Gang* best = nullptr;
    RunTime time;
    int spares = 0;
    double least = 0.0;
    bool is_in_time = false;
    for (const Gang& gang : option.gangs) {
        const double devices = gang.performance.devices;
        for (const int more : spare_hosts_of(question_.work.workloads.front(), option.pool, devices, holds_spares)) {
            workload.spare_hosts = more;
            const RunTime of_gang = run_time(workload, option.pool, gang);
            const bool ends = of_gang.chance_within(within) >= kChanceInTime;
            const double held = devices_held(workload, devices, devices_per_unit(option.pool));
            const double paid = !ends ? of_gang.days : option.is_fixed ? held : held * of_gang.days;
            if (best == nullptr || (ends && !is_in_time) || (ends == is_in_time && paid < least)) {
                best = &gang;
                time = of_gang;
                spares = more;
                least = paid;
                is_in_time = ends;
            }
        }
    }
    SizedPlan plan;
    plan.scenario = scenario_of({&option}, 0);
    plan.scenario.workloads.front().spare_hosts = spares;
    take_gang(option, *best, 0, plan.scenario);
    plan.spares = spares;
    plan.units = static_cast<int>(std::ceil(time.devices / devices_per_unit(option.pool))) + spares;
    evaluate(plan);
    plan.run = time;
    plan = judged(std::move(plan));
    if (!is_in_time && (plan.reason.empty() || lacks_room(plan))) {
        plan.reason = name_of(InfeasibleCode::deadline);
    }
    return plan;
}

// Sizes a hosted model. If the question has training, the model can serve only the other workloads, and is excluded for that.
SizedPlan Sizing::hosted(Trial& trial) {
    SizedPlan plan = judged(is_provisioned(trial.options.front()->pool) ? with_room(trial, 1) : with_units(trial, 0, 0));
    const auto trains = [](const Workload& workload) { return workload.kind == WorkloadKind::training; };
    if (plan.reason.empty() && std::ranges::any_of(question_.work.workloads, trains)) {
        plan.reason = kServesOnly;
    }
    return plan;
}

// Sets the deadline reason if a training run that shares pools with other work ends too late at its p90.
void Sizing::hold_runs(const Trial& trial, SizedPlan& plan) const {
    const std::vector<double>& lateness = trial.options.front()->lateness;
    for (std::size_t w = 0; w < lateness.size() && plan.reason.empty(); ++w) {
        const Workload& workload = question_.work.workloads[w];
        const std::optional<double> days = plan.summary.workloads[w].days;
        if (workload.within_days && days && *days * lateness[w] > *workload.within_days) {
            plan.reason = name_of(InfeasibleCode::deadline);
        }
    }
}

} // namespace costcurve::model
