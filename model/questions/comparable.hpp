// Whether scenarios are comparable: the same work, over the same months, in the same currency (model.md, section 9).
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "model/summary.hpp"

namespace costcurve::model {

/// A property in which two scenarios differ.
struct WorkDifference {
    std::string what; ///< "months", "workload chat: demand"
    std::string a;    ///< the first scenario's value; "none" if it has no such workload
    std::string b;
};

/// How the work of b differs from that of a for a ranking by `decide_by`: currency, start, months and, by workload id, kind, unit,
/// units demanded (1e-6 relative), bursts, model if both state one, deadlines and latency objectives. A ranking by net present
/// value also compares the discount rate and finance's at_end; after tax, also tax rate, taxable income and loss_offset_fraction.
[[nodiscard]] std::vector<WorkDifference> work_differences(const ScenarioDocument& a, const Summary& a_summary,
                                                           const ScenarioDocument& b, const Summary& b_summary,
                                                           Objective decide_by);

/// Whether work_differences would be empty. Builds no text, so it is cheap enough for every draw and cell.
[[nodiscard]] bool does_same_work(const ScenarioDocument& a, const Summary& a_summary, const ScenarioDocument& b,
                                  const Summary& b_summary, Objective decide_by);

/// A difference between one of several scenarios and the first, or the baseline.
struct ScenarioDifference : WorkDifference {
    std::size_t scenario = 0;
};

/// A ranking by cost per unit of scenarios whose work differs but has the same currency, unit and kind.
struct UnitRanking {
    std::string unit;
    std::vector<std::optional<double>> levelized; ///< by scenario: currency per million units; empty if it can't do its work
    std::optional<std::size_t> cheapest;
};
/// The ranking by cost per unit; empty if currency, unit or kind of work differ. Both lists are by scenario.
[[nodiscard]] std::optional<UnitRanking> rank_by_unit(const std::vector<const ScenarioDocument*>& scenarios,
                                                      const std::vector<const Summary*>& summaries);

} // namespace costcurve::model
