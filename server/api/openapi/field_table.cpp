// Writes a field's object for GET /v1/fields, without the fields within it.
#include "server/api/openapi/field_table.hpp"

#include <cmath>

#include <nlohmann/json.hpp>

namespace costcurve::api {

void add_default(Schema& schema, const Default& stated) {
    if (const double* const number = std::get_if<double>(&stated)) {
        schema["default"] = number_of(*number);
    } else if (const bool* const flag = std::get_if<bool>(&stated)) {
        schema["default"] = *flag;
    } else if (const std::string* const text = std::get_if<std::string>(&stated)) {
        schema["default"] = *text;
    }
}

Default default_of(const model::FieldSpec& spec, const ByDefault& by_default) {
    if (by_default.read == nullptr || spec.required) {
        return {};
    }
    Default value = by_default.read(by_default.place);
    const double* const number = std::get_if<double>(&value);
    return number != nullptr && *number < spec.min ? Default() : value;
}

void write_field(JsonWriter& out, std::string_view name, const model::FieldSpec& spec, const MemberType& type,
                 const ByDefault& by_default) {
    out.begin_object().member("name", name).member("type", type.name);
    if (!spec.unit.empty()) {
        out.member("unit", spec.unit);
    }
    if (std::isfinite(spec.min)) {
        out.member(spec.above_min ? "above" : "min", spec.min);
    }
    if (std::isfinite(spec.max)) {
        out.member("max", spec.max);
    }
    if (type.is_list) {
        out.member("array", true);
    }
    if (type.is_by_name) {
        out.member("by_name", true);
    }
    out.member("required", spec.required);
    if (!spec.only_for.empty()) {
        out.member("only_for", spec.only_for);
    }
    if (!type.choices.empty()) {
        out.key("choices").begin_array();
        for (const std::string_view word : type.choices) {
            out.value(word);
        }
        out.end_array();
    }
    if (type.has_curve) {
        out.member("curve", model::name_of(spec.curve));
    }
    std::visit(
        [&]<class V>(const V& value) {
            if constexpr (!std::is_same_v<V, std::monostate>) {
                out.member("default", value);
            }
        },
        default_of(spec, by_default));
    out.member("help", spec.help);
    if (type.write_fields != nullptr) {
        out.key("fields");
        type.write_fields(out);
    }
    out.end_object();
}

} // namespace costcurve::api
