// Local search by first improvement. Figures of groups add up, as each group has its own pool.
#include "model/questions/mix/mix_search.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>
#include <string>

#include "model/questions/rank/fleet.hpp"
#include "model/scenario.hpp"

namespace costcurve::model {

namespace {

constexpr double kCantServe = std::numeric_limits<double>::infinity();
constexpr double kLess = 1 - 1e-9;

bool is_empty(const BucketParts& parts) {
    return std::ranges::all_of(parts, [](double part) { return part == 0.0; });
}

Division without_empty(Division division) {
    std::erase_if(division, [](const auto& group) { return is_empty(group.second); });
    return division;
}

} // namespace

MixSearch::MixSearch(const RankQuestion& question, const MixWays& ways, Fitting& fitting)
    : question_(question), buckets_(buckets_of(question.work.workloads)), ways_(ways), options_(ways.options()), fitting_(fitting) {
}

// Whether the option can serve all of these parts. A training run can't be divided.
bool MixSearch::serves(std::size_t option, const BucketParts& parts) const {
    for (std::size_t b = 0; b < parts.size(); ++b) {
        const bool is_run = question_.work.workloads[buckets_[b].workload].kind == WorkloadKind::training;
        if (parts[b] > 0.0 && (!ways_.serves(option, b) || (is_run && parts[b] < 1.0))) {
            return false;
        }
    }
    return true;
}

// Sets in the group's option how its requests run there. False if they can't.
bool MixSearch::fit(MixGroup& group) const {
    const std::vector<Workload>& workloads = group.question.work.workloads;
    Option& option = group.option;
    if (option.way == Way::api) {
        option.rate_facts.resize(workloads.size());
        option.context_is_unknown =
            std::ranges::any_of(workloads, [&](const Workload& of) { return fitting_.may_exceed_context(of); });
        return std::ranges::none_of(workloads, [&](const Workload& of) { return fitting_.exceeds_context(of); });
    }
    option.performances.clear();
    option.rate_facts.clear();
    option.gangs.clear();
    if (!fit_workloads(workloads, fitting_, option).empty()) {
        return false;
    }
    take_gangs_of_fleet(group.question.work, fitting_, option);
    Assumed of_ways; // not reported: the single ways have the same assumptions
    option.porting = porting_of(option, group.question, of_ways);
    return true;
}

const MixSearch::Tried& MixSearch::tried(std::size_t option, const BucketParts& parts) {
    const Tried*& known = by_key_[{option, parts}];
    if (known != nullptr) {
        return *known;
    }
    Tried& one = all_.emplace_back(); // its address stays valid
    known = &one;
    MixGroup& group = one.group;
    group.question = question_;
    group.question.work.workloads = requests_of(question_.work.workloads, parts);
    group.option = options_[option];
    group.parts = parts;
    group.figure = kCantServe;
    if (!serves(option, parts) || !fit(group)) {
        return one;
    }
    Sizing sizing(group.question, Sizing::Keep::figures);
    sizing.make({&group.option}, trial_);
    const Entry entry = size_alone(sizing, trial_);
    evaluated_ += sizing.evaluated;
    if (entry.reason.empty()) {
        group.figure = entry.figure;
        group.option.rate_facts = entry.rate_facts();
        one.latency_is_known = entry.latency_is_known;
        one.hosts_are_known = entry.hosts_are_known;
    }
    return one;
}

double MixSearch::figure(const Division& division) {
    double sum = division.empty() ? kCantServe : 0.0;
    std::set<std::size_t> options;
    std::set<std::string> sites;
    for (const auto& [option, parts] : division) {
        const std::optional<Site>& site = options_[option].pool.site;
        if (!options.insert(option).second || (site && !sites.insert(site->id).second)) {
            return kCantServe;
        }
        sum += tried(option, parts).group.figure;
        if (!std::isfinite(sum)) {
            return kCantServe;
        }
    }
    return sum;
}

double MixSearch::figure_on_one(const Division& division, std::size_t option) {
    double sum = 0.0;
    for (const auto& [other, parts] : division) {
        sum += tried(option, parts).group.figure;
    }
    return sum;
}

bool MixSearch::latency_is_known(const Division& division) {
    return std::ranges::all_of(division, [&](const auto& group) { return tried(group.first, group.second).latency_is_known; });
}

bool MixSearch::hosts_are_known(const Division& division) {
    return std::ranges::all_of(division, [&](const auto& group) { return tried(group.first, group.second).hosts_are_known; });
}

bool MixSearch::take_if_less(Division next, Division& division, double& least) {
    if (all_.size() >= max_tried_) {
        return false;
    }
    next = without_empty(std::move(next));
    const double of_next = figure(next);
    if (!(of_next < least * kLess)) {
        return false;
    }
    division = std::move(next);
    least = of_next;
    return true;
}

bool MixSearch::improve_once(Division& division, double& least, const std::vector<std::size_t>& candidates) {
    for (std::size_t g = 0; g < division.size(); ++g) {
        for (const std::size_t option : candidates) {
            Division next = division;
            next[g].first = option;
            if (take_if_less(std::move(next), division, least)) {
                return true;
            }
        }
        for (std::size_t b = 0; b < division[g].second.size(); ++b) {
            if (division[g].second[b] == 0.0) {
                continue;
            }
            const auto move_to = [&](std::size_t option) {
                Division next = division;
                auto to = std::ranges::find(next, option, [](const auto& group) { return group.first; });
                if (to == next.end()) {
                    next.emplace_back(option, BucketParts(division[g].second.size(), 0.0));
                    to = std::prev(next.end());
                }
                to->second[b] += next[g].second[b];
                next[g].second[b] = 0.0;
                return take_if_less(std::move(next), division, least);
            };
            if (std::ranges::any_of(candidates,
                                    [&](std::size_t option) { return option != division[g].first && move_to(option); })) {
                return true;
            }
        }
    }
    return false;
}

Division MixSearch::improved(Division division, const std::vector<std::size_t>& candidates) {
    double least = figure(division);
    max_tried_ = all_.size() + kMaxTriedGroups;
    const auto merge = [&]() {
        for (std::size_t g = 0; g < division.size(); ++g) {
            for (std::size_t h = 0; h < division.size(); ++h) {
                Division next = division;
                for (std::size_t b = 0; g != h && b < next[h].second.size(); ++b) {
                    next[h].second[b] += next[g].second[b];
                    next[g].second[b] = 0.0;
                }
                if (g != h && take_if_less(std::move(next), division, least)) {
                    return true;
                }
            }
        }
        return false;
    };
    while (merge() || improve_once(division, least, candidates)) {}
    return division;
}

} // namespace costcurve::model
