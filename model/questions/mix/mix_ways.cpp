// Rates are fitted once a bucket and device; sizes are those of the ranking.
#include "model/questions/mix/mix_ways.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <string_view>

#include "model/questions/rank/entries.hpp"
#include "model/questions/rank/needs.hpp"
#include "model/scenario.hpp"

namespace costcurve::model {

namespace {

constexpr double kNoLoad = std::numeric_limits<double>::infinity();

} // namespace

DeviceOfUnit device_of_unit(const Option& option) {
    return {device_of(option.pool)->id, static_cast<int>(devices_per_unit(option.pool))};
}

MixWays::MixWays(const RankQuestion& question, const Catalog& catalog, const Runner& runner)
    : work_(question.work.workloads.front()), buckets_(work_.token_mix.size()) {
    has_run_ = runner.run(buckets_.size(), [&](std::size_t /*worker*/, std::size_t b) {
        Bucket& bucket = buckets_[b];
        bucket.question = question;
        bucket.question.include = {Way::cloud, Way::owned};
        bucket.question.work.workloads = {requests_of(work_, one_bucket(b, buckets_.size()))};
        Fitting fitting(catalog, question.limits.precision);
        Exclusions excluded;
        Assumed assumed;
        bucket.options = options_of(bucket.question, catalog, fitting, excluded, assumed);
        std::erase_if(bucket.options, [](const Option& option) { return option.is_staged; });
        bucket.excluded = excluded.take();
        const Workload& requests = bucket.question.work.workloads.front();
        for (const Option& option : bucket.options) {
            if (const auto [known, is_new] = bucket.usable.try_emplace(device_of_unit(option)); is_new) {
                known->second = usable_units_per_s(option.performances.front(), requests, option.pool);
                bucket.performances.emplace(known->first, option.performances.front());
            }
        }
    });
    for (std::size_t b = 0; has_run_ && b < buckets_.size(); ++b) {
        add_bucket(b);
    }
}

void MixWays::add_bucket(std::size_t b) {
    Bucket& bucket = buckets_[b];
    const Workload& requests = bucket.question.work.workloads.front();
    const double peak = peak_units_per_s(requests, bucket.question.work.months - 1);
    for (Option& option : bucket.options) {
        const double usable = bucket.usable.at(device_of_unit(option));
        const auto [place, is_first] = places_.try_emplace(option.pool.id + "\n" + option.name, options_.size());
        if (is_first) {
            options_.push_back(std::move(option));
            loads_.emplace_back(buckets_.size(), kNoLoad);
        }
        loads_[place->second][b] = usable > 0.0 ? peak / usable : kNoLoad;
    }
    bucket.options.clear();
}

std::vector<MixBucket> MixWays::report() const {
    std::vector<MixBucket> rows;
    for (std::size_t b = 0; b < buckets_.size(); ++b) {
        MixBucket& row = rows.emplace_back();
        row.bucket = b;
        row.share = work_.token_mix[b].share;
        for (const std::vector<double>& loads : loads_) {
            row.ways += std::isfinite(loads[b]) ? 1 : 0;
        }
        row.reason = row.ways == 0 ? reason_against(b) : "";
    }
    return rows;
}

// What comes nearest to serving it: objectives that a device misses come before memory that none has.
std::string MixWays::reason_against(std::size_t b) const {
    constexpr auto kNearestFirst = std::to_array<std::string_view>({"ineligible_latency", "exceeds_memory", "exceeds_context"});
    const Bucket& bucket = buckets_[b];
    if (!bucket.usable.empty()) { // all that fit keep the objectives for a request that waits for no other, and not under load
        return std::string(kNearestFirst.front());
    }
    for (const std::string_view reason : kNearestFirst) {
        if (std::ranges::find(bucket.excluded, reason, &Exclusion::reason) != bucket.excluded.end()) {
            return std::string(reason);
        }
    }
    return bucket.excluded.empty() ? std::string(name_of(InfeasibleCode::unserved)) : bucket.excluded.front().reason;
}

// With the demand of a bucket brought to so many units.
std::optional<double> MixWays::figure(std::size_t option, std::size_t bucket, double units, Trial& trial,
                                      std::size_t& evaluated) const {
    constexpr double kBelowWhole = 1 - 1e-9;
    RankQuestion question = buckets_[bucket].question;
    Demand& demand = question.work.workloads.front().demand;
    for (std::optional<double>* const rate : {&demand.mean_per_s, &demand.units_per_s_per_device}) {
        if (*rate) {
            **rate *= units * kBelowWhole / loads_[option][bucket];
        }
    }
    Option of_bucket = options_[option];
    of_bucket.performances = {buckets_[bucket].performances.at(device_of_unit(of_bucket))};
    Sizing sizing(question, Sizing::Keep::figures);
    sizing.make({&of_bucket}, trial);
    const Entry entry = size_alone(sizing, trial);
    evaluated += sizing.evaluated;
    return entry.reason.empty() ? std::optional(entry.figure) : std::nullopt;
}

std::optional<MixOffer> MixWays::offer(std::size_t option, Trial& trial, std::size_t& evaluated) const {
    MixOffer offer{0.0, 0.0, loads_[option]};
    double all = 0.0;
    std::optional<std::size_t> largest;
    for (std::size_t b = 0; b < offer.loads.size(); ++b) {
        if (std::isfinite(offer.loads[b])) {
            all += offer.loads[b];
            largest = largest && offer.loads[*largest] >= offer.loads[b] ? largest : b;
        }
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
    return offer;
}

} // namespace costcurve::model
