// What the replicas of a plan are: the devices, the precision and the load that its rates are of.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "model/questions/rank/rank.hpp"

namespace costcurve::model {

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
};

/// By workload, then pool; none of hosted models.
[[nodiscard]] std::vector<Replica> replicas_of(const ScenarioPlan& plan);

} // namespace costcurve::model
