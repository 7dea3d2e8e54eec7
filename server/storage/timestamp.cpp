// Moments as text: writes one form of RFC 3339 and reads all of them. Leap seconds count as the second after.
#include "server/storage/timestamp.hpp"

#include <chrono>
#include <stdexcept>

#include <fmt/format.h>

#include "model/documents/text.hpp"

namespace costcurve::storage {

namespace {

constexpr std::int64_t kMicrosecondsPerSecond = 1'000'000;
constexpr std::int64_t kSecondsPerDay = 86'400;

bool is_digit(char character) { return character >= '0' && character <= '9'; }

// Takes tokens from the front of a text. After the first mismatch all further tokens fail.
class Scanner {
public:
    explicit Scanner(std::string_view text) : rest_(text) {}

    int number(std::size_t digits, int minimum, int maximum) {
        int value = 0;
        for (std::size_t i = 0; i < digits; ++i) {
            const char character = take();
            good_ = good_ && is_digit(character);
            value = value * 10 + (character - '0');
        }
        good_ = good_ && value >= minimum && value <= maximum;
        return value;
    }
    char one_of(std::string_view allowed) {
        const char character = take();
        good_ = good_ && allowed.find(character) != std::string_view::npos;
        return character;
    }
    // The digits after a decimal point, in microseconds; 0 if there is no point.
    std::int64_t fraction() {
        if (rest_.empty() || rest_.front() != '.') {
            return 0;
        }
        take();
        good_ = good_ && !rest_.empty() && is_digit(rest_.front());
        std::int64_t value = 0;
        for (std::int64_t unit = kMicrosecondsPerSecond / 10; !rest_.empty() && is_digit(rest_.front()); unit /= 10) {
            value += unit * (take() - '0');
        }
        return value;
    }
    [[nodiscard]] bool good() const { return good_; }
    [[nodiscard]] bool at_end() const { return good_ && rest_.empty(); }

private:
    char take() {
        if (rest_.empty()) {
            good_ = false;
            return '0';
        }
        const char character = rest_.front();
        rest_.remove_prefix(1);
        return character;
    }

    std::string_view rest_;
    bool good_ = true;
};

std::int64_t offset_seconds(Scanner& scanner) {
    const char sign = scanner.one_of("Zz+-");
    if (sign == 'Z' || sign == 'z') {
        return 0;
    }
    const int hours = scanner.number(2, 0, 23);
    scanner.one_of(":");
    const int minutes = scanner.number(2, 0, 59);
    const std::int64_t seconds = hours * 3600 + minutes * 60;
    return sign == '-' ? -seconds : seconds;
}

} // namespace

std::int64_t system_microseconds() {
    const auto now = std::chrono::system_clock::now().time_since_epoch();
    return std::chrono::duration_cast<std::chrono::microseconds>(now).count();
}

std::string format_milliseconds(std::int64_t milliseconds) {
    constexpr std::int64_t kPerMillisecond = 1000;
    return format_time(milliseconds * kPerMillisecond);
}

std::string format_time(std::int64_t microseconds) {
    using namespace std::chrono;
    const sys_time<std::chrono::microseconds> time{std::chrono::microseconds{microseconds}};
    const auto day = floor<days>(time);
    const year_month_day date{day};
    const hh_mm_ss clock{time - day};
    return fmt::format("{:04}-{:02}-{:02}T{:02}:{:02}:{:02}.{:06}Z", static_cast<int>(date.year()),
                       static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()), clock.hours().count(),
                       clock.minutes().count(), clock.seconds().count(), clock.subseconds().count());
}

std::optional<std::int64_t> parse_time(std::string_view text) {
    using namespace std::chrono;
    Scanner scanner(text);
    const int year_number = scanner.number(4, 0, 9999);
    scanner.one_of("-");
    const int month_number = scanner.number(2, 1, 12);
    scanner.one_of("-");
    const int day_number = scanner.number(2, 1, 31);
    scanner.one_of("Tt ");
    const int hours_number = scanner.number(2, 0, 23);
    scanner.one_of(":");
    const int minutes_number = scanner.number(2, 0, 59);
    scanner.one_of(":");
    const int seconds_number = scanner.number(2, 0, 60);
    const std::int64_t fraction = scanner.fraction();
    const std::int64_t offset = offset_seconds(scanner);
    if (!scanner.at_end()) {
        return std::nullopt;
    }
    const year_month_day date{year{year_number}, month{static_cast<unsigned>(month_number)},
                              day{static_cast<unsigned>(day_number)}};
    if (!date.ok()) {
        return std::nullopt;
    }
    const std::int64_t days_since = sys_days{date}.time_since_epoch().count();
    const std::int64_t second = hours_number * 3600 + minutes_number * 60 + seconds_number;
    const std::int64_t moment = (days_since * kSecondsPerDay + second - offset) * kMicrosecondsPerSecond + fraction;
    const sys_days first{year{0} / January / 1};
    const sys_days end{year{10000} / January / 1}; // an offset can lead to years that the format doesn't have
    const auto at = sys_time<std::chrono::microseconds>{std::chrono::microseconds{moment}};
    return at >= first && at < end ? std::optional(moment) : std::nullopt;
}

std::optional<std::int64_t> parse_sequence(std::string_view text) {
    if (text.size() < 2 || text.front() != '@' || !is_digit(text[1])) {
        return std::nullopt;
    }
    return model::read_number<std::int64_t>(text.substr(1));
}

std::string format_sequence(std::int64_t sequence) { return fmt::format("@{}", sequence); }

Moment moment_of(std::string_view as_of) {
    if (const auto sequence = parse_sequence(as_of)) {
        return {true, *sequence};
    }
    if (const auto time = parse_time(as_of)) {
        return {false, *time};
    }
    throw std::invalid_argument(fmt::format("as_of is no moment: {}", as_of));
}

} // namespace costcurve::storage
