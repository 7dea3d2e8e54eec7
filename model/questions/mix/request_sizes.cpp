// Takes buckets out of a workload's token_mix, and scales the remaining shares to add up to 1.
#include "model/questions/mix/request_sizes.hpp"

#include <algorithm>
#include <cmath>

#include "model/kernels.hpp"
#include "model/performance/classes.hpp"
#include "model/performance/performance.hpp"
#include "model/questions/rank/sampled_options.hpp"
#include "model/queueing/under_load.hpp"
#include "model/scenario.hpp"

namespace costcurve::model {

namespace {

std::size_t buckets_in(const Workload& workload) { return std::max<std::size_t>(1, workload.token_mix.size()); }

} // namespace

std::vector<Bucket> buckets_of(const std::vector<Workload>& workloads) {
    std::vector<Bucket> buckets;
    for (std::size_t w = 0; w < workloads.size(); ++w) {
        for (std::size_t b = 0; b < buckets_in(workloads[w]); ++b) {
            buckets.push_back({w, b});
        }
    }
    return buckets;
}

Workload requests_of(const Workload& workload, const BucketParts& parts) {
    Workload some = workload;
    double share = workload.token_mix.empty() ? parts.front() : 0.0;
    if (!workload.token_mix.empty()) {
        some.units_per_request = {};
        some.token_mix.clear();
    }
    for (std::size_t b = 0; b < workload.token_mix.size(); ++b) {
        if (parts[b] > 0.0) {
            TokenBucket& bucket = some.token_mix.emplace_back(workload.token_mix[b]);
            bucket.share *= parts[b];
            share += bucket.share;
        }
    }
    for (TokenBucket& bucket : some.token_mix) {
        bucket.share /= share;
    }
    multiply_demand(some, share);
    if (std::optional<double>& units = some.demand.units_per_s_per_device) { // stated for all requests, whatever their size
        *units *= units_of_request(mean_request(some)) / units_of_request(mean_request(workload));
    }
    return some;
}

std::vector<Workload> requests_of(const std::vector<Workload>& workloads, const BucketParts& parts) {
    std::vector<Workload> some;
    auto first = parts.begin();
    for (const Workload& workload : workloads) {
        const auto last = first + static_cast<std::ptrdiff_t>(buckets_in(workload));
        if (std::any_of(first, last, [](double part) { return part > 0.0; })) {
            some.push_back(requests_of(workload, BucketParts(first, last)));
        }
        first = last;
    }
    return some;
}

BucketParts one_bucket(std::size_t bucket, std::size_t buckets) {
    BucketParts parts(buckets, 0.0);
    parts[bucket] = 1.0;
    return parts;
}

double usable_units_per_s(const Performance& performance, const Workload& workload, const Pool& pool) {
    const Device& device = *device_of(pool);
    const double per_unit = devices_per_unit(pool);
    const double held = devices_held(replica_devices(performance, device), per_unit);
    const BatchChoice batch = choose_batch(performance, device, workload);
    if (batch.problem != BatchChoice::Problem::none) {
        return 0.0;
    }
    const double rate = replica_rate(performance, device, workload, batch.batch).units_per_s;
    const double share = std::min(workload.peak_utilization, share_under_load(performance, workload, batch.batch).value_or(1.0));
    const double replicas = held > per_unit ? per_unit / held : std::floor(per_unit / held + kernels::kForgiven);
    const double usable = rate * share * replicas;
    return std::isfinite(usable) ? usable : 0.0;
}

} // namespace costcurve::model
