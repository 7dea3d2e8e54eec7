// Encodes answers as JSON by their field tables. An empty member is null, or left out if its row says `omit`.
#pragma once

#include <array>
#include <concepts>
#include <cstddef>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "model/documents/documents.hpp"
#include "model/documents/failure.hpp"
#include "model/documents/field.hpp"
#include "server/documents/json/json_text.hpp"

namespace costcurve::answers {

/// Text that is already JSON; `schema` of its row names its schema.
struct RawJson {
    std::string text;
};
/// JSON of any type, passed through as sent.
struct AnyJson : RawJson {};
/// A stored JSON answer inside an answer that adds members: the stored members appear beside the added ones.
template <class T> struct Kept {
    using Answer = T;
    std::string_view text;
};
/// One page of a list.
template <class T> struct Page {
    std::vector<T> items;
    std::optional<std::string> next;
};
/// An object with members of one type, in the order of the answer.
template <class T> using ByName = std::vector<std::pair<std::string, T>>;
/// An object whose members are computed while they are written, by index `at` below `count`. A member may be left out.
template <class T> struct Named {
    std::string_view name;
    T value;
};
template <class At> struct Members {
    std::size_t count;
    At at;
};
template <class T> Named(std::string_view, T) -> Named<T>;
template <class At> Members(std::size_t, At) -> Members<At>;

template <class T> inline constexpr bool is_by_name = false;
template <class T> inline constexpr bool is_by_name<std::vector<std::pair<std::string, T>>> = true;
template <class T> inline constexpr bool is_kept = false;
template <class T> inline constexpr bool is_kept<Kept<T>> = true;
template <class T> inline constexpr bool is_members = false;
template <class At> inline constexpr bool is_members<Members<At>> = true;
template <class T> inline constexpr bool is_alternatives = false;
template <class... T> inline constexpr bool is_alternatives<std::variant<T...>> = true;
template <class T> inline constexpr bool is_optional_member = false;
template <class T> inline constexpr bool is_optional_member<std::optional<T>> = true;
template <class T> inline constexpr bool is_text = std::is_same_v<T, std::string> || std::is_same_v<T, std::string_view>;
template <class T> inline constexpr bool is_integer = std::is_integral_v<T> && !std::is_same_v<T, bool>;
template <class T> inline constexpr bool is_sequence = false;
template <class T> inline constexpr bool is_sequence<std::vector<T>> = !is_by_name<std::vector<T>>;
template <class T, std::size_t N> inline constexpr bool is_sequence<std::array<T, N>> = true;

/// One value by its type.
template <class T> void write_value(JsonWriter& out, const T& value);

template <class T> [[nodiscard]] bool is_empty_member(const T& value) {
    if constexpr (is_optional_member<T>) {
        return !value.has_value();
    } else if constexpr (is_text<T> || is_sequence<T>) {
        return value.empty();
    } else if constexpr (std::is_arithmetic_v<T>) {
        return value == T{};
    } else {
        return false;
    }
}

/// A member by its type and its row.
template <class M> void write_member(JsonWriter& out, const M& value, const model::FieldSpec& spec) {
    if constexpr (is_text<M>) {
        if (spec.null_if_empty && value.empty()) {
            out.null();
            return;
        }
        if (!spec.schema.empty()) {
            out.raw(value);
            return;
        }
    } else if constexpr (is_integer<M>) {
        if (spec.format == model::Format::digits) {
            out.value(std::to_string(value));
            return;
        }
    }
    write_value(out, value);
}

/// Writes the members of an open object. A row's member is a member of the struct or the result of a function.
template <class T> void write_members(JsonWriter& out, const T& object) {
    model::for_each_field<T>([&](const auto& field) {
        if constexpr (requires { field.applies(object.document); }) {
            if (field.applies != nullptr && !field.applies(object.document)) {
                return;
            }
        }
        const auto& value = std::invoke(field.member, object);
        if constexpr (is_kept<std::decay_t<decltype(value)>>) {
            out.raw(value.text.substr(1, value.text.size() - 2)); // without its brackets
        } else if (!field.spec.omit || !is_empty_member(value)) {
            out.key(field.name);
            write_member(out, value, field.spec);
        }
    });
}

template <class T> void write_named(JsonWriter& out, const Named<T>& member) {
    out.key(member.name);
    write_value(out, member.value);
}
template <class T> void write_named(JsonWriter& out, const std::optional<Named<T>>& member) {
    if (member) {
        write_named(out, *member);
    }
}

template <class T> void write_value(JsonWriter& out, const T& value) {
    if constexpr (std::is_base_of_v<RawJson, T>) {
        out.raw(value.text);
    } else if constexpr (std::is_same_v<T, std::nullptr_t>) {
        out.null();
    } else if constexpr (is_optional_member<T>) {
        if (value) {
            write_value(out, *value);
        } else {
            out.null();
        }
    } else if constexpr (is_alternatives<T>) {
        std::visit([&](const auto& alternative) { write_value(out, alternative); }, value);
    } else if constexpr (is_members<T>) {
        out.begin_object();
        for (std::size_t i = 0; i < value.count; ++i) {
            write_named(out, value.at(i));
        }
        out.end_object();
    } else if constexpr (std::is_same_v<T, model::Code>) {
        out.value(model::code_name(value));
    } else if constexpr (std::is_enum_v<T>) {
        out.value(model::name_of(value));
    } else if constexpr (std::is_same_v<T, model::YearMonth>) {
        out.value(to_text(value));
    } else if constexpr (std::is_same_v<T, bool> || std::is_arithmetic_v<T> || std::is_convertible_v<const T&, std::string_view>) {
        out.value(value);
    } else if constexpr (is_by_name<T> || std::is_same_v<T, std::map<std::string, std::string>>) {
        out.begin_object();
        for (const auto& [name, member] : value) {
            out.key(name);
            write_value(out, member);
        }
        out.end_object();
    } else if constexpr (is_sequence<T> || std::is_same_v<T, model::Failure>) {
        out.begin_array();
        for (const auto& entry : value) {
            write_value(out, entry);
        }
        out.end_array();
    } else {
        static_assert(model::has_fields<T>, "a type of member that can't be written");
        out.begin_object();
        write_members(out, value);
        out.end_object();
    }
}

/// The answer's text.
template <class T> [[nodiscard]] std::string encode_answer(const T& answer) {
    JsonWriter out;
    write_value(out, answer);
    return out.take();
}

} // namespace costcurve::answers

namespace costcurve::model {

/// An issue, as every answer lists it.
template <> inline constexpr std::string_view document_name<Issue> = "issue";
template <>
inline constexpr auto fields<Issue> = Rows{
    Field{"pointer", &Issue::pointer, {.help = "JSON Pointer (RFC 6901) into the request"}},
    Field{"code", &Issue::code, {}},
    Field{"message", &Issue::message, {}},
};
template <class T>
inline constexpr auto fields<answers::Page<T>> =
    Rows{Field<answers::Page<T>, std::vector<T>>{"items", &answers::Page<T>::items, {}},
         Field<answers::Page<T>, std::optional<std::string>>{
             "next", &answers::Page<T>::next, {.help = "the cursor of the next page; null at the end"}}};

} // namespace costcurve::model
