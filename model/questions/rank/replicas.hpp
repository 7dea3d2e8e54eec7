// What the replicas of a plan are: the devices, the precision and the load that its rates are of.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "model/questions/rank/rank.hpp"

namespace costcurve::model {

/// What the replicas on a pool do in the highest hour of demand, and what their requests take then.
struct PeakLoad {
    double replicas = 0.0;        ///< that run, spares among them
    double utilization = 0.0;     ///< of their rate
    double percentile = 95.0;     ///< of the requests that keep the times
    std::optional<double> ttft_s; ///< with what they wait (model/queueing); nothing where the rate does not say
    std::optional<double> itl_s;
    std::optional<double> e2e_s;
};

/// A workload's replica on a pool of devices.
struct Replica {
    std::string workload; ///< ids
    std::string pool;
    std::string device;
    double devices = 1.0;
    int spares = 0;                ///< replicas beside those that the demand needs, or hosts beside a gang's
    std::string precision;         ///< of the weights; "" where the rate does not say
    std::optional<int> kv_bits;    ///< of a value in the cache; nothing where the rate does not say, as is the next
    std::optional<double> ceiling; ///< share of the device's nearest ceiling that the rate takes; nothing where it does not say
    std::optional<Ceiling> ceiling_of;
    std::optional<double> mfu;      ///< model FLOPs utilization at that rate: of the peak that the device states at the precision
    std::optional<int> concurrency; ///< requests held at a time; nothing where the rate is of no load
    std::optional<double> ttft_s;   ///< to the first token at that load; not known where the rate does not say
    std::optional<double> itl_s;    ///< between tokens
    Evidence evidence = Evidence::measured;
    std::optional<PeakLoad> at_peak = {}; ///< of inference: demand is shared evenly among the replicas that run, spares too
};

/// By workload, then pool; none of hosted models.
[[nodiscard]] std::vector<Replica> replicas_of(const ScenarioPlan& plan);

/// The figures of a plan's row beside the one that decides.
struct PlanRow {
    std::optional<double> utilization;             ///< busy of paid device-hours; nothing of hosted models
    std::optional<double> resale;                  ///< what is sold at the end brings; nothing where nothing is owned
    double lost_fraction = 0.0;                    ///< of the demand, to outages: the largest of its workloads
    std::optional<double> cost_per_million_output; ///< tokens, of plans for one workload that states its outputs
    std::optional<double> low, high;               ///< p10 and p90 of the figure that decides, sized anew in each sample
    std::optional<double> probability_feasible;    ///< share of the samples in which its own size does the work
    std::optional<double> days;                    ///< of a run of training, from its start to its end, interruptions at their mean
    std::optional<double> days_p90;
    std::optional<double> probability_in_time;
    std::optional<double> goodput;              ///< share of the gang's throughput that is kept
    std::optional<double> fall_back_after_days; ///< of a run on spot that goes on on demand
    std::optional<double> expected_cost;        ///< of that run: with what is left by chance
    std::optional<double> cost_per_epoch;       ///< of training
    std::optional<double> cost_per_run;         ///< of a run of epochs
    std::vector<std::string> warnings;          ///< codes of its scenario's warnings, each once
};
[[nodiscard]] PlanRow row_of(const ScenarioPlan& plan);

} // namespace costcurve::model
