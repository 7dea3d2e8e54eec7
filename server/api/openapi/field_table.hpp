// The fields of a document or a request as forms read them: GET /v1/fields. One row a type of member.
#pragma once

#include <cmath>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include <nlohmann/json.hpp>

#include "model/documents/fields.hpp"
#include "server/api/openapi/own_schemas.hpp"

namespace costcurve::api {

/// A member without what holds it: that it may be left out, or that there are several.
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

/// What a member's type is called.
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
template <> inline constexpr std::string_view type_name<answers::Instant> = "time";
template <> inline constexpr std::string_view type_name<answers::BaselineChoice> = "number or id";
template <> inline constexpr std::string_view type_name<answers::ChoiceValues> = "values";
template <> inline constexpr std::string_view type_name<answers::ScenarioPart> = "part of a scenario";

/// The member's value where nothing is stated; null where that is nothing, or depends.
inline Schema default_value(double number) { return number_of(number); }
inline Schema default_value(int number) { return number; }
inline Schema default_value(bool flag) { return flag; }
inline Schema default_value(const std::string& text) { return text.empty() ? Schema(nullptr) : Schema(text); }
inline Schema default_value(const model::Rate& rate) { return number_of(rate.number); }
inline Schema default_value(const model::UnitsPerRequest& units) { return number_of(units.total); }
inline Schema default_value(const model::ScenarioChoice& choice) { return model::name_of(choice.coverage); }
template <class M> Schema default_value(const M& member) {
    if constexpr (std::is_enum_v<M>) {
        return model::name_of(member);
    } else {
        return nullptr;
    }
}
/// The same of a field of T; null, too, where it must be stated.
template <class T, class F> Schema default_of(const F& field) {
    const T defaults{};
    Schema value = field.spec.required ? Schema(nullptr) : default_value(std::invoke(field.member, defaults));
    return value.is_number() && value.get<double>() < field.spec.min ? Schema(nullptr) : value;
}

/// [{name, type, unit, min or above, max, array, required, only_for, choices, curve, default, help, fields}], in the order of the
/// table; `min` and `max` of an array count its entries, and a part without a table of its own has it in `fields`.
template <class T> Schema field_rows() {
    Schema rows = Schema::array();
    model::for_each_field<T>([&]<class F>(const F& field) {
        using M = std::remove_cvref_t<std::invoke_result_t<decltype(F::member), const T&>>;
        using Inner = typename Held<M>::Type;
        const model::FieldSpec& spec = field.spec;
        Schema row = {{"name", field.name}, {"type", type_name<Inner>}};
        if (!spec.unit.empty()) {
            row["unit"] = spec.unit;
        }
        if (std::isfinite(spec.min)) {
            row[spec.above_min ? "above" : "min"] = number_of(spec.min);
        }
        if (std::isfinite(spec.max)) {
            row["max"] = number_of(spec.max);
        }
        if (Held<M>::is_list) {
            row["array"] = true;
        }
        if (Held<M>::is_by_name) {
            row["by_name"] = true;
        }
        row["required"] = spec.required;
        if (!spec.only_for.empty()) {
            row["only_for"] = spec.only_for;
        }
        if constexpr (std::is_enum_v<Inner>) {
            row["choices"] = model::enum_names<Inner>;
        }
        if constexpr (std::is_same_v<Inner, model::Rate> || std::is_same_v<Inner, model::Curve>) {
            row["curve"] = model::name_of(spec.curve);
        }
        if (Schema value = default_of<T>(field); !value.is_null()) {
            row["default"] = std::move(value);
        }
        row["help"] = spec.help;
        if constexpr (model::has_fields<Inner>) {
            if (model::part_name<Inner> == model::document_name<model::Stored>) {
                row["fields"] = field_rows<Inner>();
            }
        }
        rows.push_back(std::move(row));
    });
    return rows;
}

} // namespace costcurve::api
