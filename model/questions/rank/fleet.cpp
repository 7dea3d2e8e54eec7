// What a workload adds: it is left out once, and the ways of the plan are sized anew for the others.
#include "model/questions/rank/fleet.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "model/questions/rank/order.hpp"
#include "model/questions/rank/training_runs.hpp"
#include "model/scenario.hpp"

namespace costcurve::model {

namespace {

Option without(const Option& option, std::size_t w) {
    Option rest = option;
    const auto drop = [w](auto& by_workload) {
        if (w < by_workload.size()) {
            by_workload.erase(by_workload.begin() + static_cast<std::ptrdiff_t>(w));
        }
    };
    drop(rest.performances);
    drop(rest.rate_facts);
    drop(rest.lateness);
    return rest;
}

} // namespace

bool is_training(const Workload& workload) { return workload.kind == WorkloadKind::training; }

std::string_view fit_workloads(const std::vector<Workload>& workloads, Fitting& fitting, Option& option) {
    const Device& device = *device_of(option.pool);
    const int devices = devices_per_unit(option.pool);
    for (const Workload& workload : workloads) {
        if (is_training(workload)) {
            const Gangs& gangs = fitting.gangs(workload, device, devices);
            if (gangs.gangs.empty()) {
                return gangs.reason;
            }
            if (workloads.size() == 1) {
                option.gangs = gangs.gangs;
            }
            option.performances.push_back(gangs.gangs.front().performance);
            option.rate_facts.emplace_back();
            continue;
        }
        const Fit& found = fitting.fit(workload, device, devices);
        if (!found.performance) {
            return found.reason;
        }
        option.performances.push_back(*found.performance);
        option.rate_facts.push_back(found.facts);
    }
    return "";
}

void take_gangs_of_fleet(const ScenarioDocument& work, Fitting& fitting, Option& option) {
    if (work.workloads.size() == 1) {
        return;
    }
    option.lateness.assign(work.workloads.size(), 1.0);
    for (std::size_t w = 0; w < work.workloads.size(); ++w) {
        if (const Workload& workload = work.workloads[w]; is_training(workload)) {
            const Gangs& gangs = fitting.gangs(workload, *device_of(option.pool), devices_per_unit(option.pool));
            const GangOfFleet taken = gang_in_time(gangs.gangs, workload, option.pool, horizon_days(work));
            option.performances[w] = taken.gang->performance;
            option.rate_facts[w] = taken.gang->facts;
            option.lateness[w] = taken.lateness;
        }
    }
}

std::vector<WorkloadShare> shares_of(const RankQuestion& question, const Entry& entry, std::span<const WorkloadSummary> workloads) {
    std::vector<WorkloadShare> shares;
    for (std::size_t w = 0; w < question.work.workloads.size(); ++w) {
        shares.push_back({question.work.workloads[w].id, workloads[w].cost, std::nullopt, workloads[w].days});
        WorkloadShare& share = shares.back();
        if (workloads.size() == 1) {
            share.adds = entry.figure;
            break;
        }
        RankQuestion rest = question;
        rest.work.workloads.erase(rest.work.workloads.begin() + static_cast<std::ptrdiff_t>(w));
        Sizing sizing(rest, Sizing::Keep::figures);
        const Option base = without(*entry.option, w);
        const Option burst = entry.burst == nullptr ? Option() : without(*entry.burst, w);
        Trial of_base;
        sizing.make({&base}, of_base);
        Entry alone = size_alone(sizing, of_base);
        if (entry.burst != nullptr) {
            Trial of_burst;
            Trial both;
            sizing.make({&burst}, of_burst);
            sizing.make({&base, &burst}, both);
            const Entry hybrid = size_hybrid(sizing, alone, size_alone(sizing, of_burst), of_base, both);
            alone = hybrid.reason.empty() && (!alone.reason.empty() || hybrid.figure < alone.figure) ? hybrid : alone;
        }
        if (alone.reason.empty()) {
            share.adds = entry.figure - alone.figure;
        }
    }
    return shares;
}

Apart plans_apart(const RankQuestion& question,
                  const std::function<std::pair<Ranking, std::vector<MixGroup>>(const RankQuestion& one)>& rank) {
    Apart apart;
    const std::size_t count = question.work.workloads.size();
    for (std::size_t w = 0; w < count && count > 1; ++w) {
        RankQuestion one = question;
        one.work.workloads = {question.work.workloads[w]};
        one.samples.reset();
        one.top = 1;
        auto [ranking, groups] = rank(one);
        if (ranking.plans.empty()) {
            return {};
        }
        apart.plans.push_back({question.work.workloads[w].id, ranking.plans.front().scenario.name, ranking.plans.front().decisive});
        apart.groups.push_back(std::move(groups));
    }
    return apart;
}

std::unique_ptr<Mix> mix_of_apart(const std::vector<std::vector<MixGroup>>& groups_by_workload, const std::vector<Entry>& entries,
                                  const RankQuestion& question) {
    constexpr double kSame = 1e-6;
    auto mix = std::make_unique<Mix>();
    std::vector<std::string> names;
    double sum = 0.0;
    for (const std::vector<MixGroup>& groups : groups_by_workload) {
        if (groups.empty()) {
            return nullptr;
        }
        for (const MixGroup& group : groups) {
            names.push_back(group.option.name + (group.burst ? " + " + group.burst->name : ""));
            sum += group.figure;
            mix->groups.push_back(group);
            mix->latency_is_known = mix->latency_is_known && group.latency_is_known;
            mix->hosts_are_known = mix->hosts_are_known && group.hosts_are_known;
        }
    }
    mix->name = fmt::format("by workload: {}", fmt::join(names, " + "));
    if (names.empty() || !holds_whole(*mix, question) || mix->figure > sum + kSame * std::abs(sum)) {
        return nullptr;
    }
    const std::string_view doubt = doubt_of(entry_of(*mix), question);
    const bool is_behind = std::ranges::any_of(entries, [&](const Entry& entry) {
        const std::string_view other = doubt_of(entry, question);
        return entry.figure <= mix->figure * (1 + 1e-9) && (other.empty() || other == doubt);
    });
    return is_behind ? nullptr : std::move(mix);
}

RankQuestion in_cheapest_order(const RankQuestion& question, const std::function<Ranking(const RankQuestion& hybrids)>& rank) {
    constexpr double kLess = 1 - 1e-6;
    const std::size_t count = question.work.workloads.size();
    const bool has_hybrids = question.include.empty() || std::ranges::count(question.include, Way::hybrid) > 0;
    if (count < 2 || !has_hybrids) {
        return question;
    }
    RankQuestion hybrids = question;
    hybrids.samples.reset();
    hybrids.top = 1;
    std::erase_if(hybrids.include, [](Way way) { return way != Way::hybrid && way != Way::market; });
    if (hybrids.include.empty()) {
        hybrids.include = {Way::hybrid};
    }
    std::set<std::vector<std::string>> tried;
    const auto least = [&](const std::vector<Workload>& order) {
        std::vector<std::string> ids;
        ids.reserve(order.size());
        for (const Workload& workload : order) {
            ids.push_back(workload.id);
        }
        if (!tried.insert(std::move(ids)).second) {
            return std::numeric_limits<double>::infinity();
        }
        hybrids.work.workloads = order;
        const Ranking ranking = rank(hybrids);
        return ranking.plans.empty() ? std::numeric_limits<double>::infinity() : ranking.plans.front().decisive;
    };
    RankQuestion best = question;
    double known = least(question.work.workloads);
    std::vector<Workload> by_id = question.work.workloads;
    std::ranges::sort(by_id, {}, &Workload::id);
    for (std::size_t i = 0; i < 2 * count; ++i) {
        std::vector<Workload> order = by_id;
        const auto moved = order.begin() + static_cast<std::ptrdiff_t>(i / 2);
        if (i % 2 == 0) {
            std::rotate(order.begin(), moved, moved + 1);
        } else {
            std::rotate(moved, moved + 1, order.end());
        }
        if (const double figure = least(order); figure < known * kLess) {
            known = figure;
            best.work.workloads = std::move(order);
        }
    }
    return best;
}

} // namespace costcurve::model
