// A row for each thing that must be alike.
#include "model/questions/comparable.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "model/documents/calendar.hpp"
#include "model/questions/ranking.hpp"

namespace costcurve::model {

namespace {

class Differences {
public:
    std::vector<WorkDifference> found;

    template <class T> void hold(std::string_view what, const T& a, const T& b) {
        if (a != b) {
            found.push_back({fmt::format("{}{}", of_, what), fmt::format("{}", a), fmt::format("{}", b)});
        }
    }
    void hold(std::string_view what, const std::optional<double>& a, const std::optional<double>& b) {
        const auto text = [](const std::optional<double>& value) { return value ? fmt::format("{}", *value) : "none"; };
        hold(what, text(a), text(b));
    }
    void hold_nearly(std::string_view what, double a, double b) {
        constexpr double kSame = 1e-6;
        if (std::abs(a - b) > kSame * std::max(std::abs(a), std::abs(b))) {
            hold(what, a, b);
        }
    }
    void hold_where_stated(std::string_view what, const std::string& a, const std::string& b) {
        if (!a.empty() && !b.empty()) {
            hold(what, a, b);
        }
    }
    void of_workload(const std::string& id) { of_ = fmt::format("workload {}: ", id); }

private:
    std::string of_;
};

std::size_t index_of_workload(const ScenarioDocument& scenario, const std::string& id) {
    const auto found = std::find_if(scenario.workloads.begin(), scenario.workloads.end(),
                                    [&](const Workload& workload) { return workload.id == id; });
    return static_cast<std::size_t>(found - scenario.workloads.begin());
}

void hold_work(const ScenarioDocument& a, const Summary& a_summary, const ScenarioDocument& b, const Summary& b_summary,
               Differences& differences) {
    for (std::size_t w = 0; w < a.workloads.size(); ++w) {
        const Workload& own = a.workloads[w];
        const std::size_t at = index_of_workload(b, own.id);
        if (at == b.workloads.size()) {
            differences.found.push_back({"workload " + own.id, "there", "none"});
            continue;
        }
        const Workload& other = b.workloads[at];
        differences.of_workload(own.id);
        differences.hold("kind", name_of(own.kind), name_of(other.kind));
        differences.hold("unit", own.unit, other.unit);
        differences.hold_nearly("units demanded", a_summary.workloads[w].units_demanded, b_summary.workloads[at].units_demanded);
        differences.hold_where_stated("model", own.model, other.model);
        differences.hold("latency_objective_s", own.latency_objective_s, other.latency_objective_s);
        differences.hold("ttft_objective_s", own.ttft_objective_s, other.ttft_objective_s);
        if (own.latency_percentile && other.latency_percentile) {
            differences.hold("latency_percentile", own.latency_percentile, other.latency_percentile);
        }
    }
    for (const Workload& other : b.workloads) {
        if (index_of_workload(a, other.id) == a.workloads.size()) {
            differences.found.push_back({"workload " + other.id, "none", "there"});
        }
    }
}

// Of all workloads together: their present values over their discounted units.
std::optional<double> levelized_cost_of(const Summary& summary) {
    double npv = 0.0;
    double millions = 0.0;
    for (const WorkloadSummary& workload : summary.workloads) {
        const std::optional<double> each = workload.levelized_cost_per_million_units;
        if (!each || *each == 0.0) {
            return std::nullopt;
        }
        npv += workload.npv;
        millions += workload.npv / *each;
    }
    return millions > 0.0 ? std::optional(npv / millions) : std::nullopt;
}

} // namespace

std::vector<WorkDifference> work_differences(const ScenarioDocument& a, const Summary& a_summary, const ScenarioDocument& b,
                                             const Summary& b_summary, Objective decide_by) {
    Differences differences;
    differences.hold("currency", a.currency, b.currency);
    differences.hold("start", to_text(a.start), to_text(b.start));
    differences.hold("months", a.months, b.months);
    const bool is_discounted = decide_by == Objective::npv || decide_by == Objective::npv_after_tax;
    if (is_discounted) {
        differences.hold("discount_rate", a.finance.discount_rate, b.finance.discount_rate);
        differences.hold("at_end", name_of(a.finance.at_end), name_of(b.finance.at_end));
    }
    if (decide_by == Objective::npv_after_tax) {
        differences.hold("tax_rate", a.finance.tax_rate, b.finance.tax_rate);
    }
    hold_work(a, a_summary, b, b_summary, differences);
    return std::move(differences.found);
}

std::optional<UnitRanking> rank_by_unit(const std::vector<const ScenarioDocument*>& scenarios,
                                        const std::vector<const Summary*>& summaries) {
    const ScenarioDocument& first = *scenarios.front();
    const Workload& work = first.workloads.front();
    for (const ScenarioDocument* const scenario : scenarios) {
        const bool is_alike = std::all_of(scenario->workloads.begin(), scenario->workloads.end(), [&](const Workload& other) {
            return other.unit == work.unit && other.kind == work.kind;
        });
        if (!is_alike || scenario->currency != first.currency) {
            return std::nullopt;
        }
    }
    UnitRanking ranking{work.unit, {}, {}};
    std::vector<Candidate> candidates;
    for (const Summary* const summary : summaries) {
        const std::optional<double> levelized = levelized_cost_of(*summary);
        ranking.levelized.push_back(summary->is_feasible() ? levelized : std::nullopt);
        candidates.push_back({levelized, summary->is_feasible()});
    }
    ranking.cheapest = cheapest_of(candidates);
    return ranking;
}

} // namespace costcurve::model
