// Dispatch, power and variable cost of every hour: compiled numbers in, ledger out. No allocation, no failure.
#pragma once

#include <vector>

#include "model/compile.hpp"

namespace costcurve::model {

/// Scratch of one evaluation, sized once for a compiled scenario and reused. Not shared between threads.
struct Workspace {
    /// Hourly arrays of one pool in the month at hand; they hold what they say once the pool is touched.
    struct PoolHours {
        bool touched = false;
        std::vector<double> free; ///< whole devices that inference has left; an API pool's units/s left
        std::vector<double> busy; ///< devices
        std::vector<double>
            inference; ///< instances that hold inference's devices (cloud that follows demand or has deferrable work)
        std::vector<double> reserved; ///< devices; where deferrable work runs
        std::vector<double> standby;  ///< of the devices held, those of work that an outage alone brings; where outages are
        std::vector<double> asked;    ///< the part of the hour in which any of these is asked; where outages are
        std::vector<double> started;  ///< of the devices held, those of bursts alone, between these; where instances start
        std::vector<double> training; ///< instances that run gangs (cloud); where deferrable work runs
        std::vector<double> gangs;    ///< of busy, devices of gangs; where deferrable work runs
        std::vector<double>
            running; ///< instances (cloud); where spend is committed: what they cost an hour, then what of it is left
        std::vector<double> available; ///< devices that may be busy; where hours are kept
        std::vector<double> it_watts;  ///< IT power; where the site needs its hours
        std::vector<double> kw;        ///< facility power; where hours are kept or the site needs them, of pools with a site
    };
    explicit Workspace(const Compiled& compiled);
    /// For another compiled scenario from now on: arrays grow where they have to.
    void fit(const Compiled& compiled);

    std::vector<PoolHours> pools;

    // Of the workload or entry at hand, by hour.
    std::vector<double> unserved;     ///< demand, units/s
    std::vector<double> served, held; ///< units/s and devices, before they are summed
    std::vector<double> demand, room; ///< units/s, and those for which entries have room; where it has outages or is a pair
    std::vector<double> read;         ///< the part of a pair's prompts with room that outages let be read
    std::vector<double> chance;       ///< the part of the hour in which anything is left; where the workload has outages
    std::vector<double> gangs;        ///< that fit beside what runs

    /// Of a run whose pools are there in some hours alone, by hour of the month.
    struct RunHours {
        std::vector<double> units;  ///< that an hour of it does
        std::vector<double> absent; ///< the part in which no entry before the one at hand is to be had
        std::vector<double> ran;    ///< hours in which it goes on
    } run;

    /// Power of the pool at hand, by hour; of pools of one site, one after the other.
    struct PowerHours {
        std::vector<double> instances;    ///< that run, of a cloud pool
        std::vector<double> available;    ///< devices that may be busy
        std::vector<double> utilization;  ///< busy / available
        std::vector<double> device_watts; ///< of one device, with its part of a cloud's host
        std::vector<double> others;       ///< devices in no gang; where inference and gangs share the pool
        std::vector<double> serving;      ///< of these, busy
        std::vector<double> it_watts;     ///< of all, without PUE
    } power;
    std::vector<double> load;                ///< of a site: IT power / nameplate
    std::vector<double> pue;                 ///< at that load
    std::vector<double> site_watts, site_kw; ///< of all pools of a site: IT power, and with PUE

    std::vector<double> scratch;               ///< of one array, while it changes
    std::vector<double> zeros, ones;           ///< in place of an hourly curve that is not there
    std::vector<std::vector<double>> marginal; ///< by place in the route: price a unit
    std::vector<std::size_t> order;            ///< entries in the order of the hour at hand

    /// One way to route all inference of a month, by hour; where some is routed to the cheapest.
    struct Routing {
        std::vector<std::vector<double>> free, busy, standby, asked, started; ///< by pool, as in PoolHours
        std::vector<std::vector<double>> served, held; ///< by entry: units/s; devices, as in the part of the hour it is there
        std::vector<std::vector<double>> lost;         ///< by workload: units/s, to outages
        std::vector<double> undone;                    ///< the sum over workloads of the undone part of their demand
        std::vector<double> bill;
    };
    std::vector<Routing> routings; ///< kRoutings of them, or none
    /// What an entry may take next of an hour, and what a unit of it costs.
    struct Chunk {
        double units = 0.0; ///< units/s; nothing where it can take no more
        double price = 0.0;
        double times = 1.0; ///< it may be taken so often at the same price
    };
    /// An entry of the workload at hand, in a phase of the hour, while its hours are filled in chunks and served in parts.
    struct Part {
        std::size_t pool = 0;
        bool is_api = false;
        bool follows_demand = false;
        double capacity = 0.0;          ///< units/s of a replica, headroom taken off, of the month
        const ReplicasUp* up = nullptr; ///< of the month; not owned, null of an API
        double held = 1.0;              ///< devices of a replica's hosts
        double per_held = 1.0;          ///< 1 / held
        double over = 0.0;              ///< added to a quotient by held before its whole part is taken
        double each = 1.0;              ///< devices of an instance
        double per_each = 1.0;          ///< 1 / each
        double devices = 0.0;           ///< of the pool that may serve
        double least = 0.0;             ///< instances that are paid in any case
        double price = 0.0;             ///< of an instance, an hour
        double busy_per_unit = 0.0;     ///< devices
        // Of the hour:
        double planned = 0.0;  ///< units/s that it is asked for first
        double replicas = 0.0; ///< of them
        Chunk next = {};
        double asked = 0.0;     ///< units/s in all
        double more = 0.0;      ///< of them, those beyond what was planned
        double served = 0.0;    ///< of them, units/s in the mean over the hour
        double left = 0.0;      ///< of what was asked first
        double running = 0.0;   ///< replicas held
        double held_mean = 0.0; ///< of them, in the mean over the hour
        double chance = 0.0;    ///< the part of the hour in which it leaves something of what was asked first
        double room = 0.0;      ///< units/s that would be served if nothing failed
        // Of the month, sums over its hours, of shares:
        double units = 0.0;        ///< units/s
        double devices_held = 0.0; ///< as in the part of the hour in which the pool is there
    };
    std::vector<Part> parts;          ///< entry by entry, of each the phases of an hour
    std::vector<double> planned_free; ///< by pool: devices, or units/s, that the plan of the hour leaves
    bool keeps_hours = false;         ///< whether evaluate_month leaves `available` and `kw`
    Ledger ledger;                    ///< the result
};

/// Evaluates all hours of all months into `workspace.ledger`, which is returned. The workspace was made for this
/// compiled scenario or one of the same shape. Thread-safe in `compiled`.
/// Cost: O(distinct hours x (pools + entries)).
const Ledger& evaluate(const Compiled& compiled, Workspace& workspace);

/// As `evaluate`, bit for bit, where the workspace holds the evaluation of `before`: if both scenarios differ in fixed costs
/// alone, only these are computed again. Both have the same shape, and the hours of `compiled` were made from those of
/// `before`.
/// Cost: comparing the two, then O(ledger).
const Ledger& evaluate_after(const Compiled& before, const Compiled& compiled, Workspace& workspace);

/// Evaluates one month into a ledger that holds `compiled.fixed` and, where work is carried over, the months before it. The
/// results of its hours stay in `workspace.pools`.
void evaluate_month(const Compiled& compiled, std::size_t month, Workspace& workspace);

} // namespace costcurve::model
