// Fields of a ranking from the model: plans and excluded candidates.
#pragma once

#include "model/documents/field.hpp"
#include "model/questions/rank/rank.hpp"
#include "model/questions/rank/replicas.hpp"

namespace costcurve::model {

template <>
inline constexpr auto fields<Exclusion> =
    Rows{Field{"reason", &Exclusion::reason, {}}, Field{"count", &Exclusion::count, {}},
         Field{"examples", &Exclusion::examples, {}},
         Field{"note", &Exclusion::note, {.help = "in words: what they were held to", .omit = true}}};
template <>
inline constexpr auto fields<OtherCheckpoint> =
    Rows{Field{"workload", &OtherCheckpoint::workload, {}}, Field{"model", &OtherCheckpoint::model, {}},
         Field{"hosts", &OtherCheckpoint::hosts, {.help = "endpoints"}}};
template <>
inline constexpr auto fields<WinsAt> = Rows{
    Field{"pointer", &WinsAt::pointer, {.help = "into the plan's scenario"}}, Field{"value", &WinsAt::value, {}},
    Field{"currency", &WinsAt::currency, {.help = "of the price, which may be another than the answer's; empty of a discount"}}};
template <>
inline constexpr auto fields<PeakLoad> =
    Rows{Field{"replicas", &PeakLoad::replicas, {.unit = "replicas", .help = "that run, spares among them"}},
         Field{"utilization",
               &PeakLoad::utilization,
               {.unit = "fraction", .help = "of their rate; 0: stands in for others that are out"}},
         Field{"percentile", &PeakLoad::percentile, {.help = "of the requests that keep the times"}},
         Field{"ttft_s", &PeakLoad::ttft_s, {.unit = "s", .help = "to the first token, waiting included; null: not known"}},
         Field{"itl_s", &PeakLoad::itl_s, {.unit = "s", .help = "between tokens; null: not known"}},
         Field{"e2e_s", &PeakLoad::e2e_s, {.unit = "s", .help = "of a whole request; null: not known"}}};
template <>
inline constexpr auto fields<NearestDevice> =
    Rows{Field{"workload", &NearestDevice::workload, {}},
         Field{"device", &NearestDevice::device, {}},
         Field{"devices", &NearestDevice::devices, {.unit = "devices", .help = "of the replica"}},
         Field{"precision", &NearestDevice::precision, {.help = "of the weights"}},
         Field{"percentile", &NearestDevice::percentile, {.help = "of the requests that keep the times"}},
         Field{"ttft_s", &NearestDevice::ttft_s, {.unit = "s", .help = "to the first token of requests that wait for no other"}},
         Field{"itl_s", &NearestDevice::itl_s, {.unit = "s", .help = "between tokens"}},
         Field{"e2e_s", &NearestDevice::e2e_s, {.unit = "s", .help = "of a whole request"}},
         Field{"times_over", &NearestDevice::times_over, {.help = "times the objective, the largest of them"}}};
template <>
inline constexpr auto fields<PlanApart> =
    Rows{Field{"workload", &PlanApart::workload, {}}, Field{"name", &PlanApart::name, {.help = "of the plan"}},
         Field{"decisive", &PlanApart::decisive, {.help = "in the unit of the ranking"}}};
template <>
inline constexpr auto fields<NearestRun> =
    Rows{Field{"name", &NearestRun::name, {.help = "of the way"}},
         Field{"device", &NearestRun::device, {}},
         Field{"devices", &NearestRun::devices, {.unit = "devices", .help = "of the gang"}},
         Field{"days", &NearestRun::days, {.unit = "days", .help = "from its start to its end, interruptions at their mean"}},
         Field{"days_p90", &NearestRun::days_p90, {.unit = "days", .help = "a run in ten takes longer"}},
         Field{"probability_in_time", &NearestRun::probability_in_time, {}}};
template <>
inline constexpr auto fields<Replica> = Rows{
    Field{"workload", &Replica::workload, {}},
    Field{"pool", &Replica::pool, {}},
    Field{"device", &Replica::device, {}},
    Field{"devices", &Replica::devices, {.unit = "devices"}},
    Field{"spares",
          &Replica::spares,
          {.unit = "replicas", .help = "beside those that the demand needs; of training hosts beside the gang's"}},
    Field{"precision", &Replica::precision, {.help = "of the weights; empty where the rate does not say"}},
    Field{"kv_bits", &Replica::kv_bits, {.unit = "bit", .help = "of a value in the cache; null where the rate does not say"}},
    Field{"ceiling",
          &Replica::ceiling,
          {.unit = "fraction", .help = "of the device's nearest ceiling that the rate takes; null: not known"}},
    Field{"ceiling_of", &Replica::ceiling_of, {.help = "the device's bandwidth or its peak"}},
    Field{"mfu", &Replica::mfu, {.unit = "fraction", .help = "model FLOPs utilization, of the device's peak; null: not known"}},
    Field{"concurrency", &Replica::concurrency, {.unit = "requests", .help = "held at a time; null where the rate is of no load"}},
    Field{"ttft_s", &Replica::ttft_s, {.unit = "s", .help = "to the first token at that load; null: not known"}},
    Field{"itl_s", &Replica::itl_s, {.unit = "s", .help = "between tokens; null: not known"}},
    Field{"evidence", &Replica::evidence, {.help = "of the rate"}},
    Field{"at_peak", &Replica::at_peak, {.help = "of inference: in the highest hour of demand, shared evenly among the replicas"}}};
template <>
inline constexpr auto fields<Assumption> =
    Rows{Field{"what", &Assumption::what, {}}, Field{"value", &Assumption::value, {}}, Field{"unit", &Assumption::unit, {}},
         Field{"why", &Assumption::why, {}}, Field{"change", &Assumption::change, {.help = "how to state it"}}};
template <>
inline constexpr auto fields<WorkloadShare> = Rows{
    Field{"workload", &WorkloadShare::workload, {}},
    Field{"cost", &WorkloadShare::cost, {.unit = "currency", .help = "its part of the bill, by what it holds and serves"}},
    Field{"adds",
          &WorkloadShare::adds,
          {.help = "to the figure that decides: what the plan has more than the same ways, sized anew, have without it; null where "
                   "they can't do the rest"}},
    Field{"days", &WorkloadShare::days, {.unit = "days", .help = "of a run of training, at the mean of interruptions; else null"}}};
template <>
inline constexpr auto fields<PlanRow> = Rows{
    Field{"utilization", &PlanRow::utilization, {.help = "busy of paid device-hours; null of hosted models"}},
    Field{"resale",
          &PlanRow::resale,
          {.unit = "currency", .help = "what is sold at the horizon's end brings; null where nothing is owned"}},
    Field{"lost_fraction", &PlanRow::lost_fraction, {.help = "of the demand, to outages: the largest of its workloads"}},
    Field{"cost_per_million_output",
          &PlanRow::cost_per_million_output,
          {.unit = "currency/million tokens", .help = "of one workload that states its outputs, and of a mix; else null"}},
    Field{"low", &PlanRow::low, {.help = "p10 of the figure that decides, sized anew in each sample; null without samples"}},
    Field{"high", &PlanRow::high, {.help = "p90"}},
    Field{"probability_feasible",
          &PlanRow::probability_feasible,
          {.help = "share of the samples in which its own size does the work; null without samples"}},
    Field{"days",
          &PlanRow::days,
          {.unit = "days", .help = "of a run of training, from its start to its end, interruptions at their mean; else null"}},
    Field{"days_p90", &PlanRow::days_p90, {.unit = "days", .help = "a run in ten takes longer"}},
    Field{"probability_in_time", &PlanRow::probability_in_time, {.help = "that the run ends within within_days"}},
    Field{"goodput", &PlanRow::goodput, {.help = "share of the gang's throughput that interruptions leave"}},
    Field{"fall_back_after_days",
          &PlanRow::fall_back_after_days,
          {.unit = "days", .help = "of a run on spot: what is left then is done on demand; else null"}},
    Field{"expected_cost",
          &PlanRow::expected_cost,
          {.unit = "currency", .help = "of such a run: its cost with what is left by chance, not at the mean alone; else null"}},
    Field{"cost_per_epoch",
          &PlanRow::cost_per_epoch,
          {.unit = "currency/epoch", .help = "of training: of all that is paid; else null"}},
    Field{"cost_per_run", &PlanRow::cost_per_run, {.unit = "currency", .help = "of a run of epochs: all that is paid; else null"}},
    Field{"warnings", &PlanRow::warnings, {.help = "codes of its scenario's warnings, each once"}}};
template <>
inline constexpr auto fields<WorthMeasuring> =
    Rows{Field{"measurement", &WorthMeasuring::measurement, {.help = "of a model on a device"}},
         Field{"value",
               &WorthMeasuring::value,
               {.help = "what choosing by its true rate saves in the mean of the samples, in the unit of the ranking"}}};

} // namespace costcurve::model
