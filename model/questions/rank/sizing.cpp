// A closed form gives the units that the peak needs, and an evaluation checks them. Bisection covers what has no closed form.
#include "model/questions/rank/sizing.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>

#include "model/hosted/provisioned.hpp"
#include "model/kernels.hpp"
#include "model/questions/rank/needs.hpp"
#include "model/questions/ranking.hpp"
#include "model/wanted.hpp"

namespace costcurve::model {

namespace {

// Why a result is excluded from the ranking; unserved work comes before other reasons. "" if it is eligible.
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

bool loses(const SizedPlan& plan) {
    return plan.reason == name_of(InfeasibleCode::availability) || plan.reason == code_name(Code::outages);
}
bool has_room(const SizedPlan& plan) { return plan.reason.empty() || loses(plan); }

// Sets whether latency and hosts are known, from the scenario's warnings, and a reason if unknown latency excludes it.
template <class Read> void read_warnings(const Scenario& scenario, const RankQuestion& question, Read& result) {
    const auto has = [&](Code code) {
        return std::ranges::find(scenario.warnings(), code, &Issue::code) != scenario.warnings().end();
    };
    result.latency_is_known = !has(Code::latency_unknown);
    result.hosts_are_known = !has(Code::without_hosts);
    if (!result.latency_is_known && !question.admits_unknown_latency) { // unknown latency does not keep an objective
        result.reason = code_name(Code::latency_unknown);
    }
}

} // namespace

bool lacks_room(const SizedPlan& plan) {
    return plan.reason == name_of(InfeasibleCode::unserved) || plan.reason == name_of(InfeasibleCode::deadline);
}

double lost_to_outages(const Summary& summary) {
    double lost = 0.0;
    for (const WorkloadSummary& workload : summary.workloads) {
        lost = workload.units_demanded > 0 ? std::max(lost, workload.units_lost_to_outages / workload.units_demanded) : lost;
    }
    return lost;
}

ScenarioDocument Sizing::scenario_of(const std::vector<const Option*>& options, int spares) const {
    ScenarioDocument scenario = question_.work;
    set_spares(scenario, spares);
    for (const Option* const option : options) {
        scenario.pools.push_back(option->pool);
        for (std::size_t w = 0; w < scenario.workloads.size(); ++w) {
            if (option->way == Way::api && scenario.workloads[w].kind == WorkloadKind::training) {
                continue;
            }
            RunsOn& entry = scenario.workloads[w].runs_on.emplace_back();
            entry.pool = option->pool.id;
            entry.porting = option->porting;
            if (!option->performances.empty()) {
                entry.performance = option->performances[w];
            }
        }
    }
    std::erase_if(scenario.workloads, [](const Workload& workload) { return workload.runs_on.empty(); }); // hosts can't train
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

void Sizing::make(std::vector<const Option*> options, Trial& trial) {
    HourTable hours = std::move(trial.compiled.hours);
    trial = {};
    trial.options = std::move(options);
    if (!trial.options.front()->gangs.empty()) { // the size chooses a gang
        trial.compiled.hours = std::move(hours);
        return;
    }
    ScenarioDocument document = scenario_of(trial.options, 0);
    for (std::size_t p = 0; p < trial.options.size(); ++p) {
        set_units(document.pools[p], 1, trial.options[p]->is_fixed);
    }
    Result<Scenario> scenario = make_scenario(std::move(document));
    if (!scenario) {
        trial.compiled.hours = std::move(hours);
        trial.reason = code_name(scenario.error().front().code);
        return;
    }
    trial.scenario = std::move(*scenario);
    trial.compiled = compile(*trial.scenario, std::move(hours));
    read_warnings(*trial.scenario, question_, trial);
}

void Sizing::sum_up(const Scenario& scenario, const Compiled& compiled, SizedPlan& plan) {
    const Wanted figures{.pools = true,
                         .workloads = question_.limits.evidence != Evidence::assumed || question_.work.workloads.size() > 1};
    if (workspace_) {
        workspace_->fit(compiled);
    } else {
        workspace_.emplace(compiled);
    }
    plan.summary =
        summarize(scenario, compiled, model::evaluate(compiled, *workspace_), keep_ == Keep::plans ? kEverything : figures);
    ++evaluated;
    plan.reason = reason_against(plan.summary);
}

void Sizing::evaluate(SizedPlan& plan) {
    const Result<Scenario> scenario = make_scenario(plan.scenario);
    if (!scenario) {
        plan.reason = code_name(scenario.error().front().code);
        return;
    }
    read_warnings(*scenario, question_, plan);
    if (!plan.reason.empty()) {
        return;
    }
    Compiled compiled = hours_ ? compile(*scenario, std::move(*hours_)) : compile(*scenario);
    sum_up(*scenario, compiled, plan);
    hours_ = std::move(compiled.hours);
}

// Clears the plan's reason if the only fault is unserved work, which the question ignores.
SizedPlan Sizing::judged(SizedPlan plan) const {
    if ((lacks_room(plan) || loses(plan)) && is_eligible(plan.summary, question_.ignore_unserved) && is_finite(plan.summary)) {
        plan.reason.clear();
    }
    return plan;
}

SizedPlan Sizing::with_units(Trial& trial, int units, int spares, int burst_units) {
    SizedPlan plan;
    plan.units = units;
    plan.spares = spares;
    plan.reason = trial.reason;
    plan.latency_is_known = trial.latency_is_known;
    plan.hosts_are_known = trial.hosts_are_known;
    const std::array<int, 2> of_pool = {units, burst_units};
    if (keep_ == Keep::plans) {
        plan.scenario = scenario_of(trial.options, spares);
        for (std::size_t p = 0; p < trial.options.size(); ++p) {
            set_units(plan.scenario.pools[p], of_pool[p], trial.options[p]->is_fixed);
        }
        evaluate(plan); // in full, from the document
        hold_runs(trial, plan);
        return plan;
    }
    if (plan.reason.empty()) {
        for (std::size_t p = 0; p < trial.options.size(); ++p) {
            trial.scenario->set_units(p, of_pool[p], trial.options[p]->is_fixed);
        }
        trial.scenario->set_spares(spares);
        compile_sizes(*trial.scenario, trial.compiled);
        sum_up(*trial.scenario, trial.compiled, plan);
        hold_runs(trial, plan);
    }
    return plan;
}

// The fewest units with room for the work, without spares: doubles the number until the work fits, then bisects.
SizedPlan Sizing::with_room(Trial& trial, int units) {
    int low = 0; // can't do the work
    SizedPlan best = with_units(trial, units, 0);
    while (lacks_room(best) && best.units < kMaxUnits) {
        low = best.units;
        best = with_units(trial, std::min(kMaxUnits, 2 * low), 0);
    }
    while (has_room(best) && best.units - low > 1) {
        SizedPlan middle = with_units(trial, low + (best.units - low) / 2, 0);
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
    constexpr double kHelps = 1 - 1e-6; // spares must lower the loss by this factor; they can't replace missing capacity
    const int spares = best.spares;
    int low = spares;
    for (int more = 1; loses(best) && more <= kMaxMore; more *= 2) {
        SizedPlan next = sized(spares + more);
        const bool has_more = next.units > best.units; // a spare on the same host as its replica fails with it
        if (has_more && lost_to_outages(next.summary) >= kHelps * lost_to_outages(best.summary)) {
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

SizedPlan Sizing::size(Trial& trial) {
    const Option& option = *trial.options.front();
    if (option.way == Way::api) {
        return hosted(trial);
    }
    if (!option.gangs.empty()) {
        return size_run(option);
    }
    if (!trial.scenario) {
        SizedPlan plan;
        plan.reason = trial.reason;
        return plan;
    }
    const ScenarioDocument& document = trial.scenario->document();
    const int last_month = document.months - 1;
    const Need need = need_of(document, trial.compiled, last_month, 0);
    bool is_exact = need.is_exact;
    SizedPlan roomy;
    const auto sized = [&](int spares) {
        if (option.is_staged) {
            return staged(option, trial.compiled, spares);
        }
        if (is_exact) {
            return with_units(trial, need_of(document, trial.compiled, last_month, spares).units, spares);
        }
        if (spares == 0 || !has_room(roomy)) {
            return roomy;
        }
        return with_units(trial, std::min(kMaxUnits, roomy.units + units_of_spares(trial.compiled, spares)), spares);
    };
    const int spares = has_inference() ? question_.outages.spares : 0;
    SizedPlan first = is_exact || option.is_staged ? sized(spares) : SizedPlan();
    if (!option.is_staged && (!is_exact || lacks_room(first))) {
        is_exact = false;
        roomy = with_room(trial, need.units);
        first = sized(spares);
    }
    if (may_only_burst(option)) {
        first.reason = has_room(first) ? kSpotAlone : first.reason;
        return first;
    }
    return finished(with_least_spares(std::move(first), sized), option);
}

// Applies the question's tolerance. A staged option with one stage is excluded, as it equals buying servers at once.
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

// Whether every workload keeps its availability, as a share of all its demand and not only of the demand that finds room.
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

SizedPlan Sizing::at_size(Trial& trial, const ScenarioDocument& sized) {
    const Option& first = *trial.options.front();
    if (first.gangs.empty() && !first.is_staged) {
        const auto units_of = [](const Pool& pool) {
            return pool.kind == PoolKind::owned ? pool.purchases.front().servers
                   : is_provisioned(pool)       ? provisioned_steps(pool)
                                                : pool.max_instances;
        };
        int spares = 0;
        for (const Workload& workload : sized.workloads) {
            spares = std::max(spares, workload.spare_replicas);
        }
        return judged(with_units(trial, units_of(sized.pools.front()), spares, units_of(sized.pools.back())));
    }
    SizedPlan plan;
    plan.scenario = scenario_of(trial.options, 0);
    for (std::size_t w = 0; w < sized.workloads.size(); ++w) {
        plan.scenario.workloads[w].spare_replicas = sized.workloads[w].spare_replicas;
    }
    for (std::size_t p = 0; p < sized.pools.size(); ++p) {
        Pool& pool = plan.scenario.pools[p];
        pool.purchases = sized.pools[p].purchases;
        pool.min_instances = sized.pools[p].min_instances;
        pool.max_instances = sized.pools[p].max_instances;
        pool.provisioned_units = sized.pools[p].provisioned_units;
    }
    take_gangs_of(trial.options, sized, plan.scenario);
    evaluate(plan);
    return judged(std::move(plan));
}

// Bisects, as the work that a base serves grows with its units.
int Sizing::keeps_from(Trial& alone, int most, int spares) {
    const auto found = alone.keeps_from.find(spares);
    if (found != alone.keeps_from.end()) {
        return found->second;
    }
    int low = 0;
    int high = most + 1;
    while (high - low > 1) {
        const int middle = low + (high - low) / 2;
        (keeps_availability(with_units(alone, middle, spares).summary) ? high : low) = middle;
    }
    alone.keeps_from[spares] = high;
    return high;
}

SizedPlan Sizing::combine(Trial& both, int base_units, int burst_units, int spares) {
    return judged(with_units(both, base_units, spares, burst_units));
}

} // namespace costcurve::model
