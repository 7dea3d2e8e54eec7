// Compiles a scenario into numbers for plain loops: curves are sampled once, power draws precomputed, fixed costs summed.
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

/// A rate over the horizon: monthly[m], times the hour's value of row `curve` of the hour table unless `curve` is kFlat.
struct Signal {
    static constexpr int kFlat = -1;
    int curve = kFlat;
    std::vector<double> monthly;
    friend bool operator==(const Signal&, const Signal&) = default;
};

/// An extra cost that scales with the paid instances or the bill of a cloud or API pool.
struct VariableExtra {
    Category category = Category::other;
    std::vector<double> per_unit; ///< [m] currency for an instance that is paid all month
    std::vector<double> of_bill;  ///< [m] fraction of the cost of compute, usage and commitment
    friend bool operator==(const VariableExtra&, const VariableExtra&) = default;
};

/// A pool in the form that evaluate reads.
struct CompiledPool {
    PoolKind kind = PoolKind::cloud;
    bool follows_demand = false;         ///< on demand or spot; committed instances always run
    bool serves = false;                 ///< inference may run here
    bool defers = false;                 ///< training or batch work may run here
    bool costs_by_hour = false;          ///< an instance-hour has a marginal price
    double devices_per_unit = 1;         ///< a unit is an instance or a server
    bool holds_whole = true;             ///< all replicas and gangs hold whole devices
    double between_bursts = 1;           ///< fraction of the time between bursts that burst-only instances run
    double there = 1;                    ///< fraction of each hour in which instances are available
    Signal window;                       ///< 1 in the rented hours, else 0; flat if its months are rented in full
    std::vector<double> ramp;            ///< [m] fraction of full rates after learning; empty: 1
    std::vector<double> units_serving;   ///< [m] instances that may serve, or servers past their ramp
    std::vector<double> units_paid;      ///< [m] minimum of instances paid, servers in service, or provisioned units
    std::vector<double> hourly_price;    ///< [m] of an instance, or of a provisioned unit without a monthly price
    std::vector<double> max_units_per_s; ///< [m] rate limit of an API pool
    double units_per_s_of_unit = 0;      ///< API: capacity of a provisioned unit; 0 if none is bought
    std::vector<double> monthly_price;   ///< [m] API: of a provisioned unit, on top of hourly_price
    bool metered = false;                ///< has a site: energy and carbon are computed
    Meters<bool> known;                  ///< the meters that can be computed; others are 0 in the ledger
    Signal energy_price;                 ///< currency/kWh; owned only
    Signal pue;
    std::optional<PiecewiseLinear> pue_by_load;
    Signal carbon_g_per_kwh;
    PowerDraw power;
    double water_l_per_kwh = 0;      ///< of IT energy
    double kwh_per_unit = 0;         ///< API
    double carbon_kg_per_unit = 0;   ///< API
    std::vector<double> embodied_kg; ///< [m]
    std::vector<double> racks;       ///< [m], owned; its part if pools of a site share racks
    std::vector<VariableExtra> extras;
    std::vector<double> commitment; ///< [m] cost of upfronts, if extras read it
    /// Cost of provisioned units in a month of `month_hours`.
    [[nodiscard]] double paid_for_units(std::size_t month, double month_hours) const {
        return units_paid[month] * (month_hours * hourly_price[month] + monthly_price[month]);
    }
    friend bool operator==(const CompiledPool&, const CompiledPool&) = default;
};

/// Payments and liabilities of a pool's contracts that the ledger doesn't hold.
struct PoolPayments {
    std::vector<double> capital; ///< [m] paid at the month's start for servers, own-build facilities and upfronts
    double obligation = 0;       ///< payments due after the horizon, undiscounted
    double lease_liability = 0;  ///< present value, at the horizon's start, of lease payments due in the horizon
};

/// A demand charge of a site.
struct CompiledCharge {
    ChargePrices prices;
    Signal hours;           ///< 1 where an hour counts
    bool has_hours = false; ///< false: all hours count
    bool is_mean = false;   ///< charges the mean power of the counted hours, else the largest
    double ratchet_fraction = 0;
    std::size_t ratchet_months = 0;
    std::vector<char> is_peak_month; ///< [m] whether the month's peak counts for the ratchet
    friend bool operator==(const CompiledCharge&, const CompiledCharge&) = default;
};

