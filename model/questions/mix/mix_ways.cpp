// Fits rates once per bucket and device. Sizes options as the ranking does.
#include "model/questions/mix/mix_ways.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <string_view>

#include <fmt/format.h>

#include "model/categories/seller_tiers.hpp"
#include "model/hosted/hosted_prices.hpp"
#include "model/hosted/provisioned.hpp"
#include "model/performance/doubts.hpp"
#include "model/questions/rank/entries.hpp"
#include "model/questions/rank/needs.hpp"
#include "model/questions/rank/sampled_options.hpp"
#include "model/scenario.hpp"

namespace costcurve::model {

namespace {

constexpr double kNoLoad = std::numeric_limits<double>::infinity();

// Whether an option has one cost for all of the requests, not a load in units: hosted models and training runs.
bool is_priced_whole(const Option& option, const Workload& requests) {
    return option.way == Way::api || requests.kind == WorkloadKind::training;
}

// Of cloud, owned and api, the ways that the request includes; all if it lists no ways; cloud and owned if it lists none of these.
std::vector<Way> ways_of_mixes(const std::vector<Way>& include) {
    std::vector<Way> ways;
    for (const Way way : {Way::cloud, Way::owned, Way::api}) {
        if (include.empty() || std::ranges::count(include, way) > 0) {
            ways.push_back(way);
        }
    }
    return ways.empty() ? std::vector{Way::cloud, Way::owned} : ways;
}

// Identifies an option. On spot, training and inference are separate options, as only training waits for an instance.
std::string key_of(const Option& option, const Workload& requests) {
    const bool waits =
        requests.kind == WorkloadKind::training && option.pool.offer && option.pool.offer->purchase == Purchase::spot;
    return fmt::format("{}\n{}{}", option.pool.id, option.name, waits ? "\nruns" : "");
}

// Whether the option's rate, or its server's price, is assumed, by the same rule as for a plan of the ranking.
bool rests_on_assumptions(const Option& option, const Workload& requests) {
    if (option.way == Way::api) {
        return false;
    }
    const Performance& performance = option.performances.front();
    return option.price_is_assumed || performance.basis >= Evidence::assumed ||
           !doubts_of(performance, *device_of(option.pool), requests, devices_per_unit(option.pool)).empty();
}

} // namespace

DeviceOfUnit device_of_unit(const Option& option) { return {device_of(option.pool)->id, devices_per_unit(option.pool)}; }

MixWays::MixWays(const RankQuestion& question, const Catalog& catalog, const Runner& runner)
    : workloads_(question.work.workloads), places_of_buckets_(buckets_of(workloads_)), buckets_(places_of_buckets_.size()) {
    has_run_ = true;
    for (std::size_t first = 0; has_run_ && first < buckets_.size(); first += runner.workers) { // a bucket's options take megabytes
        const std::size_t count = std::min(runner.workers, buckets_.size() - first);
        has_run_ = runner.run(count, [&](std::size_t /*worker*/, std::size_t i) { find_options(question, catalog, first + i); });
        for (std::size_t b = first; has_run_ && b < first + count; ++b) {
            add_bucket(b);
        }
    }
}

// Finds the options that serve a bucket, with their usable rate or cost.
void MixWays::find_options(const RankQuestion& question, const Catalog& catalog, std::size_t b) {
    Requests& bucket = buckets_[b];
    bucket.question = question;
    bucket.question.include = ways_of_mixes(question.include);
    bucket.question.work.workloads = requests_of(workloads_, one_bucket(b, buckets_.size()));
    Fitting fitting(catalog, question.limits.precision);
    Exclusions excluded;
    Assumed assumed;
    bucket.options = options_of(bucket.question, catalog, fitting, excluded, assumed);
    std::erase_if(bucket.options, [](const Option& option) { // whose price of one bucket depends on the others
        return option.is_staged || is_provisioned(option.pool) || has_volume_prices(option.pool);
    });
    bucket.excluded = excluded.take();
    const Workload& requests = bucket.question.work.workloads.front();
    price_whole(bucket);
    for (const Option& option : bucket.options) {
        if (is_priced_whole(option, requests)) {
            continue;
        }
        if (const auto [known, is_new] = bucket.usable.try_emplace(device_of_unit(option)); is_new) {
            known->second = usable_units_per_s(option.performances.front(), requests, option.pool);
            bucket.performances.emplace(known->first, option.performances.front());
        }
    }
}

// Sets the figure of hosted models and training runs. Removes those that can't do the work or cost nothing.
void MixWays::price_whole(Requests& bucket) {
    const Workload& requests = bucket.question.work.workloads.front();
    Sizing sizing(bucket.question, Sizing::Keep::figures);
    Trial trial;
    std::erase_if(bucket.options, [&](const Option& option) {
        if (!is_priced_whole(option, requests)) {
            return false;
        }
        sizing.make({&option}, trial);
        const Entry entry = size_alone(sizing, trial);
        if (!entry.reason.empty() || !(entry.figure > 0.0)) {
            return true;
        }
        const std::string key = key_of(option, requests);
        bucket.costs.emplace(key, entry.figure);
        if (option.way == Way::api) {
            const HostedModel& model = hosted(option.pool);
            if (!entry.latency_is_known || option.context_is_unknown ||
                !price_doubts(model, requests, tier_of(requests, {}, model)).empty()) {
                bucket.unknown.insert(key);
            }
        }
        return false;
    });
    bucket.evaluated = sizing.evaluated;
}

void MixWays::add_bucket(std::size_t b) {
    Requests& bucket = buckets_[b];
    const Workload& requests = bucket.question.work.workloads.front();
    const double needed = needed_units_per_s(requests, bucket.question.work.months - 1);
    evaluated_ += bucket.evaluated;
    for (Option& option : bucket.options) {
        const std::string key = key_of(option, requests);
        const auto [place, is_first] = places_.try_emplace(key, options_.size());
        if (is_first) {
            loads_.emplace_back(buckets_.size(), kNoLoad);
        }
        if (is_priced_whole(option, requests)) {
            loads_[place->second][b] = bucket.costs.at(key);
        } else if (const double usable = bucket.usable.at(device_of_unit(option)); usable > 0.0) {
            loads_[place->second][b] = needed / usable;
        }
        if (bucket.unknown.contains(key)) {
            unknown_.insert(place->second);
        }
        if (rests_on_assumptions(option, requests)) {
            assumed_.insert(place->second);
        }
        if (is_first) {
            options_.push_back(std::move(option));
        }
    }
    bucket.options = std::vector<Option>();
}

bool MixWays::has(const Option& option, bool unknown) const {
    const auto place = places_.find(key_of(option, workloads_.front()));
    return place != places_.end() && (unknown || is_known(place->second));
}

bool MixWays::is_assumed(const Option& option) const {
    const auto place = places_.find(key_of(option, workloads_.front()));
    return place == places_.end() || is_assumed(place->second);
}

std::vector<MixBucket> MixWays::report() const {
    std::vector<MixBucket> rows;
    for (std::size_t b = 0; b < buckets_.size(); ++b) {
        MixBucket& row = rows.emplace_back();
        const auto& [w, place] = places_of_buckets_[b];
        row.workload = workloads_[w].id;
        row.bucket = place;
        row.share = workloads_[w].token_mix.empty() ? 1.0 : workloads_[w].token_mix[place].share;
        for (std::size_t option = 0; option < options_.size(); ++option) {
            row.ways += serves(option, b) ? 1 : 0;
        }
        row.reason = row.ways == 0 ? reason_against(b) : "";
    }
    return rows;
}

// Why no option serves the bucket: the reason nearest to serving it. Missed latency comes before lack of memory.
std::string MixWays::reason_against(std::size_t b) const {
    constexpr auto kNearestFirst = std::to_array<std::string_view>({"ineligible_latency", "exceeds_memory", "exceeds_context"});
    const Requests& bucket = buckets_[b];
    if (!bucket.usable.empty()) { // the fitting devices keep the objectives for a single request, but not under load
        return std::string(kNearestFirst.front());
    }
    for (const std::string_view reason : kNearestFirst) {
        if (std::ranges::find(bucket.excluded, reason, &Exclusion::reason) != bucket.excluded.end()) {
            return std::string(reason);
        }
    }
    return bucket.excluded.empty() ? std::string(name_of(InfeasibleCode::unserved)) : bucket.excluded.front().reason;
}

// The option's figure if the bucket's demand is scaled to this many units; nothing if it can't serve it.
std::optional<double> MixWays::figure(std::size_t option, std::size_t bucket, double units, Trial& trial,
                                      std::size_t& evaluated) const {
    constexpr double kBelowWhole = 1 - 1e-9;
    RankQuestion question = buckets_[bucket].question;
    multiply_demand(question.work.workloads.front(), units * kBelowWhole / loads_[option][bucket]);
    Option of_bucket = options_[option];
    of_bucket.performances = {buckets_[bucket].performances.at(device_of_unit(of_bucket))};
    of_bucket.gangs.clear(); // the option's gangs are those of another bucket
    Assumed of_ways;         // not reported: the single ways have the same assumptions
    of_bucket.porting = porting_of(of_bucket, question, of_ways);
    Sizing sizing(question, Sizing::Keep::figures);
    sizing.make({&of_bucket}, trial);
    const Entry entry = size_alone(sizing, trial);
    evaluated += sizing.evaluated;
    return entry.reason.empty() ? std::optional(entry.figure) : std::nullopt;
}

// An offer whose units each cost a ten-thousandth of all buckets' cost, so that rounding to whole units hardly matters.
MixOffer MixWays::offer_by_cost(std::size_t option) const {
    constexpr double kUnits = 10'000;
    MixOffer offer{0.0, 0.0, loads_[option]};
    for (const double cost : offer.loads) {
        offer.per_unit += std::isfinite(cost) ? cost / kUnits : 0.0;
    }
    for (double& load : offer.loads) {
        load /= offer.per_unit;
    }
    const Pool& pool = options_[option].pool;
    if (const std::optional<double> limit = pool.endpoint ? hosted(pool).max_units_per_s : std::nullopt) {
        for (const Requests& bucket : buckets_) {
            const double needed = needed_units_per_s(bucket.question.work.workloads.front(), bucket.question.work.months - 1);
            offer.limit_parts.push_back(needed / *limit);
        }
    }
    return offer;
}

std::optional<MixOffer> MixWays::offer(std::size_t option, Trial& trial, std::size_t& evaluated) const {
    MixOffer offer{0.0, 0.0, loads_[option]};
    double all = 0.0;
    std::optional<std::size_t> largest;
    std::vector<std::size_t> priced;
    for (std::size_t b = 0; b < offer.loads.size(); ++b) {
        if (!std::isfinite(offer.loads[b])) {
            continue;
        }
        if (is_priced_whole(options_[option], buckets_[b].question.work.workloads.front())) {
            priced.push_back(b);
            continue;
        }
        all += offer.loads[b];
        largest = largest && offer.loads[*largest] >= offer.loads[b] ? largest : b;
    }
    if (!largest && !priced.empty()) {
        return offer_by_cost(option);
    }
    const double most = std::max(2.0, std::ceil(all));
    const double half = std::ceil(most / 2);
    if (!largest || !(offer.loads[*largest] > 0.0) || most > kMaxUnits) {
        return std::nullopt;
    }
    const std::optional<double> at_half = figure(option, *largest, half, trial, evaluated);
    const std::optional<double> at_most = at_half ? figure(option, *largest, most, trial, evaluated) : std::nullopt;
    if (!at_most) {
        return std::nullopt;
    }
    offer.per_unit = std::max(0.0, (*at_most - *at_half) / (most - half));
    offer.fixed = std::max(0.0, *at_most - most * offer.per_unit);
    for (const std::size_t b : priced) { // a cost counts as units; the exact search then finds savings from sharing them
        offer.loads[b] = offer.per_unit > 0.0 ? offer.loads[b] / offer.per_unit : kNoLoad;
    }
    return offer;
}

} // namespace costcurve::model
