// What a scenario says of money as a whole: how it is discounted, taxed and compared, and who bears what.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/documents/enum_names.hpp"

namespace costcurve::model {

enum class Capital { straight_line, annuity };
enum class AtEnd { exit, continuing };
/// What scenarios are compared by: the figures of a result's total. Less is better of each.
enum class Objective { cost, cash, npv, npv_after_tax, energy_kwh, carbon_kg };
enum class TaxDepreciation { straight_line, macrs_5, declining_balance, macrs_3, macrs_7, table };
/// By what the costs of a pool are borne: device-hours reserved or busy, or stated fractions.
enum class AllocationBasis { reserved, used, fixed };
/// Whether those who use a pool bear its idle device-hours too, or nobody.
enum class IdleRule { spread, apart };

template <> inline constexpr auto enum_names<Capital> = std::to_array<std::string_view>({"straight_line", "annuity"});
template <>
inline constexpr auto enum_names<Objective> = std::to_array<std::string_view>({"cost", "cash", "npv", "npv_after_tax", "energy_kwh",
                                                                               "carbon_kg"});
template <> inline constexpr auto enum_names<AtEnd> = std::to_array<std::string_view>({"exit", "continue"});
template <>
inline constexpr auto enum_names<TaxDepreciation> =
    std::to_array<std::string_view>({"straight_line", "macrs_5", "declining_balance", "macrs_3", "macrs_7", "table"});
template <> inline constexpr auto enum_names<AllocationBasis> = std::to_array<std::string_view>({"reserved", "used", "fixed"});
template <> inline constexpr auto enum_names<IdleRule> = std::to_array<std::string_view>({"spread", "apart"});

/// {key: value} by which people group what they pay for.
using Tags = std::map<std::string, std::string>;
/// What stands in results for the value of workloads without a key, and for what no workload bears.
inline constexpr std::string_view kUntagged = "(untagged)";
inline constexpr std::string_view kIdle = "(idle)";

struct Finance {
    double discount_rate = 0.0;
    Capital capital = Capital::straight_line;
    AtEnd at_end = AtEnd::exit;
    std::optional<Objective> decide_by;
    double tax_rate = 0.0;
    TaxDepreciation tax_depreciation = TaxDepreciation::straight_line;
    std::optional<double> tax_depreciation_rate;
    std::vector<double> tax_depreciation_table = {};
    double bonus_depreciation_fraction = 0.0;
    double investment_credit_fraction = 0.0;
    std::optional<double> taxable_income_per_year = std::nullopt; ///< beside the scenario; enough for all of it where unstated
    double loss_offset_fraction = 1.0;                            ///< of a later year's income, that losses carried forward are off
    double inflation_rate = 0.0;
    std::map<std::string, double> growth_rates = {};
    double carbon_price_per_tonne = 0.0;
    double engineer_week_cost = 0.0;
    friend bool operator==(const Finance&, const Finance&) = default;
};

/// Who bears what a pool costs beside what workloads cause by themselves.
struct Allocation {
    AllocationBasis basis = AllocationBasis::reserved;
    std::optional<IdleRule> idle = std::nullopt; ///< spread where unstated
    std::map<std::string, double> shares = {};   ///< fraction by workload; of the basis fixed
    friend bool operator==(const Allocation&, const Allocation&) = default;
};

} // namespace costcurve::model