/// A site of owned pools. Its price, PUE and carbon signals are stored in each of its pools.
struct CompiledSite {
    std::vector<std::size_t> pools;   ///< ascending
    std::vector<double> nameplate_kw; ///< [m] of servers in service
    std::vector<CompiledCharge> charges;
    std::size_t first_charge = 0; ///< index of the first of them in the ledger
    CompiledBill bill;
    std::optional<double> max_kw;
    bool needs_hours = false; ///< needs its power by hour, not only the month's largest
    friend bool operator==(const CompiledSite&, const CompiledSite&) = default;
};

/// An on-demand pool that a spend commitment pays for, and its discount (a fraction of the price).
struct SpendShare {
    std::size_t pool = 0;
    double discount = 0;
    friend bool operator==(const SpendShare&, const SpendShare&) = default;
};
struct CompiledSpend {
    std::vector<double> hourly;    ///< [m] currency an hour
    std::vector<SpendShare> pools; ///< in the order in which the commitment is applied
    friend bool operator==(const CompiledSpend&, const CompiledSpend&) = default;
};

/// The part of an API's price of a mean unit that one class of units makes up.
struct ClassPrice {
    UnitClass unit_class = UnitClass::input;
    std::vector<double> price; ///< [m]
    friend bool operator==(const ClassPrice&, const ClassPrice&) = default;
};

struct CompiledEntry {
    std::size_t workload = 0;
    std::size_t pool = 0;
    double share = 0;       ///< fraction of the work that this entry gets first, if entries have shares
    double rate = 0;        ///< units/s of a replica or gang, goodput included, before learning
    double usable_rate = 0; ///< rate x peak_utilization
    double goodput = 1;
    ReplicasUp replicas_up{1.0, 0.0};   ///< for inference on devices
    std::vector<ReplicasUp> aged_up;    ///< [m] replaces replicas_up if failures depend on server age
    std::vector<double> aged_rate;      ///< [m] aged rate / `rate` for training and batch; empty: 1
    bool starts = false;                ///< burst-only replicas start anew for each burst
    double devices = 1;                 ///< devices of a replica or gang
    double held = 1;                    ///< devices of its hosts that no other replica can use
    double instances = 1;               ///< instances of a gang on a cloud pool: a whole number, or 1/k if k gangs share one
    double egress_per_unit = 0;         ///< currency, before growth; the highest tier's price if the seller has tiers
    double egress_gb_per_unit = 0;      ///< set only if the seller has tiers
    std::vector<double> price_per_unit; ///< [m] API pools
    std::vector<double> token_price;    ///< [m] pay-per-token price of a unit; only if provisioned units are bought
    std::vector<ClassPrice> by_class;   ///< parts of price_per_unit by unit class, if units are split
    std::vector<std::vector<double>> by_length; ///< [bucket][m] parts of price_per_unit by length, if token_mix has several
    double marginal_kwh = 0;            ///< kWh a unit above idle, before PUE; owned pools, and rented ones with a carbon price
    std::vector<double> marginal_price; ///< [m] currency a unit without marginal_kwh's cost: instance-hours, API, egress
    double pue_at_full_load = 1;        ///< set if PUE is a curve over load
    Evidence evidence = Evidence::measured;
    std::optional<int> batch;
    friend bool operator==(const CompiledEntry&, const CompiledEntry&) = default;
};

struct CompiledWorkload {
    WorkloadKind kind = WorkloadKind::inference;
    [[nodiscard]] bool is_deferrable() const { return kind != WorkloadKind::inference; }
    bool cheapest = false;
    bool by_share = false;    ///< work is first split by the entries' shares
    bool is_pair = false;     ///< the first entry reads prompts, the second writes answers
    bool has_outages = false; ///< replicas fail or aren't always available, or spares are held
    double spare_replicas = 0;
    double burst_factor = 1; ///< highest rate within an hour / mean rate of the hour
    std::size_t first_entry = 0;
    std::size_t first_answer = 0; ///< first_entry, or in a pair the entry after the one that reads prompts
    std::size_t end_entry = 0;
    Signal demand;                        ///< units/s, inference
    std::vector<double> work;             ///< [m] units, training and batch
    bool is_run = false;                  ///< a training run of one gang until it ends
    bool waits = true;                    ///< may wait for the hours of the lowest energy price
    double first_share = 1;               ///< fraction of the first month after the run's start
    double share_of_day = 1;              ///< fraction of a day in which the day's work is done
    double start_hours = 0;               ///< batch: hours of boot time at each start of a gang on rented instances
    bool starts_daily = false;            ///< gangs start once a day (there is a deadline), else once a month
    std::vector<double> before_fall_back; ///< [m] fraction of the month before a run falls back to its last entry; empty: never
    bool carries_over = false;            ///< unfinished work moves to the next month
    double unserved_cost_per_unit = 0;
    friend bool operator==(const CompiledWorkload&, const CompiledWorkload&) = default;
};

