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

/// Of a facility that states none: what 80 PLUS asks of a supply at half load, Bronze to Gold (Platinum 0.95)
/// (https://en.wikipedia.org/wiki/80_Plus, 2026-11-29).
inline constexpr double kPowerFactor = 0.9;

/// The prices of a demand charge; what it measures stands beside them (compile.hpp, CompiledCharge).
struct ChargePrices {
    std::vector<double> per_kw; ///< [m] of each kW billed; 0 in months that do not bill
    std::vector<double> factor; ///< [m] of what tiers add: their growth and exchange rate, or 0
    std::vector<DemandTier> tiers;
    double min_kw = 0;
    double adjust = 1; ///< kW billed over kW measured
    friend bool operator==(const ChargePrices&, const ChargePrices&) = default;
};
/// What a demand charge comes to. currency.
[[nodiscard]] double charge_amount(const ChargePrices& prices, double billed_kw, std::size_t month);
/// The least that a kW more can cost in a month, at any power: for bounds. currency/kW.
[[nodiscard]] double least_per_kw(const ChargePrices& prices, std::size_t month);

/// What a bill has beside the price of energy by the hour and demand charges. currency.
struct CompiledBill {
    bool is_stated = false;               ///< whether there is any of what follows but tiers
    std::vector<EnergyTier> tiers;        ///< of energy
    std::vector<char> tier_holds;         ///< [m x tiers]
    std::vector<double> tier_factor;      ///< [m] exchange rate over the first month's
    std::vector<double> per_kwh;          ///< [m] riders
    std::vector<double> per_kw;           ///< [m] riders and reactive power, of the largest power
    std::vector<double> reactive_per_kwh; ///< [m]
    std::vector<double> per_month;        ///< [m] riders
    std::vector<double> fraction;         ///< [m] riders, of all else
    std::vector<double> minimum;          ///< [m]
    std::vector<double> minimum_per_kw;   ///< [m]
    std::optional<std::size_t> minimum_charge;
    friend bool operator==(const CompiledBill&, const CompiledBill&) = default;
};

/// What an energy tier adds to the price of a kWh in a month; 0 where it doesn't hold. currency/kWh.
[[nodiscard]] inline double tier_price(const CompiledBill& bill, std::size_t tier, std::size_t month) {
    const bool is_held = bill.tier_holds[month * bill.tiers.size() + tier] != 0;
    return is_held ? bill.tiers[tier].add_per_kwh * bill.tier_factor[month] : 0.0;
}

/// kvar for each kW beyond the target: tan(acos(power factor)) - tan(acos(target)), 0 where the factor is no less than it.
[[nodiscard]] double kvar_per_kw(const Site& site);
/// kW that demand charges bill for each that is measured: target / power factor where that is above 1, else 1.
[[nodiscard]] double demand_adjustment(const Site& site);
/// Whether a rider holds in a month of the horizon.
[[nodiscard]] bool holds(const Rider& rider, const ScenarioDocument& scenario, std::size_t month);
/// Whether calendar months, all where none is listed, have that of the horizon's month.
[[nodiscard]] bool is_listed(const std::vector<int>& months, const ScenarioDocument& scenario, std::size_t month);

/// `growth` by category and month.
[[nodiscard]] ChargePrices compile_prices(const DemandCharge& charge, const Site& site, const ScenarioDocument& scenario,
                                          const Cube& growth);
[[nodiscard]] CompiledBill compile_bill(const Site& site, const ScenarioDocument& scenario, const Cube& growth);

/// A site's month as it was metered: what its lines are reckoned from.
struct MeteredMonth {
    std::size_t month = 0;
    double kwh = 0.0;
    double days = 0.0;
    double peak_kw = 0.0; ///< the largest facility power
};
/// kWh beyond a tier's limit; kw: of what above_kwh_per_kw counts.
[[nodiscard]] double kwh_beyond(const EnergyTier& tier, const MeteredMonth& metered, double kw);
/// Riders by the kW and the month, and reactive power. currency.
[[nodiscard]] double by_kw_and_month(const CompiledBill& bill, const MeteredMonth& metered);
/// What is missing to the minimum. currency.
[[nodiscard]] double short_of_minimum(const CompiledBill& bill, std::size_t month, double kw, double billed);

} // namespace costcurve::model
