// Reads rate structures of OpenEI's utility rate database. Their schedules (12 months by 24 hours, for weekdays and weekends)
// become tariffs over the shortest axis that represents them exactly.
#include <array>
#include <chrono>
#include <cmath>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "model/documents/calendar.hpp"
#include "server/import/curves.hpp"
#include "server/import/demand/week_hours.hpp"
#include "server/import/energy/openei_site.hpp"
#include "server/import/readers.hpp"
#include "server/import/text/json.hpp"

namespace costcurve::imports {

namespace {

using model::Code;

constexpr std::array<int, kMonths> kDays = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};

using Schedule = std::array<std::array<double, kHoursOfDay>, kMonths>; ///< currency/kWh by month and hour

struct Rate {
    Schedule weekday{}, weekend{};
    std::string note;
};

/// Why an item can't be read.
using Problem = std::optional<std::string>;

std::optional<std::size_t> index_of(const Json& json) {
    std::uint64_t index = 0;
    return json.get(index) == simdjson::SUCCESS && index < 1000 ? std::optional(static_cast<std::size_t>(index)) : std::nullopt;
}

// The price of a period's first tier: rate + adj. Further tiers belong to the site (openei_site.cpp).
Problem price_of(const simdjson::dom::array& periods, std::size_t period, double& price) {
    Json found;
    simdjson::dom::array tiers;
    Json tier;
    if (periods.at(period).get(found) != simdjson::SUCCESS || found.get(tiers) != simdjson::SUCCESS ||
        tiers.at(0).get(tier) != simdjson::SUCCESS) {
        return fmt::format("energyratestructure has no period {}, which a schedule names", period);
    }
    const Number rate = number_of(tier, "rate");
    const Number adjustment = number_of(tier, "adj");
    if (!rate || adjustment.state == Number::State::bad) {
        return fmt::format("energyratestructure[{}][0] has {} rate; a number is needed", period,
                           rate.state == Number::State::blank ? "no" : "an unreadable");
    }
    price = rate.value + adjustment.value;
    return std::nullopt;
}

Problem read_schedule(const Json& item, const char* name, Schedule& schedule) {
    const auto periods = list_of(item, "energyratestructure");
    const auto months = list_of(item, name);
    if (!periods || !months) {
        return fmt::format("{} is missing; ask OpenEI with detail=full", !periods ? "energyratestructure" : name);
    }
    if (months->size() != kMonths) {
        return fmt::format("{} has {} months; 12 are needed", name, months->size());
    }
    for (std::size_t m = 0; m < kMonths; ++m) {
        Json month;
        simdjson::dom::array hours;
        if (months->at(m).get(month) != simdjson::SUCCESS || month.get(hours) != simdjson::SUCCESS || hours.size() != kHoursOfDay) {
            return fmt::format("{}[{}] is no list of 24 hours", name, m);
        }
        for (std::size_t h = 0; h < kHoursOfDay; ++h) {
            const std::optional<std::size_t> period = index_of(hours.at(h).value());
            if (!period) {
                return fmt::format("{}[{}][{}] is no index of a period", name, m, h);
            }
            if (Problem problem = price_of(*periods, *period, schedule[m][h])) {
                return problem;
            }
        }
    }
    return std::nullopt;
}

std::string day_text(double unix_seconds) { return model::date_text(std::floor(unix_seconds / kSecondsPerDay)); }

// When the tariff holds: words for its note.
std::string in_force(const Json& item) {
    std::string note;
    const Number start = number_of(item, "startdate");
    const Number end = number_of(item, "enddate");
    if (start && std::fabs(start.value) < 1e11) {
        note += fmt::format(" In force from {}.", day_text(start.value));
    }
    if (end && std::fabs(end.value) < 1e11) {
        note += fmt::format(" In force until {}.", day_text(end.value));
    }
    return note;
}

bool months_are_alike(const Schedule& schedule) {
    return std::all_of(schedule.begin(), schedule.end(), [&](const auto& month) { return month == schedule[0]; });
}

// Fills a curve over the hour of the year. If weekends differ from weekdays, the curve is for the calendar of `year`.
void fill_year(model::Curve& curve, const Rate& rate, int year) {
    double hour = 0.0;
    for (std::size_t month = 0; month < kMonths; ++month) {
        for (int day = 1; day <= kDays[month]; ++day) {
            const std::chrono::weekday weekday(std::chrono::sys_days(
                std::chrono::days(static_cast<int>(model::days_since_epoch(year, static_cast<int>(month) + 1, day)))));
            const bool weekend = weekday == std::chrono::Saturday || weekday == std::chrono::Sunday;
            for (const double price : (weekend ? rate.weekend : rate.weekday)[month]) {
                append_point(curve, hour++, price);
            }
        }
    }
}

void fill_week(model::Curve& curve, const Rate& rate, std::size_t days) {
    constexpr std::size_t kSaturday = 5;
    for (std::size_t hour = 0; hour < days * kHoursOfDay; ++hour) {
        append_point(curve, static_cast<double>(hour),
                     (hour / kHoursOfDay >= kSaturday ? rate.weekend : rate.weekday)[0][hour % kHoursOfDay]);
    }
}

// Fills the curve over the shortest axis that is exact. False if that needs a year's calendar and the option `date` is missing.
bool fill(model::Curve& curve, const Rate& rate, const std::string& date) {
    const bool by_month = !months_are_alike(rate.weekday) || !months_are_alike(rate.weekend);
    const bool by_day = rate.weekday != rate.weekend;
    if (by_month && by_day && date.empty()) {
        return false;
    }
    if (!by_month) {
        curve.axis = by_day ? model::Axis::hour_of_week : model::Axis::hour_of_day;
        fill_week(curve, rate, by_day ? 7 : 1);
        return true;
    }
    constexpr int kAnyYear = 2001;
    const int year = by_day ? static_cast<int>(parse_number(date.substr(0, 4)).value) : kAnyYear;
    curve.axis = model::Axis::hour_of_year;
    fill_year(curve, rate, year);
    if (by_day) {
        curve.note += fmt::format(" Weekends are those of {}.", year);
    }
    return true;
}

Problem read_item(const Json& item, const std::string& id, const Options& options, Report& report, std::size_t row) {
    const std::string_view country = text_of(item, "country");
    const bool dollars = country.empty() || country == "USA" || country == "United States" || country == "US";
    if (!dollars && options.currency.empty()) {
        return fmt::format("country is {}; give the option currency", country);
    }
    Rate rate;
    if (Problem problem = read_schedule(item, "energyweekdayschedule", rate.weekday)) {
        return problem;
    }
    if (Problem problem = read_schedule(item, "energyweekendschedule", rate.weekend)) {
        return problem;
    }
    model::Curve curve = empty_curve(model::CurveKind::tariff, model::Axis::hour_of_year, id,
                                     source_of(options, fmt::format("label {}", text_of(item, "label"))));
    curve.interpolation = model::Interpolation::step;
    curve.currency = options.currency.empty() ? "USD" : options.currency;
    curve.note = fmt::format("{}, {} ({}): rate + adj in {} per kWh, in the utility's local time{}.", text_of(item, "utility"),
                             text_of(item, "name"), text_of(item, "sector"), curve.currency,
                             rate.weekday == rate.weekend ? "" : "; holidays are weekdays") +
                 in_force(item);
    if (!fill(curve, rate, options.date)) {
        return "its weekends and its months differ, so that it depends on the calendar: give the option date, whose year is meant";
    }
    double day = 0.0;
    const Number end = number_of(item, "enddate");
    if (model::parse_date(options.date, day) && end && end.value < day * kSecondsPerDay) {
        report.warnings.add(row, fmt::format("the rate was in force until {}, before {}", day_text(end.value), options.date));
    }
    Lacks lacks;
    std::optional<model::Site> site = site_of_rate(item, curve, lacks);
    if (!site) {
        return fmt::format("{}: no price of all energy, and a site holds no such tiers", fmt::join(lacks, ", "));
    }
    if (!lacks.empty()) {
        report.warnings.add(row, fmt::format("{} lacks {}", site->id, fmt::join(lacks, ", ")));
        site->note += fmt::format(" Not in it: {}.", fmt::join(lacks, ", "));
    }
    const bool is_first = !site->energy_tiers.empty();
    curve.note += fmt::format(" {}{} has its charges.", is_first ? "The price is of the first tier; " : "", site->id);
    report.add(std::move(curve));
    report.add(std::move(*site));
    return std::nullopt;
}

// Replaces schedules that are given as text, "[[0, 0, …]]", by lists of numbers. Some copies of API responses have them as text.
void unquote_schedules(std::string& text) {
    constexpr std::string_view kNumbers = "0123456789[], \t\r\n";
    constexpr std::string_view kBegin = "\"[[";
    for (std::size_t at = text.find(kBegin); at != std::string::npos; at = text.find(kBegin, at + 1)) {
        const std::size_t end = text.find_first_not_of(kNumbers, at + 1);
        if (end != std::string::npos && text[end] == '"' && text[end - 1] == ']') {
            text[at] = text[end] = ' ';
        }
    }
}

// Error messages in an OpenEI response: {"errors": […]} or {"error": {"message": …}}.
std::string errors_of(const Json& root) {
    std::string all;
    for (const std::string_view text : texts_of(root, "errors")) {
        all += fmt::format("{}{}", all.empty() ? "" : "; ", text.substr(0, 200));
    }
    if (const std::optional<Json> error = member(root, "error")) {
        all += text_of(*error, "message").empty() ? text_of(root, "error") : text_of(*error, "message");
    }
    return all;
}

// The rates in an API response, or the single rate of a file as SAM and REopt save it.
std::optional<std::vector<Json>> rates_of(const Json& root) {
    if (const auto listed = list_of(root, "items")) {
        return std::vector<Json>(listed->begin(), listed->end());
    }
    return member(root, "energyratestructure") ? std::optional(std::vector<Json>{root}) : std::nullopt;
}

std::string id_of_rate(std::string_view label, const Options& options, bool is_alone) {
    return options.id.empty() ? make_id({"tariff.openei", label}) : is_alone ? options.id : make_id({options.id, label});
}

} // namespace

