// The programme over loads and costs of units, then exact sizes from what it found.
#include "model/questions/mix/mix.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <set>
#include <string>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "model/figures.hpp"
#include "model/finance.hpp"
#include "model/performance/classes.hpp"
#include "model/questions/mix/mix_program.hpp"
#include "model/questions/mix/mix_search.hpp"
#include "model/questions/mix/mix_ways.hpp"
#include "model/questions/ranking.hpp"
#include "model/questions/variant.hpp"

namespace costcurve::model {

namespace {

constexpr std::size_t kCandidates = 6; // beside those of the programme, by what all requests cost there

// Every offer that can serve, by its option's number.
struct PricedOffers {
    std::vector<MixOffer> offers;
    std::vector<std::size_t> options;
    bool has_run = false;
};
PricedOffers price(const MixWays& ways, const Runner& runner, std::size_t& evaluated) {
    std::vector<std::optional<MixOffer>> all(ways.options().size());
    const std::size_t workers = std::max<std::size_t>(1, runner.workers);
    std::vector<Trial> trials(workers);
    std::vector<std::size_t> counts(workers, 0);
    PricedOffers priced;
    priced.has_run =
        runner.run(all.size(), [&](std::size_t worker, std::size_t i) { all[i] = ways.offer(i, trials[worker], counts[worker]); });
    for (std::size_t i = 0; priced.has_run && i < all.size(); ++i) {
        if (all[i]) {
            priced.offers.push_back(std::move(*all[i]));
            priced.options.push_back(i);
        }
    }
    evaluated += std::accumulate(counts.begin(), counts.end(), std::size_t{0});
    return priced;
}

Division division_of(const MixAssignment& assignment, const PricedOffers& priced) {
    Division division;
    for (std::size_t j = 0; j < assignment.parts.size(); ++j) {
        if (std::ranges::any_of(assignment.parts[j], [](double part) { return part > 0.0; })) {
            division.emplace_back(priced.options[j], assignment.parts[j]);
        }
    }
    return division;
}

// Each bucket where its largest part is.
Division with_whole_buckets(const Division& division) {
    Division whole;
    for (const auto& [option, parts] : division) {
        whole.emplace_back(option, BucketParts(parts.size(), 0.0));
    }
    for (std::size_t b = 0; b < division.front().second.size(); ++b) {
        std::size_t largest = 0;
        for (std::size_t g = 1; g < division.size(); ++g) {
            largest = division[g].second[b] > division[largest].second[b] ? g : largest;
        }
        whole[largest].second[b] = 1.0;
    }
    std::erase_if(whole,
                  [](const auto& group) { return std::ranges::all_of(group.second, [](double part) { return part == 0.0; }); });
    return whole;
}

// Those that are used, and the cheapest for all requests that they serve, by a unit of the load.
std::vector<std::size_t> candidates_of(const std::vector<Division>& divisions, const PricedOffers& priced) {
    std::vector<std::size_t> candidates;
    const auto add = [&](std::size_t option) {
        if (std::ranges::find(candidates, option) == candidates.end()) {
            candidates.push_back(option);
        }
    };
    for (const Division& division : divisions) {
        for (const auto& [option, parts] : division) {
            add(option);
        }
    }
    std::vector<std::pair<double, std::size_t>> by_cost;
    for (std::size_t j = 0; j < priced.offers.size(); ++j) {
        const MixOffer& offer = priced.offers[j];
        const double load = std::accumulate(offer.loads.begin(), offer.loads.end(), 0.0);
        if (std::isfinite(load)) {
            by_cost.emplace_back(offer.fixed + offer.per_unit * std::ceil(load), priced.options[j]);
        }
    }
    std::ranges::sort(by_cost);
    for (std::size_t i = 0; i < std::min(kCandidates, by_cost.size()); ++i) {
        add(by_cost[i].second);
    }
    return candidates;
}

// Of two offers: the buckets that are cheaper on the first, by what a unit of each costs, go there up to some bucket, the others to
// the second. The division of all pairs of candidates that costs the least.
Division best_of_pairs(const PricedOffers& priced, const std::vector<std::size_t>& candidates, MixSearch& search) {
    const auto offer_of = [&](std::size_t option) -> const MixOffer& {
        return priced.offers[static_cast<std::size_t>(std::ranges::find(priced.options, option) - priced.options.begin())];
    };
    Division best;
    double least = std::numeric_limits<double>::infinity();
    for (std::size_t first = 0; first < candidates.size(); ++first) {
        for (std::size_t second = 0; second < first && search.has_room(); ++second) {
            const MixOffer& a = offer_of(candidates[first]);
            const MixOffer& b = offer_of(candidates[second]);
            std::vector<std::pair<double, std::size_t>> order;
            for (std::size_t k = 0; k < a.loads.size(); ++k) {
                order.emplace_back(a.loads[k] * a.per_unit / (b.loads[k] * b.per_unit), k);
            }
            std::ranges::sort(order);
            Division division = {{candidates[first], BucketParts(order.size(), 0.0)},
                                 {candidates[second], BucketParts(order.size(), 1.0)}};
            for (std::size_t k = 0; k + 1 < order.size(); ++k) {
                division[0].second[order[k].second] = 1.0;
                division[1].second[order[k].second] = 0.0;
                if (const double figure = search.figure(division); figure < least) {
                    best = division;
                    least = figure;
                }
            }
        }
    }
    return best;
}

// Of one pool of devices; infinite where there is none.
double best_single(const std::vector<Entry>& entries) {
    double least = std::numeric_limits<double>::infinity();
    for (const Entry& entry : entries) {
        if (entry.way() == Way::cloud || entry.way() == Way::owned) {
            least = std::min(least, entry.figure);
        }
    }
    return least;
}

// Units of a group's mean request.
double mean_units(const MixGroup& group) { return units_of_request(mean_request(group.question.work.workloads.front())); }

std::unique_ptr<Mix> mix_of(const Division& division, MixSearch& search) {
    auto mix = std::make_unique<Mix>();
    std::vector<std::string> names;
    for (const auto& [option, parts] : division) {
        mix->groups.push_back(search.group(option, parts));
    }
    std::ranges::stable_sort(mix->groups, {}, mean_units);
    for (const MixGroup& group : mix->groups) {
        names.push_back(group.option.name);
    }
    mix->name = fmt::format("by request size: {}", fmt::join(names, " + "));
    mix->latency_is_known = search.latency_is_known(division);
    mix->hosts_are_known = search.hosts_are_known(division);
    return mix;
}

// Whether the whole scenario may be in a ranking; sets the mix's figure.
bool holds_whole(Mix& mix, const RankQuestion& question) {
    const SizedPlan plan = whole_plan(mix);
    const std::optional<double> figure =
        plan.reason.empty() ? figure_of(plan.summary, decide_by(question.work.finance)) : std::nullopt;
    mix.figure = figure.value_or(0.0);
    return figure.has_value();
}

} // namespace

bool may_mix(const RankQuestion& question) {
    const std::vector<Workload>& workloads = question.work.workloads;
    return workloads.size() == 1 && workloads.front().kind == WorkloadKind::inference && workloads.front().token_mix.size() > 1 &&
           (question.include.empty() || std::ranges::find(question.include, Way::mix) != question.include.end());
}

MixFound find_mix(const RankQuestion& question, const Catalog& catalog, const std::vector<Entry>& entries, const Runner& runner) {
    MixFound found;
    const MixWays ways(question, catalog, runner);
    if (!ways.has_run()) {
        return found;
    }
    found.report.buckets = ways.report();
    if (std::ranges::any_of(found.report.buckets, [](const MixBucket& bucket) { return bucket.ways == 0; })) {
        return found;
    }
    const PricedOffers priced = price(ways, runner, found.evaluated);
    const std::optional<MixAssignment> assignment = priced.has_run ? assign_buckets(priced.offers, false) : std::nullopt;
    if (!assignment) {
        return found;
    }
    found.report.gap_fraction = assignment->gap();
    found.report.outcome = MixOutcome::no_cheaper;
    MixSearch search(question, catalog, ways.options());
    std::vector<Division> divisions = {division_of(*assignment, priced)};
    divisions.push_back(with_whole_buckets(divisions.front()));
    const std::vector<std::size_t> candidates = candidates_of(divisions, priced);
    divisions.push_back(best_of_pairs(priced, candidates, search));
    for (Division& division : divisions) {
        division = search.improved(std::move(division), candidates);
    }
    constexpr double kLess = 1 - 1e-9;
    std::size_t least = 1; // whole buckets where divided ones are no cheaper
    for (const std::size_t d : {std::size_t{0}, std::size_t{2}}) {
        least = search.figure(divisions[d]) < search.figure(divisions[least]) * kLess ? d : least;
    }
    const Division& best = divisions[least];
    const double figure = search.figure(best);
    bool is_cheaper = best.size() > 1 && std::isfinite(figure) && figure < best_single(entries) * kLess;
    for (std::size_t g = 0; is_cheaper && g < best.size(); ++g) {
        if (const double on_one = search.figure_on_one(best, best[g].first); std::isfinite(on_one)) {
            found.report.on_one_device = std::min(found.report.on_one_device.value_or(on_one), on_one);
        }
    }
    is_cheaper = is_cheaper && (!found.report.on_one_device || figure < *found.report.on_one_device * kLess);
    if (is_cheaper) {
        found.mix = mix_of(best, search);
        if (holds_whole(*found.mix, question)) {
            found.report.outcome = MixOutcome::listed;
        } else {
            found.mix.reset();
        }
    }
    found.evaluated += search.evaluated();
    return found;
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
        facts.push_back(group.option.rate_facts.front());
    }
    return facts;
}

