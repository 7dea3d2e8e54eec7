// Each finding has the pointer of the field to mend.
#include "model/bills/bill_rules.hpp"

#include <algorithm>
#include <optional>

#include "model/bills/compiled_bill.hpp"

namespace costcurve::model {

namespace {

void check_window(const Curve& hours, const std::string& pointer, Rules& rules) {
    if (hours.axis != Axis::hour_of_week || hours.interpolation != Interpolation::step) {
        rules.add(pointer, Code::inconsistent,
                  fmt::format("hours is a {} curve over {}; give a step curve over hour_of_week", name_of(hours.interpolation),
                              name_of(hours.axis)));
        return;
    }
    const auto odd = std::find_if(hours.y.begin(), hours.y.end(), [](double y) { return y != 0.0 && y != 1.0; });
    if (odd != hours.y.end()) {
        rules.add(fmt::format("{}/points/{}/1", pointer, odd - hours.y.begin()), Code::out_of_range,
                  fmt::format("hours has the value {}; allowed 0 and 1", *odd));
    }
}

// Ascending, and no kW is paid for.
void check_demand_tiers(const DemandCharge& charge, const std::string& pointer, Rules& rules) {
    constexpr double kRounding = 1e-9;
    const double months = charge.months.empty() ? 12.0 : static_cast<double>(charge.months.size());
    double price = charge.per_kw_month + charge.per_kw_year / months;
    for (std::size_t i = 0; i < charge.tiers.size(); ++i) {
        const DemandTier& tier = charge.tiers[i];
        if (i > 0 && tier.above_kw <= charge.tiers[i - 1].above_kw) {
            rules.add(fmt::format("{}/tiers/{}/above_kw", pointer, i), Code::not_ascending,
                      fmt::format("above_kw is {} after {}; tiers ascend", tier.above_kw, charge.tiers[i - 1].above_kw));
        }
        price += tier.add_per_kw_month;
        if (price < -kRounding) {
            rules.add(fmt::format("{}/tiers/{}/add_per_kw_month", pointer, i), Code::out_of_range,
                      fmt::format("add_per_kw_month is {}, with which a kW costs {}; the price of a kW is at least 0",
                                  tier.add_per_kw_month, price));
            return;
        }
    }
}

void check_energy_tiers(const Site& site, const std::string& pointer, Rules& rules) {
    for (std::size_t i = 1; i < site.energy_tiers.size(); ++i) {
        const EnergyTier& before = site.energy_tiers[i - 1];
        const EnergyTier& now = site.energy_tiers[i];
        if (now.above_kwh_day != before.above_kwh_day || now.above_kwh_per_kw != before.above_kwh_per_kw ||
            now.months != before.months) {
            continue; // which of them is beyond the other depends on the month
        }
        if (now.above_kwh_month <= before.above_kwh_month) {
            rules.add(fmt::format("{}/energy_tiers/{}/above_kwh_month", pointer, i), Code::not_ascending,
                      fmt::format("above_kwh_month is {} after {}; tiers ascend", now.above_kwh_month, before.above_kwh_month));
        }
    }
}

// A place among the demand charges.
void check_kw_of_charge(const std::optional<int>& place, std::size_t charges, const std::string& pointer, Rules& rules) {
    if (place && static_cast<std::size_t>(*place) >= charges) {
        rules.add(pointer + "/kw_of_charge", Code::unknown_reference,
                  fmt::format("kw_of_charge is {}, and the site has {} demand_charges; the first is 0", *place, charges));
    }
}

void check_riders(const Site& site, const std::string& pointer, Rules& rules) {
    double taken_off = 0.0;
    for (std::size_t i = 0; i < site.riders.size(); ++i) {
        const Rider& rider = site.riders[i];
        const std::string at = fmt::format("{}/riders/{}", pointer, i);
        taken_off += std::min(0.0, rider.fraction_of_bill);
        if (taken_off < -1.0 && rider.fraction_of_bill < 0.0) {
            rules.add(at + "/fraction_of_bill", Code::out_of_range,
                      fmt::format("fraction_of_bill is {}; all together take {} off, allowed 1 at most", rider.fraction_of_bill,
                                  -taken_off));
        }
        if (rider.to_month && *rider.to_month < rider.from_month) {
            rules.add(at + "/to_month", Code::inconsistent,
                      fmt::format("to_month is {}, before from_month, {}", *rider.to_month, rider.from_month));
        }
    }
}

} // namespace

void check_bill(const Site& site, const std::string& pointer, Rules& rules) {
    if (site.demand_charge_per_kw_month > 0 && !site.demand_charges.empty()) {
        rules.add(pointer + "/demand_charge_per_kw_month", Code::not_allowed,
                  fmt::format("demand_charge_per_kw_month is {} beside {} demand_charges; give one of the two",
                              site.demand_charge_per_kw_month, site.demand_charges.size()));
    }
    const std::size_t charges = site.demand_charges.size();
    for (std::size_t i = 0; i < charges; ++i) {
        const std::string at = fmt::format("{}/demand_charges/{}", pointer, i);
        if (site.demand_charges[i].hours) {
            check_window(*site.demand_charges[i].hours, at + "/hours", rules);
        }
        check_demand_tiers(site.demand_charges[i], at, rules);
    }
    check_energy_tiers(site, pointer, rules);
    for (std::size_t i = 0; i < site.energy_tiers.size(); ++i) {
        check_kw_of_charge(site.energy_tiers[i].kw_of_charge, charges, fmt::format("{}/energy_tiers/{}", pointer, i), rules);
    }
    if (site.minimum_bill) {
        check_kw_of_charge(site.minimum_bill->kw_of_charge, charges, pointer + "/minimum_bill", rules);
    }
    check_riders(site, pointer, rules);
}

void warn_of_power_factor(const Site& site, const std::string& pointer, Rules& rules) {
    if (site.reactive && !site.power_factor) {
        rules.warn(
            pointer + "/power_factor", Code::power_factor_assumed,
            fmt::format("power_factor is not stated, and {} is taken for the reactive charge; state the facility's", kPowerFactor));
    }
}

} // namespace costcurve::model
