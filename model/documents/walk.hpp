// How documents nest, by the field tables: the one place that knows it. What reads, sets, lists or checks the parts of a document
// visits them by unwrap() and for_each_part(); walk() visits the documents inside of one.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "model/documents/fields.hpp"
#include "model/documents/pointer.hpp"

namespace costcurve::model {

/// What a reference can name, and what carries a revision.
template <class T> inline constexpr bool is_stored = requires(T document) { document.stored; };

template <class T> inline constexpr bool is_optional = false;
template <class T> inline constexpr bool is_optional<std::optional<T>> = true;
template <class T> inline constexpr bool is_list_of_fields = false;
template <class T> inline constexpr bool is_list_of_fields<std::vector<T>> = has_fields<T>;
template <class T> inline constexpr bool is_table = false; ///< values by name
template <class T> inline constexpr bool is_table<std::map<std::string, T>> = std::is_same_v<T, double> || has_fields<T>;
/// Whether there can be something to visit in it: most members are numbers and texts.
template <class T>
inline constexpr bool is_walked =
    has_fields<T> || is_list_of_fields<T> || std::is_same_v<T, Rate> || std::is_same_v<T, UnitPrice> || std::is_same_v<T, Identity>;
template <class T> inline constexpr bool is_walked<std::optional<T>> = is_walked<T>;

/// Whether documents of this one's kind have the field.
template <class T> [[nodiscard]] constexpr bool applies(const FieldSpec& spec, const T& document) {
    if constexpr (requires { name_of(document.kind); }) {
        return spec.only_for.empty() || is_for(spec.only_for, name_of(document.kind));
    } else {
        return true;
    }
}

/// Calls visit(value) with what a member holds: the content of an optional, a rate's number or curve, a price or the pair of
/// both, else the member itself. No call where an optional is empty.
template <class M, class F> void unwrap(M& member, const F& visit) {
    using T = std::remove_const_t<M>;
    if constexpr (is_optional<T>) {
        if (member) {
            unwrap(*member, visit);
        }
    } else if constexpr (std::is_same_v<T, Rate>) {
        if (member.curve) {
            visit(*member.curve);
        } else {
            visit(member.number);
        }
    } else if constexpr (std::is_same_v<T, UnitPrice> || std::is_same_v<T, UnitsPerRequest>) {
        if (member.split) {
            visit(member);
        } else {
            unwrap(member.total, visit);
        }
    } else {
        visit(member);
    }
}

/// What has parts: an object of fields, a list of those, a table of numbers or of those. A curve is a value, like a number.
template <class T>
inline constexpr bool has_parts = (has_fields<T> && !std::is_same_v<T, Curve>) || is_list_of_fields<T> || is_table<T>;

/// Calls visit(name, member, spec) for each part of an unwrapped value, in the order of its encoding; the members of a list
/// and of a table have the spec of the list or table.
template <class V, class F> void for_each_part(V& value, const FieldSpec& spec, const F& visit) {
    using T = std::remove_const_t<V>;
    static_assert(has_parts<T>);
    if constexpr (is_list_of_fields<T>) {
        for (std::size_t i = 0; i < value.size(); ++i) {
            visit(std::to_string(i), value[i], spec);
        }
    } else if constexpr (has_fields<T>) {
        for_each_field<T>([&](const auto& field) {
            if (applies(field.spec, value)) {
                visit(field.name, value.*field.member, field.spec);
            }
        });
    } else {
        for (auto& [name, part] : value) {
            visit(name, part, spec);
        }
    }
}

/// Calls visit(member, spec) for the part of an unwrapped value that `name` names; false where there is none.
template <class V, class F> bool visit_part(V& value, std::string_view name, const FieldSpec& spec, const F& visit) {
    if constexpr (is_list_of_fields<std::remove_const_t<V>>) {
        const std::optional<std::size_t> index = index_of(name, value.size());
        if (index) {
            visit(value[*index], spec);
        }
        return index.has_value();
    } else {
        bool found = false;
        for_each_part(value, spec, [&](std::string_view part_name, auto& part, const FieldSpec& part_spec) {
            if (part_name == name) {
                found = true;
                visit(part, part_spec);
            }
        });
        return found;
    }
}

template <class All> struct PointersTo;
template <class... T> struct PointersTo<std::variant<T...>> { using Type = std::variant<T*..., Identity*>; };
/// What walk() comes to: a document that can be stored, or an Identity.
using Walked = PointersTo<AnyDocument>::Type;
using VisitWalked = std::function<void(const Walked&, const std::string& pointer, const FieldSpec& spec)>;

// One function a type of member, whatever is done at what it comes to.
template <class M> void walk_any(M& member, std::string& pointer, const FieldSpec& spec, const VisitWalked& visit) {
    unwrap(member, [&](auto& value) {
        using V = std::remove_reference_t<decltype(value)>;
        if constexpr (is_stored<V> || std::is_same_v<V, Identity>) {
            visit(&value, pointer, spec);
        }
        if constexpr (is_stored<V>) {
            if (value.stored.is_reference) {
                return;
            }
        }
        if constexpr (is_walked<V> && has_parts<V>) {
            for_each_part(value, spec, [&](std::string_view name, auto& part, const FieldSpec& part_spec) {
                if constexpr (is_walked<std::remove_reference_t<decltype(part)>>) {
                    const std::size_t length = pointer.size();
                    pointer.append("/").append(name);
                    walk_any(part, pointer, part_spec, visit);
                    pointer.resize(length);
                }
            });
        }
    });
}

// visit(part, pointer, spec) of any part, as one function of any of them.
template <bool kConst, class F> [[nodiscard]] VisitWalked visit_of(F visit) {
    return [visit](const Walked& walked, const std::string& pointer, const FieldSpec& spec) {
        std::visit([&]<class T>(T* part) { visit(static_cast<std::conditional_t<kConst, const T&, T&>>(*part), pointer, spec); },
                   walked);
    };
}

/// Calls visit(part, pointer, spec) for `member`, if it can be stored, and for all such inside it, parents first; also for
/// an Identity. What visit puts in a document's place is walked in its stead; behind a reference there is nothing to visit.
/// `pointer` is where the member stands (JSON Pointer; it is lengthened and shortened on the way), `spec` the row of the field it
/// stands in. A document of any kind is walked as what it is.
template <class M, class F> void walk(M& member, std::string& pointer, const FieldSpec& spec, const F& visit) {
    const VisitWalked visit_as = visit_of<std::is_const_v<M>>(visit);
    auto& all =
        const_cast<std::remove_const_t<M>&>(member); // NOLINT(cppcoreguidelines-pro-type-const-cast): visit gets it as it came
    if constexpr (std::is_same_v<std::remove_const_t<M>, AnyDocument>) {
        std::visit([&](auto& document) { walk_any(document, pointer, spec, visit_as); }, all);
    } else {
        walk_any(all, pointer, spec, visit_as);
    }
}

} // namespace costcurve::model
