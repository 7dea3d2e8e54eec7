// Ledgers and summaries as JSON and as CSV rows.
#pragma once

#include <string>

#include "model/summary.hpp"

namespace costcurve::answers {

/// One evaluated scenario: what an answer is made from.
struct Evaluated {
    model::Scenario scenario;
    std::string inputs_hash;
    std::string as_of; ///< when the newest of its stored documents was recorded; "" where there is none
    model::Ledger ledger;
    model::Summary summary;
};

/// The result document (api.md, "The result"); with the ledger's rows where `with_ledger`.
[[nodiscard]] std::string encode_result(const Evaluated& evaluated, bool with_ledger);

/// The ledger in column names of the FinOps Open Cost and Usage Specification (FOCUS 1.0), one row a month, pool,
/// workload and category; columns of ours begin with x_. A header line, CRLF line ends (RFC 4180).
[[nodiscard]] std::string encode_ledger_csv(const Evaluated& evaluated, bool with_header);

} // namespace costcurve::answers
