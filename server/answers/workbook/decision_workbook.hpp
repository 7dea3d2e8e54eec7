// Scenarios beside each other as an Excel workbook: a sheet that compares them, and one of each.
#pragma once

#include <span>
#include <string>

#include "server/answers/encode_result.hpp"

namespace costcurve::answers {

/// Sheet Comparison: total figures, categories and unit costs of each plan, and what it has more than the baseline's; discount and
/// tax rates that may be changed. Sheets Plan1, Plan2, …: months by category, which the totals are formulas of. Every formula's
/// stored value is the answer's figure. Failure: plans of several currencies.
[[nodiscard]] model::Result<std::string> encode_decision_workbook(std::span<const Evaluated> plans, std::size_t baseline);

} // namespace costcurve::answers
