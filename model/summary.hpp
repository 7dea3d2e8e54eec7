// The summary of a ledger: totals, unit costs, allocation to workloads, present values (model.md, section 8).
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

/// Sum of the known parts of a metered quantity; a lower bound if `is_known` is false.
struct Metered {
    double at_least = 0.0;
    bool is_known = true;

    [[nodiscard]] std::optional<double> value() const { return is_known ? std::optional(at_least) : std::nullopt; }
    /// Adds a share of another sum; with a share of 0, is_known doesn't change either.
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
    std::optional<double> racks;   ///< maximum over the months
    double idle_cost = 0.0;        ///< borne by no workload
    double obligation = 0.0;       ///< payments due after the horizon, undiscounted
    double lease_liability = 0.0;  ///< present value, at the horizon's start, of lease payments due in the horizon
    std::optional<double> peak_kw; ///< largest facility power of any month, if the pool has a site
    // Set for pools with provisioned units:
    std::optional<double> unit_utilization;       ///< units served / capacity
    std::optional<double> break_even_utilization; ///< at which pay-per-token would cost as much
};

/// A site of owned pools that has an id.
struct SiteSummary {
    std::string id;
    std::vector<std::size_t> pools;
    double cost = 0.0; ///< all ledger rows of its pools
    Meters<Metered> meters;
    double peak_kw = 0.0;              ///< of all pools together
    std::vector<double> bill_by_month; ///< utility bill: energy and demand charges of its pools
};

/// Cost and number of the units of a class.
struct ClassCost {
    double cost = 0.0;
    double units = 0.0;
};

/// Cost, cash and meters allocated to one workload, or left unallocated.
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
    double units_lost_to_outages = 0.0;      ///< the part of units_unserved that had capacity
    bool loses_too_much = false;             ///< outages lose more than its availability allows, or than 0.1 % if none is stated
    double quantity = 0.0;                   ///< requests served, or epochs done
    std::optional<double> cost_per_quantity; ///< per inference, or per epoch
    std::optional<double> cost_per_million_units;
    std::vector<double> cost_by_pool;                              ///< "no pool" last
    std::array<std::optional<ClassCost>, kUnitClasses> by_class{}; ///< if units are split and a request has the class
    std::vector<double> backlog;                                   ///< by month, of deferrable work; 0 in the last
    std::optional<double> levelized_cost_per_million_units;
    std::optional<Evidence> evidence;
    std::optional<double> days;                         ///< of a run from start to end; empty if it doesn't end in the horizon
    std::vector<std::optional<double>> hours_per_epoch; ///< by pool; empty if it didn't run there
    std::vector<std::optional<int>> batch;              ///< by pool, if stated or chosen
};

/// Costs of workloads grouped by the values of one tag key; the groups add up to the total.
struct TagSummary {
    std::string key;
    std::vector<std::string> values;   ///< ascending; then kUntagged if a workload lacks the key, and kIdle
    std::vector<std::size_t> value_of; ///< by workload, index into `values`; the last is for unallocated cost
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

/// A reason why a scenario can't do its work. A workload leaves more work unserved, or loses more to outages, than it may, or ends
/// too late; or a site draws more power than its limit.
struct Infeasibility {
    InfeasibleCode code = InfeasibleCode::unserved;
    std::string id; ///< of the workload or site; "" for a site without an id
    double value = 0.0;
    double limit = 0.0; ///< fraction of the demand, kW, or days
};

struct Summary {
    Amounts total;
    double npv = 0.0;
    double npv_after_tax = 0.0;
    std::optional<double> npv_before_financing; ///< if there is a loan
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
    std::vector<Infeasibility> infeasible_because; ///< empty if the scenario is feasible
    Objective decide_by = Objective::cost;
    std::vector<Issue> warnings;

    [[nodiscard]] bool is_feasible() const { return infeasible_because.empty(); }
};

/// Meters of a pool in a month. If the pool didn't run, quantities that it doesn't state are 0 and known.
[[nodiscard]] Meters<Metered> meters_of(const Compiled& compiled, const Ledger& ledger, std::size_t month, std::size_t pool);

/// Sums up the ledger and computes unit costs, which are empty (never 0 or infinity) if nothing was served.
[[nodiscard]] Summary summarize(const Scenario& scenario, const Compiled& compiled, const Ledger& ledger);

/// Present value of a pool's cash in a category, with separate discount factors for payments at a month's start and end.
[[nodiscard]] double present_value(const Compiled& compiled, const Ledger& ledger, std::size_t pool, std::size_t category);

/// False if a figure overflowed, which extreme growth rates over a long horizon can cause.
[[nodiscard]] bool is_finite(const Summary& summary);

/// One line of the ledger; pool or workload is `kNone` if the line has none.
struct LedgerRow {
    static constexpr std::size_t kNone = static_cast<std::size_t>(-1);
    std::size_t month;
    std::size_t pool;
    std::size_t workload;
    Category category;
    double cost;
    double cash;
};
/// The rows of the ledger, allocated to workloads by the scenario's rule; rows without cost and cash are omitted.
[[nodiscard]] std::vector<LedgerRow> ledger_rows(const ScenarioDocument& scenario, const Ledger& ledger);

} // namespace costcurve::model
