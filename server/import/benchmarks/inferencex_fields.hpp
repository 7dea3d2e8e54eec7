// Fields of an InferenceX run whose name or form differs between files.
#pragma once

#include <optional>
#include <string_view>

#include "server/import/text/json.hpp"
#include "server/import/text/numbers.hpp"

namespace costcurve::imports {

/// A figure of the run, or of its member "metrics", where chart snapshots keep their figures.
[[nodiscard]] Number figure_of(const Json& json, std::string_view name);

/// Whether a member is true, as a boolean or a text; dp_attention is a text.
[[nodiscard]] bool is_true(const Json& json, std::string_view name);

/// Number of GPUs of the run: the product of all degrees of parallelism (utils/process_result.py of InferenceX divides by tp x pp x
/// pcp_size), or prefill plus decode GPUs if disaggregated.
[[nodiscard]] std::optional<int> gang_devices(const Json& json);

} // namespace costcurve::imports
