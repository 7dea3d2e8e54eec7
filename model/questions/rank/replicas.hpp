// Describes a plan's replicas: the devices, precision and load that their rates apply to.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "model/questions/rank/rank.hpp"

namespace costcurve::model {

/// Load of a pool's replicas in the highest hour of demand, and their latency then.
struct PeakLoad {
    double replicas = 0.0;        ///< running, including spares
    double utilization = 0.0;     ///< of the replicas' rate
    double percentile = 95.0;     ///< share of requests, in %, that the latencies below hold for
    std::optional<double> ttft_s; ///< s, including the wait (model/queueing); nothing if the rate gives no latency
    std::optional<double> itl_s;
    std::optional<double> e2e_s;
};

/// A workload's replica on a device pool.
struct Replica {
    std::string workload; ///< ids
    std::string pool;
    std::string device;
    double devices = 1.0;
    int spares = 0;                ///< replicas beyond those that demand needs, or hosts beyond a gang's
    std::string precision;         ///< of the weights; "" if the rate does not state it
    std::optional<int> kv_bits;    ///< bits per value in the KV cache; nothing if the rate does not state it, as for the next
    std::optional<double> ceiling; ///< share of the device's nearest ceiling that the rate reaches; nothing if unknown
    std::optional<Ceiling> ceiling_of;
    std::optional<double> mfu;      ///< model FLOPs utilization at that rate: share of the device's stated peak at the precision
    std::optional<int> concurrency; ///< concurrent requests; nothing if the rate states no load
    std::optional<double> ttft_s;   ///< s to the first token at that load; nothing if the rate does not state it
    std::optional<double> itl_s;    ///< s between tokens
    Evidence evidence = Evidence::measured;
    std::optional<PeakLoad> at_peak = {}; ///< of inference; running replicas, including spares, share demand evenly
};

/// Replicas by workload, then pool. Hosted models have none.
[[nodiscard]] std::vector<Replica> replicas_of(const ScenarioPlan& plan);

/// The figures of a plan's row beside the deciding one.
struct PlanRow {
    std::optional<double> utilization;             ///< busy device-hours over paid ones; nothing for hosted models
    std::optional<double> resale;                  ///< proceeds of sales at the end; nothing if nothing is owned
    double lost_fraction = 0.0;                    ///< of demand, lost to outages: the largest of its workloads
    std::optional<double> cost_per_million_output; ///< tokens, if the plan's workloads state their outputs
    std::optional<double> low, high;               ///< p10 and p90 of the deciding figure, sized again in each sample
    std::optional<double> probability_feasible;    ///< share of samples in which the plan's own size does all the work
    std::optional<double> days;                    ///< from start to end of a training run, at the mean of interruptions
    std::optional<double> days_p90;
    std::optional<double> probability_in_time;
    std::optional<double> goodput;              ///< share of the gang's throughput that remains
    std::optional<double> fall_back_after_days; ///< of a run on spot that continues on demand
    std::optional<double> expected_cost;        ///< of that run, if the mean share of its work is left at the fall back
    std::optional<double> cost_per_epoch;       ///< of training
    std::optional<double> cost_per_run;         ///< of a training run of epochs
    std::vector<std::string> warnings;          ///< codes of its scenario's warnings, without repeats
};
[[nodiscard]] PlanRow row_of(const ScenarioPlan& plan);

} // namespace costcurve::model
