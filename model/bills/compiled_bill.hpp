// A utility's bill of a site, compiled by month: prices grown and at the month's exchange rate, 0 in months that they don't hold in
// (model.md, section 7).
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "model/documents/documents.hpp"
#include "model/ledger.hpp"

namespace costcurve::model {

/// Default power factor of a facility: the 80 PLUS requirement for a supply at half load, Bronze to Gold (Platinum 0.95)
/// (https://en.wikipedia.org/wiki/80_Plus, 2026-11-29).
inline constexpr double kPowerFactor = 0.9;

/// The prices of a demand charge; what it measures stands beside them (compile.hpp, CompiledCharge).
struct ChargePrices {
    std::vector<double> per_kw; ///< [m] price of a billed kW; 0 in months without the charge
    std::vector<double> factor; ///< [m] growth and exchange rate of tier prices, or 0
    std::vector<DemandTier> tiers;
    double min_kw = 0;
    double adjust = 1; ///< kW billed over kW measured
    friend bool operator==(const ChargePrices&, const ChargePrices&) = default;
};
/// Amount of a demand charge in a month, currency.
[[nodiscard]] double charge_amount(const ChargePrices& prices, double billed_kw, std::size_t month);
/// Lower bound of the marginal price of a kW in a month, at any power, currency/kW.
[[nodiscard]] double least_per_kw(const ChargePrices& prices, std::size_t month);

/// The parts of a bill other than hourly energy prices and demand charges, currency.
struct CompiledBill {
    bool is_stated = false;               ///< whether any part below other than tiers is stated
    std::vector<EnergyTier> tiers;        ///< of energy
    std::vector<char> tier_holds;         ///< [m x tiers]
    std::vector<double> tier_factor;      ///< [m] exchange rate over the first month's
    std::vector<double> per_kwh;          ///< [m] riders
    std::vector<double> per_kw;           ///< [m] riders and reactive power, of the largest power
    std::vector<double> reactive_per_kwh; ///< [m]
    std::vector<double> per_month;        ///< [m] riders
    std::vector<double> fraction;         ///< [m] riders, as a fraction of the rest of the bill
    std::vector<double> minimum;          ///< [m]
    std::vector<double> minimum_per_kw;   ///< [m]
    std::optional<std::size_t> minimum_charge;
    friend bool operator==(const CompiledBill&, const CompiledBill&) = default;
};

/// Surcharge of an energy tier in a month, currency/kWh; 0 in months in which it doesn't apply.
[[nodiscard]] inline double tier_price(const CompiledBill& bill, std::size_t tier, std::size_t month) {
    const bool is_held = bill.tier_holds[month * bill.tiers.size() + tier] != 0;
    return is_held ? bill.tiers[tier].add_per_kwh * bill.tier_factor[month] : 0.0;
}

/// kvar for each kW beyond the target: tan(acos(power factor)) - tan(acos(target)); 0 if the power factor reaches the target.
[[nodiscard]] double kvar_per_kw(const Site& site);
/// Billed kW per measured kW of demand charges: max(1, target / power factor) if the reactive charge adjusts demand, else 1.
[[nodiscard]] double demand_adjustment(const Site& site);
/// Whether a rider applies in a month of the horizon.
[[nodiscard]] bool holds(const Rider& rider, const ScenarioDocument& scenario, std::size_t month);
/// Whether the calendar months include that of horizon month `month`. An empty list means all months.
[[nodiscard]] bool is_listed(const std::vector<int>& months, const ScenarioDocument& scenario, std::size_t month);

/// `growth` by category and month.
[[nodiscard]] ChargePrices compile_prices(const DemandCharge& charge, const Site& site, const ScenarioDocument& scenario,
                                          const Cube& growth);
[[nodiscard]] CompiledBill compile_bill(const Site& site, const ScenarioDocument& scenario, const Cube& growth);

/// Metered quantities of a site in a month, from which bill lines are computed.
struct MeteredMonth {
    std::size_t month = 0;
    double kwh = 0.0;
    double days = 0.0;
    double peak_kw = 0.0; ///< the largest facility power
};
/// kWh beyond a tier's limit. kw: the kW that above_kwh_per_kw is multiplied by.
[[nodiscard]] double kwh_beyond(const EnergyTier& tier, const MeteredMonth& metered, double kw);
/// Cost of riders per kW and per month and of reactive power, currency.
[[nodiscard]] double by_kw_and_month(const CompiledBill& bill, const MeteredMonth& metered);
/// Shortfall of `billed` below the minimum bill, currency.
[[nodiscard]] double short_of_minimum(const CompiledBill& bill, std::size_t month, double kw, double billed);

} // namespace costcurve::model
