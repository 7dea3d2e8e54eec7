// Whether a document that was made by a program, not decoded from a request, keeps the ranges of its field tables. Says yes or
// no: messages are the decoder's, which reads the same tables.
#pragma once

#include <algorithm>
#include <cmath>
#include <string_view>

#include "model/calendar.hpp"
#include "model/curve_use.hpp"
#include "model/fields.hpp"
#include "model/walk.hpp"

namespace costcurve::model {

/// [a-z0-9][a-z0-9._-]{0,127}
[[nodiscard]] inline bool is_slug(std::string_view text) {
    const auto plain = [](char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9'); };
    return !text.empty() && text.size() <= 128 && plain(text.front()) &&
           std::all_of(text.begin(), text.end(), [&](char c) { return plain(c) || c == '.' || c == '_' || c == '-'; });
}

/// The most bytes of a text and points of a curve that any document may have.
inline constexpr std::size_t kMostText = 10000;
inline constexpr std::size_t kMostPoints = 100000;

template <class T> [[nodiscard]] bool keeps_ranges(const T& document);

[[nodiscard]] inline bool is_good(double number, const FieldSpec& spec) {
    return std::isfinite(number) && number <= spec.max && (spec.above_min ? number > spec.min : number >= spec.min);
}
[[nodiscard]] inline bool is_good(int number, const FieldSpec& spec) { return is_good(static_cast<double>(number), spec); }
[[nodiscard]] inline bool is_good(bool /*flag*/, const FieldSpec& /*spec*/) { return true; }
[[nodiscard]] inline bool is_good(const std::string& text, const FieldSpec& spec) {
    if (text.empty()) {
        return !spec.required;
    }
    const bool currency = text.size() == 3 && std::all_of(text.begin(), text.end(), [](char c) { return c >= 'A' && c <= 'Z'; });
    return text.size() <= kMostText && (spec.format != Format::slug || is_slug(text)) &&
           (spec.format != Format::currency || currency);
}
[[nodiscard]] inline bool is_good(const Date& date, const FieldSpec& spec) {
    double day = 0.0;
    return date.text.empty() ? !spec.required : parse_date(date.text, day);
}
[[nodiscard]] inline bool is_good(const Identity& identity, const FieldSpec& spec) {
    return identity.id.empty() ? !spec.required : is_slug(identity.id);
}
[[nodiscard]] inline bool is_good(const std::vector<std::string>& names, const FieldSpec& spec) {
    return names.size() <= 1000 &&
           std::all_of(names.begin(), names.end(), [&](const std::string& name) { return !name.empty() && is_good(name, spec); });
}
[[nodiscard]] inline bool is_good(const std::map<std::string, double>& numbers, const FieldSpec& spec) {
    return numbers.size() <= 1000 &&
           std::all_of(numbers.begin(), numbers.end(), [&](const auto& one) { return is_good(one.second, spec); });
}
/// `spec` is null where any kind of curve may stand.
[[nodiscard]] inline bool is_good_curve(const Curve& curve, const FieldSpec* spec) {
    if (curve.stored.is_reference) {
        return is_slug(curve.id);
    }
    const bool is_log = curve.interpolation == Interpolation::log;
    const CurveKindRow& row = curve_kind_row(curve.kind);
    const AxisRange range = range_of(curve.axis);
    const FieldSpec x_spec{.min = is_log ? 0.0 : range.low, .max = range.high, .above_min = is_log};
    const FieldSpec y_spec{.min = is_log ? 0.0 : row.y_min, .max = row.y_max, .above_min = is_log};
    if (curve.x.empty() || curve.x.size() != curve.y.size() || curve.x.size() > kMostPoints ||
        !check_curve_use(curve, spec, "").empty()) {
        return false;
    }
    for (std::size_t i = 0; i < curve.x.size(); ++i) {
        if (!is_good(curve.x[i], x_spec) || !is_good(curve.y[i], y_spec) || (i > 0 && curve.x[i] <= curve.x[i - 1])) {
            return false;
        }
    }
    return (curve.id.empty() || is_slug(curve.id)) && curve.source.size() <= kMostText && curve.note.size() <= kMostText;
}
[[nodiscard]] inline bool is_good(const Curve& curve, const FieldSpec& spec) { return is_good_curve(curve, &spec); }
[[nodiscard]] inline bool is_good(const Rate& rate, const FieldSpec& spec) {
    return rate.curve ? is_good(*rate.curve, spec) : is_good(rate.number, spec);
}
template <class T> [[nodiscard]] bool is_good(const T& part, const FieldSpec& spec) {
    if constexpr (is_optional<T>) {
        return part ? is_good(*part, spec) : !spec.required;
    } else if constexpr (std::is_enum_v<T>) {
        return true;
    } else {
        return keeps_ranges(part);
    }
}

/// True where every field is in its range, every required one there, every curve ascending. What is only referred to needs an id.
template <class T> bool keeps_ranges(const T& document) {
    if constexpr (std::is_same_v<T, Curve>) {
        return is_good_curve(document, nullptr);
    } else {
        if constexpr (is_stored<T>) {
            if (document.stored.is_reference) {
                return is_slug(document.id);
            }
        }
        bool good = true;
        for_each_field<T>([&](const auto& field) {
            if constexpr (requires { document.kind; }) {
                if (!field.spec.only_for.empty() && field.spec.only_for != name_of(document.kind)) {
                    return;
                }
            }
            good = good && is_good(document.*field.member, field.spec);
        });
        return good;
    }
}

} // namespace costcurve::model
