// Prices of a bill by month, and the arithmetic of its lines.
#include "model/bills/compiled_bill.hpp"

#include <algorithm>
#include <cmath>

#include "model/categories/exchange.hpp"
#include "model/documents/calendar.hpp"

namespace costcurve::model {

namespace {

constexpr auto kDemandCharge = static_cast<std::size_t>(Category::demand_charge);

double kvar_at(double power_factor) { return std::sqrt(1 - power_factor * power_factor) / power_factor; }

} // namespace

double charge_amount(const ChargePrices& prices, double billed_kw, std::size_t month) {
    double amount = billed_kw * prices.per_kw[month];
    for (const DemandTier& tier : prices.tiers) {
        amount += tier.add_per_kw_month * prices.factor[month] * std::max(0.0, billed_kw - tier.above_kw);
    }
    return amount;
}

double least_per_kw(const ChargePrices& prices, std::size_t month) {
    double price = prices.per_kw[month];
    double least = price;
    for (const DemandTier& tier : prices.tiers) {
        price += tier.add_per_kw_month * prices.factor[month];
        least = std::min(least, price);
    }
    return least * prices.adjust;
}

double kvar_per_kw(const Site& site) {
    const double has = site.power_factor.value_or(kPowerFactor);
    const double target = site.reactive ? site.reactive->target_power_factor : 0.0;
    return has < target ? kvar_at(has) - kvar_at(target) : 0.0;
}

double demand_adjustment(const Site& site) {
    const double has = site.power_factor.value_or(kPowerFactor);
    return site.reactive && site.reactive->adjusts_demand ? std::max(1.0, site.reactive->target_power_factor / has) : 1.0;
}

bool is_listed(const std::vector<int>& months, const ScenarioDocument& scenario, std::size_t month) {
    return months.empty() || std::ranges::find(months, add_months(scenario.start, static_cast<int>(month)).month) != months.end();
}

bool holds(const Rider& rider, const ScenarioDocument& scenario, std::size_t month) {
    const auto m = static_cast<int>(month);
    return rider.from_month <= m && m <= rider.to_month.value_or(m) && is_listed(rider.months, scenario, month);
}

ChargePrices compile_prices(const DemandCharge& charge, const Site& site, const ScenarioDocument& scenario, const Cube& growth) {
    const double months_billed = charge.months.empty() ? 12.0 : static_cast<double>(charge.months.size());
    const double per_kw = charge.per_kw_month + charge.per_kw_year / months_billed;
    ChargePrices prices;
    for (std::size_t m = 0; m < static_cast<std::size_t>(scenario.months); ++m) {
        const double grown = growth(kDemandCharge, m) * later_rate(site, m);
        prices.factor.push_back(is_listed(charge.months, scenario, m) ? grown : 0.0);
        prices.per_kw.push_back(per_kw * prices.factor.back());
    }
    prices.tiers = charge.tiers;
    prices.min_kw = charge.min_kw;
    prices.adjust = demand_adjustment(site);
    return prices;
}

CompiledBill compile_bill(const Site& site, const ScenarioDocument& scenario, const Cube& growth) {
    const auto months = static_cast<std::size_t>(scenario.months);
    const double kvar = kvar_per_kw(site);
    CompiledBill bill;
    bill.is_stated = !site.riders.empty() || site.reactive || site.minimum_bill;
    bill.tiers = site.energy_tiers;
    for (std::vector<double>* const by_month : {&bill.per_kwh, &bill.per_kw, &bill.reactive_per_kwh, &bill.per_month,
                                                &bill.fraction, &bill.minimum, &bill.minimum_per_kw}) {
        by_month->assign(months, 0.0);
    }
    if (!site.minimum_bill) {
        bill.minimum.assign(months, -HUGE_VAL);
    }
    for (std::size_t m = 0; m < months; ++m) {
        const double rate = later_rate(site, m);
        const double grown = growth(kDemandCharge, m) * rate;
        bill.tier_factor.push_back(rate);
        for (const EnergyTier& tier : site.energy_tiers) {
            bill.tier_holds.push_back(is_listed(tier.months, scenario, m) ? 1 : 0);
        }
        for (const Rider& rider : site.riders) {
            if (holds(rider, scenario, m)) {
                bill.per_kwh[m] += rider.per_kwh * rate;
                bill.per_kw[m] += rider.per_kw * grown;
                bill.per_month[m] += rider.per_month * site.places * grown;
                bill.fraction[m] += rider.fraction_of_bill;
            }
        }
        if (site.reactive) {
            bill.per_kw[m] += site.reactive->per_kvar_month * kvar * grown;
            bill.reactive_per_kwh[m] = site.reactive->per_kvarh * kvar * rate;
        }
        if (site.minimum_bill) {
            bill.minimum[m] = site.minimum_bill->per_month * site.places * grown;
            bill.minimum_per_kw[m] = site.minimum_bill->per_kw_month * grown;
        }
    }
    if (site.minimum_bill && site.minimum_bill->kw_of_charge) {
        bill.minimum_charge = static_cast<std::size_t>(*site.minimum_bill->kw_of_charge);
    }
    return bill;
}

double kwh_beyond(const EnergyTier& tier, const MeteredMonth& metered, double kw) {
    const double above = tier.above_kwh_month + tier.above_kwh_day * metered.days + tier.above_kwh_per_kw * kw;
    return std::max(0.0, metered.kwh - above);
}

double by_kw_and_month(const CompiledBill& bill, const MeteredMonth& metered) {
    const std::size_t m = metered.month;
    return bill.per_kw[m] * metered.peak_kw + bill.reactive_per_kwh[m] * metered.kwh + bill.per_month[m];
}

double short_of_minimum(const CompiledBill& bill, std::size_t month, double kw, double billed) {
    return std::max(0.0, bill.minimum[month] + bill.minimum_per_kw[month] * kw - billed);
}

} // namespace costcurve::model
