// Pieces of JSON Schema that documents and answers share. Knows neither.
#include "server/api/openapi/schemas.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>

#include <nlohmann/json.hpp>

namespace costcurve::api {

Schema number_of(double number) {
    constexpr double kMaxAsDigits = 1e15; // above it an exponent reads better
    if (std::abs(number) <= kMaxAsDigits && number == std::floor(number)) {
        return static_cast<std::int64_t>(number);
    }
    return number;
}

Schema reference_to(std::string_view component) { return {{"$ref", "#/components/schemas/" + std::string(component)}}; }

Schema one_of(std::initializer_list<Schema> choices) {
    Schema schema = Schema::object();
    schema["oneOf"] = Schema::array();
    for (const Schema& choice : choices) {
        schema["oneOf"].push_back(choice);
    }
    return schema;
}

Schema of_type(const char* type) { return {{"type", type}}; }
Schema or_null(const char* type) { return {{"type", {type, "null"}}}; }
Schema date_time() { return {{"type", kTextType}, {"format", "date-time"}}; }

Schema date_time_or_null() { return {{"type", {kTextType, "null"}}, {"format", "date-time"}}; }

Schema list_of(Schema items) { return {{"type", "array"}, {"items", std::move(items)}}; }

Schema long_list_of(Schema items, std::size_t most) {
    Schema list = list_of(std::move(items));
    list["minItems"] = 1;
    list["maxItems"] = most;
    return list;
}

Schema count() { return {{"type", "integer"}, {"minimum", 0}}; }

Schema bounded_number() { return {{"type", "number"}, {"minimum", -1e15}, {"maximum", 1e15}}; }

Schema described(Schema schema, std::string_view description) {
    schema["description"] = description;
    return schema;
}

Schema choice_of(std::span<const std::string_view> words) {
    if (words.size() == 1) {
        return {{"type", "string"}, {"const", words.front()}};
    }
    return {{"type", "string"}, {"enum", words}};
}

void add_case(Schema& schema, std::string_view member, std::string_view word, Schema then) {
    Schema* last = &schema;
    while (last->contains("if")) {
        last = &(*last)["else"];
    }
    (*last)["if"] = {{"properties", {{std::string(member), {{"const", word}}}}}};
    (*last)["if"]["required"] = Schema::array({member});
    (*last)["then"] = std::move(then);
}

Schema closed_object(Schema properties, std::initializer_list<std::string_view> optional) {
    return closed_object(std::move(properties), std::span(optional.begin(), optional.size()));
}

Schema closed_object(Schema properties, std::span<const std::string_view> optional) {
    Schema required = Schema::array();
    for (const auto& [name, ignored] : properties.items()) {
        if (std::find(optional.begin(), optional.end(), name) == optional.end()) {
            required.push_back(name);
        }
    }
    Schema schema = {{"type", "object"}, {"properties", std::move(properties)}};
    if (!required.empty()) {
        schema["required"] = std::move(required);
    }
    schema["additionalProperties"] = false;
    return schema;
}

Schema page_of(std::string_view component, std::string_view other) {
    Schema item = other.empty() ? reference_to(component) : one_of({reference_to(component), reference_to(other)});
    Schema next = {{"type", {"string", "null"}}, {"description", "the cursor of the next page; null at the end"}};
    return closed_object({{"items", {{"type", "array"}, {"items", std::move(item)}}}, {"next", std::move(next)}});
}

} // namespace costcurve::api
