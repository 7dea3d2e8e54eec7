// Only what can be compared is compared: whether scenarios do the same work, over the same months, in the same currency (model.md,
// section 9).
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "model/summary.hpp"

namespace costcurve::model {

/// Something that two scenarios do not have alike.
struct WorkDifference {
    std::string what; ///< "months", "workload chat: demand"
    std::string a;    ///< as the first scenario has it; "none" where it has no such workload
    std::string b;
};

/// What the work of b differs in from that of a, where they are to be ranked by a figure: currency, start, months, and of each
/// workload, by its id, kind, unit, units demanded (1e-6 relative), model where both state one, and objectives of latency; by net
/// present value also the discount rate and what the horizon's end is, after tax the tax rate.
[[nodiscard]] std::vector<WorkDifference> work_differences(const ScenarioDocument& a, const Summary& a_summary,
                                                           const ScenarioDocument& b, const Summary& b_summary,
                                                           Objective decide_by);

/// Whether they differ in nothing: without words, to be asked in every draw and cell.
[[nodiscard]] bool does_same_work(const ScenarioDocument& a, const Summary& a_summary, const ScenarioDocument& b,
                                  const Summary& b_summary, Objective decide_by);

/// A difference of one of several scenarios from the first, or from the baseline.
struct ScenarioDifference : WorkDifference {
    std::size_t scenario = 0;
};

/// Scenarios of other work by what a unit costs them, where that is all they share: one currency, one unit and one kind of work.
struct UnitRanking {
    std::string unit;
    std::vector<std::optional<double>> levelized; ///< by scenario: currency a million units; empty where it can't do its work
    std::optional<std::size_t> cheapest;
};
/// Nothing where they do not share them. Both lists by scenario.
[[nodiscard]] std::optional<UnitRanking> rank_by_unit(const std::vector<const ScenarioDocument*>& scenarios,
                                                      const std::vector<const Summary*>& summaries);

} // namespace costcurve::model
