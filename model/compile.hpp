// From a scenario to numbers that evaluate in plain loops: curves sampled once, powers hoisted, fixed costs summed.
// A variant of a scenario is a changed copy of these numbers.
#pragma once

#include <optional>
#include <vector>

#include "model/assets.hpp"
#include "model/bills/compiled_bill.hpp"
#include "model/categories/tiers.hpp"
#include "model/dispatch/outages.hpp"
#include "model/hours/hours.hpp"
#include "model/ledger.hpp"
#include "model/power.hpp"
#include "model/scenario.hpp"

namespace costcurve::model {

/// A rate over the horizon: monthly[m], times the hour's value of a curve of the hour table where one is named.
struct Signal {
    static constexpr int kFlat = -1;
    int curve = kFlat;
    std::vector<double> monthly;
    friend bool operator==(const Signal&, const Signal&) = default;
};

/// An extra cost that depends on what a cloud or API pool is paid for.
struct VariableExtra {
    Category category = Category::other;
    std::vector<double> per_unit; ///< [m] of an instance that is paid all month
    std::vector<double> of_bill;  ///< [m] fraction of compute, usage and commitment
    friend bool operator==(const VariableExtra&, const VariableExtra&) = default;
};

/// What evaluate reads of a pool.
struct CompiledPool {
    PoolKind kind = PoolKind::cloud;
    bool follows_demand = false;         ///< on demand and spot; committed instances run always
    bool serves = false;                 ///< inference may run on it
    bool defers = false;                 ///< training or batch work may run on it
    bool costs_by_hour = false;          ///< has a marginal price by the instance-hour
    double devices_per_unit = 1;         ///< a unit is an instance or a server
    bool holds_whole = true;             ///< each replica and gang holds whole devices
    double between_bursts = 1;           ///< the part of the time between bursts in which instances of bursts alone run
    double there = 1;                    ///< the part of each hour in which instances are to be had
    Signal window;                       ///< 1 in the hours of the days that it is rented for; flat: all hours of its months
    std::vector<double> ramp;            ///< [m] learned part of the rates; none: all of it
    std::vector<double> units_serving;   ///< [m] instances that may serve, or servers past their ramp
    std::vector<double> units_paid;      ///< [m] least instances paid, servers in service, or provisioned units
    std::vector<double> hourly_price;    ///< [m] of an instance, or provisioned unit without a price by the month
    std::vector<double> max_units_per_s; ///< [m] bound of an API pool
    double units_per_s_of_unit = 0;      ///< API: what a provisioned unit serves; 0 where none is bought
    std::vector<double> monthly_price;   ///< [m] API: of a provisioned unit, beside hourly_price
    bool metered = false;                ///< has a site: energy and carbon are reckoned
    Meters<bool> known;                  ///< what is stated of it; what is not is 0 in the ledger
    Signal energy_price;                 ///< currency/kWh; owned only
    Signal pue;
    std::optional<PiecewiseLinear> pue_by_load;
    Signal carbon_g_per_kwh;
    PowerDraw power;
    double water_l_per_kwh = 0;      ///< of IT energy
    double kwh_per_unit = 0;         ///< API
    double carbon_kg_per_unit = 0;   ///< API
    std::vector<double> embodied_kg; ///< [m]
    std::vector<double> racks;       ///< [m], owned; its part where pools of a site share them
    std::vector<VariableExtra> extras;
    std::vector<double> commitment; ///< [m] cost of upfronts, where extras read it
    /// Cost of provisioned units in a month of `month_hours`.
    [[nodiscard]] double paid_for_units(std::size_t month, double month_hours) const {
        return units_paid[month] * (month_hours * hourly_price[month] + monthly_price[month]);
    }
    friend bool operator==(const CompiledPool&, const CompiledPool&) = default;
};

/// What a pool's contracts come to, beside the ledger.
struct PoolPayments {
    std::vector<double> capital; ///< [m] paid at its start for servers, own-build facilities and upfronts
    double obligation = 0;       ///< what the horizon's end leaves to be paid, undiscounted
    double lease_liability = 0;  ///< present value, at the horizon's start, of the lease payments due in it
};

/// A demand charge of a site.
struct CompiledCharge {
    ChargePrices prices;
    Signal hours;           ///< 1 where an hour counts
    bool has_hours = false; ///< else all count
    bool is_mean = false;   ///< measures the mean of these hours, else the largest
    double ratchet_fraction = 0;
    std::size_t ratchet_months = 0;
    std::vector<char> is_peak_month; ///< [m] whether its peak counts for the ratchet
    friend bool operator==(const CompiledCharge&, const CompiledCharge&) = default;
};

/// A place where owned pools stand. What its signals say stands in each pool.
struct CompiledSite {
    std::vector<std::size_t> pools;   ///< ascending
    std::vector<double> nameplate_kw; ///< [m] in service; 0 where no server is
    std::vector<CompiledCharge> charges;
    std::size_t first_charge = 0; ///< of the ledger's
    CompiledBill bill;
    std::optional<double> max_kw;
    bool needs_hours = false; ///< its power by hour, not only the month's largest, is needed
    friend bool operator==(const CompiledSite&, const CompiledSite&) = default;
};

/// A pool on demand that a commitment to spend pays for, at a part off its price.
struct SpendShare {
    std::size_t pool = 0;
    double discount = 0;
    friend bool operator==(const SpendShare&, const SpendShare&) = default;
};
struct CompiledSpend {
    std::vector<double> hourly;    ///< [m] currency an hour
    std::vector<SpendShare> pools; ///< in the order in which it pays for them
    friend bool operator==(const CompiledSpend&, const CompiledSpend&) = default;
};

/// The part of an API's price of a mean unit that a class of units is billed.
struct ClassPrice {
    UnitClass unit_class = UnitClass::input;
    std::vector<double> price; ///< [m]
    friend bool operator==(const ClassPrice&, const ClassPrice&) = default;
};

struct CompiledEntry {
    std::size_t workload = 0;
    std::size_t pool = 0;
    double share = 0;       ///< of the work that is first asked of it, where the workload's entries have shares
    double rate = 0;        ///< units/s of a replica or gang, goodput included, before learning
    double usable_rate = 0; ///< rate x peak_utilization
    double goodput = 1;
    ReplicasUp replicas_up{1.0, 0.0};           ///< of inference on devices
    std::vector<ReplicasUp> aged_up;            ///< [m] in its place, where servers fail by their age
    std::vector<double> aged_rate;              ///< [m] the rate over `rate`, likewise; of training and batch
    bool starts = false;                        ///< its replicas of bursts alone start for each
    double devices = 1;                         ///< of a replica or gang
    double held = 1;                            ///< of its hosts, so that no other can have them
    double instances = 1;                       ///< of a gang on a cloud pool: whole ones, or 1/k where k gangs fit into one
    double egress_per_unit = 0;                 ///< currency, before growth; where the seller has tiers at the highest price
    double egress_gb_per_unit = 0;              ///< where the seller has tiers
    std::vector<double> price_per_unit;         ///< [m] API pools
    std::vector<double> token_price;            ///< [m] tokens of a unit without provisioned units, where these are bought
    std::vector<ClassPrice> by_class;           ///< what it is made of, where units are split
    std::vector<std::vector<double>> by_length; ///< [bucket][m] what it is made of, where token_mix has several
    double marginal_kwh = 0;            ///< kWh a unit at the devices and host, before PUE; where it or its carbon has a price
    std::vector<double> marginal_price; ///< [m] a unit, all but its energy and carbon: instance-hours, API, egress
    double pue_at_full_load = 1;        ///< where PUE is a curve over load
    Evidence evidence = Evidence::measured;
    std::optional<int> batch;
    friend bool operator==(const CompiledEntry&, const CompiledEntry&) = default;
};

struct CompiledWorkload {
    WorkloadKind kind = WorkloadKind::inference;
    [[nodiscard]] bool is_deferrable() const { return kind != WorkloadKind::inference; }
    bool cheapest = false;
    bool by_share = false;    ///< each entry is asked for its share first
    bool is_pair = false;     ///< the first entry reads prompts, the second writes answers
    bool has_outages = false; ///< an entry's replicas fail or aren't always to be had, or it holds spares
    double spare_replicas = 0;
    double burst_factor = 1; ///< the highest rate in an hour over its mean
    std::size_t first_entry = 0;
    std::size_t first_answer = 0; ///< the entries from here on do the work: behind the one that reads a pair's prompts
    std::size_t end_entry = 0;
    Signal demand;                        ///< units/s, inference
    std::vector<double> work;             ///< [m] units, training and batch
    bool is_run = false;                  ///< one gang, till it ends
    bool waits = true;                    ///< for the hours of the lowest energy price
    double first_share = 1;               ///< of the first month, from the run's start
    double share_of_day = 1;              ///< in which what a day brings is done
    double start_hours = 0;               ///< of batch work, that a gang takes each time it starts on an instance that it rents
    bool starts_daily = false;            ///< once a day, as there is a deadline; else once a month
    std::vector<double> before_fall_back; ///< [m] of the month, until a run falls back to its last entry; empty: it doesn't
    bool carries_over = false;            ///< the next month takes what a month does not finish
    double unserved_cost_per_unit = 0;
    friend bool operator==(const CompiledWorkload&, const CompiledWorkload&) = default;
};

/// What is paid whatever the load, in time.
struct FixedFlows {
    Cube starts; ///< [m][p][category], of the fixed ledger's cash: paid at the month's first instant
};

/// By month, what tax and the exact time of payments tell apart, over all pools. Assets, and principal of loans, are not taxed.
struct CapitalFlows {
    std::vector<double> start;               ///< bought, less loans paid out
    std::vector<double> principal;           ///< repaid at the month's end
    std::vector<double> sold;                ///< at the month's end, before the horizon's; negative
    std::vector<double> tax_credit;          ///< deducted at the month's end
    std::vector<double> tax_credit_of_sales; ///< of it, that of `sold`
    double tax_credit_at_end = 0;            ///< of it, that of the horizon's end
};

/// What an extra cost of a pool, a site or the scenario puts on one pool ("no pool" last), by month; without what depends on the
/// bill.
struct ExtraRow {
    std::size_t pool = 0;
    Category category = Category::other;
    std::string pointer; ///< of the extra cost
    std::vector<double> cost;
    std::optional<std::size_t> variable; ///< index in the pool's extras, of what evaluate adds
};

struct Compiled {
    std::size_t months = 0;
    HourTable hours;
    std::vector<CompiledPool> pools;
    std::vector<PoolPayments> payments; ///< by pool
    std::vector<CompiledEntry> entries; ///< workload by workload, in runs_on order
    std::vector<CompiledWorkload> workloads;
    std::vector<CompiledSite> sites;
    std::vector<CompiledSpend> spend;
    std::vector<SharedTiers> device_hour_tiers; ///< of cloud pools
    std::vector<SharedTiers> unit_tiers;        ///< of API pools
    std::vector<SharedTiers> egress_tiers;      ///< of entries
    std::vector<CompiledSupport> support;
    Cube growth; ///< [category][m] factor of the category's amounts
    /// For a curve that orders training by price: hours of each set by ascending value. [curve][set]
    std::vector<std::vector<std::vector<std::uint32_t>>> ascending_hours;
    Ledger fixed; ///< all that does not depend on dispatch
    FixedFlows flows;
    std::vector<ExtraRow> extra_rows;
    CapitalFlows capital;
    bool has_loans = false;
    Terminal terminal;            ///< of all pools
    std::vector<double> discount; ///< [m] at the month's start; one more for the horizon's end
    double carbon_price_per_kg = 0;
    double tax_rate = 0;
    std::optional<double> taxable_income_per_year; ///< beside the scenario; enough for all deductions where there is none
    double loss_offset_fraction = 1;
    double npv_capital = 0;    ///< of hardware, own-build facility and principal
    double npv_tax_credit = 0; ///< of what is deducted for them, before the tax rate
};

/// The part of its rates that a pool has learned in a month.
[[nodiscard]] inline double learned(const CompiledPool& pool, std::size_t month) {
    return pool.ramp.empty() ? 1.0 : pool.ramp[month];
}

/// Replicas that are up in a month.
[[nodiscard]] inline const ReplicasUp& up_in(const CompiledEntry& entry, std::size_t month) {
    return entry.aged_up.empty() ? entry.replicas_up : entry.aged_up[month];
}
/// The rate of a replica or gang in a month, of what it is when all is learned and servers fail as in the mean.
[[nodiscard]] inline double part_of_rate(const CompiledEntry& entry, const CompiledPool& pool, std::size_t month) {
    return learned(pool, month) * (entry.aged_rate.empty() ? 1.0 : entry.aged_rate[month]);
}
[[nodiscard]] inline double rate_in(const CompiledEntry& entry, const CompiledPool& pool, std::size_t month) {
    return entry.rate * part_of_rate(entry, pool, month);
}

/// What a pool's capital takes at the month's first instant: servers, own-build facilities and upfront payments.
[[nodiscard]] inline double capital_paid(const Compiled& compiled, std::size_t month, std::size_t pool) {
    return compiled.payments[pool].capital[month];
}

/// Pure; no error: a Scenario is valid by construction. Cost: see group_hours; else O(months x pools).
[[nodiscard]] Compiled compile(const Scenario& scenario);

/// The same, bit for bit. `hours` may be of any scenario compiled before: where its curves tell the same hours of the same months
/// apart, they are taken, which saves most of the time.
/// `also` are curves that tell hours apart beside those of the scenario, and come last in the table.
[[nodiscard]] Compiled compile(const Scenario& scenario, HourTable&& hours, const std::vector<HourlyCurve>& also = {});

/// `compiled` is of a scenario that differs from this one in sizes alone, as Scenario sets them: makes it what compile gives,
/// so that it evaluates to the same bits.
void compile_sizes(const Scenario& scenario, Compiled& compiled);

} // namespace costcurve::model
