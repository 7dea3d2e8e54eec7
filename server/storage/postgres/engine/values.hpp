// Values in PostgreSQL's binary format: statement parameters, COPY cells, and arrays of both.
#pragma once

#include <bit>
#include <concepts>
#include <cstdint>
#include <functional>
#include <optional>
#include <ranges>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <variant>
#include <vector>

#include "server/storage/sql/connection.hpp"

namespace costcurve::storage::postgres {

/// The OIDs in pg_type of a type and of its array type.
struct TypeCode {
    std::uint32_t value;
    std::uint32_t array;
};
inline constexpr TypeCode kInt8{20, 1016};
inline constexpr TypeCode kFloat8{701, 1022};
inline constexpr TypeCode kText{25, 1009};
inline constexpr TypeCode kBytea{17, 1001};

template <class T> inline constexpr bool is_optional = false;
template <class T> inline constexpr bool is_optional<std::optional<T>> = true;

template <class T>
concept Text = std::convertible_to<const T&, std::string_view>;
/// A range sent as an array. Texts and hashes are excluded: their characters would be sent as numbers.
template <class T>
concept Elements = std::ranges::sized_range<T> && !Text<T> && !std::same_as<std::ranges::range_value_t<T>, char>;

/// A value of a cell, or of an element of an array.
template <class T>
concept Scalar = std::integral<T> || std::floating_point<T> || std::same_as<T, Bytes> || Text<T>;
/// A type that can be sent: a value, which may be NULL, or an array of values.
template <class T>
concept Sendable = Scalar<T> || is_optional<T> || Elements<T>;

/// Integers of any size are sent as int8: all columns are bigint.
template <class T> [[nodiscard]] consteval TypeCode type_code() {
    if constexpr (is_optional<T>) {
        return type_code<typename T::value_type>();
    } else if constexpr (std::integral<T>) {
        return kInt8;
    } else if constexpr (std::floating_point<T>) {
        return kFloat8;
    } else if constexpr (std::same_as<T, Bytes>) {
        return kBytea;
    } else {
        return kText;
    }
}

/// The type of a parameter.
template <Sendable T> [[nodiscard]] consteval std::uint32_t parameter_type() {
    if constexpr (Elements<T>) {
        return type_code<std::ranges::range_value_t<T>>().array;
    } else {
        return type_code<T>().value;
    }
}

/// Big-endian.
template <std::unsigned_integral T> void append_number(std::string& out, T number) {
    for (int shift = 8 * (static_cast<int>(sizeof(T)) - 1); shift >= 0; shift -= 8) {
        out += static_cast<char>((number >> shift) & 0xFFU);
    }
}

/// Appends a value after its length in four bytes; the length of NULL is -1.
template <Sendable T> void append_cell(std::string& out, const T& value) {
    if constexpr (is_optional<T>) {
        if (value) {
            append_cell(out, *value);
        } else {
            append_number(out, ~std::uint32_t{0});
        }
    } else if constexpr (std::integral<T>) {
        append_number(out, std::uint32_t{sizeof(std::int64_t)});
        append_number(out, static_cast<std::uint64_t>(static_cast<std::int64_t>(value)));
    } else if constexpr (std::floating_point<T>) {
        append_number(out, std::uint32_t{sizeof(double)});
        append_number(out, std::bit_cast<std::uint64_t>(static_cast<double>(value)));
    } else if constexpr (Elements<T>) {
        using Element = std::ranges::range_value_t<T>;
        const std::size_t begin = out.size();
        append_number(out, std::uint32_t{0});                                       // the length, once it is known
        append_number(out, std::uint32_t{std::ranges::size(value) == 0 ? 0U : 1U}); // dimensions
        append_number(out, std::uint32_t{is_optional<Element> ? 1U : 0U});          // whether it may have NULL
        append_number(out, type_code<Element>().value);
        if (std::ranges::size(value) > 0) {
            append_number(out, static_cast<std::uint32_t>(std::ranges::size(value)));
            append_number(out, std::uint32_t{1}); // the index of the first
            for (const Element& element : value) {
                append_cell(out, element);
            }
        }
        std::string length;
        append_number(length, static_cast<std::uint32_t>(out.size() - begin - sizeof(std::uint32_t)));
        out.replace(begin, length.size(), length);
    } else {
        std::string_view text;
        if constexpr (std::same_as<T, Bytes>) {
            text = value.value;
        } else {
            text = value;
        }
        append_number(out, static_cast<std::uint32_t>(text.size()));
        out += text;
    }
}

/// A column for unnest: `get`, which may be a member pointer, of each row. Text values are views into the rows.
template <std::ranges::sized_range Range, std::regular_invocable<std::ranges::range_reference_t<const Range&>> Get>
[[nodiscard]] auto column_of(const Range& rows, const Get& get) {
    using Given = std::invoke_result_t<const Get&, std::ranges::range_reference_t<const Range&>>;
    using Value = std::remove_cvref_t<Given>;
    static_assert(!std::same_as<Value, std::string> || std::is_reference_v<Given>, "a view of a text that is gone");
    std::vector<std::conditional_t<std::same_as<Value, std::string>, std::string_view, Value>> column;
    column.reserve(std::ranges::size(rows));
    for (const auto& row : rows) {
        column.emplace_back(std::invoke(get, row));
    }
    return column;
}

/// The values of $1 … $n.
class Parameters {
public:
    template <Sendable... Values> explicit Parameters(const Values&... values) {
        types_.reserve(sizeof...(values));
        starts_.reserve(sizeof...(values));
        (add(values), ...);
    }
    explicit Parameters(std::span<const sql::Value> values) {
        for (const sql::Value& value : values) {
            std::visit([this](const auto& held) { add(held); }, value);
        }
    }
    [[nodiscard]] int count() const { return static_cast<int>(types_.size()); }
    [[nodiscard]] const std::vector<std::uint32_t>& types() const { return types_; }
    /// Valid as long as the parameters.
    [[nodiscard]] std::vector<const char*> pointers() const;
    [[nodiscard]] std::vector<int> lengths() const;

private:
    template <Sendable T> void add(const T& value) {
        types_.push_back(parameter_type<std::decay_t<T>>());
        starts_.push_back(cells_.size());
        append_cell(cells_, value);
    }
    [[nodiscard]] int length_of(std::size_t start) const;

    std::vector<std::uint32_t> types_;
    std::vector<std::size_t> starts_;
    std::string cells_;
};

} // namespace costcurve::storage::postgres