SizedPlan whole_plan(const Mix& mix) {
    SizedPlan whole;
    std::set<std::string> pools;
    for (std::size_t g = 0; g < mix.groups.size(); ++g) {
        const MixGroup& group = mix.groups[g];
        Sizing sizing(group.question, Sizing::Keep::plans);
        Trial trial;
        sizing.make({&group.option}, trial);
        SizedPlan plan = sizing.size(trial);
        if (!plan.reason.empty()) {
            whole.reason = plan.reason;
            return whole;
        }
        Workload& requests = plan.scenario.workloads.front();
        Pool& pool = plan.scenario.pools.front();
        const std::string id = pool.id;
        for (int copy = 2; !pools.insert(pool.id).second; ++copy) {
            pool.id = fmt::format("{}-{}", id, copy);
        }
        requests.runs_on.front().pool = pool.id;
        requests.id = fmt::format("{}-{}", requests.id, g + 1);
        if (g == 0) {
            whole.scenario = std::move(plan.scenario);
        } else {
            whole.scenario.pools.push_back(std::move(pool));
            whole.scenario.workloads.push_back(std::move(requests));
        }
        whole.units += plan.units;
    }
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

std::vector<WorkloadShare> shares_of(const Mix& mix, const SizedPlan& plan) {
    std::vector<WorkloadShare> shares;
    for (std::size_t g = 0; g < mix.groups.size(); ++g) {
        shares.push_back({plan.scenario.workloads[g].id, plan.summary.workloads[g].cost, mix.groups[g].figure, std::nullopt});
    }
    return shares;
}

} // namespace costcurve::model
