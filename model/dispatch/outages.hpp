// Expected output of replicas that fail and come back (model.md, section 6, "Outages").
#pragma once

#include <cstddef>
#include <vector>

#include "model/documents/units.hpp"

namespace costcurve::model {

/// The part of its time in which a replica is up whose hosts together are interrupted so often, and is back after `down`: 1 / (1 +
/// L R), the availability of a renewal process with mean up time 1/L and down time R.
[[nodiscard]] double up_fraction(EventsPerHour interruptions, Hours down);

/// Distribution of the replicas that are up, all of one capacity, on hosts that fail independently of each other. A host that
/// is down takes all its replicas with it; they fill one host after the other, so that the last may have fewer. Immutable.
class ReplicasUp {
public:
    /// `up` is in (0, 1]; `most` is the largest number of hosts that matters, 64 stands for more; so many replicas fill a host, or
    /// one where a replica takes a host or several.
    ReplicasUp(double up, double most, double per_host = 1.0);

    /// What they serve of the demand, in expectation: the sum over the hosts that are up of the chance of these · min(demand, what
    /// they hold · capacity); above 64 hosts with the normal distribution of the same mean and variance, where several replicas
    /// fill a host no less than 64 hosts serve. In [0, min(demand, replicas · capacity)]. Cost: constant. Makes nothing.
    [[nodiscard]] double served(double demand, double capacity, double replicas) const;

    /// The part of its time in which they serve less than the demand.
    [[nodiscard]] double short_of(double demand, double capacity, double replicas) const;

    [[nodiscard]] double up() const { return up_; }
    [[nodiscard]] bool fail() const { return up_ < 1.0; }
    [[nodiscard]] double per_host() const { return per_host_; }
    /// For so many hosts at most from now on.
    void grow(double most);
    /// What the loop over hours reads: the sums by hosts n, then by k in [0, n], row after row.
    struct Sums {
        double up;
        double per_host;
        double hosts_each;          ///< of a replica
        const double* mean_up_to;   ///< hosts up where at most k are
        const double* chance_above; ///< that more than k are
        const double* chance_below; ///< that fewer than k are
    };
    [[nodiscard]] Sums sums() const {
        return {up_, per_host_, hosts_each_, mean_up_to_.data(), chance_above_.data(), chance_below_.data()};
    }
    friend bool operator==(const ReplicasUp&, const ReplicasUp&) = default;

private:
    void make_sums(std::size_t rows);

    double up_;
    double per_host_;
    double hosts_each_;              ///< of a replica
    std::vector<double> mean_up_to_; ///< as sums() has them
    std::vector<double> chance_above_;
    std::vector<double> chance_below_;
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
    double between;     ///< the part of the time between bursts in which those of bursts alone run; 1: held
};

/// Arrays of hours. What is less than 1e-12 of the demand is served.
struct OutageHours {
    const double* demand;
    double* left;   ///< in and out: units/s that nobody has served yet, in expectation
    double* room;   ///< added to: units/s that would be served if nothing failed
    double* served; ///< out: units/s in expectation
    double* held;   ///< out: devices, as in the part of the hour in which the pool is there; of an API nothing
    double* chance; ///< in and out: the part of the hour in which anything is left
    bool is_last;   ///< no entry of the workload comes after, so that nothing reads `chance`, which stays
};

/// The part of an hour in which what outages leave is waited for: in all of it where that is above a twentieth; for what is rarer
/// an instance is started when it is asked (decision 67).
[[nodiscard]] inline double part_waited_for(double chance) {
    constexpr double kSeldom = 0.05;
    return chance > kSeldom ? 1.0 : chance;
}

/// A pool's arrays of hours, in and out, as in the part of the hour in which the pool is there.
struct FailingPool {
    double* free;    ///< devices
    double* busy;    ///< devices
    double* standby; ///< added to: devices held for what an outage alone leaves; none of a pool that is paid anyway
    double* asked;   ///< the largest part of the hour in which any of these is asked
    double* started; ///< added to: devices of bursts alone, between them; none where all are held
};

/// Serves an entry in n hours, of which so many stand for the phases of one: what one of these needs is held in all, or starts for
/// it, and then serves in the phases alone that need it. What outages alone left is asked of it in the part of the hour in which
/// they do, as much more then.
void serve_failing(std::size_t n, std::size_t phases, const FailingReplicas& replicas, const OutageHours& hours,
                   const FailingPool& pool);

/// As `serve_failing`, of an API pool: `bound` is the units/s that it has left in each hour, before and after.
void serve_failing_api(std::size_t n, double there, const OutageHours& hours, double* bound);

/// Of what is left, units/s that had room: lost to outages.
[[nodiscard]] inline double lost_in_hour(double demand, double left, double room) {
    const double without_room = demand > room ? demand - room : 0.0;
    return left > without_room ? left - without_room : 0.0;
}

} // namespace costcurve::model
