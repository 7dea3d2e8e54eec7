// Determines which inputs the spreadsheet's formulas follow exactly like the model, by changing each in both.
#pragma once

#include "server/answers/workbook/cost_book.hpp"

namespace costcurve::answers {

/// Marks as live the inputs for which the book's cost, cash and net present value follow the model to 5e-10 of all amounts and 1e-6
/// of the change, from zero to ten times the value as far as the scenario allows. Other inputs change more than the formulas show:
/// prices that also set resale values, request lengths, server counts. `resolved` is the scenario before currency conversion. At
/// most ten evaluations per candidate, up to kMaxLiveHours; later inputs aren't live.
void mark_live_inputs(const model::ScenarioDocument& resolved, CostBook& book);

/// Hours times pools and entries that are evaluated (hour_entries): some seconds.
inline constexpr double kMaxLiveHours = 5e8;

} // namespace costcurve::answers
