// What the replicas of a plan are: the devices, the precision and the load that its rates are of.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "model/questions/rank/rank.hpp"

namespace costcurve::model {

/// What a replica is asked for in the highest hour of demand, and what its requests take then.
struct PeakLoad {
    double utilization = 0.0;     ///< of its rate
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
    int spares = 0;                 ///< replicas beside those that the demand needs
    std::string precision;          ///< of the weights; "" where the rate does not say
    std::optional<int> concurrency; ///< requests held at a time; nothing where the rate is of no load
    std::optional<double> ttft_s;   ///< to the first token at that load; not known where the rate does not say
    std::optional<double> itl_s;    ///< between tokens
    Evidence evidence = Evidence::measured;
    PeakLoad at_peak{}; ///< demand is shared evenly among the replicas that run, spares too
};

/// By workload, then pool; none of hosted models.
[[nodiscard]] std::vector<Replica> replicas_of(const ScenarioPlan& plan);

/// The figures of a plan's row beside the one that decides.
struct PlanRow {
    std::optional<double> utilization;             ///< busy of paid device-hours; nothing of hosted models
    double lost_fraction = 0.0;                    ///< of the demand, to outages: the largest of its workloads
    std::optional<double> cost_per_million_output; ///< tokens, of plans for one workload that states its outputs
    std::optional<double> low, high;               ///< p10 and p90 of the figure that decides, sized anew in each sample
    std::optional<double> probability_feasible;    ///< share of the samples in which its own size does the work
};
[[nodiscard]] PlanRow row_of(const ScenarioPlan& plan);

} // namespace costcurve::model
