// Some of the requests of workloads by their size, as workloads of their own.
#pragma once

#include <cstddef>
#include <vector>

#include "model/documents/documents.hpp"

namespace costcurve::model {

/// A workload and a place in its token_mix; a workload without one is a bucket by itself.
struct Bucket {
    std::size_t workload = 0;
    std::size_t place = 0;
};
/// One workload after another.
[[nodiscard]] std::vector<Bucket> buckets_of(const std::vector<Workload>& workloads);

/// By bucket: the part of its requests, 0 to 1.
using BucketParts = std::vector<double>;

/// The workload with these of its requests alone, as many a second or month as they are of all; a part is above 0. All else is as
/// it was.
[[nodiscard]] Workload requests_of(const Workload& workload, const BucketParts& parts);
/// Workloads that have a part above 0, with these of their requests alone.
[[nodiscard]] std::vector<Workload> requests_of(const std::vector<Workload>& workloads, const BucketParts& parts);

/// The parts that are one bucket, whole.
[[nodiscard]] BucketParts one_bucket(std::size_t bucket, std::size_t buckets);

/// Units of work a second of a replica that a pool's unit has room for, which the workload's requests may use: as the evaluation
/// has it (model.md, Waiting), with the devices that a replica holds. 0 where it keeps no objective.
[[nodiscard]] double usable_units_per_s(const Performance& performance, const Workload& workload, const Pool& pool);

} // namespace costcurve::model
