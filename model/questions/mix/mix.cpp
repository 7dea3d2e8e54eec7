// Solves an integer programme over loads and unit costs, then sizes the groups that it found exactly.
#include "model/questions/mix/mix.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <string>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "model/performance/classes.hpp"
#include "model/questions/mix/mix_program.hpp"
#include "model/questions/mix/mix_search.hpp"
#include "model/questions/mix/mix_ways.hpp"

namespace costcurve::model {

namespace {

constexpr double kLessInAll = 1 - 1e-9;
constexpr std::size_t kCandidates = 6;      // beyond those of the programme, cheapest for all requests
constexpr std::size_t kCandidatesOfOne = 2; // cheapest for one workload of several

// Offers that can serve some bucket, each with its option's index.
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

// Moves each bucket as a whole to the option that serves its largest part.
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

// Up to `most` options that cost the least for the buckets from `first` to before `last` together.
std::vector<std::size_t> cheapest_for(std::size_t first, std::size_t last, const PricedOffers& priced, std::size_t most) {
    std::vector<std::pair<double, std::size_t>> by_cost;
    for (std::size_t j = 0; j < priced.offers.size(); ++j) {
        const MixOffer& offer = priced.offers[j];
        const auto begin = offer.loads.begin();
        const double load =
            std::accumulate(begin + static_cast<std::ptrdiff_t>(first), begin + static_cast<std::ptrdiff_t>(last), 0.0);
        if (std::isfinite(load)) {
            by_cost.emplace_back(offer.fixed + offer.per_unit * std::ceil(load), priced.options[j]);
        }
    }
    std::ranges::sort(by_cost);
    std::vector<std::size_t> cheapest;
    for (std::size_t i = 0; i < std::min(most, by_cost.size()); ++i) {
        cheapest.push_back(by_cost[i].second);
    }
    return cheapest;
}

// Options of the divisions, and the cheapest ones for all requests and for each workload.
std::vector<std::size_t> candidates_of(const std::vector<Division>& divisions, const PricedOffers& priced,
                                       const std::vector<Bucket>& buckets) {
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
    std::ranges::for_each(cheapest_for(0, buckets.size(), priced, kCandidates), add);
    for (std::size_t first = 0, last = 0; first < buckets.size(); first = last) {
        while (last < buckets.size() && buckets[last].workload == buckets[first].workload) {
            ++last;
        }
        if (last - first < buckets.size()) {
            std::ranges::for_each(cheapest_for(first, last, priced, kCandidatesOfOne), add);
        }
    }
    return candidates;
}

// Cost of a bucket's units on `a` over their cost on `b`. It is 0 if only `b` can't serve the bucket, and infinite if `a` can't.
double cost_ratio(const MixOffer& a, const MixOffer& b, std::size_t bucket) {
    const double of_a = a.loads[bucket] * a.per_unit;
    const double of_b = b.loads[bucket] * b.per_unit;
    const bool is_number = std::isfinite(of_a) && of_b > 0.0;
    return is_number ? of_a / of_b : std::numeric_limits<double>::infinity();
}

// The sets of buckets that `a` may serve while `b` serves the rest. All sets if there are few buckets. Otherwise the buckets are
// sorted by their cost ratio, and each set takes the first ones.
std::vector<BucketParts> parts_of_first(const MixOffer& a, const MixOffer& b) {
    constexpr std::size_t kFew = 5;
    const std::size_t buckets = a.loads.size();
    std::vector<BucketParts> all;
    if (buckets <= kFew) {
        for (std::size_t set = 1; set + 1 < std::size_t{1} << buckets; ++set) {
            BucketParts& parts = all.emplace_back(buckets, 0.0);
            for (std::size_t k = 0; k < buckets; ++k) {
                parts[k] = (set >> k & 1U) != 0 ? 1.0 : 0.0;
            }
        }
        return all;
    }
    std::vector<std::pair<double, std::size_t>> order;
    for (std::size_t k = 0; k < buckets; ++k) {
        order.emplace_back(cost_ratio(a, b, k), k);
    }
    std::ranges::sort(order);
    BucketParts parts(buckets, 0.0);
    for (std::size_t k = 0; k + 1 < buckets; ++k) {
        parts[order[k].second] = 1.0;
        all.push_back(parts);
    }
    return all;
}

// The division with the lowest figure over all pairs of candidates.
Division best_of_pairs(const PricedOffers& priced, const std::vector<std::size_t>& candidates, MixSearch& search) {
    const auto offer_of = [&](std::size_t option) -> const MixOffer& {
        return priced.offers[static_cast<std::size_t>(std::ranges::find(priced.options, option) - priced.options.begin())];
    };
    Division best;
    double least = std::numeric_limits<double>::infinity();
    const std::size_t room = search.tried_groups() + kMaxTriedGroups;
    for (std::size_t first = 0; first < candidates.size(); ++first) {
        for (std::size_t second = 0; second < first && search.tried_groups() < room; ++second) {
            for (const BucketParts& parts : parts_of_first(offer_of(candidates[first]), offer_of(candidates[second]))) {
                Division division = {{candidates[first], parts}, {candidates[second], parts}};
                for (double& part : division[1].second) {
                    part = 1.0 - part;
                }
                if (const double figure = search.figure(division); figure < least) {
                    best = std::move(division);
                    least = figure;
                }
            }
        }
    }
    return best;
}

// Which ways a mix may use: only those with known rates and prices, also those with assumed ones, also hosted models of unknown
// latency.
enum class Doubts { none, assumed, unknown };

// The lowest figure of a single way that the mix may use; infinite if there is none.
double best_single(const std::vector<Entry>& entries, const MixWays& ways, Doubts doubts) {
    double least = std::numeric_limits<double>::infinity();
    for (const Entry& entry : entries) {
        const bool is_of_devices = entry.way() == Way::cloud || entry.way() == Way::owned;
        const bool takes_part = is_of_devices ? doubts != Doubts::none || !ways.is_assumed(*entry.option)
                                              : entry.way() == Way::api && ways.has(*entry.option, doubts == Doubts::unknown);
        if (takes_part) {
            least = std::min(least, entry.figure);
        }
    }
    return least;
}

// Units of work in the mean request of a group's first workload.
double mean_units(const MixGroup& group) { return units_of_request(mean_request(group.question.work.workloads.front())); }

std::unique_ptr<Mix> mix_of(const Division& division, MixSearch& search, const std::vector<Bucket>& buckets) {
    auto mix = std::make_unique<Mix>();
    std::vector<std::string> names;
    for (const auto& [option, parts] : division) {
        mix->groups.push_back(search.group(option, parts));
    }
    std::ranges::stable_sort(mix->groups, {}, [&](const MixGroup& group) {
        const auto first = std::ranges::find_if(group.parts, [](double part) { return part > 0.0; }) - group.parts.begin();
        return std::pair(buckets[static_cast<std::size_t>(first)].workload, mean_units(group));
    });
    for (const MixGroup& group : mix->groups) {
        names.push_back(group.option.name);
    }
    mix->name = fmt::format("by {}: {}", divides_requests(*mix) ? "request size" : "workload", fmt::join(names, " + "));
    mix->latency_is_known = search.latency_is_known(division);
    mix->hosts_are_known = search.hosts_are_known(division);
    return mix;
}

template <class Keeps> PricedOffers some_of(const PricedOffers& priced, const Keeps& keeps) {
    PricedOffers some;
    some.has_run = priced.has_run;
    for (std::size_t j = 0; j < priced.offers.size(); ++j) {
        if (keeps(priced.options[j])) {
            some.offers.push_back(priced.offers[j]);
            some.options.push_back(priced.options[j]);
        }
    }
    return some;
}

// The option with the lowest figure for the buckets from `first` to before `last` together, sized exactly, because the programme
// may count an extra host for spares. Tries options by their cost of units without spares, a lower bound of the figure.
std::optional<std::size_t> best_for(std::size_t first, std::size_t last, const BucketParts& parts, const PricedOffers& priced,
                                    MixSearch& search) {
    std::vector<std::pair<double, std::size_t>> by_units;
    for (std::size_t j = 0; j < priced.offers.size(); ++j) {
        const auto loads = priced.offers[j].loads.begin();
        const double load =
            std::accumulate(loads + static_cast<std::ptrdiff_t>(first), loads + static_cast<std::ptrdiff_t>(last), 0.0);
        if (std::isfinite(load)) {
            by_units.emplace_back(priced.offers[j].per_unit * load, priced.options[j]);
        }
    }
    std::ranges::sort(by_units);
    std::optional<std::size_t> best;
    double least = std::numeric_limits<double>::infinity();
    for (const auto& [of_units, option] : by_units) {
        if (of_units >= least) {
            break;
        }
        if (const double figure = search.figure({{option, parts}}); figure < least) {
            best = option;
            least = figure;
        }
    }
    return best;
}

// Each workload undivided on its cheapest option. Workloads with the same option share a group. Empty if a workload has none.
Division apart(const PricedOffers& priced, const std::vector<Bucket>& buckets, MixSearch& search) {
    Division division;
    for (std::size_t first = 0, last = 0; first < buckets.size(); first = last) {
        BucketParts parts(buckets.size(), 0.0);
        for (; last < buckets.size() && buckets[last].workload == buckets[first].workload; ++last) {
            parts[last] = 1.0;
        }
        const std::optional<std::size_t> best = best_for(first, last, parts, priced, search);
        if (!best) {
            return {};
        }
        const auto same = std::ranges::find(division, *best, [](const auto& group) { return group.first; });
        if (same == division.end()) {
            division.emplace_back(*best, std::move(parts));
        } else {
            std::fill(same->second.begin() + static_cast<std::ptrdiff_t>(first),
                      same->second.begin() + static_cast<std::ptrdiff_t>(last), 1.0);
        }
    }
    return division;
}

// The best of four divisions after improvement: the programme's assignment, the same with whole buckets, workloads apart, and
// pairs.
Division best_division(const MixAssignment& assignment, const PricedOffers& priced, MixSearch& search,
                       const std::vector<Bucket>& buckets) {
    std::vector<Division> divisions = {division_of(assignment, priced)};
    divisions.push_back(with_whole_buckets(divisions.front()));
    divisions.push_back(apart(priced, buckets, search));
    const std::vector<std::size_t> candidates = candidates_of(divisions, priced, buckets);
    divisions.push_back(best_of_pairs(priced, candidates, search));
    for (Division& division : divisions) {
        division = search.improved(std::move(division), candidates);
    }
    std::size_t least = 1; // divided buckets must be cheaper than whole ones
    for (const std::size_t d : {std::size_t{0}, std::size_t{2}, std::size_t{3}}) {
        least = search.figure(divisions[d]) < search.figure(divisions[least]) * kLessInAll ? d : least;
    }
    return divisions[least];
}

// The lowest figure of the division's groups if one of its options served them all; nothing if none can.
std::optional<double> on_one_of(const Division& division, MixSearch& search) {
    std::optional<double> least;
    for (const auto& [option, parts] : division) {
        if (const double on_one = search.figure_on_one(division, option); std::isfinite(on_one)) {
            least = std::min(least.value_or(on_one), on_one);
        }
    }
    return least;
}

// Adds the best mix of these offers to `found` if it costs less than `single` and than its groups on one of its options. Completes
// the report.
void add_best(const PricedOffers& priced, double single, const RankQuestion& question, const MixWays& ways, Fitting& fitting,
              MixFound& found) {
    const std::optional<MixAssignment> assignment = assign_buckets(priced.offers, false);
    if (!assignment) {
        return;
    }
    MixReport& report = found.report;
    report.outcome = report.outcome == MixOutcome::no_way ? MixOutcome::no_cheaper : report.outcome;
    MixSearch search(question, ways, fitting);
    const std::vector<Bucket> buckets = buckets_of(question.work.workloads);
    const Division best = best_division(*assignment, priced, search, buckets);
    const double figure = search.figure(best);
    found.gaps.push_back(figure < assignment->bound * kLessInAll ? std::nullopt : std::optional(assignment->gap()));
    if (best.size() > 1 && std::isfinite(figure) && figure < single * kLessInAll) {
        const std::optional<double> on_one = on_one_of(best, search);
        report.on_one_device = on_one;
        if (!on_one || figure < *on_one * kLessInAll) {
            std::unique_ptr<Mix> mix = mix_of(best, search, buckets);
            if (holds_whole(*mix, question)) {
                report.outcome = MixOutcome::listed;
                found.mixes.push_back(std::move(mix));
            }
        }
    }
    found.evaluated += search.evaluated();
}

} // namespace

bool may_mix(const RankQuestion& question) {
    const std::vector<Workload>& workloads = question.work.workloads;
    const bool is_one_of_sizes = workloads.front().kind == WorkloadKind::inference && workloads.front().token_mix.size() > 1;
    return (workloads.size() > 1 || is_one_of_sizes) &&
           (question.include.empty() || std::ranges::find(question.include, Way::mix) != question.include.end());
}

MixFound find_mix(const RankQuestion& question, const Catalog& catalog, const std::vector<Entry>& entries, const Runner& runner) {
    MixFound found;
    const MixWays ways(question, catalog, runner);
    if (!ways.has_run()) {
        return found;
    }
    found.evaluated = ways.evaluated();
    found.report.buckets = ways.report();
    if (std::ranges::any_of(found.report.buckets, [](const MixBucket& bucket) { return bucket.ways == 0; })) {
        return found;
    }
    const PricedOffers priced = price(ways, runner, found.evaluated);
    if (!priced.has_run) {
        return found;
    }
    const PricedOffers known = some_of(priced, [&](std::size_t option) { return ways.is_known(option); });
    const PricedOffers sure = some_of(known, [&](std::size_t option) { return !ways.is_assumed(option); });
    Fitting fitting(catalog, question.limits.precision);
    const auto least = [&](double single) { return found.mixes.empty() ? single : std::min(single, found.mixes.back()->figure); };
    if (sure.offers.size() < known.offers.size()) {
        add_best(sure, best_single(entries, ways, Doubts::none), question, ways, fitting, found);
    }
    add_best(known, least(best_single(entries, ways, Doubts::assumed)), question, ways, fitting, found);
    if (known.offers.size() < priced.offers.size()) {
        add_best(priced, least(best_single(entries, ways, Doubts::unknown)), question, ways, fitting, found);
    }
    if (!found.gaps.empty() && std::ranges::all_of(found.gaps, [](const auto& gap) { return gap.has_value(); })) {
        found.report.gap_fraction = *std::ranges::max_element(found.gaps);
    }
    return found;
}

} // namespace costcurve::model
