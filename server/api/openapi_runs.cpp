// Recalculations, kept results and standings as JSON Schema. Names of members stand in recalculation.cpp, results.cpp and
// standings.cpp too; tests/contract holds the two together.
#include <nlohmann/json.hpp>

#include "model/standing.hpp"
#include "server/api/openapi_schemas.hpp"
#include "server/storage/record.hpp"
#include "server/storage/run.hpp"

namespace costcurve::api {

namespace {

constexpr auto kInteger = "integer";
constexpr auto kText = "string";

Schema time() { return {{"type", kText}, {"format", "date-time"}}; }
Schema time_or_null() { return {{"type", {kText, "null"}}, {"format", "date-time"}}; }

void add_recalculation(Schema& schemas) {
    Schema ids = list_of(reference_to("slug"));
    ids["minItems"] = 1;
    ids["maxItems"] = 10000;
    ids["uniqueItems"] = true;
    Schema scenarios = one_of({{{"type", kText}, {"enum", {"changed", "all"}}}, std::move(ids)});
    scenarios["default"] = "changed";
    scenarios["description"] = "changed: those that a change since the last such run can reach";
    schemas["recalculation_request"] = closed_object({{"scenarios", std::move(scenarios)}}, {"scenarios"});
    Schema failure = closed_object({{"scenario", reference_to("slug")}, {"errors", list_of(reference_to("issue"))}});
    Schema run = {{"id", {{"type", kText}, {"pattern", "^[1-9][0-9]*$"}}},
                  {"state", choice_of(storage::run_state_names)},
                  {"scenarios", choice_of(storage::scope_names)},
                  {"schedule", or_null(kText)},
                  {"recorded_by", of_type(kText)},
                  {"as_of", described(time_or_null(), "all of its scenarios see the store as it was known then")},
                  {"created_at", time()},
                  {"started_at", time_or_null()},
                  {"ended_at", time_or_null()},
                  {"total", count()},
                  {"done", described(count(), "it may be ahead of what is stored")}};
    run["evaluated"] = described(count(), "results that were kept");
    run["unchanged"] = described(count(), "whose inputs are those of the newest result");
    run["failed"] = count();
    run["eta_s"] = described(or_null("number"), "seconds that are left");
    run["waits_for"] = described(or_null(kText), "why it stands still");
    run["failures"] = described(list_of(std::move(failure)), "of one recalculation: the first 100");
    schemas["recalculation"] = closed_object(std::move(run), {"failures"});
    schemas["recalculation_list"] = page_of("recalculation");
    schemas["recalculation_events"] = described(
        of_type(kText), "server-sent events: progress with a recalculation four times a second, then result with the last");
}

void add_results(Schema& schemas) {
    Schema hash = {{"type", kText}, {"pattern", "^[0-9a-f]{64}$"}};
    schemas["kept_result"] = closed_object({{"number", {{"type", kInteger}, {"minimum", 1}}},
                                            {"recalculation", of_type(kText)},
                                            {"recorded_at", time()},
                                            {"inputs_hash", std::move(hash)},
                                            {"model_version", of_type(kText)},
                                            {"currency", reference_to("currency_code")},
                                            {"total", reference_to("total")}});
    const Schema by_name = {{"type", "object"}, {"additionalProperties", of_type("number")}};
    Schema used = closed_object({{"kind", choice_of(storage::kind_names)},
                                 {"id", reference_to("slug")},
                                 {"from", described(or_null(kInteger), "revision; null where it wasn't used")},
                                 {"to", or_null(kInteger)}});
    Schema share = closed_object(
        {{"documents", described(list_of(std::move(used)), "none: another version of the model")}, {"amount", of_type("number")}});
    schemas["result_diff"] =
        closed_object({{"from", {{"type", kInteger}, {"minimum", 0}}},
                       {"to", {{"type", kInteger}, {"minimum", 1}}},
                       {"currency", reference_to("currency_code")},
                       {"total", reference_to("total")},
                       {"by_category", described(by_name, "of the cost; what didn't change is left out, as in the next two")},
                       {"by_pool", by_name},
                       {"by_workload", by_name},
                       {"by_document", described(list_of(std::move(share)),
                                                 "taken one after another; the amounts add up to the cost's difference")}});
    schemas["result_list"] = described(page_of("kept_result"), "newest first");
}

void add_standings(Schema& schemas) {
    const Schema number = {{"type", {kInteger, "null"}}, {"minimum", 1}};
    Schema one = closed_object({{"scenario", reference_to("slug")},
                                {"result", described(number, "the number of its newest result; null where it has none")},
                                {"figure", or_null("number")}});
    schemas["standing"] =
        closed_object({{"recalculation", of_type(kText)},
                       {"objective", choice_of(model::enum_names<model::Objective>)},
                       {"currency", described(or_null(kText), "of the figures; null where they are no money")},
                       {"cheapest", described(or_null(kText), "the id of a scenario; null where there is a problem")},
                       {"figure", described(or_null("number"), "its objective")},
                       {"problem", described(or_null(kText), "why none can be said to be the cheapest")},
                       {"scenarios", list_of(std::move(one))},
                       {"recorded_at", time()},
                       {"event", described(number, "that told of it; null where nothing was to be told")}});
    schemas["standing_list"] = described(page_of("standing"), "newest first");
}

} // namespace

void add_run_schemas(Schema& schemas) {
    add_recalculation(schemas);
    add_results(schemas);
    add_standings(schemas);
}

} // namespace costcurve::api
