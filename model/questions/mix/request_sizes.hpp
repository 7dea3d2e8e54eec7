// Some of a workload's requests by their size, as a workload of its own.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "model/documents/documents.hpp"

namespace costcurve::model {

/// By bucket of a workload's token_mix: the part of its requests, 0 to 1.
using BucketParts = std::vector<double>;

/// The workload with these of its requests alone, as many a second as they are of all; a part is above 0. All else is as it was.
[[nodiscard]] Workload requests_of(const Workload& workload, const BucketParts& parts);

/// The parts that are one bucket, whole.
[[nodiscard]] BucketParts one_bucket(std::size_t bucket, std::size_t buckets);

/// Units of work a second of a replica that a pool's unit has room for, which the workload's requests may use: as the evaluation
/// has it (model.md, Waiting), with the devices that a replica holds. 0 where it keeps no objective.
[[nodiscard]] double usable_units_per_s(const Performance& performance, const Workload& workload, const Pool& pool);

} // namespace costcurve::model
