// Simulations and maps as JSON Schema. Names of members stand in the handlers too; tests/contract holds the two together.
#include <nlohmann/json.hpp>

#include "model/questions/draws.hpp"
#include "server/api/openapi_schemas.hpp"
#include "server/api/simulate.hpp"

namespace costcurve::api {

namespace {

constexpr auto kNumber = "number";
constexpr auto kInteger = "integer";
constexpr auto kText = "string";

Schema count() { return {{"type", kInteger}, {"minimum", 0}}; }
Schema bounded_number() { return {{"type", kNumber}, {"minimum", -1e15}, {"maximum", 1e15}}; }
Schema long_list_of(Schema items, std::size_t most) {
    Schema list = list_of(std::move(items));
    list["minItems"] = 1;
    list["maxItems"] = most;
    return list;
}
Schema deadline() {
    return {{"type", kNumber}, {"minimum", 0.001}, {"description", "seconds that the answer may take; the setting where absent"}};
}
Schema share() { return {{"type", kNumber}, {"minimum", 0}, {"maximum", 1}}; }
Schema first_failure() {
    Schema issue = closed_object({{"pointer", of_type(kText)}, {"code", of_type(kText)}, {"message", of_type(kText)}});
    return one_of({std::move(issue), of_type("null")});
}

void add_simulation(Schema& schemas) {
    Schema outputs = long_list_of(pointer_to("a figure of the result"), kMostOutputs);
    outputs["uniqueItems"] = true;
    Schema members = {
        {"scenarios", asked_scenarios(1)},
        {"outputs", described(std::move(outputs), "the first says which scenario is the cheapest; default /total/cost")},
        {"by_month", {{"type", "boolean"}, {"default", false}, {"description", "bands of the cumulative cash by month"}}},
        {"break_even", described(closed_object({{"a", count()}, {"b", count()}}), "when a has cost no more cash than b")},
        {"deadline_s", deadline()}};
    members.update(uncertain_members(model::SimulateQuestion().samples));
    schemas["simulate_request"] = question_of(
        std::move(members), {"correlations", "outputs", "samples", "seed", "sampling", "by_month", "break_even", "deadline_s"});
    Schema figures = spread_members();
    figures["unit"] = of_type(kText);
    figures["variance_by_input"] = {{"type", "object"},
                                    {"additionalProperties", share()},
                                    {"description", "by pointer: the share of the variance that would go if it were known"}};
    Schema by_output = {{"type", "object"},
                        {"additionalProperties", one_of({closed_object(std::move(figures)), of_type("null")})},
                        {"description", "by pointer; null where no sample has the figure"}};
    Schema band = closed_object(
        {{"month", reference_to("year_month")}, {"p5", of_type(kNumber)}, {"p50", of_type(kNumber)}, {"p95", of_type(kNumber)}});
    Schema one = closed_object({{"name", of_type(kText)},
                                {"outputs", std::move(by_output)},
                                {"probability_cheapest", or_null(kNumber)},
                                {"by_month", list_of(std::move(band))}},
                               {"by_month"});
    Schema pair = closed_object({{"a", count()},
                                 {"b", count()},
                                 {"probability", described(list_of(share()), "by the end of the first month, the second, …")}});
    schemas["simulation"] = closed_object({{"samples", count()},
                                           {"seed", count()},
                                           {"sampling", choice_of(model::enum_names<model::Sampling>)},
                                           {"failed", described(count(), "samples whose values break rules together")},
                                           {"first_failure", first_failure()},
                                           {"scenarios", list_of(std::move(one))},
                                           {"break_even", std::move(pair)}},
                                          {"break_even"});
}

void add_map(Schema& schemas) {
    const Schema pointer = pointer_to("a number of the scenarios, or a curve, whose factor it then is");
    Schema steps = {{"type", kInteger}, {"minimum", 2}};
    Schema spacing = {{"type", kText}, {"enum", {"linear", "log"}}, {"default", "linear"}};
    Schema listed = closed_object({{"pointer", pointer}, {"values", long_list_of(bounded_number(), 250'000)}});
    Schema stepped = closed_object({{"pointer", pointer},
                                    {"from", bounded_number()},
                                    {"to", bounded_number()},
                                    {"steps", std::move(steps)},
                                    {"spacing", std::move(spacing)}},
                                   {"spacing"});
    const Schema axis = one_of({std::move(listed), std::move(stepped)});
    Schema output = pointer_to("a figure of the result");
    output["default"] = "/total/cost";
    schemas["map_request"] = question_of({{"scenarios", asked_scenarios(1)},
                                          {"x", axis},
                                          {"y", axis},
                                          {"output", described(std::move(output), "the least is the cheapest")},
                                          {"deadline_s", deadline()}},
                                         {"output", "deadline_s"});
    const Schema answered =
        closed_object({{"pointer", of_type(kText)}, {"unit", of_type(kText)}, {"values", list_of(of_type(kNumber))}});
    Schema point = closed_object({{"x", of_type(kNumber)}, {"y", of_type(kNumber)}, {"between", list_of(count())}});
    schemas["map"] = closed_object(
        {{"output", of_type(kText)},
         {"unit", of_type(kText)},
         {"x", answered},
         {"y", answered},
         {"scenarios", described(list_of(of_type(kText)), "their names")},
         {"cheapest", described(list_of(list_of(or_null(kInteger))), "[row of y][column of x]: a scenario's number, or null")},
         {"values", described(list_of(list_of(list_of(or_null(kNumber)))), "[scenario][row of y][column of x]")},
         {"boundary", described(list_of(std::move(point)), "where two cost the same, between neighbours of the grid")},
         {"failed", described(count(), "evaluations whose values break rules")},
         {"first_failure", first_failure()}});
}

} // namespace

void add_long_question_schemas(Schema& schemas) {
    add_simulation(schemas);
    add_map(schemas);
}

} // namespace costcurve::api
