// JSON Schema of members: texts, numbers, distributions.
#include <fmt/format.h>

#include <cmath>

#include <nlohmann/json.hpp>

#include "model/documents/field_check.hpp"
#include "server/answers/simulate.hpp"
#include "server/api/openapi/own_schemas.hpp"

namespace costcurve::api {

using namespace costcurve::model;

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

Schema text_schema(const FieldSpec& spec) {
    switch (spec.format) {
    case Format::slug:
        return reference_to("slug");
    case Format::currency:
        return reference_to("currency_code");
    case Format::name:
        return {{"type", "string"}, {"minLength", 1}, {"maxLength", model::kMaxNameBytes}};
    case Format::pointer:
        return {{"type", "string"}, {"pattern", "^(/([^~/]|~[01])*)+$"}, {"maxLength", model::kMaxNameBytes}};
    case Format::date_time:
        return date_time();
    case Format::date:
        return {{"type", "string"}, {"format", "date"}};
    case Format::digits:
        return of_type("string");
    case Format::text:
        break;
    }
    return {{"type", "string"}, {"maxLength", spec.max_bytes}};
}

Schema nullable(Schema schema) {
    if (!schema.contains("type") || schema["type"].is_array()) {
        return schema.contains("type") ? schema : one_of({std::move(schema), of_type("null")});
    }
    schema["type"] = Schema::array({schema["type"], "null"});
    if (schema.contains("enum")) {
        schema["enum"].push_back(nullptr);
    }
    return schema;
}

Schema json_schema(std::string_view name) {
    constexpr std::string_view kList = "[]";
    if (name == "any") {
        return Schema::object();
    }
    if (name.ends_with(kList)) {
        return list_of(reference_to(name.substr(0, name.size() - kList.size())));
    }
    return name.empty() || name == "object" ? of_type("object") : reference_to(name);
}

Schema answered_text(const FieldSpec& spec) {
    Schema schema = !spec.schema.empty()          ? json_schema(spec.schema)
                    : !spec.words.empty()         ? choice_of(spec.words)
                    : spec.format == Format::text ? of_type("string")
                                                  : text_schema(spec);
    if (!spec.pattern.empty()) {
        schema["pattern"] = spec.pattern;
    }
    return spec.null_if_empty && spec.schema != "any" ? nullable(std::move(schema)) : schema;
}

Schema distribution_schema() {
    Schema kinds = Schema::object();
    kinds["oneOf"] = Schema::array();
    const auto words = enum_names<DistributionKind>;
    for (std::size_t k = 0; k < words.size(); ++k) {
        Schema members = {{"kind", {{"const", words[k]}}}};
        for (const DistributionMember& member : members_of(static_cast<DistributionKind>(k))) {
            Schema numbers = member.number != nullptr ? bounded_number() : long_list_of(bounded_number(), kMaxListed);
            members[std::string(member.name)] = described(std::move(numbers), member.help);
        }
        members["relative"] = {{"type", "boolean"}, {"default", false}, {"description", "multiplies what the scenario states"}};
        kinds["oneOf"].push_back(closed_object(std::move(members), {"relative"}));
    }
    return kinds;
}

Schema set_schema() {
    Schema set = {{"type", "object"}};
    set["propertyNames"] = {{"pattern", "^(/([^~/]|~[01])*)*$"}};
    set["description"] = "{JSON Pointer into the resolved scenario: value}: what if";
    return set;
}

Schema document_or_id(std::string_view name) { return one_of({reference_to("slug"), reference_to(name)}); }
Schema curve_schema(const FieldSpec& spec) { return reference_to("curve_" + std::string(name_of(spec.curve))); }
Schema rate_schema(const FieldSpec& spec) {
    return one_of({number_schema("number", spec), reference_to("slug"), curve_schema(spec)});
}
Schema own_schema(Type<answers::ScenarioInput>, const FieldSpec&, Side) { return document_or_id(document_name<ScenarioDocument>); }
Schema own_schema(Type<answers::ScenarioPart>, const FieldSpec& spec, Side) {
    if (spec.schema == "workloads") {
        return {{"type", "array"}, {"items", of_type("object")}, {"minItems", 1}}; // workloads without runs_on
    }
    return {{"$ref", fmt::format("#/components/schemas/scenario/properties/{}", spec.schema)}};
}
Schema own_schema(Type<answers::ChoiceValues>, const FieldSpec& spec, Side) {
    return {{"type", "array"}, {"items", Schema::object()}, {"minItems", number_of(spec.min)}, {"maxItems", number_of(spec.max)}};
}
Schema own_schema(Type<answers::WhatIf>, const FieldSpec&, Side) { return reference_to("set"); }
Schema own_schema(Type<answers::Scaling>, const FieldSpec& spec, Side side) {
    return own_schema(Type<std::map<std::string, double>>{}, spec, side);
}
Schema own_schema(Type<answers::Moment>, const FieldSpec&, Side) { return {{"type", {"string", "null"}}}; }
Schema own_schema(Type<answers::BaselineChoice>, const FieldSpec&, Side) {
    return one_of({{{"type", "integer"}, {"minimum", 0}, {"maximum", answers::kMaxScenarios - 1}}, reference_to("slug")});
}
Schema own_schema(Type<actuals::Instant>, const FieldSpec&, Side) { return {{"type", "string"}, {"format", "date-time"}}; }
Schema own_schema(Type<Distribution>, const FieldSpec&, Side) { return reference_to("distribution"); }
Schema own_schema(Type<answers::RawJson>, const FieldSpec& spec, Side) { return json_schema(spec.schema); }
Schema own_schema(Type<answers::AnyJson>, const FieldSpec&, Side) { return json_schema("any"); }
Schema own_schema(Type<Failure>, const FieldSpec&, Side) { return list_of(reference_to(document_name<Issue>)); }
Schema own_schema(Type<std::map<std::string, std::string>>, const FieldSpec& spec, Side side) {
    if (side == Side::answer) {
        return {{"type", "object"}, {"additionalProperties", of_type("string")}};
    }
    const Schema text = text_schema(spec);
    return {{"type", "object"}, {"additionalProperties", text}, {"propertyNames", text}, {"maxProperties", model::kMaxNames}};
}
Schema own_schema(Type<std::map<std::string, double>>, const FieldSpec& spec, Side) {
    Schema schema = {
        {"type", "object"}, {"additionalProperties", number_schema("number", spec)}, {"maxProperties", model::kMaxNames}};
    if (spec.format == Format::currency) {
        schema["propertyNames"] = reference_to("currency_code");
    } else if (spec.format == Format::pointer) {
        schema["propertyNames"] = text_schema(spec);
    }
    return schema;
}
Schema own_schema(Type<std::map<std::string, int>>, const FieldSpec& spec, Side) {
    return {{"type", "object"},
            {"propertyNames", text_schema(spec)},
            {"additionalProperties", number_schema("integer", spec)},
            {"maxProperties", model::kMaxNames}};
}
Schema own_schema(Type<Code>, const FieldSpec&, Side) {
    std::vector<std::string_view> codes;
    for (std::size_t i = 0; i < static_cast<std::size_t>(Code::count_); ++i) {
        codes.push_back(code_name(static_cast<Code>(i)));
    }
    return choice_of(codes);
}
Schema own_schema(Type<bool>, const FieldSpec&, Side) { return {{"type", "boolean"}}; }
Schema own_schema(Type<double>, const FieldSpec& spec, Side side) {
    return side == Side::answer ? of_type("number") : number_schema("number", spec);
}
Schema own_schema(Type<Date>, const FieldSpec&, Side) { return {{"type", "string"}, {"format", "date"}}; }
Schema own_schema(Type<YearMonth>, const FieldSpec&, Side) { return reference_to("year_month"); }
Schema own_schema(Type<Identity>, const FieldSpec&, Side) { return document_or_id(document_name<Device>); }
Schema own_schema(Type<Curve>, const FieldSpec& spec, Side) { return one_of({reference_to("slug"), curve_schema(spec)}); }
Schema own_schema(Type<Rate>, const FieldSpec& spec, Side) { return rate_schema(spec); }
Schema own_schema(Type<std::vector<std::string>>, const FieldSpec& spec, Side side) {
    if (side == Side::answer) {
        return list_of(of_type("string"));
    }
    Schema names = {{"type", "array"}, {"items", text_schema(spec)}, {"maxItems", model::kMaxNames}};
    if (std::isfinite(spec.min)) {
        names["minItems"] = number_of(spec.min);
    }
    if (std::isfinite(spec.max)) {
        names["maxItems"] = number_of(spec.max);
    }
    return names;
}
Schema own_schema(Type<ScenarioChoice>, const FieldSpec& spec, Side) {
    return one_of({choice_of(coverage_words),
                   {{"type", "array"}, {"items", text_schema(spec)}, {"minItems", 1}, {"maxItems", model::kMaxNames}}});
}
Schema own_schema(Type<Secret>, const FieldSpec&, Side) {
    return {{"type", "string"}, {"minLength", kMinSecretBytes}, {"maxLength", kMaxSecretBytes}, {"writeOnly", true}};
}
Schema own_schema(Type<std::nullptr_t>, const FieldSpec&, Side) { return of_type("null"); }

} // namespace costcurve::api
