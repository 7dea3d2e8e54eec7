// A ranking as an Excel workbook: its plans and assumptions, and the result of the first plan with live formulas.
#pragma once

#include <string>
#include <string_view>

#include "model/documents/failure.hpp"

namespace costcurve::answers {

/// The workbook of an answer of POST /v1/rank. Sheets Ranking, Rates, Assumptions and Left out have the answer; those of the
/// first plan's scenario follow, where there is one (result_workbook.hpp). Throws on a text that is no such answer.
[[nodiscard]] model::Result<std::string> encode_rank_workbook(std::string_view answer);

} // namespace costcurve::answers
