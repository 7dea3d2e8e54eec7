// Text that every room reads alike: letters of ASCII and numbers. No locale.
#pragma once

#include <charconv>
#include <optional>
#include <string>
#include <string_view>

namespace costcurve::model {

/// The text with A to Z in lower case; other bytes stay.
[[nodiscard]] inline std::string lower(std::string_view text) {
    std::string result(text);
    for (char& c : result) {
        c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    }
    return result;
}

/// The number that the whole text is, as std::from_chars reads it; nothing where it is none or does not fit.
template <class T> [[nodiscard]] std::optional<T> read_number(std::string_view text) {
    T number{};
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    return error == std::errc() && end == text.data() + text.size() ? std::optional(number) : std::nullopt;
}

} // namespace costcurve::model
