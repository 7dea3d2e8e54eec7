// Whether the power of a cloud's instances and of devices in curves of their own is plausible.
#pragma once

#include <string>
#include <vector>

#include "model/documents/documents.hpp"
#include "server/storage/snapshot.hpp"

namespace costcurve::ingest {

/// Why a new curve of power, `power.<provider>-<instance>.ccf` or `power.<device>.ccf`, is held:
/// - of an instance whose vCPUs its size names (2xlarge has 8, standard-8 too) its most W by the vCPU are four times or a fourth of
///   the median of three others of its family, of the list or stored; without accelerators, and where no others are known, below 1
///   W or above 40 W; of known accelerators three times their TDP are added, and 0.12 of it needed; of families of others up to 150
///   W;
/// - of a device it is below 0.12 of its TDP or above three times it.
/// "" of other curves, or where it may be.
[[nodiscard]] std::string reason_of_instance_watts(const storage::Snapshot& snapshot, const std::vector<model::Curve>& listed,
                                                   const model::Curve& curve);

} // namespace costcurve::ingest
