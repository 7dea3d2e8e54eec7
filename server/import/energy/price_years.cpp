// Years of hourly prices, indexed from the year's first instant, so that daylight saving time neither skips nor repeats hours.
#include "server/import/energy/price_years.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>

#include <cctz/time_zone.h>
#include <fmt/format.h>

#include "model/documents/calendar.hpp"
#include "server/import/curves.hpp"
#include "server/import/text/numbers.hpp"

namespace costcurve::imports {

namespace {

constexpr std::int64_t kQuarter = 900;
constexpr std::size_t kQuarters = 4;
constexpr std::size_t kMaxPriceYears = 100;
constexpr std::size_t kHoursOfAYear = 8760;
// Bit masks of the quarters of an hour that have a price: one per hour, two halves, or four quarters.
constexpr unsigned kWhole = 1U;
constexpr unsigned kHalves = 5U;
constexpr unsigned kAll = 15U;

using Instant = cctz::time_point<std::chrono::seconds>;
using PricesByHour = std::map<int, std::vector<double>>;

cctz::time_zone zone_of(const std::string& name) {
    cctz::time_zone zone;
    cctz::load_time_zone(name, &zone);
    return zone;
}

std::size_t hours_of(const PriceYear& year) { return year.quarters.size() / kQuarters; }

cctz::civil_second local(const PriceYear& year, std::size_t hour, const cctz::time_zone& zone) {
    return cctz::convert(Instant(std::chrono::seconds(year.start + static_cast<std::int64_t>(hour) * model::kHour)), zone);
}

std::string civil_text(const cctz::civil_second& civil) {
    return fmt::format("{:04}-{:02}-{:02} {:02}:{:02}", civil.year(), civil.month(), civil.day(), civil.hour(), civil.minute());
}

unsigned pattern(const PriceYear& year, std::size_t hour) {
    unsigned bits = 0;
    for (std::size_t q = 0; q < kQuarters; ++q) {
        bits |= std::isnan(year.quarters[hour * kQuarters + q]) ? 0U : 1U << q;
    }
    return bits;
}

double mean_of(const PriceYear& year, std::size_t hour) {
    double sum = 0.0;
    int count = 0;
    for (std::size_t q = 0; q < kQuarters; ++q) {
        const double price = year.quarters[hour * kQuarters + q];
        sum += std::isnan(price) ? 0.0 : price;
        count += std::isnan(price) ? 0 : 1;
    }
    return sum / count;
}

// Missing prices of a year. Once an hour has had quarters or halves, later hours must have them too: markets only become finer.
std::vector<std::size_t> missing_of(const PriceYear& year) {
    std::vector<std::size_t> missing;
    unsigned before = 0;
    for (std::size_t hour = 0; hour < hours_of(year); ++hour) {
        const unsigned bits = pattern(year, hour);
        if ((bits != kWhole && bits != kHalves && bits != kAll) || bits < before) {
            missing.push_back(hour);
        } else {
            before = bits;
        }
    }
    return missing;
}

// Fills a few missing hours with the prices that they do have, else with the mean of the hours beside the gap. False if too many
// hours are missing.
bool fill_missing(PriceYear& year, const std::vector<std::size_t>& missing, const cctz::time_zone& zone) {
    constexpr std::size_t kMaxMissing = 14; // the largest offset of a time zone from UTC, in hours
    constexpr std::size_t kMaxInARow = 3;
    if (missing.size() > kMaxMissing) {
        return false;
    }
    for (std::size_t first = 0; first < missing.size();) {
        std::size_t last = first;
        while (last + 1 < missing.size() && missing[last + 1] == missing[last] + 1) {
            ++last;
        }
        const bool has_before = missing[first] > 0;
        const bool has_after = missing[last] + 1 < hours_of(year);
        if (last - first >= kMaxInARow && has_before && has_after) {
            return false;
        }
        const double before = has_before ? mean_of(year, missing[first] - 1) : mean_of(year, missing[last] + 1);
        const double after = has_after ? mean_of(year, missing[last] + 1) : before;
        for (std::size_t i = first; i <= last; ++i) {
            const double price = pattern(year, missing[i]) != 0 ? mean_of(year, missing[i]) : (before + after) / 2.0;
            std::fill_n(year.quarters.begin() + static_cast<std::ptrdiff_t>(missing[i] * kQuarters), kQuarters, price);
            year.filled += fmt::format("{}{}", year.filled.empty() ? " Filled from the hours beside them: " : ", ",
                                       civil_text(local(year, missing[i], zone)));
        }
        first = last + 1;
    }
    year.filled += year.filled.empty() ? "" : ".";
    return true;
}

std::string clock_changes(const PriceYear& year, const cctz::time_zone& zone) {
    std::string text;
    for (std::size_t hour = 1; hour < hours_of(year); ++hour) {
        const cctz::civil_second civil = local(year, hour, zone);
        const cctz::diff_t step = civil - local(year, hour - 1, zone);
        if (step == 0) {
            text += fmt::format(" {} came twice: the mean of both.", civil_text(civil));
        } else if (step == 2 * model::kHour) {
            text += fmt::format(" {} was skipped and has no point: in other years it has the price of the hour before.",
                                civil_text(civil - model::kHour));
        }
    }
    return text;
}

model::Curve tariff(const PricesByHour& prices, model::Axis axis, std::string id, const TariffText& text, std::string note) {
    model::Curve curve = empty_curve(model::CurveKind::tariff, axis, std::move(id), text.source, std::move(note));
    curve.interpolation = model::Interpolation::step;
    curve.currency = text.currency;
    for (const auto& [hour, all] : prices) {
        double sum = 0.0;
        for (const double price : all) {
            sum += price;
        }
        append_point(curve, hour, sum / static_cast<double>(all.size()));
    }
    return curve;
}

} // namespace

PriceYears::Added PriceYears::add(std::int64_t when, double price) {
    const cctz::time_zone zone = zone_of(zone_);
    const auto number = static_cast<int>(cctz::convert(Instant(std::chrono::seconds(when)), zone).year());
    if (!years_.contains(number) && years_.size() == kMaxPriceYears) {
        return Added::too_many_years;
    }
    PriceYear& year = years_[number];
    if (year.quarters.empty()) {
        year.number = number;
        year.start = cctz::convert(cctz::civil_second(number, 1, 1), zone).time_since_epoch().count();
        const std::int64_t end = cctz::convert(cctz::civil_second(number + 1, 1, 1), zone).time_since_epoch().count();
        year.quarters.assign(static_cast<std::size_t>((end - year.start + model::kHour - 1) / model::kHour) * kQuarters,
                             std::numeric_limits<double>::quiet_NaN());
    }
    const std::int64_t offset = when - year.start;
    if (offset % kQuarter != 0) {
        return Added::no_quarter;
    }
    double& quarter = year.quarters[static_cast<std::size_t>(offset / kQuarter)];
    if (!std::isnan(quarter)) {
        return quarter == price ? Added::again : Added::other_price;
    }
    quarter = price;
    return Added::yes;
}

void PriceYears::share_repeated(const std::function<void(std::string text)>& say) {
    const cctz::time_zone zone = zone_of(zone_);
    for (auto& [number, year] : years_) {
        for (std::size_t hour = 1; hour < hours_of(year); ++hour) {
            const bool first = pattern(year, hour - 1) != 0;
            const bool second = pattern(year, hour) != 0;
            if (first == second || local(year, hour, zone) != local(year, hour - 1, zone)) {
                continue;
            }
            const std::size_t from = (first ? hour - 1 : hour) * kQuarters;
            const std::size_t to = (first ? hour : hour - 1) * kQuarters;
            std::copy_n(year.quarters.begin() + static_cast<std::ptrdiff_t>(from), kQuarters,
                        year.quarters.begin() + static_cast<std::ptrdiff_t>(to));
            say(fmt::format("{} comes twice in {} and has one price: it is taken for both", civil_text(local(year, hour, zone)),
                            zone_));
        }
    }
}

void PriceYears::each(const std::function<void(const PriceYear&)>& make, const std::function<void(std::string why)>& lacks) const {
    const cctz::time_zone zone = zone_of(zone_);
    for (const auto& [number, year] : years_) {
        const std::vector<std::size_t> missing = missing_of(year);
        PriceYear whole = year;
        if (fill_missing(whole, missing, zone)) {
            make(whole);
        } else {
            lacks(fmt::format("{} lacks {} of its {} hours in {}, the first {}; no tariff is made of it", number, missing.size(),
                              hours_of(year), zone_, civil_text(local(year, missing.front(), zone))));
        }
    }
}

model::Curve PriceYears::year_tariff(const PriceYear& year, const TariffText& text) const {
    const cctz::time_zone zone = zone_of(zone_);
    PricesByHour prices;
    for (std::size_t hour = 0; hour < hours_of(year); ++hour) {
        const cctz::civil_second civil = local(year, hour, zone);
        if (civil.month() != 2 || civil.day() != 29) {
            // Days are counted in a common year, without 29 February.
            const cctz::diff_t day = cctz::civil_day(2001, civil.month(), civil.day()) - cctz::civil_day(2001, 1, 1);
            prices[static_cast<int>(day) * 24 + civil.hour()].push_back(mean_of(year, hour));
        }
    }
    std::string note =
        fmt::format("Local hours of {} in {}, in {} per kWh. Wholesale energy only: no grid fees, no taxes. Weekends "
                    "are those of {}.",
                    text.zone, year.number, text.currency, year.number) +
        clock_changes(year, zone) + year.filled +
        (hours_of(year) > kHoursOfAYear ? " 29 February is left out: it is read as the 28th." : "");
    return tariff(prices, model::Axis::hour_of_year, fmt::format("{}-{}", text.id, year.number), text, std::move(note));
}

model::Curve PriceYears::week_tariff(const PriceYear& year, const TariffText& text) const {
    const cctz::time_zone zone = zone_of(zone_);
    PricesByHour prices;
    for (std::size_t hour = 0; hour < hours_of(year); ++hour) {
        const cctz::civil_second civil = local(year, hour, zone);
        const auto weekday = static_cast<int>(cctz::get_weekday(cctz::civil_day(civil))); // Monday is 0
        prices[weekday * 24 + civil.hour()].push_back(mean_of(year, hour));
    }
    return tariff(prices, model::Axis::hour_of_week, fmt::format("{}-{}.hour-of-week", text.id, year.number), text,
                  fmt::format("Mean of each hour of the local week ({}) over {}, in {} per kWh; both of the repeated hour count. "
                              "Wholesale energy only: no grid fees, no taxes.",
                              text.zone, year.number, text.currency));
}

} // namespace costcurve::imports
