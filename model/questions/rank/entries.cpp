// An entry is left out where its scenario is infeasible, its figure is not known or its evidence is below the least.
#include "model/questions/rank/entries.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "model/figures.hpp"
#include "model/finance.hpp"

namespace costcurve::model {

namespace {

// Lower evidence than the least that the limits allow; a workload that only hosted models serve has none.
bool is_below(const Summary& summary, Evidence least) {
    return std::any_of(summary.workloads.begin(), summary.workloads.end(),
                       [&](const WorkloadSummary& workload) { return workload.evidence && *workload.evidence > least; });
}

// A second pool that serves nothing would let a base do without the spares that it must have alone.
bool is_unused(const SizedPlan& plan) {
    const PoolSummary& burst = plan.summary.pools[1];
    return burst.reserved_device_hours == 0.0 && burst.total.cost == 0.0;
}

// What decides, or why it can't be in the ranking.
void judge(const SizedPlan& plan, const RankQuestion& question, Entry& entry) {
    const Objective objective = decide_by(question.work.finance);
    entry.reason = plan.reason;
    if (!entry.may_burst()) {
        return;
    }
    const std::optional<double> figure = figure_of(plan.summary, objective);
    if (!figure) {
        entry.reason = fmt::format("unknown_{}", name_of(objective));
    } else if (is_below(plan.summary, question.limits.evidence)) {
        entry.reason = "evidence";
    } else if (entry.burst != nullptr && is_unused(plan)) {
        entry.reason = "unused_burst";
    } else {
        entry.figure = *figure;
    }
}

} // namespace

Entry size_alone(Sizing& sizing, const Option& option) {
    const SizedPlan plan = sizing.size(option);
    Entry entry{&option, nullptr, plan.units, 0, 0.0, "", plan.spares};
    judge(plan, sizing.question(), entry);
    return entry;
}

Entry size_hybrid(Sizing& sizing, const Entry& base, const Entry& burst) {
    constexpr int kGrid = 12;
    const int spares = burst.option->way == Way::api ? base.spares : burst.spares; // all of a base stand in anyway
    Entry best{base.option, burst.option, 0, burst.units, 0.0, "no_smaller_base", spares};
    int low = 1;
    int high = base.units - 1;
    while (low <= high) {
        const int step = std::max(1, (high - low + kGrid) / kGrid);
        for (int units = low; units <= high; units += step) {
            const SizedPlan plan = sizing.combine(*base.option, units, *burst.option, burst.units, spares);
            Entry entry{base.option, burst.option, units, burst.units, 0.0, "", spares};
            judge(plan, sizing.question(), entry);
            const bool is_better =
                best.reason.empty() ? entry.reason.empty() && entry.figure < best.figure : entry.reason.empty() || best.units == 0;
            best = is_better ? entry : best;
        }
        if (step == 1 || !best.reason.empty()) {
            break;
        }
        low = std::max(1, best.units - step + 1);
        high = std::min(base.units - 1, best.units + step - 1);
    }
    return best;
}

} // namespace costcurve::model
