// Compare, break-even, solve and sensitivity as JSON Schema. Names of members stand in the handlers too; tests/contract holds the
// two together.
#include <algorithm>
#include <vector>

#include <nlohmann/json.hpp>

#include "model/enum_names.hpp"
#include "model/ledger.hpp"
#include "model/questions/break_even.hpp"
#include "server/api/asked.hpp"
#include "server/api/openapi_schemas.hpp"

namespace costcurve::api {

namespace {

constexpr auto kNumber = "number";
constexpr auto kInteger = "integer";
constexpr auto kText = "string";

void add_compare(Schema& schemas) {
    Schema request = question_of(
        {{"scenarios", asked_scenarios(1)},
         {"baseline",
          described(one_of({{{"type", kInteger}, {"minimum", 0}, {"maximum", kMostCompared - 1}}, reference_to("slug")}),
                    "what the others are held against: its number in the list, or its id")}},
        {"baseline"});
    schemas["compare_request"] = described(std::move(request), "all in one currency");
    const Schema steps = list_of(closed_object({{"cause", of_type(kText)}, {"amount", of_type(kNumber)}}));
    Schema waterfall = closed_object({{"from", count()},
                                      {"to", count()},
                                      {"steps", described(steps, "by what differs between the two, one after another")},
                                      {"by_category", described(steps, "by category of cost")}});
    Schema difference = closed_object({{"total", reference_to("total")}, {"by_category", reference_to("categories")}});
    Schema one = closed_object({{"name", of_type(kText)},
                                {"result", reference_to("result")},
                                {"difference", described(std::move(difference), "to the baseline")}});
    schemas["compared"] = closed_object(
        {{"baseline", count()},
         {"currency", reference_to("currency_code")},
         {"scenarios", list_of(std::move(one))},
         {"waterfalls", described(list_of(std::move(waterfall)), "of the cost, from the baseline to each of the others")}});
}

void add_break_even(Schema& schemas) {
    Schema horizon = question_of({{"a", asked_scenario()},
                                  {"b", asked_scenario()},
                                  {"over", {{"type", kText}, {"const", "horizon"}, {"default", "horizon"}}}},
                                 {"over"});
    Schema input = question_of({{"a", asked_scenario()},
                                {"b", asked_scenario()},
                                {"input", pointer_to("an input, in both scenarios or in one of them")},
                                {"low", bounded_number()},
                                {"high", bounded_number()}});
    schemas["break_even_request"] = one_of({std::move(horizon), std::move(input)});
    Schema crossings = closed_object(
        {{"crossings", described(list_of(of_type(kNumber)), "months from the start, or values of the input")},
         {"cheaper_after", described(list_of({{"type", kText}, {"enum", {"a", "b"}}}), "beyond each crossing")},
         {"jumps", described(list_of(of_type("boolean")), "true where the difference jumps over zero there")},
         {"relation", choice_of(model::enum_names<model::Relation>)},
         {"difference", described(list_of(of_type(kNumber)), "over the horizon: sum of a less that of b at each month's end")}});
    schemas["break_even"] = closed_object({{"over", of_type(kText)},
                                           {"unit", described(of_type(kText), "of the crossings")},
                                           {"currency", reference_to("currency_code")},
                                           {"relation", described(choice_of(model::enum_names<model::Relation>), "of the cost")},
                                           {"cost", crossings},
                                           {"cash", crossings}});
}

void add_solve(Schema& schemas) {
    schemas["solve_request"] = question_of({{"scenario", asked_scenario()},
                                            {"input", pointer_to("an input of the scenario")},
                                            {"low", bounded_number()},
                                            {"high", bounded_number()},
                                            {"output", pointer_to("a figure of the result")},
                                            {"target", bounded_number()}});
    const Schema exact = described(of_type("boolean"), "false where the output jumps over the target there");
    Schema solution = closed_object({{"value", of_type(kNumber)}, {"output", of_type(kNumber)}, {"exact", exact}});
    schemas["solved"] = closed_object({{"input", of_type(kText)},
                                       {"value", described(of_type(kNumber), "the lowest where there are several")},
                                       {"unit", of_type(kText)},
                                       {"output", of_type(kNumber)},
                                       {"output_unit", of_type(kText)},
                                       {"exact", exact},
                                       {"solutions", described(list_of(std::move(solution)), "all that were found")},
                                       {"iterations", count()}});
}

void add_sensitivity(Schema& schemas) {
    const Schema pointer = pointer_to("an input of the scenario");
    Schema change = {{"type", kNumber}, {"exclusiveMinimum", 0}, {"maximum", 1}};
    Schema moved = one_of({closed_object({{"pointer", pointer}, {"low", bounded_number()}, {"high", bounded_number()}}),
                           closed_object({{"pointer", pointer}, {"change", described(std::move(change), "of the value")}})});
    Schema inputs = list_of(std::move(moved));
    inputs["minItems"] = 1;
    inputs["maxItems"] = 1000;
    Schema output = pointer_to("a figure of the result");
    output["default"] = "/total/cost";
    schemas["sensitivity_request"] =
        question_of({{"scenario", asked_scenario()},
                     {"against", described(asked_scenarios(0), "others that may become the cheapest")},
                     {"inputs", described(std::move(inputs), "where absent, every number of the scenario, changed by 0.2")},
                     {"output", std::move(output)}},
                    {"against", "inputs", "output"});
    const Schema end = closed_object({{"input", of_type(kNumber)}, {"output", or_null(kNumber)}});
    Schema flip =
        closed_object({{"value", of_type(kNumber)}, {"cheapest", described(count(), "0 is scenario, 1 the first of against")}});
    Schema swing =
        closed_object({{"pointer", of_type(kText)},
                       {"unit", of_type(kText)},
                       {"base", described(or_null(kNumber), "null where the scenario states nothing")},
                       {"low", end},
                       {"high", end},
                       {"elasticity", described(or_null(kNumber), "relative change of the output over that of the input")},
                       {"flips_at", described(one_of({std::move(flip), of_type("null")}), "where another becomes the cheapest")}});
    schemas["sensitivity"] = closed_object({{"output", of_type(kText)},
                                            {"unit", of_type(kText)},
                                            {"base", or_null(kNumber)},
                                            {"cheapest", described(or_null(kInteger), "at the base: 0 is scenario")},
                                            {"inputs", described(list_of(std::move(swing)), "the widest swing first")}});
}

} // namespace

Schema pointer_to(std::string_view what) {
    return {{"type", kText}, {"pattern", "^(/([^~/]|~[01])*)+$"}, {"maxLength", 256}, {"description", what}};
}
Schema asked_scenario() { return one_of({reference_to("slug"), reference_to("scenario")}); }
Schema asked_scenarios(std::size_t least) {
    Schema list = list_of(asked_scenario());
    list["minItems"] = least;
    list["maxItems"] = kMostCompared;
    return list;
}

// What every question may say beside its own members.
Schema question_of(Schema properties, const std::vector<std::string_view>& optional) {
    properties["set"] = reference_to("set");
    properties["as_of"] = {
        {"type", {kText, "null"}}, {"format", "date-time"}, {"description", "the store as it was known then; else now"}};
    Schema schema = closed_object(std::move(properties), {"set", "as_of"});
    Schema& required = schema["required"];
    for (const std::string_view name : optional) {
        required.erase(std::find(required.begin(), required.end(), name));
    }
    return schema;
}

void add_question_schemas(Schema& schemas) {
    add_compare(schemas);
    add_break_even(schemas);
    add_solve(schemas);
    add_sensitivity(schemas);
}

} // namespace costcurve::api