HardError read_openei(Bytes& bytes, const Options& options, Report& report) {
    std::optional<std::string> text = bytes.whole();
    if (!text) {
        return bytes.error();
    }
    unquote_schedules(*text);
    const JsonFile file(*text);
    if (!file.root()) {
        return file.error();
    }
    if (const std::string errors = errors_of(*file.root()); !errors.empty()) {
        return hard_error(Code::unknown_reference, 0, fmt::format("OpenEI answered with an error: {}", errors));
    }
    const std::optional<std::vector<Json>> listed = rates_of(*file.root());
    if (!listed) {
        return hard_error(Code::missing, 0, "it has no list \"items\": an answer of OpenEI's utility rate database is needed");
    }
    const std::vector<Json>& items = *listed;
    std::set<std::string> ids;
    std::string first;
    for (const Json& item : items) {
        ++report.rows;
        const std::string_view label = text_of(item, "label");
        const std::string id = id_of_rate(label, options, items.size() == 1);
        Problem problem;
        if (label.empty() && (options.id.empty() || items.size() > 1)) {
            problem = "label is missing, of which its id is made";
        } else if (!ids.insert(id).second) {
            problem = fmt::format("label {} is there twice", label);
        } else {
            problem = read_item(item, id, options, report, report.rows);
        }
        if (problem) {
            first = first.empty() ? *problem : first;
            report.rejected.add(report.rows, std::move(*problem));
        }
    }
    if (report.rejected.count == report.rows) {
        return hard_error(Code::missing, report.rows == 0 ? 0 : 1,
                          report.rows == 0 ? "items is empty: OpenEI found no rate" : first);
    }
    return std::nullopt;
}

} // namespace costcurve::imports
