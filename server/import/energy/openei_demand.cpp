// Demand charges of OpenEI rates, scheduled by month or by month and hour.
#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "model/documents/text.hpp"
#include "server/import/curves.hpp"
#include "server/import/energy/openei_structure.hpp"

namespace costcurve::imports {

namespace {

constexpr std::size_t kDaysOfWeek = 7;

// A member under its name in either version of the database.
Number either(const Json& item, const char* name, const char* other) {
    const Number number = number_of(item, name);
    return number ? number : number_of(item, other);
}

// Adds the ratchet to flat charges: the share of earlier peaks that is billed at least.
void add_ratchet(const Json& item, std::vector<model::DemandCharge>& charges) {
    constexpr double kPercent = 100.0;
    const Number fraction = either(item, "lookbackpercent", "lookbackPercent");
    if (!fraction || fraction.value <= 0.0) {
        return;
    }
    const Number range = either(item, "lookbackrange", "lookbackRange");
    auto months = list_of(item, "lookbackmonths");
    months = months ? months : list_of(item, "lookbackMonths");
    for (model::DemandCharge& charge : charges) {
        charge.ratchet_fraction = fraction.value > 1.0 ? fraction.value / kPercent : fraction.value;
        charge.ratchet_months = range && range.value >= 1.0 ? static_cast<int>(range.value) : charge.ratchet_months;
        for (std::size_t m = 0; months && m < std::min(kMonths, months->size()); ++m) {
            std::uint64_t counts = 0;
            if (months->at(m).get(counts) == simdjson::SUCCESS && counts > 0) {
                charge.ratchet_peak_months.push_back(static_cast<int>(m) + 1);
            }
        }
    }
}

// Sets the charge of a period: the price of the first tier, and what each further tier adds.
void set_price(const Tiers& period, model::DemandCharge& charge) {
    charge.per_kw_month = period.empty() ? 0.0 : period.front().price;
    for (std::size_t i = 1; i < period.size() && period[i - 1].most; ++i) {
        charge.tiers.push_back({*period[i - 1].most, period[i].price - period[i - 1].price});
    }
}

bool costs(const model::DemandCharge& charge) { return charge.per_kw_month > 0.0 || !charge.tiers.empty(); }

// Whether a structure is priced per kW or per kVA; kVA are converted by the site's power factor.
bool is_by_kw(const Json& item, const char* unit, const char* structure, model::Site& site, Lacks& lacks) {
    const std::string said = model::lower(std::string(text_of(item, unit)));
    if (said == "kva") {
        site.reactive = site.reactive.value_or(model::ReactiveCharge{});
        site.reactive->adjusts_demand = true;
        return true;
    }
    const bool is_kw = said.empty() || said == "kw";
    if (!is_kw && list_of(item, structure)) {
        lacks.push_back(fmt::format("a demand charge by the {}", text_of(item, unit)));
    }
    return is_kw;
}

// Reports units that contradict each other, since a site has a single power-factor rule.
void check_units(const Json& item, Lacks& lacks) {
    std::set<std::string> units;
    for (const auto& [unit, structure] :
         {std::pair("flatdemandunit", "flatdemandstructure"), std::pair("demandrateunit", "demandratestructure"),
          std::pair("coincidentrateunit", "coincidentratestructure")}) {
        if (list_of(item, structure)) {
            const std::string said = model::lower(std::string(text_of(item, unit)));
            units.insert(said.empty() ? "kw" : said);
        }
    }
    if (units.contains("kw") && units.contains("kva")) {
        lacks.emplace_back("demand charges by the kW beside others by the kVA: all are taken by the kVA");
    }
}

void add_flat_charges(const Json& item, model::Site& site, Lacks& lacks) {
    const std::vector<Tiers> periods = structure_of(item, "flatdemandstructure");
    const auto months = list_of(item, "flatdemandmonths");
    if (periods.empty() || !is_by_kw(item, "flatdemandunit", "flatdemandstructure", site, lacks)) {
        return;
    }
    for (std::size_t p = 0; p < periods.size(); ++p) {
        model::DemandCharge charge;
        for (std::size_t m = 0; m < kMonths; ++m) {
            if (months ? m < months->size() && period_at(*months, m) == p : p == 0) {
                charge.months.push_back(static_cast<int>(m) + 1);
            }
        }
        set_price(periods[p], charge);
        if (!charge.months.empty() && costs(charge)) {
            charge.months = charge.months.size() == kMonths ? std::vector<int>() : charge.months;
            site.demand_charges.push_back(std::move(charge));
        }
    }
}

// Members of a structure and of its hourly schedule.
struct Structure {
    const char* structure;
    const char* unit;
    const char* weekdays;
    const char* weekends;
    bool is_coincident;
    std::string_view words;
};
constexpr auto kTimed = std::to_array<Structure>({
    {"demandratestructure", "demandrateunit", "demandweekdayschedule", "demandweekendschedule", false,
     "demand charges by the hour"},
    {"coincidentratestructure", "coincidentrateunit", "coincidentrateschedule", "coincidentrateschedule", true,
     "charges at the grid's peak"},
});

using HoursOfWeek = std::array<bool, kDaysOfWeek * kHoursOfDay>;

// The hours of the week in a month at which a schedule names a period; nothing if the schedule is malformed.
std::optional<HoursOfWeek> hours_of(const Json& item, const Structure& names, std::size_t month, std::size_t period) {
    HoursOfWeek hours{};
    constexpr std::size_t kWeekdays = 5;
    for (std::size_t day = 0; day < kDaysOfWeek; ++day) {
        const auto of_month = hours_of_month(item, day < kWeekdays ? names.weekdays : names.weekends, month);
        if (!of_month) {
            return std::nullopt;
        }
        for (std::size_t hour = 0; hour < kHoursOfDay; ++hour) {
            hours[day * kHoursOfDay + hour] = period_at(*of_month, hour) == period;
        }
    }
    return hours;
}

model::Curve curve_of(const HoursOfWeek& hours) {
    model::Curve curve = empty_curve(model::CurveKind::demand, model::Axis::hour_of_week);
    curve.interpolation = model::Interpolation::step;
    for (std::size_t h = 0; h < hours.size(); ++h) {
        if (h == 0 || hours[h] != hours[h - 1]) {
            append_point(curve, static_cast<double>(h), hours[h] ? 1.0 : 0.0);
        }
    }
    return curve;
}

// Calendar months grouped by the hours of the week at which a schedule names a period; nothing if the schedule is malformed.
std::optional<std::map<HoursOfWeek, std::vector<int>>> months_by_hours(const Json& item, const Structure& names,
                                                                       std::size_t period) {
    std::map<HoursOfWeek, std::vector<int>> months;
    for (std::size_t m = 0; m < kMonths; ++m) {
        const std::optional<HoursOfWeek> hours = hours_of(item, names, m, period);
        if (!hours) {
            return std::nullopt;
        }
        if (std::ranges::count(*hours, true) > 0) {
            months[*hours].push_back(static_cast<int>(m) + 1);
        }
    }
    return months;
}

// Adds timed charges: for each period, one charge for all months with the same hours.
void add_timed_charges(const Json& item, const Structure& names, model::Site& site, Lacks& lacks) {
    const std::vector<Tiers> periods = structure_of(item, names.structure);
    if (periods.empty() || !is_by_kw(item, names.unit, names.structure, site, lacks)) {
        return;
    }
    for (std::size_t p = 0; p < periods.size(); ++p) {
        const auto months = months_by_hours(item, names, p);
        if (!months) {
            lacks.push_back(fmt::format("{}, whose schedule is none of 12 months of 24 hours", names.words));
            return;
        }
        for (const auto& [hours, of_hours] : *months) {
            model::DemandCharge charge;
            set_price(periods[p], charge);
            if (!costs(charge)) {
                continue;
            }
            charge.coincident = names.is_coincident;
            charge.months = of_hours.size() == kMonths ? std::vector<int>() : of_hours;
            charge.hours = std::ranges::count(hours, false) == 0 ? std::nullopt : std::optional(curve_of(hours));
            site.demand_charges.push_back(std::move(charge));
        }
    }
}

// Adds the price of reactive demand, per kvar.
void add_reactive(const Json& item, model::Site& site) {
    const Number price = number_of(item, "demandreactivepowercharge");
    if (price && price.value > 0.0) {
        site.reactive = site.reactive.value_or(model::ReactiveCharge{});
        site.reactive->per_kvar_month = price.value;
    }
}

} // namespace

std::vector<Tiers> structure_of(const Json& item, const char* name) {
    std::vector<Tiers> periods;
    const auto listed = list_of(item, name);
    for (std::size_t i = 0; listed && i < listed->size(); ++i) {
        Tiers& tiers = periods.emplace_back();
        simdjson::dom::array found;
        if (listed->at(i).get(found) != simdjson::SUCCESS) {
            continue;
        }
        for (const Json& tier : found) {
            const Number most = number_of(tier, "max");
            tiers.push_back({number_of(tier, "rate").value + number_of(tier, "adj").value,
                             most ? std::optional(most.value) : std::nullopt, model::lower(std::string(text_of(tier, "unit")))});
        }
    }
    return periods;
}

std::optional<std::size_t> period_at(const simdjson::dom::array& periods, std::size_t place) {
    std::uint64_t period = 0;
    return periods.at(place).get(period) == simdjson::SUCCESS ? std::optional(static_cast<std::size_t>(period)) : std::nullopt;
}

std::optional<simdjson::dom::array> hours_of_month(const Json& item, const char* name, std::size_t month) {
    const auto schedule = list_of(item, name);
    simdjson::dom::array of_month;
    if (!schedule || schedule->size() != kMonths || schedule->at(month).get(of_month) != simdjson::SUCCESS ||
        of_month.size() != kHoursOfDay) {
        return std::nullopt;
    }
    return of_month;
}

void add_demand(const Json& item, model::Site& site, Lacks& lacks) {
    check_units(item, lacks);
    add_flat_charges(item, site, lacks);
    add_ratchet(item, site.demand_charges);
    for (const Structure& names : kTimed) {
        add_timed_charges(item, names, site, lacks);
    }
    add_reactive(item, site);
}

} // namespace costcurve::imports
