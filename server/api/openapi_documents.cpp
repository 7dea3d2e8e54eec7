// Documents as JSON Schema, by the field tables: one row a field, one branch a type of member. Rules between fields, and
// that x of a curve ascends, are beyond it: model/rules.cpp and decode.cpp check those.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "model/standing.hpp"
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
template <class M> constexpr bool is_list_of_choices = false;
template <class M> constexpr bool is_list_of_choices<std::vector<M>> = std::is_enum_v<M>;

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
Schema curve_schema(const FieldSpec& spec) { return reference_to("curve_" + std::string(name_of(spec.curve))); }

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
        Schema names = {{"type", "array"}, {"items", text_schema(spec.format)}, {"maxItems", kMostNames}};
        if (std::isfinite(spec.max)) {
            names["minItems"] = number_of(spec.min);
            names["maxItems"] = number_of(spec.max);
        }
        return names;
    } else if constexpr (std::is_same_v<M, ScenarioChoice>) {
        return one_of({choice_of(coverage_words),
                       {{"type", "array"}, {"items", text_schema(spec.format)}, {"minItems", 1}, {"maxItems", kMostNames}}});
    } else if constexpr (std::is_same_v<M, Secret>) {
        return {{"type", "string"}, {"minLength", kLeastSecret}, {"maxLength", kMostSecret}, {"writeOnly", true}};
    } else if constexpr (std::is_same_v<M, std::map<std::string, double>>) {
        Schema schema = {
            {"type", "object"}, {"additionalProperties", number_schema("number", spec)}, {"maxProperties", kMostNames}};
        if (spec.format == Format::currency) {
            schema["propertyNames"] = reference_to("currency_code");
        }
        return schema;
    } else if constexpr (is_list_of_choices<M>) {
        return {{"type", "array"}, {"items", schema_of<typename M::value_type>(spec)}, {"maxItems", kMostNames}};
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
Schema default_of(const ScenarioChoice& choice) { return name_of(choice.coverage); }
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
template <class T> void add_kinds(Schema& schema) {
    if constexpr (requires(T document) { document.kind; }) {
        for (const std::string_view kind : enum_names<decltype(T::kind)>) {
            Schema then = Schema::object();
            for_each_field<T>([&](const auto& field) {
                if (field.spec.only_for == kind && field.spec.required) {
                    then["required"].push_back(field.name);
                } else if (field.spec.only_for != kind && !field.spec.only_for.empty()) {
                    then["properties"][std::string(field.name)] = false;
                }
            });
            if (!then.empty()) {
                add_case(schema, "kind", kind, std::move(then));
            }
        }
    }
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
    add_kinds<T>(schema);
    return schema;
}

// What the store writes into its answers can be sent back with them, and is read over.
void allow_stored_members(Schema& document) {
    Schema& properties = document["properties"];
    properties["revision"] = {{"type", "number"}, {"minimum", 0}, {"maximum", number_of(kLargest)}};
    for (const char* name : {"revision", "recorded_at", "recorded_by"}) {
        properties[name]["description"] = "of the store's answers; read over where it is sent";
    }
}

// When a schedule runs next: of the store's answers too.
void add_next_runs(Schema& schemas) {
    const Schema time = {{"type", "string"}, {"format", "date-time"}};
    schemas["schedule"]["properties"]["next_runs"]["description"] = "of the store's answers; read over where it is sent";
    Schema& stored = schemas["stored_schedule"];
    stored["properties"]["next_runs"] = described(list_of(time), "the next five, in its time zone; none where it is not enabled");
    stored["required"].push_back("next_runs");
}

// A document as the store answers it.
Schema stored(Schema document) {
    Schema& properties = document["properties"];
    properties["revision"] = {{"type", "integer"}, {"minimum", 1}, {"description", "counts from 1; the ETag"}};
    properties["recorded_at"] = {{"type", "string"}, {"format", "date-time"}, {"description", "when this revision was stored"}};
    properties["recorded_by"] = {{"type", "string"}, {"description", "the name of the API key; local without one"}};
    const Schema given = properties;
    for (const auto& [name, property] : given.items()) {
        if (property.contains("writeOnly")) {
            properties.erase(name);
        }
    }
    for (const char* name : {"id", "revision", "recorded_at", "recorded_by"}) {
        document["required"].push_back(name);
    }
    for (const char* name : {"if", "then", "else"}) { // a curve's rules by kind: it kept them when it was stored
        document.erase(name);
    }
    return document;
}

} // namespace

void add_document_schemas(Schema& schemas) {
    schemas["slug"] = {{"type", "string"}, {"pattern", "^[a-z0-9][a-z0-9._-]{0,127}$"}, {"description", "the id of a document"}};
    schemas["currency_code"] = {{"type", "string"}, {"pattern", "^[A-Z]{3}$"}, {"description", "ISO 4217"}};
    schemas["year_month"] = {{"type", "string"},
                             {"pattern", "^(19[7-9][0-9]|2[0-9]{3})-(0[1-9]|1[0-2])$"},
                             {"description", "YYYY-MM; a scenario starts from 1970-01 to 2199-12"}};
    for_each_stored_document([&]<class T>(std::type_identity<T>) {
        const std::string name(part_name<T>);
        schemas[name] = object_schema<T>();
        if (is_kind(name)) {
            allow_stored_members(schemas[name]);
            schemas[name + "_list"] = page_of("stored_" + name);
        }
    });
    add_curve_schemas(schemas);
    for (const std::string_view kind : storage::kind_names) {
        schemas["stored_" + std::string(kind)] = stored(schemas[std::string(kind)]);
    }
    add_next_runs(schemas);
}

} // namespace costcurve::api
