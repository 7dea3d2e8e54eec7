// Fields of an InferenceX run that are not read alike in all of its files.
#pragma once

#include <optional>
#include <string_view>

#include "server/import/text/json.hpp"
#include "server/import/text/numbers.hpp"

namespace costcurve::imports {

/// A figure of the run, or of its "metrics", where snapshots of the charts have theirs.
[[nodiscard]] Number figure_of(const Json& json, std::string_view name);

/// Of a boolean or a text: dp_attention is a text.
[[nodiscard]] bool is_true(const Json& json, std::string_view name);

/// GPUs of the run: of all ways in which it is parallel (utils/process_result.py of InferenceX divides by tp x pp x pcp_size), or
/// of both parts where prefill and decode run apart.
[[nodiscard]] std::optional<int> gang_devices(const Json& json);

} // namespace costcurve::imports