/// Payment times of the cash that doesn't depend on load.
struct FixedFlows {
    Cube starts; ///< [m][p][category] the part of the fixed ledger's cash that is paid at the month's first instant
};

/// Capital flows of all pools by month, split as tax and discounting need them. Purchases of assets and loan principal aren't
/// taxed.
struct CapitalFlows {
    std::vector<double> start;               ///< purchases at the month's start, less loans received
    std::vector<double> principal;           ///< repaid at the month's end
    std::vector<double> sold;                ///< sales before the horizon's end, at the month's end; negative
    std::vector<double> tax_credit;          ///< deducted at the month's end
    std::vector<double> tax_credit_of_sales; ///< the part of tax_credit that belongs to `sold`
    double tax_credit_at_end = 0;            ///< the part of tax_credit at the horizon's end
};

/// The cost by month that one extra cost of a pool, a site or the scenario adds to one pool (index P is "no pool"). Costs that
/// depend on the bill are added by evaluate.
struct ExtraRow {
    std::size_t pool = 0;
    Category category = Category::other;
    std::string pointer; ///< JSON pointer of the extra cost
    std::vector<double> cost;
    std::optional<std::size_t> variable; ///< index in the pool's extras of the part that evaluate adds
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
    Cube growth; ///< [category][m] price growth factor
    /// [curve][set] hours of the set by ascending value of the curve, for curves that order training by price.
    std::vector<std::vector<std::vector<std::uint32_t>>> ascending_hours;
    Ledger fixed; ///< all amounts that don't depend on dispatch
    FixedFlows flows;
    std::vector<ExtraRow> extra_rows;
    CapitalFlows capital;
    bool has_loans = false;
    Terminal terminal;            ///< of all pools
    std::vector<double> discount; ///< [m] factor at the month's start; the last is for the horizon's end
    double carbon_price_per_kg = 0;
    double tax_rate = 0;
    std::optional<double> taxable_income_per_year; ///< other taxable income; unset: enough for all deductions
    double loss_offset_fraction = 1;
    double npv_capital = 0;    ///< of hardware, own-build facility and principal
    double npv_tax_credit = 0; ///< of the deductions for npv_capital, before the tax rate
};

/// Fraction of its full rates that a pool reaches in a month of its ramp.
[[nodiscard]] inline double learned(const CompiledPool& pool, std::size_t month) {
    return pool.ramp.empty() ? 1.0 : pool.ramp[month];
}

/// The distribution of replicas that are up in a month; it varies by month only if failures depend on server age.
[[nodiscard]] inline const ReplicasUp& up_in(const CompiledEntry& entry, std::size_t month) {
    return entry.aged_up.empty() ? entry.replicas_up : entry.aged_up[month];
}
/// Rate of a replica or gang in a month, as a fraction of its rate after learning and at the mean failure rate.
[[nodiscard]] inline double part_of_rate(const CompiledEntry& entry, const CompiledPool& pool, std::size_t month) {
    return learned(pool, month) * (entry.aged_rate.empty() ? 1.0 : entry.aged_rate[month]);
}
[[nodiscard]] inline double rate_in(const CompiledEntry& entry, const CompiledPool& pool, std::size_t month) {
    return entry.rate * part_of_rate(entry, pool, month);
}

/// Capital paid for a pool at the month's first instant: servers, own-build facilities and upfront payments.
[[nodiscard]] inline double capital_paid(const Compiled& compiled, std::size_t month, std::size_t pool) {
    return compiled.payments[pool].capital[month];
}

/// Pure; no error: a Scenario is valid by construction. Cost: see group_hours; else O(months x pools).
[[nodiscard]] Compiled compile(const Scenario& scenario);

/// As compile above, bit for bit. `hours` may come from any scenario compiled before. It is reused if it groups the same hours of
/// the same months, which saves most of the time. `also` are further curves by which hours are distinguished; they come last in the
/// table.
[[nodiscard]] Compiled compile(const Scenario& scenario, HourTable&& hours, const std::vector<HourlyCurve>& also = {});

/// Updates `compiled`, which was compiled from a scenario that differs from this one only in sizes (Scenario::set_units,
/// set_spares). The result evaluates to the same bits as a new compile.
void compile_sizes(const Scenario& scenario, Compiled& compiled);

} // namespace costcurve::model
