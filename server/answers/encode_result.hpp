// One evaluated scenario, and its summary and ledger as the JSON of an answer.
#pragma once

#include <string>

#include "model/summary.hpp"

namespace costcurve::answers {

/// One evaluated scenario, from which answers are encoded.
struct Evaluated {
    model::Scenario scenario;
    std::string inputs_hash;
    std::string as_of; ///< time of the newest stored document used; "" if none
    model::Ledger ledger;
    model::Summary summary;
};

/// The result document (api.md, "The result"), with ledger rows if `with_ledger`.
[[nodiscard]] std::string encode_result(const Evaluated& evaluated, bool with_ledger);

} // namespace costcurve::answers
