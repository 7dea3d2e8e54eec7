// Fills in each workload first, then the finance.
#include "model/questions/rank/defaults.hpp"

#include <algorithm>
#include <cstddef>

#include <fmt/format.h>

#include "model/documents/units.hpp"

namespace costcurve::model {

namespace {

// Sets the cost of an engineer-week in the work's currency. Without an exchange rate of the dollar it stays unset, as then
// everything priced in dollars is left out anyway.
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

// Gives inference a weekly shape of demand if it states a mean alone.
void shape_demand(Workload& workload, const RankService& service) {
    Demand& demand = workload.demand;
    if (workload.kind == WorkloadKind::inference && service.shape.value_or(ServiceShape::flat) != ServiceShape::flat &&
        demand.mean_per_s && !demand.shape) {
        demand.shape = demand_shape(*service.shape);
    }
}

bool bills_storage(const Offer& offer) { return offer.storage_per_gb_month.value_or(0.0) > 0.0; }

// Sets stored GB of workloads that state none: the question's copies of the model's weights, else 0, which is noted if a seller
// bills storage.
void fill_stored(RankQuestion& question, const Catalog& catalog, const Fitting& fitting, Assumed& assumed) {
    const bool is_billed = question.outages.assumes && std::ranges::any_of(catalog.offers, bills_storage);
    for (Workload& workload : question.work.workloads) {
        if (!workload.stored_gb && (question.stored_copies || is_billed)) {
            assumed.nothing_stored |= !question.stored_copies;
            workload.stored_gb = question.stored_copies.value_or(0.0) * fitting.weights_gb(workload.model).value_or(0.0);
        }
    }
}

} // namespace

RankQuestion with_defaults(const RankQuestion& question, const Catalog& catalog, const Fitting& fitting, Assumed& assumed) {
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
    fill_stored(filled, catalog, fitting, assumed);
    return filled;
}

Failure issues_of_question(const RankQuestion& question, const Fitting& fitting) {
    Failure issues = unknown_models(question, fitting);
    for (std::size_t w = 0; question.service.assumes_objectives && w < question.work.workloads.size(); ++w) {
        const Slo& slo = question.work.workloads[w].slo;
        if (!slo.is_stated() && slo.percentile > 0.0 && slo.percentile != Slo{}.percentile) {
            issues.push_back({fmt::format("/workloads/{}/slo/percentile", w), Code::missing,
                              "it is of objectives, and none is stated: add ttft_s, itl_s or e2e_s (--ttft-s, --itl-s, --e2e-s)"});
        }
    }
    for (std::size_t w = 0; question.stored_copies.value_or(0.0) > 0.0 && w < question.work.workloads.size(); ++w) {
        const Workload& workload = question.work.workloads[w];
        if (!workload.stored_gb && !fitting.weights_gb(workload.model)) {
            issues.push_back({fmt::format("/workloads/{}/stored_gb", w), Code::missing,
                              fmt::format("stored_copies is {}, and no stored model has the weight_bytes of {}: state stored_gb",
                                          *question.stored_copies, workload.model)});
        }
    }
    if (const double rate = question.work.finance.discount_rate; rate > 1.0) { // the answer has no warnings of the plan's
        issues.push_back({"/finance/discount_rate", Code::out_of_range,
                          fmt::format("it is {0:g}, {1:g} % a year: {0:g} % is {2:g}; a scenario may have more than 100 %", rate,
                                      rate * 100.0, rate / 100.0)});
    }
    return issues;
}

} // namespace costcurve::model
