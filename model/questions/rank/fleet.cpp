// Computes what a workload adds: leaves it out and sizes the plan's ways again for the other workloads.
#include "model/questions/rank/fleet.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "model/questions/rank/order.hpp"
#include "model/questions/rank/training_runs.hpp"
#include "model/scenario.hpp"

namespace costcurve::model {

namespace {

using Order = std::vector<std::size_t>; // indices into the request's list of workloads

/// The elements at `places`, in that order; nothing of an empty list.
template <class T> std::vector<T> in_order(const std::vector<T>& all, const Order& places) {
    std::vector<T> ordered;
    for (const std::size_t place : all.empty() ? Order() : places) {
        ordered.push_back(all[place]);
    }
    return ordered;
}

/// The option for the workloads with these indices alone, in that order.
Option with_workloads(const Option& option, const Order& places) {
    Option chosen = option;
    chosen.performances = in_order(option.performances, places);
    chosen.rate_facts = in_order(option.rate_facts, places);
    chosen.lateness = in_order(option.lateness, places);
    return chosen;
}

/// Orders of workloads that may cost less on a base and a burst: all orders of up to three workloads. With more workloads, each in
/// turn is first or last, and the others are sorted by id.
std::vector<Order> orders_of(const std::vector<Workload>& workloads, Order places) {
    std::ranges::sort(places, {}, [&](std::size_t place) -> const std::string& { return workloads[place].id; });
    std::vector<Order> orders;
    if (places.size() <= 3) {
        Order positions(places.size());
        std::iota(positions.begin(), positions.end(), 0);
        do {
            orders.push_back(in_order(places, positions));
        } while (std::ranges::next_permutation(positions).found);
        return orders;
    }
    orders.push_back(places);
    for (auto place = places.begin() + 1; place != places.end(); ++place) {
        const auto moved = place - places.begin();
        Order& first = orders.emplace_back(places);
        std::rotate(first.begin(), first.begin() + moved, first.begin() + moved + 1);
        Order& last = orders.emplace_back(places);
        std::rotate(last.begin() + moved - 1, last.begin() + moved, last.end());
    }
    return orders;
}

/// The lowest deciding figure of the entry's ways, sized again for the workloads at `places`; nothing if they can't do the work.
std::optional<double> figure_for(const RankQuestion& question, const Entry& entry, const Order& places) {
    std::optional<double> least;
    const auto consider = [&least](const Entry& sized) {
        if (sized.reason.empty() && (!least || sized.figure < *least)) {
            least = sized.figure;
        }
    };
    const bool is_hybrid = entry.burst != nullptr;
    for (const Order& order : is_hybrid ? orders_of(question.work.workloads, places) : std::vector<Order>{places}) {
        RankQuestion of_order = question;
        of_order.work.workloads = in_order(question.work.workloads, order);
        Sizing sizing(of_order, Sizing::Keep::figures);
        const Option base = with_workloads(*entry.option, order);
        Trial of_base;
        sizing.make({&base}, of_base);
        const Entry alone = size_alone(sizing, of_base);
        consider(alone);
        if (is_hybrid) {
            const Option burst = with_workloads(*entry.burst, order);
            Trial of_burst;
            Trial both;
            sizing.make({&burst}, of_burst);
            sizing.make({&base, &burst}, both);
            consider(size_hybrid(sizing, alone, size_alone(sizing, of_burst), of_base, both));
        }
    }
    return least;
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
        Order others(workloads.size());
        std::iota(others.begin(), others.end(), 0);
        others.erase(others.begin() + static_cast<std::ptrdiff_t>(w));
        if (const std::optional<double> without = figure_for(question, entry, others)) {
            share.adds = entry.figure - *without;
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
    const auto least = [&](const std::vector<Workload>& workloads) {
        hybrids.work.workloads = workloads;
        const Ranking ranking = rank(hybrids);
        return ranking.plans.empty() ? std::numeric_limits<double>::infinity() : ranking.plans.front().decisive;
    };
    Order listed(count);
    std::iota(listed.begin(), listed.end(), 0);
    RankQuestion best = question;
    double known = least(question.work.workloads);
    for (const Order& order : orders_of(question.work.workloads, listed)) {
        if (order == listed) {
            continue;
        }
        std::vector<Workload> workloads = in_order(question.work.workloads, order);
        if (const double figure = least(workloads); figure < known * kLess) {
            known = figure;
            best.work.workloads = std::move(workloads);
        }
    }
    return best;
}

} // namespace costcurve::model
