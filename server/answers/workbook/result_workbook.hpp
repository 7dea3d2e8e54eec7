// A scenario's result as an Excel workbook whose amounts are formulas of its inputs.
#pragma once

#include <string>

#include "server/answers/workbook/cost_book.hpp"
#include "server/answers/workbook/sheets.hpp"

namespace costcurve::answers {

/// Sheets Result, Inputs, Ledger, Months, Terms and Sources. Every formula's stored value is the answer's figure; inputs that the
/// formulas follow as the model does have names, others are numbers where they are read. `resolved` is what was evaluated, before
/// its money was converted. Failure: more rows than a sheet has.
[[nodiscard]] model::Result<std::string> encode_result_workbook(const model::ScenarioDocument& resolved,
                                                                const Evaluated& evaluated);

/// The same sheets in a workbook that has others too.
[[nodiscard]] model::Result<void> add_result_sheets(const model::ScenarioDocument& resolved, const Evaluated& evaluated,
                                                    Workbook& workbook);

} // namespace costcurve::answers
