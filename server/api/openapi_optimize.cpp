// Optimize as JSON Schema.
#include <nlohmann/json.hpp>

#include "model/questions/optimize.hpp"
#include "server/api/openapi_schemas.hpp"
#include "server/api/optimize.hpp"

namespace costcurve::api {

namespace {

Schema within(const char* type, double low, double high, std::string_view what) {
    return {{"type", type}, {"minimum", number_of(low)}, {"maximum", number_of(high)}, {"description", what}};
}

Schema with_default(Schema schema, Schema value) {
    schema["default"] = std::move(value);
    return schema;
}

} // namespace

void add_optimize_schemas(Schema& schemas) {
    const Schema pointer = {{"type", "string"}, {"pattern", "^(/([^~/]|~[01])*)+$"}, {"maxLength", 256}};
    Schema decide = list_of(closed_object(
        {{"pointer",
          described(pointer, "/pools/{i}/purchases/{j}/servers or …/month, /pools/{i}/min_instances or …/max_instances")},
         {"min", within("integer", -1200, 1e6, "the least value")},
         {"max", within("integer", -1200, 1e6, "the greatest")}}));
    decide["minItems"] = 1;
    decide["maxItems"] = kMostDecisions;
    Schema limits = closed_object(
        {{"max_unserved_fraction", with_default(within("number", 0, 1, "of each workload's demand"), 0)},
         {"max_carbon_kg", within("number", 0, 1e15, "over the horizon, kg")},
         {"max_capital", within("number", 0, 1e15, "paid for servers, own-build facility and upfront, scenario currency")},
         {"max_rack_kw", within("number", 0, 1e15, "nameplate of all servers in service at once, kW")}},
        {"max_unserved_fraction", "max_carbon_kg", "max_capital", "max_rack_kw"});
    schemas["optimize_request"] = closed_object(
        {{"scenario", one_of({reference_to("slug"), reference_to("scenario")})},
         {"decide", std::move(decide)},
         {"minimize", with_default(choice_of(model::enum_names<model::Goal>), "cost")},
         {"subject_to", std::move(limits)},
         {"uncertain",
          described(closed_object(uncertain_members(kFutures), {"correlations", "samples", "seed", "sampling"}),
                    "plans are judged by their means over samples of these: the objective, and what limits are about")},
         {"gap", with_default(within("number", 0, 1, "good enough: the objective this share above its bound"), 0.01)},
         {"evaluations", within("number", 1, 1e8, "plans evaluated at most, about; the setting --max-plans bounds it")},
         {"deadline_s", within("number", 0.001, 86400, "the answer is refused where it takes longer")},
         {"set", reference_to("set")},
         {"as_of", {{"type", {"string", "null"}}, {"format", "date-time"}, {"description", "the store as it was known then"}}}},
        {"minimize", "subject_to", "uncertain", "gap", "evaluations", "deadline_s", "set", "as_of"});
    const Schema decisions = {
        {"type", "object"}, {"additionalProperties", of_type("integer")}, {"description", "{pointer: value}"}};
    const Schema objective = of_type("number");
    Schema hedge = spread_members();
    hedge["plan_at_means"] = described(one_of({decisions, of_type("null")}), "the best were each input what it is on average");
    hedge["value_of_hedging"] = described(or_null("number"), "mean of that plan, less the best's; null where it breaks a limit");
    hedge["value_of_foresight"] = described(or_null("number"), "the mean, less that of plans made after the future is known");
    schemas["optimum"] = closed_object(
        {{"decisions", decisions},
         {"objective", objective},
         {"minimize", choice_of(model::enum_names<model::Goal>)},
         {"unit", of_type("string")},
         {"bound", described(or_null("number"), "no plan comes to less; null where none is known")},
         {"gap_fraction", described(or_null("number"), "(objective - bound) / |objective|")},
         {"proof", choice_of(model::enum_names<model::Proof>)},
         {"hedge", described(closed_object(std::move(hedge)), "where inputs are uncertain: the objective over the samples")},
         {"limits", described(list_of(closed_object({{"name", of_type("string")},
                                                     {"limit", of_type("number")},
                                                     {"taken", of_type("number")},
                                                     {"unit", of_type("string")}})),
                              "those that were asked for, and how much the best plan takes of each")},
         {"runners_up", described(list_of(closed_object({{"decisions", decisions}, {"objective", objective}})), "the next best")},
         {"evaluations", described(of_type("integer"), "plans that were evaluated")},
         {"linear_programmes", of_type("integer")},
         {"result", described(reference_to("result"), "of the best plan, with what the scenario states")}},
        {"hedge"});
}

} // namespace costcurve::api
