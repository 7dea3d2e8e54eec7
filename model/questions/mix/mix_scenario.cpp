// Turns a mix or a pair into one scenario, and into an entry of a ranking.
#include <algorithm>
#include <iterator>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "model/figures.hpp"
#include "model/finance.hpp"
#include "model/questions/mix/mix.hpp"
#include "model/questions/rank/fleet.hpp"
#include "model/questions/ranking.hpp"
#include "model/questions/variant.hpp"

namespace costcurve::model {

bool holds_whole(Mix& mix, const RankQuestion& question) {
    const SizedPlan plan = whole_plan(mix);
    const std::optional<double> figure =
        plan.reason.empty() ? figure_of(plan.summary, decide_by(question.work.finance)) : std::nullopt;
    mix.figure = figure.value_or(0.0);
    return figure.has_value();
}

Entry entry_of(const Mix& mix) {
    Entry entry{&mix.groups.front().option, nullptr, 0, 0, mix.figure, ""};
    entry.latency_is_known = mix.latency_is_known;
    entry.hosts_are_known = mix.hosts_are_known;
    entry.mix = &mix;
    return entry;
}

std::vector<std::optional<RateFacts>> facts_of(const Mix& mix) {
    std::vector<std::optional<RateFacts>> facts;
    for (const MixGroup& group : mix.groups) {
        facts.insert(facts.end(), group.option.rate_facts.begin(), group.option.rate_facts.end());
        if (group.burst) {
            facts.insert(facts.end(), group.burst->rate_facts.begin(), group.burst->rate_facts.end());
        }
    }
    return facts;
}

namespace {

// Adds to a pair's workload the pool, rate and porting of one half, which was sized by itself. `before` is the pair so far, or
// null.
Workload joined(const Workload& divided, std::size_t half, const Workload& sized, const Workload* before) {
    Workload pair = before == nullptr ? divided : *before;
    RunsOn& entry = pair.runs_on[half];
    entry.pool = sized.runs_on.front().pool;
    entry.performance = sized.runs_on.front().performance;
    entry.porting = sized.runs_on.front().porting;
    pair.spare_replicas = std::max(before == nullptr ? 0 : before->spare_replicas, sized.spare_replicas);
    return pair;
}

// An unused name: the name itself (`name`-1 if first is 1), or the name with the lowest free number above. Adds it to `used`.
std::string unused(const std::string& name, int first, std::set<std::string>& used) {
    std::string id = first == 1 ? fmt::format("{}-1", name) : name;
    for (int number = 2; !used.insert(id).second; ++number) {
        id = fmt::format("{}-{}", name, number);
    }
    return id;
}

SizedPlan sized_alone(const MixGroup& group) {
    Sizing sizing(group.question, Sizing::Keep::plans);
    Trial trial;
    if (group.burst) {
        sizing.make({&group.option, &*group.burst}, trial);
        return sizing.combine(trial, group.units, group.burst_units, group.spares);
    }
    sizing.make({&group.option}, trial);
    return sizing.size(trial);
}

// Gives each pool of the plan a unique name.
void name_pools(ScenarioDocument& plan, std::set<std::string>& used) {
    for (Pool& pool : plan.pools) {
        const std::string before = std::exchange(pool.id, unused(pool.id, 2, used));
        for (Workload& workload : plan.workloads) {
            const auto entry = std::ranges::find(workload.runs_on, before, &RunsOn::pool);
            if (entry != workload.runs_on.end()) {
                entry->pool = pool.id;
            }
        }
    }
}

// Number of groups that serve each workload.
std::map<std::string, int> groups_by_workload(const Mix& mix) {
    std::map<std::string, int> groups;
    for (const MixGroup& group : mix.groups) {
        for (const Workload& workload : group.question.work.workloads) {
            ++groups[workload.id];
        }
    }
    return groups;
}

} // namespace

bool divides_requests(const Mix& mix) {
    return std::ranges::any_of(groups_by_workload(mix), [](const auto& of_workload) { return of_workload.second > 1; });
}

SizedPlan whole_plan(const Mix& mix) {
    SizedPlan whole;
    std::set<std::string> pools;
    std::set<std::string> workloads;
    const std::map<std::string, int> groups = groups_by_workload(mix);
    for (const auto& [id, count] : groups) {
        workloads.insert(id);
    }
    std::vector<Workload> requests;
    for (std::size_t g = 0; g < mix.groups.size(); ++g) {
        SizedPlan plan = sized_alone(mix.groups[g]);
        if (!plan.reason.empty()) {
            whole.reason = plan.reason;
            return whole;
        }
        name_pools(plan.scenario, pools);
        for (Workload& of_group : plan.scenario.workloads) {
            if (mix.divided) {
                requests = {joined(*mix.divided, g, of_group, g == 0 ? nullptr : &requests.front())};
                continue;
            }
            if (groups.at(of_group.id) > 1) {
                of_group.id = unused(of_group.id, 1, workloads);
            }
            requests.push_back(std::move(of_group));
        }
        if (g == 0) {
            whole.scenario = std::move(plan.scenario);
        } else {
            std::ranges::move(plan.scenario.pools, std::back_inserter(whole.scenario.pools));
        }
        whole.units += plan.units;
    }
    whole.scenario.workloads = std::move(requests);
    Variant variant(whole.scenario);
    const Result<const Evaluation*> evaluated = variant.evaluate();
    if (!evaluated) {
        whole.reason = code_name(evaluated.error().front().code);
        return whole;
    }
    whole.summary = (*evaluated)->summary;
    if (!is_eligible(whole.summary, mix.groups.front().question.ignore_unserved)) {
        whole.reason = whole.summary.is_feasible() ? std::string(code_name(Code::outages))
                                                   : std::string(name_of(whole.summary.infeasible_because.front().code));
    }
    return whole;
}

std::vector<MixGroup> groups_of(const Entry& entry, const RankQuestion& question) {
    std::vector<MixGroup> groups;
    if (entry.mix != nullptr && !entry.mix->divided) {
        groups = entry.mix->groups;
    } else if (entry.mix == nullptr && !(entry.run && entry.burst != nullptr)) {
        groups.push_back({question, *entry.option, {}, entry.figure, {}, entry.units, entry.burst_units, entry.spares});
        groups.front().burst = entry.burst != nullptr ? std::optional(*entry.burst) : std::nullopt;
    }
    for (MixGroup& group : groups) {
        group.latency_is_known = entry.latency_is_known;
        group.hosts_are_known = entry.hosts_are_known;
    }
    return groups;
}

std::vector<WorkloadShare> shares_of(const Mix& mix, const SizedPlan& plan) {
    std::vector<WorkloadShare> shares;
    auto of_group = plan.summary.workloads.begin();
    for (std::size_t g = 0; !mix.divided && g < mix.groups.size(); ++g) {
        const MixGroup& group = mix.groups[g];
        Entry alone{&group.option, group.burst ? &*group.burst : nullptr, group.units, group.burst_units, group.figure, "",
                    group.spares};
        const auto last = of_group + static_cast<std::ptrdiff_t>(group.question.work.workloads.size());
        for (WorkloadShare& share : shares_of(group.question, alone, {of_group, last})) {
            share.workload = plan.scenario.workloads[shares.size()].id;
            shares.push_back(std::move(share));
        }
        of_group = last;
    }
    return shares;
}

} // namespace costcurve::model
