// A site and what its utility bills: energy by block, demand, reactive power, riders, the minimum.
// Fields in model/documents/fields_hardware.hpp and fields_tariff.hpp; rules in model/bills/bill_rules.hpp.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "model/documents/curve.hpp"
#include "model/documents/enum_names.hpp"
#include "model/documents/values.hpp"

namespace costcurve::model {

enum class ExtraCategory { other, facility, maintenance, software, staff, network, storage };
template <>
inline constexpr auto enum_names<ExtraCategory> = std::to_array<std::string_view>({"other", "facility", "maintenance", "software",
                                                                                   "staff", "network", "storage"});

/// What costs beside all else, of a pool, a site or the scenario; amounts may be negative.
struct ExtraCost {
    std::string name = {};
    ExtraCategory category = ExtraCategory::other;
    double per_month = 0.0;
    double per_unit_month = 0.0;    ///< of each server in service, or instance-hours paid over hours of the month
    double fraction_of_bill = 0.0;  ///< of compute, usage and commitment
    double per_year_of_price = 0.0; ///< of the purchase price in service
    double once = 0.0;
    int from_month = 0;
    std::optional<int> months = std::nullopt;         ///< to the horizon's end where unstated
    std::optional<double> growth_rate = std::nullopt; ///< the category's where unstated
    friend bool operator==(const ExtraCost&, const ExtraCost&) = default;
};

/// What each kW beyond a limit adds to a demand charge.
struct DemandTier {
    double above_kw = 0.0, add_per_kw_month = 0.0;
    friend bool operator==(const DemandTier&, const DemandTier&) = default;
};

/// A charge on the facility power of a site in a month.
struct DemandCharge {
    double per_kw_month = 0.0;
    std::optional<Curve> hours = std::nullopt; ///< 0 or 1 by hour of the week; all where unstated
    std::vector<int> months = {};              ///< 1 to 12; all where empty
    double ratchet_fraction = 0.0;
    int ratchet_months = 11;
    std::vector<int> ratchet_peak_months = {}; ///< 1 to 12; all where empty
    bool coincident = false;                   ///< at the grid's peak: the mean of its hours, else the largest
    double min_kw = 0.0;                       ///< billed at least
    std::vector<DemandTier> tiers = {};
    double per_kw_year = 0.0; ///< beside per_kw_month, in equal parts over the months that bill
    std::string name = {};
    friend bool operator==(const DemandCharge&, const DemandCharge&) = default;
};

/// An amount on each kWh of a site's month beyond the sum of these.
struct EnergyTier {
    double above_kwh_month = 0.0, add_per_kwh = 0.0;
    double above_kwh_day = 0.0, above_kwh_per_kw = 0.0; ///< of each day of the month, and each kW of its largest facility power
    std::vector<int> months = {};                       ///< 1 to 12; all where empty
    std::optional<int> kw_of_charge = std::nullopt;     ///< whose billed kW counts; the largest power where unstated
    friend bool operator==(const EnergyTier&, const EnergyTier&) = default;
};

/// What a bill is at least in a month.
struct MinimumBill {
    double per_month = 0.0;
    double per_kw_month = 0.0;
    std::optional<int> kw_of_charge = std::nullopt; ///< whose billed kW counts; the largest power where unstated
    friend bool operator==(const MinimumBill&, const MinimumBill&) = default;
};

/// What a tariff bills for reactive power.
struct ReactiveCharge {
    double target_power_factor = 1.0; ///< at which nothing is billed
    double per_kvar_month = 0.0;
    double per_kvarh = 0.0;
    bool adjusts_demand = false; ///< kW of demand charges are multiplied by target / power factor
    friend bool operator==(const ReactiveCharge&, const ReactiveCharge&) = default;
};

/// A line of a bill beside energy and demand: a fixed charge, an adjustment, a tax.
struct Rider {
    std::string name = {};
    double per_month = 0.0;
    double per_kwh = 0.0;
    double per_kw = 0.0;                        ///< of the month's largest facility power
    double fraction_of_bill = 0.0;              ///< of all other lines, the minimum included
    std::vector<int> months = {};               ///< 1 to 12; all where empty
    int from_month = 0;                         ///< of the horizon
    std::optional<int> to_month = std::nullopt; ///< of the horizon, included; its last where unstated
    friend bool operator==(const Rider&, const Rider&) = default;
};

struct Site {
    std::string id, source, note;
    Stored stored;
    std::string region;
    std::string country;
    std::string time_zone = "UTC";
    Rate energy_price;
    double energy_price_growth_rate = 0.0;
    double demand_charge_per_kw_month = 0.0;
    Rate pue{1.0, std::nullopt};
    std::optional<Rate> carbon_g_per_kwh; ///< not known where unstated
    double space_per_kw_month = 0.0;
    double space_per_rack_month = 0.0;
    double rack_units_per_rack = 42.0;
    double facility_price_per_w = 0.0;
    std::optional<int> facility_life_months;
    std::optional<double> rack_kw;
    double fte = 0.0;
    double fte_per_server = 0.0;
    double salary_per_year = 0.0;
    double network_per_month = 0.0;
    double storage_per_month = 0.0;
    std::optional<Curve> energy_price_index;
    std::optional<Curve> carbon_index;
    std::vector<DemandCharge> demand_charges;
    std::vector<EnergyTier> energy_tiers;
    std::optional<MinimumBill> minimum_bill;
    std::optional<double> power_factor; ///< kPowerFactor where a reactive charge needs it
    std::optional<ReactiveCharge> reactive;
    std::vector<Rider> riders;
    std::optional<double> max_kw;
    int places = 1;
    std::optional<double> water_l_per_kwh;
    std::vector<ExtraCost> extra_costs;
    std::string currency;
    friend bool operator==(const Site&, const Site&) = default;
};

} // namespace costcurve::model
