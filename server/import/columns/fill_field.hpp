// Finds document fields by name and converts table cells to their values.
#pragma once

#include <cmath>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "model/documents/calendar.hpp"
#include "model/documents/field_check.hpp"
#include "server/import/identity/aliases.hpp"
#include "server/import/prices/prices.hpp"
#include "server/import/text/numbers.hpp"

namespace costcurve::imports {

/// A value for a field: its text, the same as a number in the field's unit, and for prices the date from which it applies.
struct CellValue {
    std::string_view text;
    std::string shown; ///< as messages quote it, with what is unclear about it
    Number number = {};
    double day = 0.0; ///< since 1970-01-01
};

/// Whether a text can be converted to a member of this type; lists, tables and curves can't.
template <class M>
inline constexpr bool is_fillable = std::is_arithmetic_v<M> || std::is_enum_v<M> || std::is_same_v<M, std::string> ||
                                    std::is_same_v<M, model::Date> || std::is_same_v<M, model::Rate> ||
                                    std::is_same_v<M, model::Identity> || (model::is_stored<M> && !std::is_same_v<M, model::Curve>);

/// Calls visit(member, spec) for the field of a document whose name has the parts `path`; creates objects on the way. False if
/// there is no such field.
template <class M, class F>
bool visit_field(M& member, std::span<const std::string> path, const model::FieldSpec& spec, const F& visit) {
    if constexpr (model::is_optional<M>) {
        typename M::value_type value = member.value_or(typename M::value_type{});
        const bool is_found = visit_field(value, path, spec, visit);
        member = is_found ? M(std::move(value)) : member;
        return is_found;
    } else {
        if (path.empty()) {
            if constexpr (std::is_same_v<M, model::UnitPrice>) {
                visit(member.total, spec);
            } else {
                visit(member, spec);
            }
            return true;
        }
        bool is_found = false;
        if constexpr (model::has_fields<M> && !std::is_same_v<M, model::Curve>) {
            model::for_each_field<M>([&](const auto& field) {
                is_found = is_found ||
                           (field.name == path.front() && visit_field(member.*field.member, path.subspan(1), field.spec, visit));
            });
        }
        if constexpr (std::is_same_v<M, model::UnitPrice>) {
            member.split = member.split || is_found;
        }
        return is_found;
    }
}

/// Whether a rate is an amount of money that can change by date.
[[nodiscard]] inline bool is_price(const model::FieldSpec& spec) {
    return spec.unit.starts_with("currency") && spec.curve == model::CurveKind::price;
}

/// Adds a price from a date on. Gives the reason if it can't, else "".
[[nodiscard]] inline std::string fill_price(model::Rate& rate, double day, double price) {
    if (!rate.curve) {
        rate = price_since(day, price);
        return "";
    }
    return add_point(*rate.curve, day, price) == Point::conflict ? "another price of the same day" : "";
}

/// The end of a message: "is "abc"; a number is needed".
[[nodiscard]] inline std::string needs(const CellValue& value, std::string_view what) {
    return fmt::format("is \"{}\"; {} is needed", value.shown, what);
}

/// Puts a value into a member. Gives the reason if it can't, else "". Ranges are checked by check_fields.
template <class M>
[[nodiscard]] std::string fill_member(M& /*member*/, const model::FieldSpec& /*spec*/, const CellValue& /*value*/) {
    return "can't be filled from a table";
}
[[nodiscard]] inline std::string fill_member(std::string& member, const model::FieldSpec& /*spec*/, const CellValue& value) {
    member = value.text;
    return "";
}
[[nodiscard]] inline std::string fill_member(double& member, const model::FieldSpec& /*spec*/, const CellValue& value) {
    member = value.number.value;
    return value.number ? "" : needs(value, "a number");
}
[[nodiscard]] inline std::string fill_member(int& member, const model::FieldSpec& /*spec*/, const CellValue& value) {
    const double number = value.number.value;
    const bool is_whole = value.number && number == std::floor(number) && std::fabs(number) <= std::numeric_limits<int>::max();
    member = is_whole ? static_cast<int>(number) : 0;
    return is_whole ? "" : needs(value, "a whole number");
}
[[nodiscard]] inline std::string fill_member(bool& member, const model::FieldSpec& /*spec*/, const CellValue& value) {
    const std::string word = lower(value.text);
    member = word == "true" || word == "yes";
    return member || word == "false" || word == "no" ? "" : needs(value, "true or false");
}
[[nodiscard]] inline std::string fill_member(model::Date& member, const model::FieldSpec& /*spec*/, const CellValue& value) {
    const std::optional<Moment> moment = parse_moment(value.text);
    member.text = moment ? model::date_text(day_of(*moment)) : "";
    return moment ? "" : needs(value, "a day");
}
[[nodiscard]] inline std::string fill_member(model::Rate& member, const model::FieldSpec& spec, const CellValue& value) {
    if (!value.number) {
        return needs(value, "a number");
    }
    if (!is_price(spec)) {
        member = model::Rate{value.number.value, std::nullopt};
        return "";
    }
    return value.number.value > 0.0 ? fill_price(member, value.day, value.number.value) : needs(value, "a price above 0");
}
template <class M>
requires std::is_enum_v<M>
[[nodiscard]] std::string fill_member(M& member, const model::FieldSpec& /*spec*/, const CellValue& value) {
    const auto found = model::value_of<M>(lower(value.text));
    member = found.value_or(M{});
    return found ? "" : needs(value, fmt::format("one of {}", fmt::join(model::enum_names<M>, ", ")));
}
[[nodiscard]] inline std::string fill_member(model::Identity& member, const model::FieldSpec& /*spec*/, const CellValue& value) {
    const std::optional<std::string> device = device_of(value.text);
    member.id = device.value_or("");
    return device ? "" : fmt::format("is \"{}\", which no alias knows; store an alias (/v1/aliases)", value.text);
}
[[nodiscard]] inline std::string fill_member(model::Device& member, const model::FieldSpec& spec, const CellValue& value) {
    model::Identity device;
    std::string reason = fill_member(device, spec, value);
    member = device_reference(device.id);
    return reason;
}
template <class M>
requires(model::is_stored<M> && !std::is_same_v<M, model::Curve>) [[nodiscard]] std::string
    fill_member(M& member, const model::FieldSpec& /*spec*/, const CellValue& value) {
    member.id = value.text;
    member.stored.is_reference = true;
    return model::is_slug(member.id) ? "" : needs(value, "the id of a stored document");
}

} // namespace costcurve::imports
