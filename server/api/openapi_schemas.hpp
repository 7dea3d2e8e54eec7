// Pieces of JSON Schema (2020-12) and the components made of them. Knows no routes.
#pragma once

#include <initializer_list>
#include <span>
#include <string_view>
#include <vector>

#include <nlohmann/json_fwd.hpp>

namespace costcurve::api {

/// Members stand in the order in which they were added.
using Schema = nlohmann::ordered_json;

/// A limit as people read it: whole numbers without a point.
[[nodiscard]] Schema number_of(double number);
/// {"$ref": …} of a component.
[[nodiscard]] Schema reference_to(std::string_view component);
[[nodiscard]] Schema one_of(std::initializer_list<Schema> choices);
/// {type: …}, and the same or null.
[[nodiscard]] Schema of_type(const char* type);
[[nodiscard]] Schema or_null(const char* type);
[[nodiscard]] Schema list_of(Schema items);
[[nodiscard]] Schema described(Schema schema, std::string_view description);
/// A text that is one of the words.
[[nodiscard]] Schema choice_of(std::span<const std::string_view> words);
/// Where the member is the word, `then` holds too: the next of a chain of if, then and else in the schema itself. (A viewer
/// shows the members of such a schema, and nothing of one with `allOf`.)
void add_case(Schema& schema, std::string_view member, std::string_view word, Schema then);
/// An object of these members and no others; all are required but those in `optional`.
[[nodiscard]] Schema closed_object(Schema properties, std::initializer_list<std::string_view> optional = {});
/// A JSON Pointer; what it points to.
[[nodiscard]] Schema pointer_to(std::string_view what);
/// A scenario or a stored one's id; a list of `least` or more of them.
[[nodiscard]] Schema asked_scenario();
[[nodiscard]] Schema asked_scenarios(std::size_t least);
/// An object of these members and what every question may say beside its own; all are required but those in `optional`.
[[nodiscard]] Schema question_of(Schema properties, const std::vector<std::string_view>& optional = {});
/// {items: […], next: …}: one page of a list.
[[nodiscard]] Schema page_of(std::string_view component);

/// The documents by the field tables: <kind>, stored_<kind>, <kind>_list, their parts, slug and currency_code.
void add_document_schemas(Schema& schemas);
/// curve_<kind> beside `curve`, which the field table has made already.
void add_curve_schemas(Schema& schemas);
/// What questions and the service itself are asked and answer: evaluate_request, result, problem and the others.
void add_answer_schemas(Schema& schemas);
/// compare, break-even, solve and sensitivity.
void add_question_schemas(Schema& schemas);
/// Recalculations, kept results, standings of comparisons.
void add_run_schemas(Schema& schemas);
/// distribution; and the members of what is uncertain in a question, and of the spread of its answer.
void add_distribution_schema(Schema& schemas);
[[nodiscard]] Schema uncertain_members(std::size_t default_samples);
[[nodiscard]] Schema spread_members();
/// simulate and map.
void add_long_question_schemas(Schema& schemas);
/// optimize.
void add_optimize_schemas(Schema& schemas);
/// telemetry, calibrations and variances.
void add_measurement_schemas(Schema& schemas);
/// events and deliveries.
void add_event_schemas(Schema& schemas);

} // namespace costcurve::api
