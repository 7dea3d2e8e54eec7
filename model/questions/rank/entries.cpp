// An entry is left out if its scenario is infeasible, its figure is unknown or its evidence is weaker than the limits allow.
#include "model/questions/rank/entries.hpp"

#include <algorithm>
#include <cstddef>
#include <optional>

#include <fmt/format.h>

#include "model/figures.hpp"
#include "model/finance.hpp"
#include "model/performance/performance.hpp"
#include "model/questions/mix/mix.hpp"
#include "model/scenario.hpp"

namespace costcurve::model {

namespace {

// Whether some workload's evidence is weaker than `least`. A workload that only hosted models serve has no evidence to check.
bool is_below(const Summary& summary, Evidence least) {
    return std::any_of(summary.workloads.begin(), summary.workloads.end(),
                       [&](const WorkloadSummary& workload) { return workload.evidence && *workload.evidence > least; });
}

// Whether a hybrid's second pool serves nothing. Such a hybrid would only avoid the spares that its base needs alone, even if the
// second pool costs something, such as porting. An API has no replicas and counts as unused if nothing is paid.
bool is_unused(const SizedPlan& plan, Way way) {
    const PoolSummary& burst = plan.summary.pools[1];
    return way == Way::api ? burst.total.cost == 0.0 : burst.reserved_device_hours == 0.0;
}

// Whether a hybrid of two device pools has fewer idle replicas, in the mean, than the question's spares, if that number is above
// the default. While its base serves alone, the second pool has none.
bool lacks_spares(const SizedPlan& plan, const Entry& entry, const RankQuestion& question) {
    if (question.outages.spares <= kDefaultSpares || question.work.workloads.size() > 1 ||
        question.work.workloads.front().kind != WorkloadKind::inference) {
        return false;
    }
    constexpr double kHoursOfMonth = 730.0;
    constexpr double kCounted = 0.98; // tolerance, as months differ in length
    double free_hours = 0.0;
    std::size_t p = 0;
    for (const Option* const option : {entry.option, entry.burst}) {
        const Device* const device = device_of(option->pool);
        if (device == nullptr || option->performances.empty()) {
            return false;
        }
        const double held = devices_held(replica_devices(option->performances.front(), *device), devices_per_unit(option->pool));
        free_hours += (plan.summary.pools[p].available_device_hours - plan.summary.pools[p].busy_device_hours) / held;
        ++p;
    }
    return free_hours < kCounted * question.outages.spares * kHoursOfMonth * question.work.months;
}

// Sets the figure by which the entry is ranked, or the reason why it is left out.
void judge(const SizedPlan& plan, const RankQuestion& question, Entry& entry) {
    const Objective objective = decide_by(question.work.finance);
    entry.reason = plan.reason;
    entry.latency_is_known = plan.latency_is_known;
    entry.run = plan.run;
    if (!entry.may_burst()) {
        return;
    }
    const std::optional<double> figure = figure_of(plan.summary, objective);
    if (!figure) {
        entry.reason = fmt::format("unknown_{}", name_of(objective));
    } else if (is_below(plan.summary, question.limits.evidence)) {
        entry.reason = "evidence";
    } else if (entry.burst != nullptr && !plan.run && is_unused(plan, entry.burst->way)) {
        entry.reason = "unused_burst";
    } else if (entry.burst != nullptr && lacks_spares(plan, entry, question)) {
        entry.reason = "spares";
    } else {
        entry.figure = *figure;
        entry.hosts_are_known = (objective != Objective::energy_kwh && objective != Objective::carbon_kg) || plan.hosts_are_known;
    }
}

} // namespace

std::vector<std::optional<RateFacts>> Entry::rate_facts() const {
    if (mix != nullptr) {
        return facts_of(*mix);
    }
    std::vector<std::optional<RateFacts>> facts = option->rate_facts;
    const auto runs = [&](const Gang& gang) { return run && gang.performance.devices == run->devices; };
    if (const auto gang = std::ranges::find_if(option->gangs, runs); gang != option->gangs.end()) {
        facts.front() = gang->facts;
    }
    if (burst != nullptr) {
        facts.insert(facts.end(), burst->rate_facts.begin(), burst->rate_facts.end());
    }
    return facts;
}

bool Entry::context_is_unknown() const {
    if (mix != nullptr) {
        return std::ranges::any_of(mix->groups, [](const MixGroup& group) {
            return group.option.context_is_unknown || (group.burst && group.burst->context_is_unknown);
        });
    }
    return option->context_is_unknown || (burst != nullptr && burst->context_is_unknown);
}

std::string Entry::name() const {
    return mix != nullptr ? mix->name : burst == nullptr ? option->name : option->name + " + " + burst->name;
}

Way Entry::way() const {
    return mix != nullptr ? (mix->divided ? Way::pair : Way::mix) : burst == nullptr ? option->way : Way::hybrid;
}

Entry size_alone(Sizing& sizing, Trial& trial) {
    const SizedPlan plan = sizing.size(trial);
    Entry entry{trial.options.front(), nullptr, plan.units, 0, 0.0, "", plan.spares};
    judge(plan, sizing.question(), entry);
    return entry;
}

Entry size_hybrid(Sizing& sizing, const Entry& base, const Entry& burst, Trial& alone, Trial& both) {
    constexpr int kGrid = 12;
    const int spares = burst.option->way == Way::api ? base.spares : burst.spares; // all replicas of a base can stand in for an API
    Entry best{base.option, burst.option, 0, burst.units, 0.0, "no_smaller_base", spares};
    const int least = sizing.may_only_burst(*burst.option) ? sizing.keeps_from(alone, base.units - 1, spares) : 1;
    int low = 1;
    int high = base.units - 1;
    while (low <= high) {
        const int step = std::max(1, (high - low + kGrid) / kGrid);
        for (int units = low; units <= high; units += step) {
            if (best.reason.empty() && units == best.units) {
                continue;
            }
            Entry entry{base.option, burst.option, units, burst.units, 0.0, std::string(name_of(InfeasibleCode::availability)),
                        spares};
            if (units >= least) {
                judge(sizing.combine(both, units, burst.units, spares), sizing.question(), entry);
            }
            const bool is_better =
                best.reason.empty() ? entry.reason.empty() && entry.figure < best.figure : entry.reason.empty() || best.units == 0;
            best = is_better ? entry : best;
        }
        if (step == 1 || !best.reason.empty()) {
            break;
        }
        low = std::max(1, best.units - step + 1);
        high = std::min(base.units - 1, best.units + step - 1);
    }
    return best;
}

Entry size_fall_back(Sizing& sizing, const Option& spot, const Option& on_demand) {
    const SizedPlan plan = sizing.size_fall_back(spot, on_demand);
    Entry entry{&spot, &on_demand, plan.units, plan.units, 0.0, "", 0};
    judge(plan, sizing.question(), entry);
    return entry;
}

bool may_fall_back(const Option& spot, const Option& on_demand) {
    const auto is_rented = [](const Option& option, Purchase purchase) {
        return !option.gangs.empty() && option.pool.offer && option.pool.offer->purchase == purchase;
    };
    if (!is_rented(spot, Purchase::spot) || !is_rented(on_demand, Purchase::on_demand)) {
        return false;
    }
    const Offer& from = *spot.pool.offer;
    const Offer& to = *on_demand.pool.offer;
    return from.provider == to.provider && from.device.id == to.device.id && from.devices == to.devices;
}

std::vector<std::pair<const Option*, const Option*>> fall_backs_of(const std::vector<Option>& options) {
    std::vector<std::pair<const Option*, const Option*>> pairs;
    for (const Option& spot : options) {
        const auto fits = [&](const Option& option) { return may_fall_back(spot, option); };
        auto last = std::ranges::find_if(
            options, [&](const Option& option) { return fits(option) && option.pool.offer->region == spot.pool.offer->region; });
        last = last == options.end() ? std::ranges::find_if(options, fits) : last;
        if (last != options.end()) {
            pairs.emplace_back(&spot, &*last);
        }
    }
    return pairs;
}

} // namespace costcurve::model
