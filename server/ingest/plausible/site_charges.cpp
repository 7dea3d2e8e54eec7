// Bounds of tariffs' changes: tariffs are revised by tens of per cent, a wrong unit is off by a factor.
#include "server/ingest/plausible/site_charges.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <string_view>
#include <variant>
#include <vector>

#include <fmt/format.h>

#include "model/documents/fields.hpp"
#include "model/documents/walk.hpp"
#include "server/documents/records.hpp"
#include "server/ingest/prices/other_sellers.hpp"
#include "server/ingest/prices/price_history.hpp"

namespace costcurve::ingest {

namespace {

constexpr double kBeyondOwnCharge = 4.0;
constexpr double kRevision = 2.0;        // of one number, as of a tariff; fuel's and the sums move by more
constexpr double kDearestDemand = 250.0; // USD a kW and month
constexpr double kDearestRider = 1.0;    // USD a kWh
constexpr double kLargestTax = 1.0;      // of all other lines

bool is_billed(const std::vector<int>& months, int month) { return months.empty() || std::ranges::count(months, month) > 0; }

double charge_for_power(const model::Site& site) {
    double dearest = 0.0;
    for (int month = 1; month <= 12; ++month) {
        double sum = site.demand_charge_per_kw_month + (site.minimum_bill ? site.minimum_bill->per_kw_month : 0.0);
        for (const model::DemandCharge& charge : site.demand_charges) {
            const std::size_t months = charge.months.empty() ? 12 : charge.months.size();
            if (is_billed(charge.months, month)) {
                sum += charge.per_kw_month + charge.per_kw_year / static_cast<double>(months);
                for (const model::DemandTier& tier : charge.tiers) {
                    sum += std::max(0.0, tier.add_per_kw_month);
                }
            }
        }
        for (const model::Rider& rider : site.riders) {
            sum += is_billed(rider.months, month) ? rider.per_kw : 0.0;
        }
        dearest = std::max(dearest, sum);
    }
    return dearest;
}

double charge_by_tier(const model::Site& site) {
    double largest = 0.0;
    for (const model::EnergyTier& tier : site.energy_tiers) {
        largest = std::max(largest, std::abs(tier.add_per_kwh));
    }
    return largest;
}

double charge_by_month(const model::Site& site) {
    double sum = site.network_per_month + site.storage_per_month + (site.minimum_bill ? site.minimum_bill->per_month : 0.0);
    for (const model::ExtraCost& cost : site.extra_costs) {
        sum += cost.per_month;
    }
    for (const model::Rider& rider : site.riders) {
        sum += rider.per_month;
    }
    return std::abs(sum);
}

// What no bill has.
std::string reason_of_riders(const model::Site& site) {
    for (const model::Rider& rider : site.riders) {
        if (std::abs(rider.per_kwh) * dollars_of(site.currency) > kDearestRider || std::abs(rider.fraction_of_bill) > kLargestTax) {
            return fmt::format("its rider \"{}\" is above {} USD a kWh or {} of the bill", rider.name, kDearestRider, kLargestTax);
        }
    }
    return "";
}

struct Charge {
    std::string_view name, unit;
    double (*of)(const model::Site&);
};
constexpr auto kCharges = std::to_array<Charge>({
    {"power", "a kW and month", charge_for_power},
    {"a tier of energy", "a kWh", charge_by_tier},
    {"each month", "a month", charge_by_month},
    {"reactive power", "a kvar and month",
     [](const model::Site& site) { return site.reactive ? site.reactive->per_kvar_month : 0.0; }},
    {"room", "a kW and month", [](const model::Site& site) { return site.space_per_kw_month; }},
    {"room", "a rack and month", [](const model::Site& site) { return site.space_per_rack_month; }},
    {"building", "a W", [](const model::Site& site) { return site.facility_price_per_w; }},
    {"staff", "a year", [](const model::Site& site) { return site.salary_per_year; }},
});

// One number of a list of charges; the others may hide what became of it in their sum.
struct PartOfList {
    std::string name;
    double amount;
    double beyond = kRevision;
    double least_change = 0.0; // in USD or as a fraction: fuel moves by cents, taxes by some per cent
};

std::vector<PartOfList> parts_of(const model::Site& site) {
    constexpr double kCents = 0.02;
    constexpr double kTax = 0.1;
    std::vector<PartOfList> parts;
    for (const model::DemandCharge& charge : site.demand_charges) {
        double amount = charge.per_kw_month + charge.per_kw_year / 12;
        for (const model::DemandTier& tier : charge.tiers) {
            amount += std::abs(tier.add_per_kw_month);
        }
        parts.push_back({fmt::format("demand charge {}", charge.name), amount});
    }
    for (const model::EnergyTier& tier : site.energy_tiers) {
        parts.push_back({"tier of energy", std::abs(tier.add_per_kwh)});
    }
    for (const model::Rider& rider : site.riders) {
        parts.push_back({fmt::format("rider {} a kWh", rider.name), std::abs(rider.per_kwh), kBeyondOwnCharge, kCents});
        parts.push_back({fmt::format("rider {} a kW", rider.name), std::abs(rider.per_kw)});
        parts.push_back({fmt::format("rider {} a month", rider.name), std::abs(rider.per_month)});
        parts.push_back(
            {fmt::format("rider {} of the bill", rider.name), std::abs(rider.fraction_of_bill), kBeyondOwnCharge, kTax});
    }
    return parts;
}

// Of lists as long as before; what was added or taken away is judged by the sums alone.
std::string reason_of_parts(const model::Site& site, const model::Site& before) {
    const std::vector<PartOfList> now = parts_of(site);
    const std::vector<PartOfList> was = parts_of(before);
    for (std::size_t i = 0; i < now.size() && now.size() == was.size(); ++i) {
        const bool is_same = now[i].name == was[i].name && now[i].amount > 0.0 && was[i].amount > 0.0;
        if (is_same && is_beyond(now[i].amount / was[i].amount, now[i].beyond) &&
            std::abs(now[i].amount - was[i].amount) > now[i].least_change) {
            return fmt::format("its {} of {:.4g} is {:.3g} times what it was, {:.4g}", now[i].name, now[i].amount,
                               now[i].amount / was[i].amount, was[i].amount);
        }
    }
    return "";
}

// A list leaves what it doesn't state as it is: of sums too that is no 0.
model::Site as_it_lands(const model::Site& stored, const model::Site& listed) {
    model::Site site = stored;
    model::for_each_field<model::Site>([&](const auto& field) {
        if (model::is_stated(listed, field)) {
            site.*field.member = listed.*field.member;
        }
    });
    return site;
}

} // namespace

std::string reason_of_site(const storage::Snapshot& snapshot, const model::Site& listed) {
    const auto revision = snapshot.load({storage::Kind::site, listed.id});
    const auto stored = revision ? documents::decode_readable(*revision) : std::nullopt;
    const model::Site site = stored ? as_it_lands(std::get<model::Site>(*stored), listed) : listed;
    if (stored && std::get<model::Site>(*stored).currency == site.currency) {
        if (std::string reason = reason_of_parts(site, std::get<model::Site>(*stored)); !reason.empty()) {
            return reason;
        }
        for (const Charge& charge : kCharges) {
            const double before = charge.of(std::get<model::Site>(*stored));
            const double now = charge.of(site);
            if (before > 0.0 && now > 0.0 && is_beyond(now / before, kBeyondOwnCharge)) {
                return fmt::format("its charge for {} of {:.4g} {} {} is {:.3g} times what it was, {:.4g}", charge.name, now,
                                   site.currency, charge.unit, now / before, before);
            }
        }
    }
    const double power = charge_for_power(site);
    if (power * dollars_of(site.currency) > kDearestDemand) {
        return fmt::format("its charge for power of {:.4g} {} a kW and month is above {} USD, twice the dearest there is", power,
                           site.currency, kDearestDemand);
    }
    return reason_of_riders(site);
}

} // namespace costcurve::ingest
