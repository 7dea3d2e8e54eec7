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

/// A cell that should be a number. Blank (missing), zero and text that is no number are distinguished.
struct Number {
    enum class State { blank, good, bad } state = State::blank;
    double value = 0.0;
    std::string_view currency = {}; ///< of its sign: "EUR" of "€2.50"; "$" is of any dollar
    std::string_view unclear = {};  ///< of a bad one: what its text leaves open, and what to write
    explicit operator bool() const { return state == State::good; }
};

/// Bad if the number has the sign of another currency. Without a sign, the number counts as in `currency`.
[[nodiscard]] Number in_currency(Number number, std::string_view currency);

/// The decimal mark to assume if a text has only one mark.
enum class DecimalMark { point, comma, unsaid };

/// Reads "1.5e3", "-3", ".0820", "$44,489.88", "305,6" (if the mark is a comma; "1,5" and "0,590" are read in any case, because a
/// comma between thousands has one to three digits before it, no leading zero, and three behind it). "1,234" is 1234 if the mark is
/// a point, 1.234 if it is a comma, and bad if it is unsaid. "1.234" is bad if the mark is a comma, because it is ambiguous. "",
/// "-", "null", "none", "n/a", "na", "nan" in any case are blank; infinity is bad.
[[nodiscard]] Number parse_number(std::string_view text, DecimalMark mark = DecimalMark::point);

/// A moment as written: Unix seconds of the civil time, and whether a zone is stated. Without a zone it is local time of an unknown
/// zone.
struct Moment {
    double seconds = 0.0; ///< since 1970-01-01T00:00:00, in its own zone where `has_zone` is false, else UTC
    bool has_zone = false;
};

/// Reads ISO 8601 and RFC 3339 ("2023-11-16 18:17:03.9799600", "…T…Z", "… UTC", "…+02:00"), "2024-06-11", "27mar2022 02:00:00",
/// "Feb 14, 2020", "14-Feb-2020", "2024/11/15 16:57". Days that don't exist are no moments.
[[nodiscard]] std::optional<Moment> parse_moment(std::string_view text);

/// Days since 1970-01-01 of a moment.
[[nodiscard]] double day_of(const Moment& moment);

/// Joins parts to an id with dots: [a-z0-9][a-z0-9._-]{0,127}. Other characters become hyphens, and empty parts are left out. An id
/// that would be too long ends with a hash of the part that was cut off.
[[nodiscard]] std::string make_id(std::initializer_list<std::string_view> parts);

/// Lower case without punctuation, to compare names.
[[nodiscard]] std::string letters_and_digits(std::string_view text);

using model::lower;

} // namespace costcurve::imports
