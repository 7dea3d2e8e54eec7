// One evaluated scenario, and its summary and ledger as the JSON of an answer.
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

} // namespace costcurve::answers
