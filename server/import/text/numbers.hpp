// Numbers, moments and slugs as published files spell them.
#pragma once

#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>

#include "model/documents/text.hpp"

namespace costcurve::imports {

inline constexpr double kMsPerSecond = 1000.0;
inline constexpr double kBytesPerGb = 1e9;
inline constexpr double kBytesPerGib = 1073741824.0;
inline constexpr double kFractionPerPercent = 0.01;
inline constexpr double kKwhPerMwh = 1000.0;
inline constexpr double kMaxTdpW = 20000.0; ///< as device documents allow

/// A cell that should be a number. Blank is not zero: both are distinguished from text that is no number at all.
struct Number {
    enum class State { blank, good, bad } state = State::blank;
    double value = 0.0;
    std::string_view currency = {}; ///< of its sign: "EUR" of "€2.50"; "$" is of any dollar
    std::string_view unclear = {};  ///< of a bad one: what its text leaves open, and what to write
    explicit operator bool() const { return state == State::good; }
};

/// The same; bad where its sign is of another currency. Where none is stated, prices may be in dollars.
[[nodiscard]] Number in_currency(Number number, std::string_view currency);

/// What stands between the whole part and the fraction, where a text has one mark only.
enum class DecimalMark { point, comma, unsaid };

/// Reads "1.5e3", "-3", ".0820", "$44,489.88", "305,6" (with a comma as mark, and "1,5" and "0,590" even without: a comma that
/// separates thousands has one to three digits before it, no zero first, and three behind). "1,234" is 1234 where the mark is a
/// point, 1.234 where it is a comma, and bad where it is unsaid; "1.234" is bad where the mark is a comma: nobody knows whether its
/// writer kept to that. "", "-", "null", "none", "n/a", "na", "nan" in any case are blank; infinity is bad.
[[nodiscard]] Number parse_number(std::string_view text, DecimalMark mark = DecimalMark::point);

/// A moment as it is written: Unix seconds of the civil time, and whether a zone was said. Without one it is local time somewhere.
struct Moment {
    double seconds = 0.0; ///< since 1970-01-01T00:00:00, in its own zone where `has_zone` is false, else UTC
    bool has_zone = false;
};

/// Reads ISO 8601 and RFC 3339 ("2023-11-16 18:17:03.9799600", "…T…Z", "… UTC", "…+02:00"), "2024-06-11", "27mar2022 02:00:00",
/// "Feb 14, 2020", "14-Feb-2020", "2024/11/15 16:57". Days that don't exist are no moments.
[[nodiscard]] std::optional<Moment> parse_moment(std::string_view text);

/// Days since 1970-01-01 of a moment.
[[nodiscard]] double day_of(const Moment& moment);

/// An id of these parts, joined by dots: [a-z0-9][a-z0-9._-]{0,127}. Other characters become hyphens, empty parts are left out;
/// where it would be too long it ends with a hash of what was cut off.
[[nodiscard]] std::string make_id(std::initializer_list<std::string_view> parts);

/// In lower case, letters and digits alone: names as they are compared.
[[nodiscard]] std::string letters_and_digits(std::string_view text);

using model::lower;

} // namespace costcurve::imports
