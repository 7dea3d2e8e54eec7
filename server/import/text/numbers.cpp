// Parses numbers and moments with the marks that publishers put around them.
#include "server/import/text/numbers.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>

#include <cctz/time_zone.h>
#include <fmt/format.h>

#include "model/documents/calendar.hpp"
#include "model/documents/text.hpp"

namespace costcurve::imports {

namespace {

constexpr std::size_t kMaxId = 128;
constexpr std::string_view kUnclearComma = "thousands or a decimal comma? write a decimal point, and no mark of thousands";
constexpr std::string_view kUnclearPoint = "thousands or a decimal point? write a decimal comma, and no mark of thousands";
constexpr std::string_view kOtherCurrency =
    "its sign is of another currency than these prices are stated in: state that of the sign";
struct CurrencySign {
    std::string_view sign;
    std::string_view currency;
};
constexpr auto kSigns =
    std::to_array<CurrencySign>({{"$", "$"}, {"€", "EUR"}, {"£", "GBP"}, {"USD", "USD"}, {"EUR", "EUR"}, {"GBP", "GBP"}});

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_blank_word(std::string_view text) {
    constexpr auto kWords = std::to_array<std::string_view>({"", "-", "null", "none", "n/a", "na", "nan", "--", "?", "unknown"});
    return text.size() <= 7 && std::find(kWords.begin(), kWords.end(), lower(text)) != kWords.end();
}

// "1.234": thousands to those whose decimal mark is a comma.
bool could_be_thousands(std::string_view text, char mark) {
    const std::size_t at = text.find(mark);
    const std::size_t end = std::min(text.find_first_not_of("0123456789", at + 1), text.size());
    return at != std::string_view::npos && at >= 1 && at <= 3 && text.front() != '0' && end - at == 4;
}

// Thousands go, and the decimal mark becomes a point. False where commas and points make no sense.
bool normalize(std::string& text, DecimalMark mark) {
    const std::size_t last_comma = text.rfind(',');
    const std::size_t last_point = text.rfind('.');
    if (last_comma == std::string::npos) {
        return std::count(text.begin(), text.end(), '.') <= 1;
    }
    const bool both = last_point != std::string::npos;
    const std::size_t digits_behind = static_cast<std::size_t>(
        std::find_if_not(text.begin() + static_cast<std::ptrdiff_t>(last_comma) + 1, text.end(), is_digit) - text.begin() -
        static_cast<std::ptrdiff_t>(last_comma) - 1);
    const std::size_t first_comma = text.find(',');
    const bool is_of_thousands = digits_behind == 3 && first_comma <= 3 && text.front() != '0';
    const bool alone = !both && first_comma == last_comma;
    const bool comma_is_mark = both ? last_comma > last_point : alone && (mark == DecimalMark::comma || !is_of_thousands);
    const char thousands = comma_is_mark ? '.' : ',';
    if (!comma_is_mark) { // every group of thousands has three digits
        if (!is_of_thousands) {
            return false;
        }
        for (std::size_t i = text.find(','); i != std::string::npos; i = text.find(',', i + 1)) {
            const std::size_t end = std::min(text.find_first_of(",.eE", i + 1), text.size());
            if (end - i != 4) {
                return false;
            }
        }
    }
    std::erase(text, thousands);
    std::replace(text.begin(), text.end(), ',', '.');
    return std::count(text.begin(), text.end(), '.') <= 1;
}

// Two or more digits at a place of a text; -1 where something else stands there.
int digits_at(std::string_view text, std::size_t at, std::size_t count) {
    int value = 0;
    for (std::size_t i = at; i < at + count; ++i) {
        if (i >= text.size() || !is_digit(text[i])) {
            return -1;
        }
        value = value * 10 + (text[i] - '0');
    }
    return value;
}

// Five digits in a row that are no fraction of seconds: a year that no calendar needs, and that cctz would overflow with.
bool has_long_number(std::string_view text) {
    const std::size_t colon = text.rfind(':');
    const std::size_t point = colon == std::string_view::npos ? colon : text.find('.', colon);
    std::size_t digits = 0;
    for (std::size_t i = 0; i < std::min(text.size(), point); ++i) {
        digits = is_digit(text[i]) ? digits + 1 : 0;
        if (digits > 4) {
            return true;
        }
    }
    return false;
}

// The spelling of traces and telemetry, "2023-11-16 18:17:03.97996" with T or a space and Z, UTC, +hh:mm or no zone: they have
// millions of them, and cctz tries one spelling after the other. Nothing for any other spelling.
std::optional<Moment> iso_moment(std::string_view text) {
    constexpr std::size_t kSeconds = 19; // where they end
    double days = 0.0;
    const int hour = digits_at(text, 11, 2);
    const int minute = digits_at(text, 14, 2);
    const int second = digits_at(text, 17, 2);
    if (text.size() < kSeconds || (text[10] != ' ' && text[10] != 'T') || text[13] != ':' || text[16] != ':' || hour < 0 ||
        hour > 23 || minute < 0 || minute > 59 || second < 0 || second > 59 || !model::parse_date(text.substr(0, 10), days)) {
        return std::nullopt;
    }
    Moment moment{days * 86400.0 + hour * 3600.0 + minute * 60.0 + second, false};
    std::string_view rest = text.substr(kSeconds);
    if (rest.starts_with('.')) {
        std::size_t end = 1;
        double digits = 0.0;
        double scale = 1.0;
        for (; end < rest.size() && is_digit(rest[end]); ++end) {
            digits = digits * 10.0 + (rest[end] - '0');
            scale *= 10.0;
        }
        if (end == 1) {
            return std::nullopt;
        }
        moment.seconds += digits / scale;
        rest.remove_prefix(end);
    }
    if (rest.empty()) {
        return moment;
    }
    moment.has_zone = true;
    if (rest == "Z" || rest == " UTC") {
        return moment;
    }
    const int offset_hours = digits_at(rest, 1, 2);
    const int offset_minutes = digits_at(rest, 4, 2);
    if (rest.size() != 6 || (rest[0] != '+' && rest[0] != '-') || rest[3] != ':' || offset_hours < 0 || offset_hours > 23 ||
        offset_minutes < 0 || offset_minutes > 59) {
        return std::nullopt;
    }
    moment.seconds -= (rest[0] == '-' ? -60.0 : 60.0) * (offset_hours * 60 + offset_minutes);
    return moment;
}

} // namespace

Number parse_number(std::string_view text, DecimalMark mark) {
    const auto read = [](std::string_view digits) -> Number {
        const auto value = model::read_number<double>(digits);
        return value && std::isfinite(*value) ? Number{Number::State::good, *value} : Number{Number::State::bad, 0.0};
    };
    const bool is_by_comma = mark == DecimalMark::comma;
    if (!text.empty() && is_digit(text.front()) && !is_by_comma) { // the usual case
        if (const Number number = read(text)) {
            return number;
        }
    }
    if (is_blank_word(text)) {
        return {};
    }
    std::string plain(text);
    const bool negative = plain.starts_with('-');
    if (negative || plain.starts_with('+')) {
        plain.erase(0, 1);
    }
    std::string_view currency;
    for (const auto& [sign, of] : kSigns) {
        if (plain.starts_with(sign)) {
            currency = of;
            plain.erase(0, sign.size());
            plain.erase(0, std::min(plain.find_first_not_of(' '), plain.size()));
        }
    }
    if (plain.empty() || (!is_digit(plain.front()) && plain.front() != '.')) {
        return {Number::State::bad, 0.0};
    }
    const bool has_comma = plain.find(',') != std::string::npos;
    const char open = has_comma ? ',' : '.';
    if ((has_comma ? mark == DecimalMark::unsaid && plain.find('.') == std::string::npos : is_by_comma) &&
        std::count(plain.begin(), plain.end(), open) == 1 && could_be_thousands(plain, open)) {
        return {Number::State::bad, 0.0, currency, has_comma ? kUnclearComma : kUnclearPoint};
    }
    if (!normalize(plain, mark)) {
        return {Number::State::bad, 0.0, currency};
    }
    Number number = read(plain);
    number.value = negative ? -number.value : number.value;
    number.currency = currency;
    return number;
}

Number in_currency(Number number, std::string_view currency) {
    constexpr auto kDollars = std::to_array<std::string_view>({"", "USD", "CAD", "AUD", "NZD", "SGD", "HKD", "TWD", "MXN", "CLP",
                                                               "COP", "ARS", "UYU", "JMD", "BSD", "BBD", "TTD", "FJD"});
    const bool is_of_it = number.currency == "$"
                              ? std::ranges::find(kDollars, currency) != kDollars.end()
                              : number.currency.empty() || number.currency == (currency.empty() ? "USD" : currency);
    return is_of_it ? number : Number{Number::State::bad, 0.0, number.currency, kOtherCurrency};
}

namespace {

std::optional<Moment> any_moment(std::string_view text) {
    struct Spelling {
        const char* format;
        bool has_zone;
    };
    // %E*S reads fractions, %Ez an offset or Z.
    static constexpr auto kSpellings = std::to_array<Spelling>({
        {"%Y-%m-%d %H:%M:%E*S", false},
        {"%Y-%m-%dT%H:%M:%E*S%Ez", true},
        {"%Y-%m-%d", false},
        {"%Y-%m-%dT%H:%M:%E*S", false},
        {"%Y-%m-%d %H:%M:%E*S%Ez", true},
        {"%Y-%m-%d %H:%M:%E*S UTC", true},
        {"%Y-%m-%d %H:%M:%E*S %Ez", true},
        {"%Y-%m-%d %H:%M", false},
        {"%Y-%m-%dT%H:%M", false},
        {"%Y-%m-%dT%H:%M%Ez", true},
        {"%Y/%m/%d %H:%M:%E*S", false},
        {"%Y/%m/%d %H:%M", false},
        {"%Y/%m/%d", false},
        {"%d%b%Y %H:%M:%E*S", false},
        {"%d-%b-%Y", false},
        {"%d.%m.%Y %H:%M:%E*S", false},
        {"%d.%m.%Y %H:%M", false},
        {"%d.%m.%Y", false},
        {"%b %d, %Y", false},
        {"%b-%Y", false},
        {"%Y-%m", false},
    });
    if (text.empty() || text.size() > 40) {
        return std::nullopt;
    }
    if (std::optional<Moment> moment = iso_moment(text)) {
        return moment;
    }
    if (has_long_number(text)) {
        return std::nullopt;
    }
    const std::string copy(text);
    const cctz::time_zone utc = cctz::utc_time_zone();
    using Microseconds = std::chrono::duration<std::int64_t, std::micro>; // of years up to 9999 they fit
    for (const Spelling& spelling : kSpellings) {
        cctz::time_point<Microseconds> moment;
        if (cctz::parse(spelling.format, copy, utc, &moment)) {
            return Moment{static_cast<double>(moment.time_since_epoch().count()) * 1e-6, spelling.has_zone};
        }
    }
    return std::nullopt;
}

} // namespace

std::optional<Moment> parse_moment(std::string_view text) {
    constexpr double kYear1000 = -30610224000.0; // what is before is a year of two digits
    std::optional<Moment> moment = any_moment(text);
    return moment && moment->seconds >= kYear1000 ? moment : std::nullopt;
}

double day_of(const Moment& moment) { return std::floor(moment.seconds / 86400.0); }

std::string make_id(std::initializer_list<std::string_view> parts) {
    std::string id;
    for (const std::string_view part : parts) {
        std::string piece;
        for (const char c : lower(part)) {
            const bool plain = is_digit(c) || (c >= 'a' && c <= 'z') || c == '.' || c == '_';
            if (plain) {
                piece += c;
            } else if (!piece.empty() && piece.back() != '-') {
                piece += '-';
            }
        }
        piece.erase(0, piece.find_first_not_of("-._"));
        piece.erase(piece.find_last_not_of("-._") + 1);
        if (!piece.empty()) {
            id += (id.empty() ? "" : ".") + piece;
        }
    }
    if (id.size() > kMaxId) {
        std::uint64_t hash = 14695981039346656037U; // FNV-1a: the same id on every machine
        for (const char c : id) {
            hash = (hash ^ static_cast<unsigned char>(c)) * 1099511628211U;
        }
        constexpr std::size_t kHash = 17;
        const std::size_t end = id.find_last_not_of("-._", kMaxId - kHash - 1) + 1; // no two hyphens in a row
        id = fmt::format("{}-{:016x}", id.substr(0, end), hash);
    }
    return id;
}

std::string letters_and_digits(std::string_view text) {
    std::string all = lower(text);
    std::erase_if(all, [](char c) { return !is_digit(c) && (c < 'a' || c > 'z'); });
    return all;
}

} // namespace costcurve::imports
