// One table row for each property that must be equal.
#include "model/questions/comparable.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "model/documents/calendar.hpp"
#include "model/questions/ranking.hpp"

namespace costcurve::model {

namespace {

constexpr double kNearly = 1e-6;

bool is_nearly(double a, double b) { return std::abs(a - b) <= kNearly * std::max(std::abs(a), std::abs(b)); }

std::string text_of(const YearMonth& month) { return to_text(month); }
std::string text_of(const std::string& text) { return text; }
std::string text_of(const std::optional<double>& value) { return value ? fmt::format("{}", *value) : "none"; }
template <class T> std::string text_of(const T& value) {
    if constexpr (std::is_enum_v<T>) {
        return std::string(name_of(value));
    } else {
        return fmt::format("{}", value);
    }
}

// Collects the differences as text.
class Differences {
public:
    std::vector<WorkDifference> found;

    template <class T> void hold(std::string_view what, const T& a, const T& b) {
        if (a != b) {
            found.push_back({fmt::format("{}{}", of_, what), text_of(a), text_of(b)});
        }
    }
    void hold_nearly(std::string_view what, double a, double b) {
        if (!is_nearly(a, b)) {
            hold(what, a, b);
        }
    }
    void lacks(const std::string& workload, bool is_in_a) {
        found.push_back({"workload " + workload, is_in_a ? "there" : "none", is_in_a ? "none" : "there"});
    }
    void of_workload(const std::string& id) { of_ = fmt::format("workload {}: ", id); }

private:
    std::string of_;
};

// Records only whether there is any difference.
struct Sameness {
    bool is_same = true;

    template <class T> void hold(std::string_view /*what*/, const T& a, const T& b) { is_same = is_same && a == b; }
    void hold_nearly(std::string_view /*what*/, double a, double b) { is_same = is_same && is_nearly(a, b); }
    void lacks(const std::string& /*workload*/, bool /*is_in_a*/) { is_same = false; }
    void of_workload(const std::string& /*id*/) {}
};

std::size_t index_of_workload(const ScenarioDocument& scenario, const std::string& id) {
    const auto found = std::find_if(scenario.workloads.begin(), scenario.workloads.end(),
                                    [&](const Workload& workload) { return workload.id == id; });
    return static_cast<std::size_t>(found - scenario.workloads.begin());
}

// Burst rates as multiples of the mean and how long they last; "none" without bursts.
std::string burst_of(const Demand& demand) {
    return demand.has_bursts() ? fmt::format("{:.9g} times for {:.9g} of the time", demand.burst->factor, demand.burst->share())
                               : "none";
}

template <class Notes>
void hold_work(const ScenarioDocument& a, const Summary& a_summary, const ScenarioDocument& b, const Summary& b_summary,
               Notes& notes) {
    for (std::size_t w = 0; w < a.workloads.size(); ++w) {
        const Workload& own = a.workloads[w];
        const std::size_t at = index_of_workload(b, own.id);
        if (at == b.workloads.size()) {
            notes.lacks(own.id, true);
            continue;
        }
        const Workload& other = b.workloads[at];
        notes.of_workload(own.id);
        notes.hold("kind", own.kind, other.kind);
        notes.hold("unit", own.unit, other.unit);
        notes.hold_nearly("units demanded", a_summary.workloads[w].units_demanded, b_summary.workloads[at].units_demanded);
        notes.hold("demand/burst", burst_of(own.demand), burst_of(other.demand));
        if (!own.model.empty() && !other.model.empty()) {
            notes.hold("model", own.model, other.model);
        }
        notes.hold("within_days", own.within_days, other.within_days);
        notes.hold("deadline_hours", own.deadline_hours, other.deadline_hours);
        notes.hold("slo/ttft_s", own.slo.ttft_s, other.slo.ttft_s);
        notes.hold("slo/itl_s", own.slo.itl_s, other.slo.itl_s);
        notes.hold("slo/e2e_s", own.slo.e2e_s, other.slo.e2e_s);
        const auto names_percentile = [](const Slo& slo) { return slo.is_stated() && slo.percentile > 0.0; };
        if (names_percentile(own.slo) && names_percentile(other.slo)) {
            notes.hold("slo/percentile", own.slo.percentile, other.slo.percentile);
        }
    }
    for (const Workload& other : b.workloads) {
        if (index_of_workload(a, other.id) == a.workloads.size()) {
            notes.lacks(other.id, false);
        }
    }
}

template <class Notes>
Notes noted(const ScenarioDocument& a, const Summary& a_summary, const ScenarioDocument& b, const Summary& b_summary,
            Objective decide_by) {
    Notes notes;
    notes.hold("currency", a.currency, b.currency);
    notes.hold("start", a.start, b.start);
    notes.hold("months", a.months, b.months);
    const bool is_discounted = decide_by == Objective::npv || decide_by == Objective::npv_after_tax;
    if (is_discounted) {
        notes.hold("discount_rate", a.finance.discount_rate, b.finance.discount_rate);
        notes.hold("at_end", a.finance.at_end, b.finance.at_end);
    }
    if (decide_by == Objective::npv_after_tax) {
        notes.hold("tax_rate", a.finance.tax_rate, b.finance.tax_rate);
        notes.hold("taxable_income_per_year", a.finance.taxable_income_per_year, b.finance.taxable_income_per_year);
        notes.hold("loss_offset_fraction", a.finance.loss_offset_fraction, b.finance.loss_offset_fraction);
    }
    hold_work(a, a_summary, b, b_summary, notes);
    return notes;
}

// Levelized cost over all workloads: the sum of their present values by the sum of their discounted units.
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
    const double levelized = npv / millions;
    return millions > 0.0 && std::isfinite(levelized) ? std::optional(levelized) : std::nullopt;
}

} // namespace

std::vector<WorkDifference> work_differences(const ScenarioDocument& a, const Summary& a_summary, const ScenarioDocument& b,
                                             const Summary& b_summary, Objective decide_by) {
    return noted<Differences>(a, a_summary, b, b_summary, decide_by).found;
}

bool does_same_work(const ScenarioDocument& a, const Summary& a_summary, const ScenarioDocument& b, const Summary& b_summary,
                    Objective decide_by) {
    return noted<Sameness>(a, a_summary, b, b_summary, decide_by).is_same;
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
