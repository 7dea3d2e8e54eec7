// One table a enumeration: the words that stand for its values in documents.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string_view>
#include <type_traits>

namespace costcurve::model {

/// Specialised beside each enumeration: the words, in the order of its values.
template <class E> inline constexpr std::array<std::string_view, 0> enum_names{};

template <class E>
requires std::is_enum_v<E>
[[nodiscard]] constexpr std::string_view name_of(E value) { return enum_names<E>[static_cast<std::size_t>(value)]; }

template <class E> [[nodiscard]] constexpr std::optional<E> value_of(std::string_view name) {
    for (std::size_t i = 0; i < enum_names<E>.size(); ++i) {
        if (enum_names<E>[i] == name) {
            return static_cast<E>(i);
        }
    }
    return std::nullopt;
}

} // namespace costcurve::model
