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

struct PoolSummary {
    Amounts total;
    AmountsByCategory by_category{};
    double energy_kwh = 0.0;
    double carbon_kg = 0.0;
    double available_device_hours = 0.0;
    double reserved_device_hours = 0.0;
    double busy_device_hours = 0.0;
    std::optional<double> utilization_fraction;
    std::optional<double> cost_per_reserved_device_hour;
    std::optional<double> racks; ///< most in any month
};

struct WorkloadSummary {
    double cost = 0.0;
    double units_demanded = 0.0;
    double units_served = 0.0;
    double units_unserved = 0.0;
    double energy_kwh = 0.0;
    double carbon_kg = 0.0;
    double quantity = 0.0;                   ///< requests served, or epochs done
    std::optional<double> cost_per_quantity; ///< per inference, or per epoch
    std::optional<double> cost_per_million_units;
    std::optional<double> cost_per_million_input_units; ///< where units are split
    std::optional<double> cost_per_million_output_units;
    std::optional<double> levelized_cost_per_million_units;
    std::optional<Evidence> evidence;
    std::vector<std::optional<double>> hours_per_epoch; ///< by pool, where it ran there
    std::vector<std::optional<int>> batch;              ///< by pool, where one was stated or chosen
};

struct MonthSummary {
    Amounts total;
    AmountsByCategory by_category{};
    double energy_kwh = 0.0;
    double carbon_kg = 0.0;
    std::vector<Amounts> by_pool; ///< one more than pools: the last is "no pool"
};

struct Summary {
    Amounts total;
    double npv = 0.0;
    double npv_after_tax = 0.0;
    double energy_kwh = 0.0;
    double carbon_kg = 0.0;
    double unallocated_cost = 0.0;
    AmountsByCategory by_category{};
    std::vector<PoolSummary> pools; ///< one more than the scenario has: the last is "no pool"
    std::vector<WorkloadSummary> workloads;
    std::vector<MonthSummary> months;
    std::vector<Issue> warnings;
};

/// Sums and divides the ledger. Nothing served: an empty optional, never 0 or infinity.
[[nodiscard]] Summary summarize(const Scenario& scenario, const Compiled& compiled, const Ledger& ledger);

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
/// The ledger, allocated to workloads; rows with neither cost nor cash are left out.
[[nodiscard]] std::vector<LedgerRow> ledger_rows(const Ledger& ledger);

} // namespace costcurve::model
