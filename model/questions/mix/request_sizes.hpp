// Makes workloads of a part of the requests of other workloads, chosen by request size.
#pragma once

#include <cstddef>
#include <vector>

#include "model/documents/documents.hpp"

namespace costcurve::model {

/// A workload and an index into its token_mix. A workload without a token_mix is one bucket.
struct Bucket {
    std::size_t workload = 0;
    std::size_t place = 0;
};
/// All buckets, workload by workload.
[[nodiscard]] std::vector<Bucket> buckets_of(const std::vector<Workload>& workloads);

/// By bucket: the part of its requests, 0 to 1.
using BucketParts = std::vector<double>;

/// The workload with these parts of its requests alone. Demand shrinks in proportion. Some part must be above 0. All other fields
/// are kept.
[[nodiscard]] Workload requests_of(const Workload& workload, const BucketParts& parts);
/// The workloads that have a part above 0, with these parts of their requests alone.
[[nodiscard]] std::vector<Workload> requests_of(const std::vector<Workload>& workloads, const BucketParts& parts);

/// Parts that select one whole bucket.
[[nodiscard]] BucketParts one_bucket(std::size_t bucket, std::size_t buckets);

/// Usable rate of a pool's unit, in units of work per second: the rate of the replicas that fit in it, as the evaluation limits it
/// for the workload (model.md, Waiting). 0 if the objectives can't be kept.
[[nodiscard]] double usable_units_per_s(const Performance& performance, const Workload& workload, const Pool& pool);

} // namespace costcurve::model
