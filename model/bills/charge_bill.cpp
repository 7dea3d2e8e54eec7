// The ledger's part of a bill.
#include "model/bills/charge_bill.hpp"

#include <algorithm>
#include <array>

namespace costcurve::model {

namespace {

void bear_bill(Ledger& ledger, std::size_t m, std::size_t p, Category category, double amount) {
    ledger.cost(m, p, static_cast<std::size_t>(category)) += amount;
    ledger.cash(m, p, static_cast<std::size_t>(category)) += amount;
}

// Tiers and riders by the kWh.
double by_kwh(const CompiledSite& site, const MeteredMonth& metered, const Ledger& ledger) {
    const CompiledBill& bill = site.bill;
    double amount = 0.0;
    for (std::size_t t = 0; t < bill.tiers.size(); ++t) {
        const EnergyTier& tier = bill.tiers[t];
        if (const double price = tier_price(bill, t, metered.month); price != 0.0) {
            amount += price * kwh_beyond(tier, metered, kw_of_tier(site, tier, metered, ledger));
        }
    }
    return amount + bill.per_kwh[metered.month] * metered.kwh;
}

void charge_tiers(const CompiledSite& site, const MeteredMonth& metered, Ledger& ledger) {
    const double amount = by_kwh(site, metered, ledger);
    for (const std::size_t p : site.pools) {
        if (amount != 0.0 && metered.kwh != 0.0) {
            bear_bill(ledger, metered.month, p, Category::energy, amount * ledger.energy_kwh(metered.month, p) / metered.kwh);
        }
    }
}

// What the bill has beside energy and demand: shared by nameplate in service, and its fractions by what they are of.
void charge_rest(const Compiled& compiled, const CompiledSite& site, const MeteredMonth& metered, Ledger& ledger) {
    constexpr std::array kBilled = {Category::energy, Category::demand_charge};
    const std::size_t m = metered.month;
    const CompiledBill& bill = site.bill;
    if (site.nameplate_kw[m] <= 0.0) {
        return;
    }
    const auto share_by_nameplate = [&](double amount) {
        for (const std::size_t p : site.pools) {
            const double share = site.pools.size() == 1 ? 1.0 : nameplate_share(site, compiled.pools[p], m);
            bear_bill(ledger, m, p, Category::demand_charge, amount * share);
        }
    };
    share_by_nameplate(by_kw_and_month(bill, metered));
    double billed = 0.0;
    for (const std::size_t p : site.pools) {
        for (const Category category : kBilled) {
            billed += ledger.cost(m, p, static_cast<std::size_t>(category));
        }
    }
    share_by_nameplate(short_of_minimum(bill, m, kw_of_place(site, bill.minimum_charge, metered, ledger), billed));
    for (const std::size_t p : site.pools) {
        for (const Category category : kBilled) {
            bear_bill(ledger, m, p, category, bill.fraction[m] * ledger.cost(m, p, static_cast<std::size_t>(category)));
        }
    }
}

} // namespace

MeteredMonth metered_month(const Compiled& compiled, std::size_t site, std::size_t month, const Ledger& ledger) {
    constexpr double kHoursOfDay = 24;
    MeteredMonth metered{month, 0.0, compiled.hours.months[month].total / kHoursOfDay, ledger.site_peak_kw(month, site)};
    for (const std::size_t p : compiled.sites[site].pools) {
        metered.kwh += ledger.energy_kwh(month, p);
    }
    return metered;
}

double billed_kw(const CompiledCharge& charge, std::size_t index, std::size_t m, const Ledger& ledger) {
    double kw = ledger.charge_kw(m, index);
    for (std::size_t back = m - std::min(m, charge.ratchet_months); charge.ratchet_fraction > 0.0 && back < m; ++back) {
        if (charge.is_peak_month[back] != 0) {
            kw = std::max(kw, charge.ratchet_fraction * ledger.charge_kw(back, index));
        }
    }
    return std::max(kw * charge.prices.adjust, charge.prices.min_kw);
}

double kw_of_place(const CompiledSite& site, std::optional<std::size_t> charge, const MeteredMonth& metered, const Ledger& ledger) {
    return charge ? billed_kw(site.charges[*charge], site.first_charge + *charge, metered.month, ledger) : metered.peak_kw;
}

double kw_of_tier(const CompiledSite& site, const EnergyTier& tier, const MeteredMonth& metered, const Ledger& ledger) {
    const auto charge = tier.kw_of_charge ? std::optional(static_cast<std::size_t>(*tier.kw_of_charge)) : std::nullopt;
    return kw_of_place(site, charge, metered, ledger);
}

double nameplate_share(const CompiledSite& site, const CompiledPool& pool, std::size_t month) {
    return pool.units_paid[month] * pool.power.nameplate_w / 1000 / site.nameplate_kw[month];
}

void charge_bill(const Compiled& compiled, std::size_t site, std::size_t month, Ledger& ledger) {
    const CompiledSite& target = compiled.sites[site];
    if (target.bill.tiers.empty() && !target.bill.is_stated) {
        return;
    }
    const MeteredMonth metered = metered_month(compiled, site, month, ledger);
    charge_tiers(target, metered, ledger);
    if (target.bill.is_stated) {
        charge_rest(compiled, target, metered, ledger);
    }
}

} // namespace costcurve::model
