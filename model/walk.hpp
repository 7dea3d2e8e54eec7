// Visits the documents and curves inside a document, by the field tables: the one place that knows how documents nest.
#pragma once

#include <optional>
#include <string>
#include <type_traits>
#include <vector>

#include "model/fields.hpp"

namespace costcurve::model {

/// What a reference can name, and what carries a revision.
template <class T> inline constexpr bool is_stored = requires(T document) { document.stored; };

template <class T> inline constexpr bool is_optional = false;
template <class T> inline constexpr bool is_optional<std::optional<T>> = true;
template <class T> inline constexpr bool is_list_of_fields = false;
template <class T> inline constexpr bool is_list_of_fields<std::vector<T>> = has_fields<T>;
/// Whether there can be something to visit in it: most members are numbers and texts.
template <class T>
inline constexpr bool is_walked =
    has_fields<T> || is_list_of_fields<T> || std::is_same_v<T, Rate> || std::is_same_v<T, UnitPrice> || std::is_same_v<T, Identity>;
template <class T> inline constexpr bool is_walked<std::optional<T>> = is_walked<T>;

/// Calls visit(document, pointer, spec) for `member`, if it can be stored, and for all such inside it, parents first; also for
/// an Identity. What visit puts in a document's place is walked in its stead; behind a reference there is nothing to visit.
/// `pointer` is where the member stands (JSON Pointer; it is lengthened and shortened on the way), `spec` the row of the field it
/// stands in.
template <class M, class F> void walk(M& member, std::string& pointer, const FieldSpec& spec, const F& visit) {
    using T = std::remove_const_t<M>;
    const std::size_t length = pointer.size();
    const auto step = [&](auto& part, std::string_view name, const FieldSpec& part_spec) {
        pointer.append("/").append(name);
        walk(part, pointer, part_spec, visit);
        pointer.resize(length);
    };
    if constexpr (is_optional<T>) {
        if (member) {
            walk(*member, pointer, spec, visit);
        }
    } else if constexpr (is_list_of_fields<T>) {
        for (std::size_t i = 0; i < member.size(); ++i) {
            step(member[i], std::to_string(i), spec);
        }
    } else if constexpr (std::is_same_v<T, Rate>) {
        walk(member.curve, pointer, spec, visit);
    } else if constexpr (std::is_same_v<T, UnitPrice>) {
        if (member.split) {
            step(member.input, "input", spec);
            step(member.output, "output", spec);
        } else {
            walk(member.total, pointer, spec, visit);
        }
    } else if constexpr (std::is_same_v<T, Identity>) {
        visit(member, pointer, spec);
    } else if constexpr (has_fields<T>) {
        if constexpr (is_stored<T>) {
            visit(member, pointer, spec);
            if (member.stored.is_reference) {
                return;
            }
        }
        for_each_field<T>([&](const auto& field) {
            if constexpr (is_walked<std::decay_t<decltype(member.*field.member)>>) {
                step(member.*field.member, field.name, field.spec);
            }
        });
    }
}

} // namespace costcurve::model
