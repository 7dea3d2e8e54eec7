// Field tables for forms: GET /v1/fields. One row per type of member.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <variant>
#include <vector>

#include "model/documents/automation.hpp"
#include "model/documents/fields.hpp"
#include "model/questions/chance/distribution.hpp"
#include "server/actuals/calibration_answer.hpp"
#include "server/answers/answer.hpp"
#include "server/answers/optimize/choices.hpp"
#include "server/answers/rank/rank.hpp"
#include "server/answers/request.hpp"
#include "server/api/openapi/schemas.hpp"
#include "server/documents/json/json_text.hpp"

namespace costcurve::api {

/// A member's type without optional or vector.
template <class M> struct Held {
    using Type = M;
    static constexpr bool is_list = false;
    static constexpr bool is_by_name = false;
};
template <class M> struct Held<std::optional<M>> : Held<M> {};
template <class M> struct Held<std::vector<M>> : Held<M> { static constexpr bool is_list = true; };
template <> struct Held<std::vector<std::string>> {
    using Type = std::vector<std::string>;
    static constexpr bool is_list = false;
    static constexpr bool is_by_name = false;
};
template <class M>
requires model::has_fields<M> || std::is_same_v<M, model::Distribution>
struct Held<std::map<std::string, M>> : Held<M> {
    static constexpr bool is_by_name = true;
};

/// Name of a member's type.
template <class M> inline constexpr std::string_view type_name = "text";
template <class M>
requires std::is_integral_v<M>
inline constexpr std::string_view type_name<M> = "integer";
template <class M>
requires std::is_enum_v<M>
inline constexpr std::string_view type_name<M> = "choice";
template <class M>
requires model::has_fields<M>
inline constexpr std::string_view type_name<M> = model::part_name<M>;
template <> inline constexpr std::string_view type_name<double> = "number";
template <> inline constexpr std::string_view type_name<bool> = "boolean";
template <> inline constexpr std::string_view type_name<model::Identity> = "device";
template <> inline constexpr std::string_view type_name<model::Rate> = "rate";
template <> inline constexpr std::string_view type_name<model::Curve> = "curve";
template <> inline constexpr std::string_view type_name<model::Tags> = "tags";
template <> inline constexpr std::string_view type_name<model::UnitsPerRequest> = "number or by class";
template <> inline constexpr std::string_view type_name<model::UnitPrice> = "number or by class";
template <> inline constexpr std::string_view type_name<model::ClassWeights> = "by class";
template <> inline constexpr std::string_view type_name<model::ScenarioChoice> = "all, changed or ids";
template <> inline constexpr std::string_view type_name<model::Secret> = "secret";
template <> inline constexpr std::string_view type_name<model::Distribution> = "distribution";
template <> inline constexpr std::string_view type_name<std::vector<std::string>> = "texts";
template <> inline constexpr std::string_view type_name<std::map<std::string, double>> = "numbers";
template <> inline constexpr std::string_view type_name<std::map<std::string, int>> = "numbers";
template <> inline constexpr std::string_view type_name<answers::ScenarioInput> = model::document_name<model::ScenarioDocument>;
template <> inline constexpr std::string_view type_name<answers::WhatIf> = "values by pointer";
template <> inline constexpr std::string_view type_name<answers::Scaling> = "factors by pointer";
template <> inline constexpr std::string_view type_name<answers::Moment> = "time";
template <> inline constexpr std::string_view type_name<actuals::Instant> = "time";
template <> inline constexpr std::string_view type_name<answers::BaselineChoice> = "number or id";
template <> inline constexpr std::string_view type_name<answers::ChoiceValues> = "values";
template <> inline constexpr std::string_view type_name<answers::ScenarioPart> = "part of a scenario";

/// Default of a member; empty if it has none or if it depends on other members.
using Default = std::variant<std::monostate, double, bool, std::string>;

inline Default default_value(double number) { return number; }
inline Default default_value(int number) { return static_cast<double>(number); }
inline Default default_value(bool flag) { return flag; }
inline Default default_value(const std::string& text) { return text.empty() ? Default() : Default(text); }
inline Default default_value(const model::Rate& rate) { return rate.number; }
inline Default default_value(const model::UnitsPerRequest& units) { return units.total; }
inline Default default_value(const model::ScenarioChoice& choice) { return std::string(model::name_of(choice.coverage)); }
template <class M> Default default_value(const M& member) {
    if constexpr (std::is_enum_v<M>) {
        return std::string(model::name_of(member));
    } else {
        return {};
    }
}
/// Accessor of a member in a default-constructed document, and how to read it; null if there is no such place.
struct ByDefault {
    Default (*read)(const void* place) = nullptr;
    const void* place = nullptr;
};
template <class T, class F> ByDefault by_default_of(const F& field) {
    if constexpr (std::is_default_constructible_v<T> && std::is_member_object_pointer_v<decltype(F::member)>) {
        using M = std::remove_cvref_t<std::invoke_result_t<decltype(F::member), const T&>>;
        return {[](const void* place) { return default_value(*static_cast<const M*>(place)); },
                &(model::defaults_of<T>().*field.member)};
    }
    return {};
}
/// The member's default; also empty if the member is required or its range excludes the value.
[[nodiscard]] Default default_of(const model::FieldSpec& spec, const ByDefault& by_default);

/// Adds `default` to a schema if there is one.
void add_default(Schema& schema, const Default& stated);

/// Form description of a member's type; one constant per type.
struct MemberType {
    std::string_view name;
    bool is_list;
    bool is_by_name;
    bool has_curve;
    std::span<const std::string_view> choices;
    void (*write_fields)(JsonWriter& out); ///< for a part without its own table, otherwise null
};
/// Writes one field as an object.
void write_field(JsonWriter& out, std::string_view name, const model::FieldSpec& spec, const MemberType& type,
                 const ByDefault& by_default);

template <class T> void write_fields(JsonWriter& out);

template <class M>
inline constexpr MemberType member_type = [] {
    using Inner = typename Held<M>::Type;
    MemberType type{type_name<Inner>,
                    Held<M>::is_list,
                    Held<M>::is_by_name,
                    std::is_same_v<Inner, model::Rate> || std::is_same_v<Inner, model::Curve>,
                    {},
                    nullptr};
    if constexpr (std::is_enum_v<Inner>) {
        type.choices = model::enum_names<Inner>;
    }
    if constexpr (model::has_fields<Inner>) {
        type.write_fields = model::part_name<Inner> == model::document_name<model::Stored> ? write_fields<Inner> : nullptr;
    }
    return type;
}();

/// Writes [{name, type, unit, min or above, max, array, required, only_for, choices, curve, default, help, fields}] in the order of
/// the table. `min` and `max` of an array limit its length; a part without its own table has it in `fields`.
template <class T> void write_fields(JsonWriter& out) {
    out.begin_array();
    model::for_each_field<T>([&]<class F>(const F& field) {
        using M = std::remove_cvref_t<std::invoke_result_t<decltype(F::member), const T&>>;
        write_field(out, field.name, field.spec, member_type<M>, by_default_of<T>(field));
    });
    out.end_array();
}

} // namespace costcurve::api
