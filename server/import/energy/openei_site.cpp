// Turns OpenEI's rate structures (periods with tiers) into a site. Schedules name a period by month, or by month and hour.
#include "server/import/energy/openei_site.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "model/documents/text.hpp"
#include "server/import/curves.hpp"
#include "server/import/energy/openei_structure.hpp"

namespace costcurve::imports {

namespace {

constexpr std::size_t kMaxCharges = 64; // per site

// Unit of energy tiers, and the member that holds their limits.
struct TierUnit {
    std::string_view unit;
    double model::EnergyTier::*above;
};
constexpr auto kTierUnits = std::to_array<TierUnit>({
    {"", &model::EnergyTier::above_kwh_month},
    {"kwh", &model::EnergyTier::above_kwh_month},
    {"kwh daily", &model::EnergyTier::above_kwh_day},
    {"kwh/kw", &model::EnergyTier::above_kwh_per_kw},
});

// The price differences from tier to tier.
std::optional<std::vector<model::EnergyTier>> tiers_of(const Tiers& period, Lacks& lacks) {
    std::vector<model::EnergyTier> tiers;
    const std::string unit = period.empty() ? "" : period.front().unit;
    const auto* const row = std::ranges::find(kTierUnits, unit, &TierUnit::unit);
    if (row == kTierUnits.end() && (period.size() > 1 || !unit.starts_with("kwh"))) {
        lacks.push_back(fmt::format("energy by \"{}\"", unit));
        return std::nullopt;
    }
    for (std::size_t i = 1; i < period.size(); ++i) {
        if (!period[i - 1].most) {
            lacks.emplace_back("a tier of energy behind one without a limit");
            return std::nullopt;
        }
        model::EnergyTier& tier = tiers.emplace_back();
        tier.*(row->above) = *period[i - 1].most;
        tier.add_per_kwh = period[i].price - period[i - 1].price;
    }
    return tiers;
}

bool are_alike(const std::vector<model::EnergyTier>& a, const std::vector<model::EnergyTier>& b) {
    constexpr double kSame = 1e-9;
    return std::ranges::equal(a, b, [](const model::EnergyTier& x, const model::EnergyTier& y) {
        model::EnergyTier same = y;
        same.add_per_kwh = x.add_per_kwh;
        return x == same && std::abs(x.add_per_kwh - y.add_per_kwh) <= kSame;
    });
}

// The tiers of all periods that a month's schedules name; nothing if those periods have different tiers.
std::optional<std::vector<model::EnergyTier>> tiers_in(const Json& item, const std::vector<Tiers>& periods, std::size_t month,
                                                       Lacks& lacks) {
    std::optional<std::vector<model::EnergyTier>> found;
    for (const char* const name : {"energyweekdayschedule", "energyweekendschedule"}) {
        const auto hours = hours_of_month(item, name, month);
        for (std::size_t h = 0; hours && h < kHoursOfDay; ++h) {
            const Tiers& period = periods.at(period_at(*hours, h).value_or(0));
            const auto tiers = tiers_of(period, lacks);
            if (!tiers) {
                return std::nullopt;
            }
            if (found && !are_alike(*tiers, *found)) {
                lacks.emplace_back("tiers of energy that differ by period");
                return std::nullopt;
            }
            if (!found && period.back().most && tiers->empty()) {
                lacks.push_back(fmt::format("a limit of {} kWh", *period.back().most));
            }
            found = tiers;
        }
    }
    return found;
}

// Adds energy tiers, grouped by months with equal tiers. One set of tiers applies to all months.
bool add_energy_tiers(const Json& item, model::Site& site, Lacks& lacks) {
    struct Season {
        std::vector<model::EnergyTier> tiers;
        std::vector<int> months;
    };
    const std::vector<Tiers> periods = structure_of(item, "energyratestructure");
    std::vector<Season> seasons;
    for (std::size_t m = 0; m < kMonths; ++m) {
        const auto tiers = tiers_in(item, periods, m, lacks);
        if (!tiers) {
            return false;
        }
        auto season = std::ranges::find_if(seasons, [&](const Season& known) { return are_alike(known.tiers, *tiers); });
        if (season == seasons.end()) {
            season = seasons.insert(season, {*tiers, {}});
        }
        season->months.push_back(static_cast<int>(m) + 1);
    }
    for (const Season& season : seasons) {
        for (model::EnergyTier tier : season.tiers) {
            tier.months = seasons.size() == 1 ? std::vector<int>() : season.months;
            site.energy_tiers.push_back(std::move(tier));
        }
    }
    return true;
}

constexpr double kMonthsOfYear = 12.0;
constexpr double kDaysOfMonth = 365.0 / kMonthsOfYear;

model::Rider& add_rider(model::Site& site, std::string name) {
    model::Rider& rider = site.riders.emplace_back();
    rider.name = std::move(name);
    return rider;
}

// Factor that converts an amount per day, month or year to one per month; 0 for an unknown unit.
double of_month(const std::string& unit) {
    return unit == "$/day" ? kDaysOfMonth : unit == "$/year" ? 1 / kMonthsOfYear : unit.empty() || unit == "$/month" ? 1.0 : 0.0;
}

// An amount converted to per month; 0 and an entry in `lacks` if its unit is unknown.
double per_month(const Json& item, const char* amount, const char* unit, std::string_view words, Lacks& lacks) {
    const Number number = number_of(item, amount);
    if (!number || number.value == 0.0) {
        return 0.0;
    }
    const std::string said = model::lower(std::string(text_of(item, unit)));
    if (of_month(said) == 0.0) {
        lacks.push_back(fmt::format("{} of {} {}", words, number.value, said));
    }
    return number.value * of_month(said);
}

void add_fixed_charge(const Json& item, model::Site& site, Lacks& lacks) {
    const double amount = number_of(item, "fixedmonthlycharge").value +
                          per_month(item, "fixedchargefirstmeter", "fixedchargeunits", "a fixed charge", lacks);
    if (amount > 0.0) {
        add_rider(site, "fixed charge").per_month = amount;
    }
}

// Adds the minimum bill: the highest stated minimum; an annual one counts as a twelfth per month.
void add_minimum(const Json& item, model::Site& site, Lacks& lacks) {
    const double a_year = number_of(item, "annualmincharge").value / kMonthsOfYear;
    const double amount = std::max({per_month(item, "mincharge", "minchargeunits", "a minimum charge", lacks),
                                    number_of(item, "minmonthlycharge").value, a_year});
    if (amount > 0.0) {
        site.minimum_bill = model::MinimumBill{amount, 0.0, std::nullopt};
    }
    if (amount > 0.0 && amount == a_year) {
        lacks.emplace_back("a minimum charge a year (it is taken by twelfths)");
    }
}

// Adds fuel adjustments, grouped by months with the same adjustment.
void add_fuel(const Json& item, model::Site& site) {
    const auto listed = list_of(item, "fueladjustmentsmonthly");
    std::map<double, std::vector<int>> months;
    for (std::size_t m = 0; listed && m < std::min(kMonths, listed->size()); ++m) {
        double adjustment = 0.0;
        if (listed->at(m).get(adjustment) == simdjson::SUCCESS && adjustment != 0.0) {
            months[adjustment].push_back(static_cast<int>(m) + 1);
        }
    }
    for (auto& [adjustment, of_adjustment] : months) {
        model::Rider& rider = add_rider(site, "fuel adjustment");
        rider.per_kwh = adjustment;
        rider.months = of_adjustment.size() == kMonths ? std::vector<int>() : std::move(of_adjustment);
    }
}

// Parts of a tariff that no field can represent.
struct Lacking {
    const char* name;
    std::string_view words;
};
constexpr auto kLacking = std::to_array<Lacking>({
    {"demandratchetpercentage", "a ratchet by month"},
});

void name_lacking(const Json& item, Lacks& lacks) {
    for (const auto& [name, words] : kLacking) {
        bool is_there = number_of(item, name) && number_of(item, name).value != 0.0;
        if (const auto listed = list_of(item, name)) {
            is_there = listed->size() > 0;
        }
        if (is_there && std::ranges::find(lacks, words) == lacks.end()) {
            lacks.emplace_back(words);
        }
    }
}

} // namespace

std::optional<model::Site> site_of_rate(const Json& item, const model::Curve& tariff, Lacks& lacks) {
    constexpr std::string_view kTariff = "tariff.";
    model::Site site;
    site.id = tariff.id.starts_with(kTariff) ? fmt::format("site.{}", tariff.id.substr(kTariff.size())) : tariff.id;
    site.source = tariff.source;
    site.note =
        fmt::format("What {} bills a customer of the tariff {}; PUE, power factor, room, people and time zone are yours to state.",
                    text_of(item, "utility"), text_of(item, "name"));
    site.currency = tariff.currency;
    site.energy_price.curve = empty_curve(model::CurveKind::tariff, tariff.axis, tariff.id);
    site.energy_price.curve->stored.is_reference = true;
    if (!add_energy_tiers(item, site, lacks)) {
        return std::nullopt;
    }
    add_demand(item, site, lacks);
    if (site.demand_charges.size() > kMaxCharges) {
        site.demand_charges.clear();
        lacks.push_back(fmt::format("more than {} demand charges", kMaxCharges));
    }
    add_fixed_charge(item, site, lacks);
    add_minimum(item, site, lacks);
    add_fuel(item, site);
    name_lacking(item, lacks);
    std::ranges::sort(lacks);
    lacks.erase(std::unique(lacks.begin(), lacks.end()), lacks.end());
    return site;
}

} // namespace costcurve::imports
