// Parallel layout of a replica's devices, as stated by requests for rates.
#pragma once

#include <optional>

#include "model/documents/documents.hpp"
#include "model/documents/failure.hpp"
#include "model/documents/measurement.hpp"

namespace costcurve::answers {

inline constexpr int kMaxReplica = 4096; ///< devices

/// Issues of a layout; sets `devices`, if not stated, to tp × pp × dp.
[[nodiscard]] model::Failure check_parallel(const model::Parallel& parallel, std::optional<int>& devices);
/// Issues for layouts with more parts than the model has, or unequal splits of its attention heads.
[[nodiscard]] model::Failure impossible_parts(const model::Parallel& parallel, const model::Model& model);

} // namespace costcurve::answers
