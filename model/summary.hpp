// What people ask of a ledger: totals, unit costs, allocation to workloads, present values (model.md, section 8).
#pragma once

#include <optional>
#include <vector>

#include "model/compile.hpp"

namespace costcurve::model {

struct Amounts {
    double cost = 0.0;
    double cash = 0.0;
};
using AmountsByCategory = std::array<Amounts, kCategories>;

/// A sum of what is known; where some of it is not, the whole is at least that.
struct Metered {
    double at_least = 0.0;
    bool is_known = true;

    [[nodiscard]] std::optional<double> value() const { return is_known ? std::optional(at_least) : std::nullopt; }
    /// Adds a share of another one: nothing of it, where the share is 0.
    void add(const Metered& part, double share = 1.0) {
        at_least += part.at_least * share;
        is_known = is_known && (part.is_known || share == 0.0);
    }
};

inline void add(Meters<Metered>& sum, const Meters<Metered>& part, double share = 1.0) {
    sum.energy_kwh.add(part.energy_kwh, share);
    sum.carbon_kg.add(part.carbon_kg, share);
    sum.water_l.add(part.water_l, share);
}

struct PoolSummary {
    Amounts total;
    AmountsByCategory by_category{};
    Meters<Metered> meters;
    double available_device_hours = 0.0;
    double reserved_device_hours = 0.0;
    double busy_device_hours = 0.0;
    std::optional<double> utilization_fraction;
    std::optional<double> cost_per_reserved_device_hour;
    std::optional<double> racks;   ///< most in any month
    double idle_cost = 0.0;        ///< borne by no workload
    double obligation = 0.0;       ///< payments that the horizon's end cuts off, undiscounted
    double lease_liability = 0.0;  ///< present value, at the horizon's start, of lease payments due in it
    std::optional<double> peak_kw; ///< largest facility power of any month, where a site is named
    // of provisioned units
    std::optional<double> unit_utilization;       ///< units served over what they can serve
    std::optional<double> break_even_utilization; ///< at which tokens by the price would cost as much
};

/// A place where owned pools stand, if it has an id.
struct SiteSummary {
    std::string id;
    std::vector<std::size_t> pools;
    double cost = 0.0; ///< all rows of the pools there
    Meters<Metered> meters;
    double peak_kw = 0.0;              ///< of all pools together
    std::vector<double> bill_by_month; ///< of the utility: energy and demand charges of the pools there
};

/// What the units of a class cost.
struct ClassCost {
    double cost = 0.0;
    double units = 0.0;
};

/// What a workload bears, or nobody.
struct Borne {
    double cost = 0.0;
    double cash = 0.0;
    double npv = 0.0; ///< of the cash
    Meters<Metered> meters;
};

struct WorkloadSummary : Borne {
    double units_demanded = 0.0;
    double units_served = 0.0;
    double units_unserved = 0.0;
    double units_lost_to_outages = 0.0;      ///< of these, that had room
    bool loses_too_much = false;             ///< of them more than its availability leaves, or than 0.1 % where none is stated
    double quantity = 0.0;                   ///< requests served, or epochs done
    std::optional<double> cost_per_quantity; ///< per inference, or per epoch
    std::optional<double> cost_per_million_units;
    std::vector<double> cost_by_pool;                              ///< "no pool" last
    std::array<std::optional<ClassCost>, kUnitClasses> by_class{}; ///< where units are split, and a request has such
    std::vector<double> backlog;                                   ///< by month, of deferrable work; 0 in the last
    std::optional<double> levelized_cost_per_million_units;
    std::optional<Evidence> evidence;
    std::optional<double> days;                         ///< of a run, from its start to its end; nothing where it does not end
    std::vector<std::optional<double>> hours_per_epoch; ///< by pool, where it ran there
    std::vector<std::optional<int>> batch;              ///< by pool, where one was stated or chosen
};

/// What workloads bear by the values of one key of their tags; all values together are the total.
struct TagSummary {
    std::string key;
    std::vector<std::string> values;   ///< ascending; then kUntagged where a workload has no such key, and kIdle
    std::vector<std::size_t> value_of; ///< by workload; the last that of nobody
    std::vector<Borne> borne;          ///< by value
};

struct MonthSummary {
    Amounts total;
    AmountsByCategory by_category{};
    Meters<Metered> meters;
    std::vector<Amounts> by_pool; ///< one more than pools: the last is "no pool"
};

enum class InfeasibleCode { unserved, over_power, availability, deadline };
template <>
inline constexpr auto enum_names<InfeasibleCode> = std::to_array<std::string_view>({"unserved", "over_power", "availability",
                                                                                    "deadline"});

/// Why a scenario can't do its work: a workload finds no room for more than it may leave undone, loses more to outages, or ends
/// its run too late, or a site draws more than it can.
struct Infeasibility {
    InfeasibleCode code = InfeasibleCode::unserved;
    std::string id; ///< of the workload or site; "" of a site without one
    double value = 0.0;
    double limit = 0.0; ///< fraction of the demand, kW, or days
};

struct Summary {
    Amounts total;
    double npv = 0.0;
    double npv_after_tax = 0.0;
    std::optional<double> npv_before_financing; ///< where there is a loan
    double equivalent_annual_cost = 0.0;
    Meters<Metered> meters;
    double unallocated_cost = 0.0; ///< borne by no workload
    Terminal terminal;             ///< in the horizon's last month
    AmountsByCategory by_category{};
    std::vector<PoolSummary> pools; ///< one more than the scenario has: the last is "no pool"
    std::vector<WorkloadSummary> workloads;
    std::vector<SiteSummary> sites;
    std::vector<TagSummary> by_tag; ///< by key, ascending
    std::vector<MonthSummary> months;
    std::vector<Infeasibility> infeasible_because; ///< none where it is feasible
    Objective decide_by = Objective::cost;
    std::vector<Issue> warnings;

    [[nodiscard]] bool is_feasible() const { return infeasible_because.empty(); }
};

/// What a pool took in a month. What it does not state is known, and 0, where none of it ran.
[[nodiscard]] Meters<Metered> meters_of(const Compiled& compiled, const Ledger& ledger, std::size_t month, std::size_t pool);

/// Sums and divides the ledger. Nothing served: an empty optional, never 0 or infinity.
[[nodiscard]] Summary summarize(const Scenario& scenario, const Compiled& compiled, const Ledger& ledger);

/// Present value of a pool's cash in a category: what is paid at a month's start by its own factor, the rest by that of its end.
[[nodiscard]] double present_value(const Compiled& compiled, const Ledger& ledger, std::size_t pool, std::size_t category);

/// False where a figure overflowed: absurd growth over a long horizon can.
[[nodiscard]] bool is_finite(const Summary& summary);

/// One line of the ledger; pool or workload is `kNone` where none bears it.
struct LedgerRow {
    static constexpr std::size_t kNone = static_cast<std::size_t>(-1);
    std::size_t month;
    std::size_t pool;
    std::size_t workload;
    Category category;
    double cost;
    double cash;
};
/// The ledger, allocated to workloads as the scenario says; rows with neither cost nor cash are left out.
[[nodiscard]] std::vector<LedgerRow> ledger_rows(const ScenarioDocument& scenario, const Ledger& ledger);

} // namespace costcurve::model
