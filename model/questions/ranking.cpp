// One pass finds the lowest figure, a second the first candidate that equals it.
#include "model/questions/ranking.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "model/finance.hpp"
#include "model/questions/same.hpp"

namespace costcurve::model {

std::optional<std::size_t> cheapest_of(std::span<const Candidate> candidates, std::optional<std::size_t> incumbent) {
    const auto runs = [](const Candidate& candidate) { return candidate.is_eligible && candidate.figure; };
    std::optional<double> min;
    for (const Candidate& candidate : candidates) {
        if (runs(candidate)) {
            min = std::min(min.value_or(*candidate.figure), *candidate.figure);
        }
    }
    const auto is_least = [&](const Candidate& candidate) { return runs(candidate) && is_same(*candidate.figure, *min); };
    if (incumbent && is_least(candidates[*incumbent])) {
        return incumbent;
    }
    const auto first = std::find_if(candidates.begin(), candidates.end(), is_least);
    return first == candidates.end() ? std::nullopt : std::optional(static_cast<std::size_t>(first - candidates.begin()));
}

std::string output_or_deciding(const std::string& output, const ScenarioDocument& first) {
    return output.empty() ? fmt::format("/total/{}", name_of(decide_by(first.finance))) : output;
}

bool is_eligible(const Summary& summary, bool ignore_unserved) {
    const auto loses_too_much = [](const WorkloadSummary& workload) { return workload.loses_too_much; };
    return (ignore_unserved || std::none_of(summary.workloads.begin(), summary.workloads.end(), loses_too_much)) &&
           std::all_of(summary.infeasible_because.begin(), summary.infeasible_because.end(),
                       [&](const Infeasibility& reason) { return ignore_unserved && reason.code == InfeasibleCode::unserved; });
}

std::optional<std::size_t> cheapest_of(const std::vector<const Summary*>& summaries, Objective decide_by, bool ignore_unserved) {
    std::vector<Candidate> candidates;
    candidates.reserve(summaries.size());
    for (const Summary* const summary : summaries) {
        candidates.push_back({figure_of(*summary, decide_by), is_eligible(*summary, ignore_unserved)});
    }
    return cheapest_of(candidates);
}

} // namespace costcurve::model
