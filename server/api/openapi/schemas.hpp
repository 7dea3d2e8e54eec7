// Pieces of JSON Schema (2020-12) and the components made of them. Knows no routes.
#pragma once

#include <initializer_list>
#include <span>
#include <string_view>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "model/documents/field.hpp"

namespace costcurve::api {

/// Members stand in the order in which they were added.
using Schema = nlohmann::ordered_json;

inline constexpr const char* kNumberType = "number";
inline constexpr const char* kIntegerType = "integer";
inline constexpr const char* kTextType = "string";

/// A limit as people read it: whole numbers without a point.
[[nodiscard]] Schema number_of(double number);
/// {"$ref": …} of a component.
[[nodiscard]] Schema reference_to(std::string_view component);
[[nodiscard]] Schema one_of(std::initializer_list<Schema> choices);
/// {type: …}, and the nullable variant.
[[nodiscard]] Schema of_type(const char* type);
[[nodiscard]] Schema or_null(const char* type);
/// An RFC 3339 time, and the nullable variant.
[[nodiscard]] Schema date_time();
[[nodiscard]] Schema date_time_or_null();
[[nodiscard]] Schema list_of(Schema items);
/// A list of 1 to `most` items.
[[nodiscard]] Schema long_list_of(Schema items, std::size_t most);
/// A whole number from 0 on, and a number as questions accept it.
[[nodiscard]] Schema count();
[[nodiscard]] Schema bounded_number();
[[nodiscard]] Schema described(Schema schema, std::string_view description);
/// A text that is one of the words.
[[nodiscard]] Schema choice_of(std::span<const std::string_view> words);
/// Adds a conditional: if the member equals the word, `then` applies. Extends the if/then/else chain of the schema itself, because
/// viewers show its members but nothing of a schema with `allOf`.
void add_case(Schema& schema, std::string_view member, std::string_view word, Schema then);
/// An object of these members and no others; all are required but those in `optional`.
[[nodiscard]] Schema closed_object(Schema properties, std::initializer_list<std::string_view> optional = {});
[[nodiscard]] Schema closed_object(Schema properties, std::span<const std::string_view> optional);
/// Schema of a list page {items: […], next: …}: each item is `component`, or `other` if given.
[[nodiscard]] Schema page_of(std::string_view component, std::string_view other = "");

/// A number in the range of its row; `type` is number or integer.
[[nodiscard]] Schema number_schema(std::string_view type, const model::FieldSpec& spec);
/// A text of a document or a request, and one of an answer.
[[nodiscard]] Schema text_schema(const model::FieldSpec& spec);
[[nodiscard]] Schema answered_text(const model::FieldSpec& spec);
/// Schema of text that is already JSON: a component, a list of one ("issue[]"), "object" or "any".
[[nodiscard]] Schema json_schema(std::string_view name);
/// The nullable variant of a schema.
[[nodiscard]] Schema nullable(Schema schema);
/// A schema per kind of distribution, from the table that decodes them.
[[nodiscard]] Schema distribution_schema();
/// What-if: values by pointers.
[[nodiscard]] Schema set_schema();

/// Adds documents from the field tables: <kind>, stored_<kind>, <kind>_list, their parts, slug and currency_code.
void add_document_schemas(Schema& schemas);
/// Adds curve_<kind>; the field table has already added `curve`.
void add_curve_schemas(Schema& schemas);
/// Adds the result, the field tables and bodies that aren't objects; calls the next two functions.
void add_answer_schemas(Schema& schemas);
/// Adds the result and the answers of the service and its store, from their field tables.
void add_result_schemas(Schema& schemas);
void add_store_schemas(Schema& schemas);
/// Adds every document, request and answer with a field table, under its name.
void add_field_schemas(Schema& schemas);
[[nodiscard]] bool is_kind(std::string_view name);

} // namespace costcurve::api
