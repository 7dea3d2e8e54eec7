// The comparison that people read on a terminal.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "model/documents/documents.hpp"
#include "model/questions/rank/assumptions.hpp"
#include "server/answers/encode_result.hpp"

namespace costcurve::commands {

/// The ranking, with `ignore_unserved` of what leaves work undone too; unit costs, cost stack, utilization, energy, carbon and
/// warnings of the scenarios, side by side, as plain text.
[[nodiscard]] std::string comparison_table(std::span<const answers::Evaluated> answers, bool ignore_unserved = false);

/// Of which day the price of a pool that is rented or hosted is, and from which source; both may be unknown.
[[nodiscard]] std::string priced(const model::Pool& pool, model::YearMonth start);

/// What a ranking assumed, a line each, under a heading; "" of nothing.
[[nodiscard]] std::string assumptions_text(const std::vector<model::Assumption>& assumptions);

} // namespace costcurve::commands
