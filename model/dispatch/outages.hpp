// Expected output of replicas that fail and come back (model.md, section 6, "Outages").
#pragma once

#include <cstddef>
#include <vector>

#include "model/documents/units.hpp"

namespace costcurve::model {

/// The part of its time in which a replica is up whose hosts together are interrupted so often, and is back after `down`: 1 / (1 +
/// L R), the availability of a renewal process with mean up time 1/L and down time R.
[[nodiscard]] double up_fraction(EventsPerHour interruptions, Hours down);

/// Of a number of replicas of the same capacity that are up independently of each other. Immutable.
class ReplicasUp {
public:
    /// `up` is in (0, 1]; `most` is the largest number of replicas that matters; 64 stands for more.
    ReplicasUp(double up, double most);

    /// What they serve of the demand, in expectation: the sum over k of Binomial(replicas, up)(k) · min(demand, k · capacity);
    /// above 64 replicas with the normal distribution of the same mean and variance. In [0, min(demand, replicas · capacity)].
    /// Cost: constant. Makes nothing.
    [[nodiscard]] double served(double demand, double capacity, double replicas) const;

    [[nodiscard]] double up() const { return up_; }
    [[nodiscard]] bool fail() const { return up_ < 1.0; }
    friend bool operator==(const ReplicasUp&, const ReplicasUp&) = default;

private:
    double up_;
    /// By replicas r, then by k in [0, r], row after row: replicas up where at most k are, and the chance that more than k are.
    std::vector<double> mean_up_to_;
    std::vector<double> chance_above_;
};

/// An entry whose replicas fail, have spares beside them, or stand where instances aren't always to be had.
struct FailingReplicas {
    const ReplicasUp& up;
    double usable_rate; ///< units/s of a replica that is up, headroom taken off
    double rate;        ///< units/s of a replica that is up
    double devices;     ///< of a replica
    double held;        ///< of its hosts
    bool holds_whole;   ///< this and all other replicas of the pool hold whole devices
    double spares;      ///< beside those that the hour needs, where it needs any
    bool all_stand_in;  ///< all that fit serve, and not only those held: what is paid anyway
    double there;       ///< the part of the hour in which instances are to be had
};

/// Arrays of hours. What is less than 1e-12 of the demand is served.
struct OutageHours {
    const double* demand;
    double* left;   ///< in and out: units/s that nobody has served yet, in expectation
    double* room;   ///< added to: units/s that would be served if nothing failed
    double* served; ///< out: units/s in expectation
    double* held;   ///< out: devices, as in the part of the hour in which the pool is there; of an API nothing
};

/// Serves an entry in n hours. free, busy: in and out, as in the part of the hour in which the pool is there.
void serve_failing(std::size_t n, const FailingReplicas& replicas, const OutageHours& hours, double* free, double* busy);

/// The same of an API pool, of which `bound` is in and out.
void serve_failing_api(std::size_t n, double there, const OutageHours& hours, double* bound);

/// Of what is left, units/s that had room: lost to outages.
[[nodiscard]] inline double lost_in_hour(double demand, double left, double room) {
    const double without_room = demand > room ? demand - room : 0.0;
    return left > without_room ? left - without_room : 0.0;
}

} // namespace costcurve::model
