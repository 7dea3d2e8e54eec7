// Exports a plan's ledger as bill rows in FOCUS, the format of cloud bills. Computes nothing.
#pragma once

#include <string>

#include "server/answers/encode_result.hpp"

namespace costcurve::answers {

/// The ledger as charges of the FinOps Open Cost and Usage Specification (FOCUS 1.4): a header if `with_header`, CRLF line ends
/// (RFC 4180), all mandatory columns, and the conditional ones of prices, commitments, resources, regions and tags; our own begin
/// with x_. One row per month, pool, workload and category. Two rows if payment and use differ in time or a commitment pays: the
/// purchase with BilledCost, and the month's use with EffectiveCost. BilledCost sums to total cash, EffectiveCost to total cost.
[[nodiscard]] std::string encode_ledger_csv(const Evaluated& evaluated, bool with_header);

} // namespace costcurve::answers
