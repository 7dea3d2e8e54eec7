// By workload, then the finance.
#include "model/questions/rank/defaults.hpp"

#include <algorithm>

#include "model/documents/units.hpp"

namespace costcurve::model {

namespace {

// In the currency of the work. Without a rate of the dollar what dollars buy is left out, and so is the week.
void assume_engineer_week(RankQuestion& question, Assumed& assumed) {
    Finance& finance = question.work.finance;
    if (!question.porting.assumes || finance.engineer_week_cost != 0.0) {
        return;
    }
    const auto rate = question.work.exchange_rates.find("USD");
    const bool is_dollars = question.work.currency == "USD";
    if (is_dollars || rate != question.work.exchange_rates.end()) {
        finance.engineer_week_cost = kEngineerWeekUsd * (is_dollars ? 1.0 : rate->second);
        assumed.engineer_week = true;
    }
}

// Of inference whose demand is a mean alone.
void shape_demand(Workload& workload, const RankService& service) {
    Demand& demand = workload.demand;
    if (workload.kind == WorkloadKind::inference && service.shape.value_or(ServiceShape::flat) != ServiceShape::flat &&
        demand.mean_per_s && !demand.shape) {
        demand.shape = demand_shape(*service.shape);
    }
}

} // namespace

RankQuestion with_defaults(const RankQuestion& question, Assumed& assumed) {
    RankQuestion filled = question;
    filled.admits_unknown_latency =
        question.service.assumes_objectives &&
        std::ranges::none_of(question.work.workloads, [](const Workload& workload) { return workload.slo.is_stated(); });
    for (Workload& workload : filled.work.workloads) {
        if (workload.kind == WorkloadKind::inference && !workload.availability) {
            workload.availability = question.outages.availability;
        }
        shape_demand(workload, question.service);
        if (question.service.assumes_objectives) {
            assume_objectives(workload, assumed);
        }
        assumed.batch_start |= workload.deadline_hours.value_or(kHoursPerDay) < kHoursPerDay;
        filled.outages.spares = std::max(filled.outages.spares, workload.spare_replicas);
        if (question.outages.assumes) {
            assume_run(workload, assumed);
            assume_restart(workload, assumed);
            assumed.training_precision |=
                workload.kind == WorkloadKind::training && workload.precision.empty() && !question.limits.precision;
        }
    }
    assume_engineer_week(filled, assumed);
    return filled;
}

} // namespace costcurve::model
