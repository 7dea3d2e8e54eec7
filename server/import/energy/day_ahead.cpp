// Reads day-ahead prices of a power exchange (ENTSO-E exports and derived files). Each whole year gives a tariff over the hour of
// the year and one over the hour of the week. Times are converted to instants first, so that clock changes are unambiguous.
#include <algorithm>
#include <array>
#include <cmath>
#include <set>

#include <cctz/time_zone.h>
#include <fmt/format.h>

#include "server/import/energy/price_years.hpp"
#include "server/import/readers.hpp"
#include "server/import/text/numbers.hpp"
#include "server/import/text/read_rows.hpp"

namespace costcurve::imports {

namespace {

using model::Code;

// Currencies in which power exchanges publish, as they stand in column names.
constexpr auto kCurrencies = std::to_array<std::string_view>(
    {"EUR", "GBP", "USD", "CHF", "SEK", "NOK", "DKK", "PLN", "CZK", "HUF", "RON", "BGN", "UAH", "AUD", "NZD", "JPY", "CAD", "INR"});

// What a time column's name reveals of its time zone. Some exports name winter and summer time of a zone that several countries
// share.
struct ZoneName {
    std::string_view text;
    const char* zone;
};
constexpr auto kZoneNames = std::to_array<ZoneName>(
    {{"utc", "UTC"}, {"gmt", "UTC"}, {"(cet", "Europe/Brussels"}, {"(wet", "Europe/Lisbon"}, {"(eet", "Europe/Helsinki"}});

// The columns of the file, and what their names reveal.
struct DayAheadLayout {
    Column time, price, area, sequence, currency;
    bool day_first = false; ///< times of ENTSO-E's exports: 31/12/2024 is a day of December
    double per_kwh = 0.0;   ///< divides a price
    std::string currency_code;
    cctz::time_zone times_in; ///< of times that do not say their zone
};

/// The currency code in a column name: "Day-ahead Price [EUR/MWh]" has EUR.
std::string currency_in(std::string_view name) {
    std::string word;
    std::string found;
    for (const char c : std::string(name) + " ") {
        if ((c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z')) {
            word += (c >= 'a') ? static_cast<char>(c - 'a' + 'A') : c;
            continue;
        }
        if (std::find(kCurrencies.begin(), kCurrencies.end(), word) != kCurrencies.end()) {
            found = word;
        }
        word.clear();
    }
    return found;
}

// The price column: day-ahead prices are preferred to others, then the option's currency to others.
Column price_column(Table& table, const Options& options) {
    Column best;
    int best_rank = -1;
    for (std::size_t i = 0; i < table.header().size(); ++i) {
        const std::string name = lower(table.header()[i]);
        if (name.find("price") == std::string::npos || name.find("area") != std::string::npos) {
            continue;
        }
        const bool ahead = name.find("ahead") != std::string::npos || name.find("dam") != std::string::npos;
        const bool in_currency = !options.currency.empty() && name.find(lower(options.currency)) != std::string::npos;
        const int rank = (ahead ? 2 : 0) + (in_currency ? 1 : 0);
        if (rank > best_rank) {
            best = {static_cast<int>(i)};
            best_rank = rank;
        }
    }
    return best;
}

class DayAheadReader {
public:
    DayAheadReader(Bytes& bytes, const Options& options, Report& report)
        : table_(bytes), options_(options), report_(report), years_(options.time_zone) {}

    HardError read() {
        if (HardError error = read_header()) {
            return error;
        }
        if (HardError error = each_row(table_, report_, [&] { return read_row(); })) {
            return error;
        }
        if (first_in_gap_ != 0 && repeated_twice_ == 0) {
            return hard_error(
                Code::inconsistent, first_in_gap_,
                fmt::format("this hour does not exist in {}, and has a price: the times know no daylight saving. Give "
                            "the zone that they are in as time_zone",
                            layout_.times_in.name()));
        }
        return make_curves();
    }

private:
    HardError read_header() {
        layout_.price = price_column(table_, options_);
        layout_.time = table_.column({"time", "datetime", "date", "timestamp", "start", "start time", "delivery start"});
        for (const char* const begin : {"MTU", "Datetime", "Hour", "Time", "Date"}) {
            layout_.time = layout_.time ? layout_.time : table_.column_that_begins(begin);
        }
        if (table_.error()) {
            return table_.error();
        }
        if (!layout_.time || !layout_.price) {
            return hard_error(
                Code::missing, 1,
                fmt::format("no column is named {}; a day-ahead file has one of times (MTU, time, datetime) and one of "
                            "prices (its name has the word price)",
                            !layout_.time ? "as one of times" : "as one of prices"));
        }
        layout_.area = table_.column({"Area", "PriceArea", "Price area", "Bidding zone", "Zone", "Country"});
        layout_.sequence = table_.column("Sequence");
        layout_.currency = table_.column("Currency");
        return read_units();
    }

    HardError read_units() {
        const std::string& time_name = table_.header()[static_cast<std::size_t>(layout_.time.index)];
        const std::string& price_name = table_.header()[static_cast<std::size_t>(layout_.price.index)];
        layout_.day_first = lower(time_name).starts_with("mtu");
        cctz::load_time_zone(options_.time_zone, &layout_.times_in);
        for (const ZoneName& row : kZoneNames) {
            if (lower(time_name).find(row.text) != std::string::npos) {
                cctz::load_time_zone(row.zone, &layout_.times_in);
                break;
            }
        }
        const std::string said = lower(price_name);
        const std::string unit = said.find("mwh") != std::string::npos ? "mwh" : said.find("kwh") != std::string::npos ? "kwh" : "";
        if (unit.empty() && options_.unit.empty()) {
            return hard_error(Code::missing, 1,
                              fmt::format("column \"{}\" does not say what its prices are per; give the option unit", price_name));
        }
        if (!unit.empty() && !options_.unit.empty() && unit != lower(options_.unit)) {
            return hard_error(Code::inconsistent, 1,
                              fmt::format("column \"{}\" is per {}, the option unit is {}", price_name, unit, options_.unit));
        }
        layout_.per_kwh = (unit.empty() ? lower(options_.unit) : unit) == "mwh" ? kKwhPerMwh : 1.0;
        layout_.currency_code = currency_in(price_name);
        if (layout_.currency_code.empty()) {
            layout_.currency_code = options_.currency;
        }
        if (layout_.currency_code.empty() && !layout_.currency) {
            return hard_error(Code::missing, 1,
                              fmt::format("column \"{}\" does not say its currency; give the option currency", price_name));
        }
        return wrong_currency(layout_.currency_code, 1);
    }

    [[nodiscard]] HardError wrong_currency(std::string_view code, std::size_t row) const {
        if (options_.currency.empty() || code.empty() || code == options_.currency) {
            return std::nullopt;
        }
        return hard_error(Code::inconsistent, row,
                          fmt::format("prices are in {}, the option currency is {}", code, options_.currency));
    }

    // Whether the row belongs to the selected area, auction and currency. `reason` is set if the row must not be skipped silently.
    bool is_of_the_market(std::string& reason) {
        const std::string area(table_.text(layout_.area));
        if (!options_.region.empty() && layout_.area && lower(area) != lower(options_.region)) {
            ++report_.skipped;
            return false;
        }
        if (report_.rows == 1 || (area_.empty() && sequence_.empty())) {
            area_ = area;
            sequence_ = table_.text(layout_.sequence);
        }
        if (area != area_) {
            table_.fail(Code::inconsistent, table_.row(),
                        fmt::format("the file has prices of {} and of {}; name one as region", area_, area));
            return false;
        }
        if (table_.text(layout_.sequence) != sequence_) {
            if (!other_auction_) {
                report_.warnings.add(table_.row(), fmt::format("prices of \"{}\" are left out, those of \"{}\" are read",
                                                               table_.text(layout_.sequence), sequence_));
            }
            other_auction_ = true;
            ++report_.skipped;
            return false;
        }
        return is_in_the_currency(reason);
    }

    bool is_in_the_currency(std::string& reason) {
        const std::string_view code = table_.text(layout_.currency);
        if (code.empty()) {
            return true;
        }
        if (HardError error = wrong_currency(code, 0)) {
            table_.fail(error->code, table_.row(), error->message);
            return false;
        }
        if (layout_.currency_code.empty()) {
            layout_.currency_code = code;
        }
        if (code != layout_.currency_code) {
            reason = fmt::format("currency is {}, that of other rows {}", code, layout_.currency_code);
            return false;
        }
        return true;
    }

    std::string read_row() {
        std::string reason;
        if (!is_of_the_market(reason)) {
            return reason;
        }
        const std::optional<std::int64_t> when = instant_of(table_.text(layout_.time), reason);
        // A comma is a decimal mark here: prices don't have thousands separators without a fraction.
        const Number price = parse_number(table_.text(layout_.price), DecimalMark::comma);
        if (!when) {
            if (in_gap_ && price.state == Number::State::blank) {
                ++report_.skipped;
            } else if (in_gap_) {
                first_in_gap_ = first_in_gap_ == 0 ? table_.row() : first_in_gap_;
                report_.warnings.add(table_.row(), fmt::format("{} does not exist in {}; its price is not used",
                                                               table_.text(layout_.time), layout_.times_in.name()));
            }
            return reason;
        }
        if (!price) {
            return price.state == Number::State::blank
                       ? fmt::format("the price of {} is blank", table_.text(layout_.time))
                       : fmt::format("price is \"{}\"; a number is needed", table_.text(layout_.price));
        }
        return add(*when, price.value / layout_.per_kwh);
    }

    // The instant of a cell; nothing, with a reason, if it can't be read, and nothing without a reason for a time that a clock
    // change skips.
    std::optional<std::int64_t> instant_of(std::string_view cell, std::string& reason) {
        in_gap_ = false;
        std::string text(cell.substr(0, cell.find(" - "))); // start of an interval
        std::string abbreviation;
        if (const std::size_t open = text.find(" ("); open != std::string::npos) {
            abbreviation = text.substr(open + 2, text.find(')') - open - 2);
            text.erase(open);
        }
        if (layout_.day_first && text.size() > 5 && text[2] == '/' && text[5] == '/') {
            std::replace(text.begin(), text.end(), '/', '.');
        }
        const std::optional<Moment> moment = parse_moment(text);
        if (!moment || std::fabs(moment->seconds) > 1e11) {
            reason = fmt::format("time is \"{}\"; give it as YYYY-MM-DD HH:MM", cell);
            return std::nullopt;
        }
        const auto civil_seconds = static_cast<std::int64_t>(moment->seconds);
        if (moment->has_zone) {
            return civil_seconds;
        }
        const cctz::civil_second civil = cctz::civil_second(1970, 1, 1) + civil_seconds;
        const cctz::time_zone::civil_lookup found = layout_.times_in.lookup(civil);
        if (found.kind == cctz::time_zone::civil_lookup::SKIPPED) {
            in_gap_ = true;
            return std::nullopt;
        }
        if (found.kind == cctz::time_zone::civil_lookup::UNIQUE) {
            return found.pre.time_since_epoch().count();
        }
        bool second = !repeated_.insert(civil_seconds).second;
        if (!abbreviation.empty()) {
            second = layout_.times_in.lookup(found.post).abbr == abbreviation;
        }
        repeated_twice_ += second ? 1U : 0U;
        return (second ? found.post : found.pre).time_since_epoch().count();
    }

    std::string add(std::int64_t when, double price) {
        const std::string_view time = table_.text(layout_.time);
        switch (years_.add(when, price)) {
        case PriceYears::Added::yes:
            break;
        case PriceYears::Added::again:
            ++report_.skipped;
            break;
        case PriceYears::Added::other_price:
            return fmt::format("{} has another price in a row above", time);
        case PriceYears::Added::no_quarter:
            return fmt::format("time is \"{}\"; prices are those of hours, halves or quarters", time);
        case PriceYears::Added::too_many_years:
            table_.fail(Code::too_large, table_.row(), "there are more than 100 years in the file");
            break;
        }
        return "";
    }

    HardError make_curves() {
        years_.share_repeated([&](std::string text) { report_.warnings.add(0, std::move(text)); });
        const TariffText text{options_.id, source_of(options_, area_), options_.time_zone, layout_.currency_code};
        std::size_t made = 0;
        std::string first;
        years_.each(
            [&](const PriceYear& year) {
                if (!year.filled.empty()) {
                    report_.warnings.add(0, fmt::format("{}:{}", year.number, year.filled));
                }
                report_.add(years_.year_tariff(year, text));
                report_.add(years_.week_tariff(year, text));
                ++made;
            },
            [&](std::string why) {
                first = first.empty() ? why : first;
                report_.rejected.add(0, std::move(why));
            });
        if (made == 0) {
            return hard_error(Code::missing, 0, first.empty() ? "the file has no price that can be used" : first);
        }
        return std::nullopt;
    }

    Table table_;
    const Options& options_;
    Report& report_;
    DayAheadLayout layout_;
    PriceYears years_;
    std::string area_;
    std::string sequence_;
    bool other_auction_ = false;
    bool in_gap_ = false; ///< the last time does not exist
    std::size_t first_in_gap_ = 0;
    std::set<std::int64_t> repeated_; ///< local times that come twice and were seen
    std::size_t repeated_twice_ = 0;
};

} // namespace

HardError read_day_ahead(Bytes& bytes, const Options& options, Report& report) {
    return DayAheadReader(bytes, options, report).read();
}

} // namespace costcurve::imports
