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
/// {type: …}, and the same or null.
[[nodiscard]] Schema of_type(const char* type);
[[nodiscard]] Schema or_null(const char* type);
/// A time of RFC 3339, and the same or null.
[[nodiscard]] Schema date_time();
[[nodiscard]] Schema date_time_or_null();
[[nodiscard]] Schema list_of(Schema items);
/// One to `most` items.
[[nodiscard]] Schema long_list_of(Schema items, std::size_t most);
/// A whole number from 0 on, and a number as questions take it.
[[nodiscard]] Schema count();
[[nodiscard]] Schema bounded_number();
[[nodiscard]] Schema described(Schema schema, std::string_view description);
/// A text that is one of the words.
[[nodiscard]] Schema choice_of(std::span<const std::string_view> words);
/// Where the member is the word, `then` holds too: the next of a chain of if, then and else in the schema itself. (A viewer
/// shows the members of such a schema, and nothing of one with `allOf`.)
void add_case(Schema& schema, std::string_view member, std::string_view word, Schema then);
/// An object of these members and no others; all are required but those in `optional`.
[[nodiscard]] Schema closed_object(Schema properties, std::initializer_list<std::string_view> optional = {});
[[nodiscard]] Schema closed_object(Schema properties, std::span<const std::string_view> optional);
/// {items: […], next: …}: one page of a list, each item a component, or the other one where there are two.
[[nodiscard]] Schema page_of(std::string_view component, std::string_view other = "");

/// A number in the range of its row; `type` is number or integer.
[[nodiscard]] Schema number_schema(std::string_view type, const model::FieldSpec& spec);
/// A text of a document or a request, and one of an answer.
[[nodiscard]] Schema text_schema(const model::FieldSpec& spec);
[[nodiscard]] Schema answered_text(const model::FieldSpec& spec);
/// What a text is that is JSON already: a component, a list of it ("issue[]"), "object" or "any".
[[nodiscard]] Schema json_schema(std::string_view name);
/// The same, or null.
[[nodiscard]] Schema nullable(Schema schema);
/// One schema a kind of distribution, by the table that decodes them.
[[nodiscard]] Schema distribution_schema();
/// What-if: values by pointers.
[[nodiscard]] Schema set_schema();

/// The documents by the field tables: <kind>, stored_<kind>, <kind>_list, their parts, slug and currency_code.
void add_document_schemas(Schema& schemas);
/// curve_<kind> beside `curve`, which the field table has made already.
void add_curve_schemas(Schema& schemas);
/// The result, the field tables, and bodies that are no objects; and the next two.
void add_answer_schemas(Schema& schemas);
/// What the result is, and answers of the service and its store are, by their field tables.
void add_result_schemas(Schema& schemas);
void add_store_schemas(Schema& schemas);
/// Every document, request and answer that has a field table, under its name.
void add_field_schemas(Schema& schemas);
[[nodiscard]] bool is_kind(std::string_view name);

} // namespace costcurve::api
