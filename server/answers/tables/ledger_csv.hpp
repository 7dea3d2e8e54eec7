// A plan's ledger as the rows of a bill that is still to come: FOCUS, the format of cloud bills. Computes nothing.
#pragma once

#include <string>

#include "server/answers/encode_result.hpp"

namespace costcurve::answers {

/// The ledger as charges of the FinOps Open Cost and Usage Specification (FOCUS 1.4): a header where `with_header`, CRLF line ends
/// (RFC 4180), all mandatory columns, and the conditional ones of prices, commitments, resources, regions and tags; ours begin with
/// x_. A row a month, pool, workload and category; two where it is paid at another time than it is used, or by a commitment: the
/// purchase with its BilledCost, and the month's use with its EffectiveCost. BilledCost adds up to the cash of the total,
/// EffectiveCost to its cost.
[[nodiscard]] std::string encode_ledger_csv(const Evaluated& evaluated, bool with_header);

} // namespace costcurve::answers
