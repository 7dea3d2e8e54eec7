// Which inputs a spreadsheet's formulas follow as the model does: found by moving each in both.
#pragma once

#include "server/answers/workbook/cost_book.hpp"

namespace costcurve::answers {

/// Marks the inputs of the book with which its cost, cash and net present value move as the model's, from nothing to ten times,
/// as far as the scenario can have the value, to 1e-9. Others would change a part of what they change: prices that also set what a
/// resale brings, lengths of requests, numbers of servers. `resolved` is the scenario before its money was converted. Evaluates it
/// ten times an input that may be live, until that comes to kMaxLiveHours: inputs after that are not live.
void mark_live_inputs(const model::ScenarioDocument& resolved, CostBook& book);

/// Hours times pools and entries that are evaluated (hour_entries): some seconds.
inline constexpr double kMaxLiveHours = 5e8;

} // namespace costcurve::answers
