// Expected output of replicas that fail and come back (model.md, section 6, "Outages").
#pragma once

#include <cstddef>
#include <vector>

#include "model/documents/units.hpp"

namespace costcurve::model {

/// Fraction of time in which a replica is up: 1 / (1 + L R), for L `interruptions` of all its hosts together and R = `down` (the
/// availability of a renewal process with mean up time 1/L and down time R).
[[nodiscard]] double up_fraction(EventsPerHour interruptions, Hours down);

/// Distribution of the number of replicas up, on hosts that fail independently. All replicas have one capacity, and those of a
/// failed host are down together. Replicas fill one host after the other, so the last host may have fewer. Immutable but for
/// grow().
class ReplicasUp {
public:
    /// `up` is in (0, 1]. `most` is the largest number of hosts to expect, capped at 64. `per_host` replicas fill a host; it is 1
    /// if a replica takes one or more hosts.
    ReplicasUp(double up, double most, double per_host = 1.0);

    /// Expected served demand: the sum over k hosts up of P(k) · min(demand, their replicas · capacity). Above 64 hosts P is the
    /// normal distribution of the same mean and variance; with several replicas to a host, the result is then at least that of 64
    /// hosts. In [0, min(demand, replicas · capacity)]. Cost: constant. No allocation.
    [[nodiscard]] double served(double demand, double capacity, double replicas) const;

    /// Fraction of time in which `replicas` serve less than the demand.
    [[nodiscard]] double short_of(double demand, double capacity, double replicas) const;

    [[nodiscard]] double up() const { return up_; }
    [[nodiscard]] bool fail() const { return up_ < 1.0; }
    [[nodiscard]] double per_host() const { return per_host_; }
    /// Extends the tables to `most` hosts (capped at 64).
    void grow(double most);
    /// Tables that the loop over hours reads, by number of hosts n, then by k in [0, n], row after row.
    struct Sums {
        double up;
        double per_host;
        double hosts_each;          ///< hosts of a replica
        const double* mean_up_to;   ///< sum over j <= k of j · P(j hosts up)
        const double* chance_above; ///< P(more than k hosts up)
        const double* chance_below; ///< P(fewer than k hosts up)
    };
    [[nodiscard]] Sums sums() const {
        return {up_, per_host_, hosts_each_, mean_up_to_.data(), chance_above_.data(), chance_below_.data()};
    }
    friend bool operator==(const ReplicasUp&, const ReplicasUp&) = default;

private:
    void make_sums(std::size_t rows);

    double up_;
    double per_host_;
    double hosts_each_;              ///< hosts of a replica
    std::vector<double> mean_up_to_; ///< see Sums; so are the next two
    std::vector<double> chance_above_;
    std::vector<double> chance_below_;
};

/// Replicas of an entry that fail, have spares, or run on a pool whose instances aren't always available.
struct FailingReplicas {
    const ReplicasUp& up;
    double usable_rate; ///< units/s of a replica that is up, less headroom
    double rate;        ///< units/s of a replica that is up
    double devices;     ///< devices of a replica
    double held;        ///< devices of its hosts
    bool holds_whole;   ///< all replicas of the pool hold whole devices
    double spares;      ///< spare replicas in hours that need any replica
    bool all_stand_in;  ///< all replicas that fit serve, not only held ones, as the pool is paid anyway
    double there;       ///< fraction of the hour in which instances are available
    double between;     ///< fraction of the time between bursts that burst-only replicas run; 1: always held
};

/// Arrays by hour. A rest below 1e-12 of the demand counts as served.
struct OutageHours {
    const double* demand;
    double* left;   ///< in and out: expected units/s not served yet
    double* room;   ///< added to: units/s that would be served without failures
    double* served; ///< out: expected units/s
    double* held;   ///< out: devices while the pool is available; unused for an API
    double* chance; ///< in and out: fraction of the hour in which demand is left over
    bool is_last;   ///< last entry of the workload: `chance` isn't needed any more, and isn't updated
};

/// Fraction of an hour in which instances run to take over from outages: 1 if outages leave demand in more than a twentieth of the
/// hour; otherwise `chance`, as instances then start on demand (decision 67).
[[nodiscard]] inline double part_waited_for(double chance) {
    constexpr double kSeldom = 0.05;
    return chance > kSeldom ? 1.0 : chance;
}

/// A pool's arrays by hour, in and out, for the fraction of the hour in which the pool is available.
struct FailingPool {
    double* free;    ///< devices
    double* busy;    ///< devices
    double* standby; ///< added to: devices needed only in outages; null for a pool that is paid anyway
    double* asked;   ///< largest fraction of the hour in which standby devices get work
    double* started; ///< added to: burst-only devices, between bursts; null if all are held
};

/// Serves an entry in n array hours; each group of `phases` is one hour. Replicas that one phase needs are held in all phases, or
/// start for that phase and serve only in phases that need them. Demand left only by outages arrives in their fraction of the hour,
/// at a rate that is higher by 1 / fraction.
void serve_failing(std::size_t n, std::size_t phases, const FailingReplicas& replicas, const OutageHours& hours,
                   const FailingPool& pool);

/// serve_failing for an API pool; `bound` (in and out) is the units/s left of its rate limit in each hour.
void serve_failing_api(std::size_t n, double there, const OutageHours& hours, double* bound);

/// Units/s lost to outages: the part of `left` that had room.
[[nodiscard]] inline double lost_in_hour(double demand, double left, double room) {
    const double without_room = demand > room ? demand - room : 0.0;
    return left > without_room ? left - without_room : 0.0;
}

} // namespace costcurve::model
