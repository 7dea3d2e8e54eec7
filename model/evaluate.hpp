// Computes dispatch, power and variable cost of every hour from compiled numbers into a ledger. No allocation, no failure.
#pragma once

#include <vector>

#include "model/compile.hpp"

namespace costcurve::model {

/// Scratch memory of one evaluation, sized once for a compiled scenario and reused. Not shared between threads.
struct Workspace {
    /// Hourly arrays of one pool in the current month; valid once the pool is touched.
    struct PoolHours {
        bool touched = false;
        std::vector<double> free; ///< whole devices not used by inference; API pool: units/s left
        std::vector<double> busy; ///< devices
        std::vector<double>
            inference; ///< instances that hold inference's devices (cloud pools that follow demand or run deferrable work)
        std::vector<double> reserved; ///< devices; only with deferrable work
        std::vector<double> standby;  ///< held devices for work that arrives only in an outage; only with outages
        std::vector<double> asked;    ///< fraction of the hour in which standby devices get work; only with outages
        std::vector<double> started;  ///< held devices of burst-only replicas, between bursts; only if instances start
        std::vector<double> training; ///< instances that run gangs (cloud); only with deferrable work
        std::vector<double> gangs;    ///< busy devices of gangs; only with deferrable work
        std::vector<double>
            running; ///< instances (cloud); under a spend commitment then their cost an hour, then its uncommitted part
        std::vector<double> available; ///< devices that may be busy; only if keeps_hours
        std::vector<double> it_watts;  ///< IT power; only if the site needs it by hour
        std::vector<double> kw;        ///< facility power of pools with a site; if keeps_hours or the site needs it by hour
    };
    explicit Workspace(const Compiled& compiled);
    /// Prepares the workspace for another compiled scenario; arrays grow if they must.
    void fit(const Compiled& compiled);

    std::vector<PoolHours> pools;

    // Arrays by hour of the current workload or entry.
    std::vector<double> unserved;     ///< demand, units/s
    std::vector<double> served, held; ///< units/s and devices of the entry, before they are added up
    std::vector<double> demand, room; ///< units/s, and units/s that entries have room for; for outages and pairs
    std::vector<double> read;         ///< fraction of a pair's prompts with room that is read in spite of outages
    std::vector<double> chance;       ///< fraction of the hour in which demand is left over; for workloads with outages
    std::vector<double> gangs;        ///< gangs that fit into the free devices

    /// A run on pools that are available in some hours only, by hour of the month.
    struct RunHours {
        std::vector<double> units;  ///< units that the run does in the hour
        std::vector<double> absent; ///< fraction in which no earlier entry is available
        std::vector<double> ran;    ///< hours in which the run goes on
    } run;

    /// Power of the current pool by hour; reused for each pool of a site.
    struct PowerHours {
        std::vector<double> instances;    ///< running instances of a cloud pool
        std::vector<double> available;    ///< devices that may be busy
        std::vector<double> utilization;  ///< busy / available
        std::vector<double> device_watts; ///< of one device, with its part of a cloud instance's host
        std::vector<double> others;       ///< devices in no gang; only if inference and gangs share the pool
        std::vector<double> serving;      ///< busy devices in no gang
        std::vector<double> it_watts;     ///< of all devices and hosts, without PUE
    } power;
    std::vector<double> load;                ///< of a site: IT power / nameplate power
    std::vector<double> pue;                 ///< of a site at `load`
    std::vector<double> site_watts, site_kw; ///< of all pools of a site: IT power, and with PUE

    std::vector<double> scratch;               ///< copy of an array while it is rewritten
    std::vector<double> zeros, ones;           ///< stand-ins for an absent hourly curve
    std::vector<std::vector<double>> marginal; ///< [place in the route][hour]: price per unit
    std::vector<std::size_t> order;            ///< entries in the order of the current hour

    /// One way to route all inference of a month, by hour; used if a workload routes to the cheapest pool.
    struct Routing {
        std::vector<std::vector<double>> free, busy, standby, asked, started; ///< by pool, as in PoolHours
        std::vector<std::vector<double>> served, held; ///< by entry: units/s; devices while the pool is available
        std::vector<std::vector<double>> lost;         ///< by workload: units/s lost to outages
        std::vector<double> undone;                    ///< by hour: sum over workloads of the unserved fraction of demand
        std::vector<double> bill;
    };
    std::vector<Routing> routings; ///< kRoutings entries, or empty
    /// The next amount of an hour's demand that an entry may take, and its price per unit.
    struct Chunk {
        double units = 0.0; ///< units/s; 0 if the entry is full
        double price = 0.0;
        double times = 1.0; ///< how often the chunk may be taken at this price
    };
    /// State of an entry of the current workload in one phase of the hour, while demand is distributed in chunks.
    struct Part {
        std::size_t pool = 0;
        bool is_api = false;
        bool follows_demand = false;
        double capacity = 0.0;          ///< units/s of a replica in the month, less headroom
        const ReplicasUp* up = nullptr; ///< in the month; not owned, null for an API
        double held = 1.0;              ///< devices of a replica's hosts
        double per_held = 1.0;          ///< 1 / held
        double over = 0.0;              ///< added to x / held before rounding down (kernels::nudge)
        double each = 1.0;              ///< devices of an instance
        double per_each = 1.0;          ///< 1 / each
        double devices = 0.0;           ///< devices of the pool that may serve
        double least = 0.0;             ///< instances that are paid whatever the load
        double price = 0.0;             ///< of an instance, an hour
        double busy_per_unit = 0.0;     ///< devices
        // State of the current hour:
        double planned = 0.0;  ///< units/s of its first plan
        double replicas = 0.0; ///< replicas for `planned`
        Chunk next = {};
        double asked = 0.0;     ///< units/s assigned in all
        double more = 0.0;      ///< the part of `asked` beyond `planned`
        double served = 0.0;    ///< the part of `asked` that is served, mean over the hour
        double left = 0.0;      ///< the unserved part of `planned`, units/s
        double running = 0.0;   ///< replicas held
        double held_mean = 0.0; ///< replicas held, mean over the hour
        double chance = 0.0;    ///< fraction of the hour in which part of `planned` is unserved
        double room = 0.0;      ///< units/s that would be served without failures
        // Sums over the month's hours, for routing by shares:
        double units = 0.0;        ///< units/s
        double devices_held = 0.0; ///< while the pool is available
    };
    std::vector<Part> parts;          ///< entry by entry; for each entry the phases of an hour
    std::vector<double> planned_free; ///< by pool: devices or units/s that the hour's plan leaves free
    bool keeps_hours = false;         ///< whether evaluate_month fills `available` and `kw`
    Ledger ledger;                    ///< the result
};

/// Evaluates all hours of all months into `workspace.ledger`, which is returned. The workspace was made for this
/// compiled scenario or one of the same shape. Thread-safe in `compiled`.
/// Cost: O(distinct hours x (pools + entries)).
const Ledger& evaluate(const Compiled& compiled, Workspace& workspace);

/// As `evaluate`, bit for bit, for a workspace that holds the evaluation of `before`. If the scenarios differ only in fixed costs,
/// only these are computed again. Both must have the same shape, and the hours of `compiled` must be made from those of `before`.
/// Cost: comparing the two, then O(ledger).
const Ledger& evaluate_after(const Compiled& before, const Compiled& compiled, Workspace& workspace);

/// Evaluates one month into workspace.ledger, which must hold `compiled.fixed` and, if work is carried over, the months before. The
/// hourly results stay in `workspace.pools`.
void evaluate_month(const Compiled& compiled, std::size_t month, Workspace& workspace);

} // namespace costcurve::model
