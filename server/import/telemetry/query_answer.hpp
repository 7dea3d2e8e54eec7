// Answers of Prometheus' HTTP API as the text that exporters print: for what reads that.
#pragma once

#include <string>
#include <string_view>

#include <tl/expected.hpp>

namespace costcurve::imports {

/// The series of an answer of /api/v1/query_range or /api/v1/query as lines name{labels} value milliseconds; or a sentence: no
/// JSON, an error of Prometheus, a scalar, a series without a metric's name (of an expression such as rate(…)). NaN and infinities
/// are left out, as nothing was read then.
[[nodiscard]] tl::expected<std::string, std::string> exporter_lines(std::string_view answer);

} // namespace costcurve::imports
