// Goodput: the share of its time that work makes progress, under interruptions and checkpoints (model.md, section 4).
#pragma once

#include <optional>

#include "model/documents/documents.hpp"
#include "model/documents/units.hpp"

namespace costcurve::model {

/// Checkpoint write time C, restart time R, and the interval between checkpoints (default: Daly's optimum).
struct CheckpointTimes {
    Hours write;
    Hours restart;
    std::optional<Hours> interval;
};

/// The optimum checkpoint interval for write time C at mean time between interruptions M, both > 0:
/// sqrt(2CM) * [1 + 1/3 sqrt(C/2M) + 1/9 (C/2M)] - C for C < 2M, else M.
/// Source: J. T. Daly, "A higher order estimate of the optimum checkpoint interval for restart dumps",
/// Future Generation Computer Systems 22 (2006), eq. 37. Assumes exponentially distributed interruptions.
[[nodiscard]] Hours optimum_checkpoint_interval(Hours write, Hours mean_time_between_interruptions);

/// The share of a training gang's throughput that is kept, in [0, 1]:
/// tau / ( (1/L) e^(L R) (e^(L (tau + C)) - 1) ) at interruption rate L (Daly 2006, eq. 20, per unit of work);
/// L = 0: tau/(tau + C) with a stated tau, else 1; C = 0 without a stated tau: the limit e^(-L R).
[[nodiscard]] double training_goodput(EventsPerHour interruptions, const CheckpointTimes& checkpoint);

/// What interrupts a gang of that many devices of a pool, and what an interruption costs it.
struct GangInterruptions {
    EventsPerHour rate;
    CheckpointTimes times;
};
[[nodiscard]] GangInterruptions gang_interruptions(const Workload& workload, const Pool& pool, double devices);
/// The chance that a host of the gang that fails finds none of the workload's spare hosts, in [0, 1]: hosts that wait for repair or
/// for another are Poisson in number, the rate of failures of all times how long one waits (C. Palm 1938; C. C. Sherbrooke, Optimal
/// Inventory Modeling of Systems, 2nd ed. 2004, chapter 2). 1 where there are none.
[[nodiscard]] double waits_for_repair(const Workload& workload, const Pool& pool, double devices);

/// Throughput and uptime that interruptions leave a replica or gang on a pool. It can lose as many instances or servers as hold its
/// devices. Each loss takes the offer's replacement or the server's repair, then the workload's restart.
struct Interruptions {
    double goodput = 1.0; ///< training and batch: share of throughput that is kept; inference: 1
    double up = 1.0;      ///< inference: share of time in which a replica is up; otherwise 1
};
/// The share of hours in which an offer's instances are available; 0.9, assumed, for spot that doesn't state it.
[[nodiscard]] double availability_of(const Offer& offer);

[[nodiscard]] Interruptions interruptions_of(const Workload& workload, const Pool& pool, double devices);
/// Interruptions if each host is interrupted `per_hour` times an hour.
[[nodiscard]] Interruptions interruptions_at(double per_hour, const Workload& workload, const Pool& pool, double devices);

} // namespace costcurve::model
