// What is asked and answered beside documents, as JSON Schema: requests, the result, problems, lists, the service itself.
// Names of members stand in encode_result.cpp and problem.cpp too; tests/contract holds the two together.
#include <vector>

#include <nlohmann/json.hpp>

#include "model/enum_names.hpp"
#include "model/fields.hpp"
#include "model/ledger.hpp"
#include "server/api/explain.hpp"
#include "server/api/openapi_schemas.hpp"
#include "server/api/problem.hpp"
#include "server/storage/record.hpp"

namespace costcurve::api {

namespace {

using namespace costcurve::model;

constexpr auto kNumber = "number";
constexpr auto kInteger = "integer";
constexpr auto kText = "string";
constexpr auto kFlag = "boolean";

Schema constant(std::string_view word) { return {{"type", kText}, {"const", word}}; }
Schema some_of(Schema items) { return {{"type", "array"}, {"items", std::move(items)}, {"minItems", 1}}; }
/// {id: value}
Schema by_id(Schema value) {
    return {{"type", "object"}, {"propertyNames", reference_to("slug")}, {"additionalProperties", std::move(value)}};
}
void add_all(Schema& properties, const Schema& schema, std::initializer_list<const char*> names) {
    for (const char* name : names) {
        properties[name] = schema;
    }
}
Schema time_or_null() { return {{"type", {kText, "null"}}, {"format", "date-time"}}; }

void add_amounts(Schema& schemas) {
    const Schema number = of_type(kNumber);
    schemas["amounts"] = closed_object({{"cost", number}, {"cash", number}});
    Schema categories = Schema::object();
    for (const std::string_view category : enum_names<Category>) {
        categories[std::string(category)] = reference_to("amounts");
    }
    schemas["categories"] = described(closed_object(categories), "every category, also those without money");
    Schema some = closed_object(std::move(categories));
    some.erase("required");
    schemas["some_categories"] = described(std::move(some), "those that have money");
}

void add_pool_result(Schema& schemas) {
    Schema pool = {{"kind", choice_of(enum_names<PoolKind>)}};
    add_all(pool, of_type(kNumber),
            {"cost", "cash", "energy_kwh", "carbon_kg", "available_device_hours", "reserved_device_hours", "busy_device_hours"});
    add_all(pool, or_null(kNumber), {"utilization_fraction", "cost_per_reserved_device_hour"});
    pool["racks"] = described(or_null(kNumber), "of owned pools: the most in any month");
    pool["by_category"] = reference_to("some_categories");
    Schema result = closed_object(std::move(pool), {"racks"});
    add_case(result, "kind", name_of(PoolKind::owned), {{"required", Schema::array({"racks"})}});
    result["else"] = {{"properties", {{"racks", false}}}};
    schemas["pool_result"] = std::move(result);
}

Schema workload_result(WorkloadKind kind) {
    Schema workload = {{"kind", constant(name_of(kind))}, {"unit", of_type(kText)}};
    add_all(workload, of_type(kNumber), {"cost", "units_demanded", "units_served", "units_unserved", "energy_kwh", "carbon_kg"});
    add_all(workload, or_null(kNumber), {"cost_per_million_units", "levelized_cost_per_million_units"});
    workload["evidence"] = {{"type", {kText, "null"}}, {"enum", enum_names<Evidence>}};
    workload["evidence"]["enum"].push_back(nullptr);
    workload["batch"] = described(by_id(of_type(kInteger)), "by pool, where one was stated or chosen");
    if (kind == WorkloadKind::training) {
        add_all(workload, or_null(kNumber), {"epochs_done", "cost_per_epoch"});
        workload["hours_per_epoch"] = one_of({by_id(of_type(kNumber)), of_type("null")});
        return closed_object(std::move(workload));
    }
    add_all(workload, or_null(kNumber),
            {"requests_served", "cost_per_inference", "cost_per_million_input_units", "cost_per_million_output_units"});
    return closed_object(std::move(workload), {"cost_per_million_input_units", "cost_per_million_output_units"});
}

void add_parts_of_result(Schema& schemas) {
    const Schema number = of_type(kNumber);
    Schema total = Schema::object();
    add_all(total, number, {"cost", "cash", "npv", "npv_after_tax", "energy_kwh", "carbon_kg"});
    schemas["total"] = closed_object(std::move(total));
    add_pool_result(schemas);
    schemas["inference_result"] = workload_result(WorkloadKind::inference);
    schemas["training_result"] = workload_result(WorkloadKind::training);
    Schema month = {{"month", reference_to("year_month")}};
    add_all(month, number, {"cost", "cash", "energy_kwh", "carbon_kg"});
    month["by_category"] = reference_to("some_categories");
    month["by_pool"] = by_id(reference_to("amounts"));
    schemas["month_result"] = closed_object(std::move(month));
    schemas["ledger_row"] = closed_object({{"month", reference_to("year_month")},
                                           {"pool", or_null(kText)},
                                           {"workload", or_null(kText)},
                                           {"category", choice_of(enum_names<Category>)},
                                           {"cost", number},
                                           {"cash", number}});
    schemas["document_used"] = closed_object({{"kind", choice_of(storage::kind_names)},
                                              {"id", reference_to("slug")},
                                              {"revision", described(or_null(kInteger), "null where it came inline")},
                                              {"source", or_null(kText)}});
    Schema hash = {{"type", kText}, {"pattern", "^[0-9a-f]{64}$"}, {"description", "SHA-256 of the resolved scenario"}};
    schemas["provenance"] = closed_object({{"model_version", of_type(kText)},
                                           {"inputs_hash", std::move(hash)},
                                           {"as_of", time_or_null()},
                                           {"documents", list_of(reference_to("document_used"))}});
}

void add_result(Schema& schemas) {
    add_amounts(schemas);
    add_parts_of_result(schemas);
    const Schema workload = one_of({reference_to("inference_result"), reference_to("training_result")});
    Schema result = closed_object({{"name", described(of_type(kText), "of the scenario, where it has one")},
                                   {"currency", reference_to("currency_code")},
                                   {"start", reference_to("year_month")},
                                   {"months", of_type(kInteger)},
                                   {"total", reference_to("total")},
                                   {"by_category", reference_to("categories")},
                                   {"by_pool", by_id(reference_to("pool_result"))},
                                   {"by_workload", by_id(workload)},
                                   {"by_month", list_of(reference_to("month_result"))},
                                   {"unallocated_cost", of_type(kNumber)},
                                   {"warnings", list_of(reference_to("issue"))},
                                   {"provenance", reference_to("provenance")},
                                   {"ledger", described(list_of(reference_to("ledger_row")), "on request")}},
                                  {"name", "ledger"});
    schemas["result"] = described(std::move(result), "money is in currency; what cannot be known is null, never 0");
}

void add_questions(Schema& schemas) {
    const Schema scenario = one_of({reference_to("slug"), reference_to("scenario")});
    Schema set = {{"type", "object"}};
    set["propertyNames"] = {{"pattern", "^(/([^~/]|~[01])*)*$"}};
    set["description"] = "{JSON Pointer into the resolved scenario: value}: what if";
    schemas["set"] = std::move(set);
    const Schema as_of = described(time_or_null(), "the store as it was known then; else now");
    const Schema ledger = {{"type", kFlag}, {"default", false}, {"description", "adds the rows of the ledger"}};
    schemas["evaluate_request"] = closed_object(
        {{"scenario", scenario}, {"set", reference_to("set")}, {"as_of", as_of}, {"ledger", ledger}}, {"set", "as_of", "ledger"});
    schemas["batch_request"] = one_of(
        {closed_object({{"scenarios", some_of(scenario)}, {"as_of", as_of}, {"ledger", ledger}}, {"as_of", "ledger"}),
         closed_object({{"scenario", scenario}, {"sets", some_of(reference_to("set"))}, {"as_of", as_of}, {"ledger", ledger}},
                       {"as_of", "ledger"})});
    schemas["batch_line"] = described(one_of({reference_to("result"), reference_to("problem")}), "a line of application/x-ndjson");
}

void add_explain(Schema& schemas) {
    const Schema scenario = one_of({reference_to("slug"), reference_to("scenario")});
    const Schema depth = {{"type", kInteger}, {"minimum", 0}, {"maximum", kMostLevels}};
    schemas["explain_request"] =
        closed_object({{"scenario", scenario},
                       {"figure", described(of_type(kText), "JSON Pointer to a number of the result, such as /total/cost")},
                       {"depth", described(depth, "levels below the figure, months opened; without it months stay closed")},
                       {"set", reference_to("set")},
                       {"as_of", time_or_null()}},
                      {"depth", "set", "as_of"});
    Schema input = closed_object({{"name", described(of_type(kText), "JSON Pointer into the resolved scenario")},
                                  {"value", described(or_null(kNumber), "null of a curve, and where nothing is stated")},
                                  {"unit", of_type(kText)},
                                  {"source", or_null(kText)},
                                  {"revision", described(or_null(kInteger), "of the stored document around it")}});
    Schema term = closed_object({{"term", of_type(kText)},
                                 {"formula", of_type(kText)},
                                 {"value", of_type(kNumber)},
                                 {"unit", of_type(kText)},
                                 {"rule", described(choice_of(enum_names<Rule>), "how the value comes of those of the terms")},
                                 {"inputs", list_of(std::move(input))},
                                 {"terms", list_of(reference_to("term"))}});
    schemas["term"] = described(std::move(term), "a number, and why it is what it is");
}

void add_profile(Schema& schemas) {
    schemas["profile_request"] =
        question_of({{"scenario", asked_scenario()},
                     {"month", described(reference_to("year_month"), "within the horizon; its first where none is given")}},
                    {"month"});
    const Schema units = list_of(of_type(kNumber));
    Schema week = {{"type", Schema::array({"array", "null"})}, {"items", of_type(kNumber)}, {"minItems", 168}, {"maxItems", 168}};
    const auto mean = [&](std::string_view what) { return described(week, what); };
    Schema served = closed_object({{"workload", of_type(kText)},
                                   {"unit", of_type(kText)},
                                   {"pool", of_type(kText)},
                                   {"units", described(units, "by month")}});
    Schema workload = closed_object({{"id", of_type(kText)},
                                     {"unit", of_type(kText)},
                                     {"demand_units_per_s", mean("null of training, which has no hours of its own")}});
    Schema pool = closed_object({{"id", of_type(kText)},
                                 {"kind", choice_of(enum_names<PoolKind>)},
                                 {"busy_devices", mean("null of an API pool")},
                                 {"available_devices", mean("devices that are paid and may be busy; null of an API pool")},
                                 {"power_kw", mean("of the facility; null where the pool has no site")},
                                 {"energy_price", mean("currency/kWh, of an owned pool")}});
    schemas["profile"] =
        described(closed_object({{"month", reference_to("year_month")},
                                 {"time_zone", of_type(kText)},
                                 {"currency", reference_to("currency_code")},
                                 {"months", list_of(reference_to("year_month"))},
                                 {"served", list_of(std::move(served))},
                                 {"hours", described(units, "how many hours of the month each of the 168 of a week is")},
                                 {"workloads", list_of(std::move(workload))},
                                 {"pools", list_of(std::move(pool))}}),
                  "means by hour of the week, from Monday 0:00 in the scenario's time zone");
}

void add_problem(Schema& schemas) {
    std::vector<std::string_view> codes;
    for (std::size_t i = 0; i < static_cast<std::size_t>(Code::count_); ++i) {
        codes.push_back(code_name(static_cast<Code>(i)));
    }
    schemas["issue"] = closed_object({{"pointer", described(of_type(kText), "JSON Pointer (RFC 6901) into the request")},
                                      {"code", choice_of(codes)},
                                      {"message", of_type(kText)}});
    Schema types = Schema::array();
    Schema statuses = Schema::array();
    for (const ProblemKind& kind : problem_kinds()) {
        types.push_back("/problems/" + std::string(kind.name));
        statuses.push_back(kind.status);
    }
    Schema problem = closed_object({{"type", {{"type", kText}, {"enum", std::move(types)}}},
                                    {"title", of_type(kText)},
                                    {"status", {{"type", kInteger}, {"enum", std::move(statuses)}}},
                                    {"detail", of_type(kText)},
                                    {"instance", {{"type", kText}, {"pattern", "^/requests/"}}},
                                    {"errors", list_of(reference_to("issue"))}});
    schemas["problem"] = described(std::move(problem), "RFC 9457; every issue that was found");
}

// The field tables, for forms.
void add_fields(Schema& schemas) {
    const Schema number = of_type(kNumber);
    Schema field = closed_object({{"name", of_type(kText)},
                                  {"type", of_type(kText)},
                                  {"unit", of_type(kText)},
                                  {"min", number},
                                  {"above", number},
                                  {"max", number},
                                  {"array", of_type(kFlag)},
                                  {"required", of_type(kFlag)},
                                  {"only_for", of_type(kText)},
                                  {"choices", list_of(of_type(kText))},
                                  {"curve", choice_of(enum_names<CurveKind>)},
                                  {"default", Schema::object()},
                                  {"help", of_type(kText)}},
                                 {"unit", "min", "above", "max", "array", "only_for", "choices", "curve", "default"});
    schemas["fields"] = list_of(closed_object({{"document", of_type(kText)}, {"fields", list_of(std::move(field))}}));
}

void add_service(Schema& schemas) {
    Schema openapi = {{"type", "object"}};
    openapi["properties"] = {{"openapi", constant("3.1.0")}, {"info", of_type("object")}, {"paths", of_type("object")}};
    openapi["required"] = Schema::array({"openapi", "info", "paths"});
    schemas["openapi"] = described(std::move(openapi), "this description");
    schemas["health"] = closed_object({{"status", constant("alive")}});
    schemas["readiness"] = closed_object({{"status", constant("ready")}});
    schemas["examples"] = described(list_of(of_type(kText)), "paths of the example scenarios; GET each of them");
    schemas["revision"] = closed_object({{"revision", {{"type", kInteger}, {"minimum", 1}}},
                                         {"recorded_at", {{"type", kText}, {"format", "date-time"}}},
                                         {"recorded_by", of_type(kText)},
                                         {"deleted", of_type(kFlag)}});
    schemas["revisions"] = described(page_of("revision"), "newest first");
    schemas["change"] =
        closed_object({{"sequence", {{"type", kInteger}, {"minimum", 1}}},
                       {"recorded_at", {{"type", kText}, {"format", "date-time"}}},
                       {"author", described(of_type(kText), "a key's name; local without one, cli from the command line")},
                       {"request_id", described(of_type(kText), "\"\" from the command line")},
                       {"action", of_type(kText)},
                       {"subject", described(of_type(kText), "a document, a key's name, or how many")}});
    schemas["audit"] = described(page_of("change"), "newest first");
}

void add_imports(Schema& schemas) {
    const Schema count = {{"type", kInteger}, {"minimum", 0}};
    schemas["import_file"] = described({{"type", kText}, {"format", "binary"}},
                                       "the file as it was published, gzip'd or not; several as multipart/form-data");
    Schema complaint = closed_object({{"row", {{"type", kInteger}, {"minimum", 1}}}, {"reason", of_type(kText)}}, {"row"});
    schemas["complaints"] = described(closed_object({{"count", count}, {"first", list_of(std::move(complaint))}}),
                                      "the first 1000; row 1 is a table's first line, and a complaint of the whole file has none");
    Schema field = closed_object({{"pointer", of_type(kText)},
                                  {"date", {{"type", kText}, {"format", "date"}}},
                                  {"old", described(Schema::object(), "null where there was none")},
                                  {"new", Schema::object()}},
                                 {"date"});
    Schema change = closed_object({{"kind", choice_of(storage::kind_names)},
                                   {"id", reference_to("slug")},
                                   {"what", {{"type", kText}, {"enum", {"added", "changed"}}}},
                                   {"fields", list_of(std::move(field))}});
    Schema summary = {{"format", of_type(kText)}, {"dry_run", of_type(kFlag)}};
    add_all(summary, count, {"rows", "skipped", "bill_lines", "samples"});
    summary["bill"] = closed_object({{"added", count}, {"changed", count}, {"unchanged", count}});
    summary["documents"] = closed_object({{"added", count}, {"changed", count}, {"unchanged", count}});
    add_all(summary, reference_to("complaints"), {"rejected", "warnings"});
    summary["changes"] = list_of(std::move(change));
    schemas["import_summary"] = closed_object(std::move(summary));
}

} // namespace

void add_answer_schemas(Schema& schemas) {
    add_questions(schemas);
    add_explain(schemas);
    add_profile(schemas);
    add_result(schemas);
    add_problem(schemas);
    add_fields(schemas);
    add_service(schemas);
    add_imports(schemas);
}

} // namespace costcurve::api
