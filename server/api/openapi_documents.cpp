// Documents as JSON Schema, by the field tables: one row a field, one branch a type of member. Rules between fields, and
// that x of a curve ascends, are beyond it: model/rules.cpp and decode.cpp check those.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "model/fields.hpp"
#include "server/api/decode_value.hpp"
#include "server/api/openapi_schemas.hpp"
#include "server/storage/record.hpp"

namespace costcurve::api {

namespace {

using namespace costcurve::model;

template <class T> constexpr bool has_table = !std::is_same_v<std::decay_t<decltype(fields<T>)>, int>;
template <class M> constexpr bool is_optional = false;
template <class M> constexpr bool is_optional<std::optional<M>> = true;
template <class M> constexpr bool is_vector = false;
template <class M> constexpr bool is_vector<std::vector<M>> = true;

constexpr bool is_kind(std::string_view name) {
    return std::find(storage::kind_names.begin(), storage::kind_names.end(), name) != storage::kind_names.end();
}

Schema number_schema(std::string_view type, const FieldSpec& spec) {
    Schema schema = {{"type", type}};
    if (std::isfinite(spec.min)) {
        schema[spec.above_min ? "exclusiveMinimum" : "minimum"] = number_of(spec.min);
    }
    if (std::isfinite(spec.max)) {
        schema["maximum"] = number_of(spec.max);
    }
    return schema;
}

Schema text_schema(Format format) {
    switch (format) {
    case Format::slug:
        return reference_to("slug");
    case Format::currency:
        return reference_to("currency_code");
    case Format::text:
        break;
    }
    return {{"type", "string"}, {"maxLength", kMostText}};
}

Schema document_or_id(std::string_view name) { return one_of({reference_to("slug"), reference_to(name)}); }

// A curve of the kind that the field reads.
Schema curve_schema(const FieldSpec& spec) {
    Schema kind = {{"const", name_of(spec.curve)}};
    Schema properties = {{"kind", kind}};
    if (spec.curve == CurveKind::latency) { // may come as a throughput curve too
        properties["kind"] = {{"enum", {name_of(CurveKind::latency), name_of(CurveKind::throughput)}}};
        properties["axis"] = {{"const", name_of(Axis::batch)}};
    } else if (spec.date_only) {
        properties["axis"] = {{"const", name_of(Axis::date)}};
    }
    Schema schema = reference_to("curve");
    schema["type"] = "object";
    schema["properties"] = std::move(properties);
    return schema;
}

Schema rate_schema(const FieldSpec& spec) {
    return one_of({number_schema("number", spec), reference_to("slug"), curve_schema(spec)});
}

template <class T> Schema object_schema();

template <class M> Schema schema_of(const FieldSpec& spec) {
    if constexpr (is_optional<M>) {
        return schema_of<typename M::value_type>(spec);
    } else if constexpr (std::is_same_v<M, bool>) {
        return {{"type", "boolean"}};
    } else if constexpr (std::is_same_v<M, int>) {
        return number_schema("integer", spec);
    } else if constexpr (std::is_same_v<M, double>) {
        return number_schema("number", spec);
    } else if constexpr (std::is_same_v<M, std::string>) {
        return text_schema(spec.format);
    } else if constexpr (std::is_enum_v<M>) {
        return choice_of(enum_names<M>);
    } else if constexpr (std::is_same_v<M, Date>) {
        return {{"type", "string"}, {"format", "date"}};
    } else if constexpr (std::is_same_v<M, YearMonth>) {
        return reference_to("year_month");
    } else if constexpr (std::is_same_v<M, Identity>) {
        return document_or_id(document_name<Device>);
    } else if constexpr (std::is_same_v<M, Curve>) {
        return one_of({reference_to("slug"), curve_schema(spec)});
    } else if constexpr (std::is_same_v<M, Rate>) {
        return rate_schema(spec);
    } else if constexpr (std::is_same_v<M, UnitsPerRequest>) {
        return one_of({number_schema("number", spec), object_schema<M>()});
    } else if constexpr (std::is_same_v<M, UnitPrice>) {
        return one_of({number_schema("number", spec), reference_to("slug"), curve_schema(spec), object_schema<M>()});
    } else if constexpr (std::is_same_v<M, std::vector<std::string>>) {
        return {{"type", "array"}, {"items", text_schema(spec.format)}, {"maxItems", kMostNames}};
    } else if constexpr (std::is_same_v<M, std::map<std::string, double>>) {
        Schema schema = {
            {"type", "object"}, {"additionalProperties", number_schema("number", spec)}, {"maxProperties", kMostNames}};
        if (spec.format == Format::currency) {
            schema["propertyNames"] = reference_to("currency_code");
        }
        return schema;
    } else if constexpr (is_vector<M>) {
        return {{"type", "array"},
                {"items", reference_to(part_name<typename M::value_type>)},
                {"minItems", number_of(spec.min)},
                {"maxItems", number_of(spec.max)}};
    } else {
        static_assert(has_table<M>, "a type of member without a schema");
        return is_kind(part_name<M>) ? document_or_id(part_name<M>) : reference_to(part_name<M>);
    }
}

// The member's value where a document does not have it; null where that is nothing, or depends.
Schema default_of(double number) { return number_of(number); }
Schema default_of(int number) { return number; }
Schema default_of(bool flag) { return flag; }
Schema default_of(const std::string& text) { return text.empty() ? Schema(nullptr) : Schema(text); }
Schema default_of(const Rate& rate) { return number_of(rate.number); }
Schema default_of(const UnitsPerRequest& units) { return number_of(units.total); }
template <class M> Schema default_of(const M& member) {
    if constexpr (std::is_enum_v<M>) {
        return name_of(member);
    } else {
        return nullptr;
    }
}

template <class T, class M> Schema field_schema(const Field<T, M>& field) {
    const FieldSpec& spec = field.spec;
    Schema schema = schema_of<M>(spec);
    if (!spec.required) {
        const T defaults{};
        if (Schema value = default_of(defaults.*field.member); !value.is_null()) {
            schema["default"] = std::move(value);
        }
    }
    schema["description"] = spec.unit.empty() ? std::string(spec.help) : fmt::format("{} [{}]", spec.help, spec.unit);
    if (!spec.unit.empty()) {
        schema["x-unit"] = spec.unit;
    }
    if (!spec.only_for.empty()) {
        schema["x-only-for"] = spec.only_for;
    }
    return schema;
}

// What documents of one kind alone have: refused in the others, and required there where the table says so.
template <class T> Schema kind_rules() {
    Schema rules = Schema::array();
    if constexpr (requires(T document) { document.kind; }) {
        for (const std::string_view kind : enum_names<decltype(T::kind)>) {
            Schema refused = Schema::object();
            Schema required = Schema::array();
            for_each_field<T>([&](const auto& field) {
                if (field.spec.only_for == kind && field.spec.required) {
                    required.push_back(field.name);
                } else if (field.spec.only_for != kind && !field.spec.only_for.empty()) {
                    refused[std::string(field.name)] = false;
                }
            });
            Schema then = Schema::object();
            if (!required.empty()) {
                then["required"] = std::move(required);
            }
            if (!refused.empty()) {
                then["properties"] = std::move(refused);
            }
            if (!then.empty()) {
                rules.push_back(where("kind", kind, std::move(then)));
            }
        }
    }
    return rules;
}

Schema pair_of(Schema x, Schema y) {
    return {{"type", "array"}, {"prefixItems", {std::move(x), std::move(y)}}, {"minItems", 2}, {"maxItems", 2}};
}
Schema points_of(const Schema& x, const Schema& y) {
    return {{"properties", {{"points", {{"type", "array"}, {"items", pair_of(x, y)}}}}}};
}
Schema range_schema(double low, double high) { return number_schema("number", {.min = low, .max = high}); }

// Points depend on the axis, the kind and the interpolation, each by its table.
void add_points(Schema& curve) {
    const Schema date = schema_of<Date>({});
    const Schema any = Schema::object();
    Schema points = {{"type", "array"}};
    points["items"] = pair_of(one_of({{{"type", "number"}}, date}), {{"type", "number"}});
    points["minItems"] = 1;
    points["maxItems"] = kMostPoints;
    points["description"] = "[[x, y], …], x ascending; on the date axis x is a date";
    curve["properties"]["points"] = std::move(points);
    curve["required"].push_back("points");
    Schema rules = Schema::array();
    for (const CurveKindRow& row : curve_kinds()) {
        std::vector<std::string_view> axes;
        std::transform(row.axes.begin(), row.axes.end(), std::back_inserter(axes), [](Axis axis) { return name_of(axis); });
        Schema then = points_of(any, range_schema(row.y_min, row.y_max));
        then["properties"]["axis"] = {{"enum", axes}};
        rules.push_back(where("kind", name_of(row.kind), std::move(then)));
    }
    std::vector<std::string_view> plain; // axes of plain numbers: neither dates nor hours that come again
    for (std::size_t i = 0; i < enum_names<Axis>.size(); ++i) {
        const auto axis = static_cast<Axis>(i);
        const AxisRange range = range_of(axis);
        const bool is_date = axis == Axis::date;
        rules.push_back(where("axis", name_of(axis), points_of(is_date ? date : range_schema(range.low, range.high), any)));
        if (!is_date && period_of(axis) == 0) {
            plain.push_back(name_of(axis));
        }
    }
    const Schema above_zero = {{"type", "number"}, {"exclusiveMinimum", 0}};
    Schema logarithmic = points_of(above_zero, above_zero);
    logarithmic["properties"]["axis"] = {{"enum", plain}};
    rules.push_back(where("interpolation", name_of(Interpolation::log), std::move(logarithmic)));
    curve["allOf"] = std::move(rules);
}

template <class T> Schema object_schema() {
    Schema properties = Schema::object();
    Schema required = Schema::array();
    for_each_field<T>([&](const auto& field) {
        properties[std::string(field.name)] = field_schema(field);
        const bool names_part = field.name == "id" && !is_kind(part_name<T>); // of the scenario: others refer to it
        if ((field.spec.required && field.spec.only_for.empty()) || names_part) {
            required.push_back(field.name);
        }
    });
    Schema schema = {{"type", "object"}, {"properties", std::move(properties)}};
    if (!required.empty()) {
        schema["required"] = std::move(required);
    }
    schema["additionalProperties"] = false;
    if (Schema rules = kind_rules<T>(); !rules.empty()) {
        schema["allOf"] = std::move(rules);
    }
    if constexpr (std::is_same_v<T, Curve>) {
        add_points(schema);
    }
    return schema;
}

// What the store writes into its answers; they can be sent back with it, and it is ignored.
void add_stored_members(Schema& document) {
    Schema& properties = document["properties"];
    properties["revision"] = {{"type", "integer"}, {"minimum", 1}, {"description", "counts from 1; the ETag"}};
    properties["recorded_at"] = {{"type", "string"}, {"format", "date-time"}, {"description", "when this revision was stored"}};
    properties["recorded_by"] = {{"type", "string"}, {"description", "the name of the API key; local without one"}};
}

Schema stored(std::string_view name) {
    Schema schema = reference_to(name);
    schema["type"] = "object";
    schema["required"] = {"id", "revision", "recorded_at", "recorded_by"};
    return schema;
}

} // namespace

void add_document_schemas(Schema& schemas) {
    schemas["slug"] = {{"type", "string"}, {"pattern", "^[a-z0-9][a-z0-9._-]{0,127}$"}, {"description", "the id of a document"}};
    schemas["currency_code"] = {{"type", "string"}, {"pattern", "^[A-Z]{3}$"}, {"description", "ISO 4217"}};
    schemas["year_month"] = {{"type", "string"},
                             {"pattern", "^(19[7-9][0-9]|2[0-9]{3})-(0[1-9]|1[0-2])$"},
                             {"description", "YYYY-MM; a scenario starts from 1970-01 to 2199-12"}};
    for_each_document([&]<class T>(std::type_identity<T>) {
        const std::string name(part_name<T>);
        schemas[name] = object_schema<T>();
        if (is_kind(name)) {
            add_stored_members(schemas[name]);
            schemas["stored_" + name] = stored(name);
            schemas[name + "_list"] = page_of("stored_" + name);
        }
    });
}

} // namespace costcurve::api
