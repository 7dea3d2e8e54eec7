// From a scenario to numbers that evaluate in plain loops: curves sampled once, powers hoisted, fixed costs summed.
// A variant of a scenario is a changed copy of these numbers.
#pragma once

#include <optional>
#include <vector>

#include "model/hours.hpp"
#include "model/ledger.hpp"
#include "model/power.hpp"
#include "model/scenario.hpp"

namespace costcurve::model {

/// A rate over the horizon: monthly[m], times the hour's value of a curve of the hour table where one is named.
struct Signal {
    static constexpr int kFlat = -1;
    int curve = kFlat;
    std::vector<double> monthly;
};

struct CompiledPool {
    PoolKind kind = PoolKind::cloud;
    bool follows_demand = false;         ///< on demand and spot; committed instances run always
    bool trains = false;                 ///< a training workload may run on it
    bool costs_by_hour = false;          ///< has a marginal price by the instance-hour
    double devices_per_unit = 1;         ///< a unit is an instance or a server
    std::vector<double> units_serving;   ///< [m] instances that may serve, or servers past their ramp
    std::vector<double> units_paid;      ///< [m] least instances paid, or servers in service
    std::vector<double> hourly_price;    ///< [m] of an instance
    std::vector<double> max_units_per_s; ///< [m] bound of an API pool
    bool metered = false;                ///< has a site: energy and carbon are reckoned
    Signal energy_price;                 ///< currency/kWh; owned only
    Signal pue;
    std::optional<PiecewiseLinear> pue_by_load;
    Signal carbon_g_per_kwh;
    PowerDraw power;
    double demand_charge_per_kw = 0;
    std::vector<double> embodied_kg; ///< [m]
    std::vector<double> racks;       ///< [m], owned
};

struct CompiledEntry {
    std::size_t workload = 0;
    std::size_t pool = 0;
    double rate = 0;        ///< units/s of a replica or gang, goodput included
    double usable_rate = 0; ///< rate x peak_utilization
    double goodput = 1;
    double devices = 1;                 ///< of a replica or gang
    double instances = 1;               ///< of a gang on a cloud pool: whole ones, or 1/k where k gangs fit into one
    double egress_per_unit = 0;         ///< currency
    std::vector<double> price_per_unit; ///< [m] API pools
    double marginal_kwh = 0;            ///< kWh a unit at the devices and host, before PUE; owned
    std::vector<double> marginal_price; ///< [m] a unit; cloud on demand and spot, API
    double pue_at_full_load = 1;        ///< where PUE is a curve over load
    Evidence evidence = Evidence::measured;
    std::optional<int> batch;
};

struct CompiledWorkload {
    WorkloadKind kind = WorkloadKind::inference;
    bool cheapest = false;
    std::size_t first_entry = 0;
    std::size_t end_entry = 0;
    Signal demand;            ///< units/s, inference
    std::vector<double> work; ///< [m] units, training
    double unserved_cost_per_unit = 0;
};

struct Compiled {
    std::size_t months = 0;
    HourTable hours;
    std::vector<CompiledPool> pools;
    std::vector<CompiledEntry> entries; ///< workload by workload, in runs_on order
    std::vector<CompiledWorkload> workloads;
    /// For a curve that orders training by price: hours of each set by ascending value. [curve][set]
    std::vector<std::vector<std::vector<std::uint32_t>>> ascending_hours;
    Ledger fixed;                 ///< all that does not depend on dispatch
    std::vector<double> discount; ///< [m] at the month's start; one more for the horizon's end
    double carbon_price_per_kg = 0;
    double tax_rate = 0;
    double npv_capital = 0;    ///< of hardware and own-build facility
    double npv_tax_credit = 0; ///< of what is deducted for them, before the tax rate
};

/// Pure; no error: a Scenario is valid by construction. Cost: see group_hours; else O(months x pools).
[[nodiscard]] Compiled compile(const Scenario& scenario);

/// The same, bit for bit. `hours` may be of any scenario compiled before: where its curves tell the same hours of the same months
/// apart, they are taken, which saves most of the time.
[[nodiscard]] Compiled compile(const Scenario& scenario, HourTable&& hours);

} // namespace costcurve::model
