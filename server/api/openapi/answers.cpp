// JSON Schema of the result, from its field tables, and of bodies that aren't objects.
#include <nlohmann/json.hpp>

#include "model/documents/fields.hpp"
#include "model/figures.hpp"
#include "server/api/openapi/schemas.hpp"

namespace costcurve::api {

namespace {

using namespace costcurve::model;

constexpr auto kFlag = "boolean";

Schema constant(std::string_view word) { return {{"type", kTextType}, {"const", word}}; }
// Adds the list of cost categories, and those with amounts of money.
void add_categories(Schema& schemas) {
    Schema categories = Schema::object();
    for (const std::string_view category : enum_names<Category>) {
        categories[std::string(category)] = reference_to("amounts");
    }
    schemas["categories"] = described(closed_object(categories), "every category, also those without money");
    Schema some = closed_object(std::move(categories));
    some.erase("required");
    schemas["some_categories"] = described(std::move(some), "those that have money");
}

// Rules that rows don't express: racks belong to owned pools, and a training's units are not split.
void add_rules_of_kinds(Schema& schemas) {
    Schema& pool = schemas["pool_result"];
    pool["properties"]["racks"]["description"] = "of owned pools: the most in any month";
    add_case(pool, "kind", name_of(PoolKind::owned), {{"required", Schema::array({"racks"})}});
    pool["else"] = {{"properties", {{"racks", false}}}};
    for (const auto& row : kWorkloadFigures) {
        if (row.applies == figures::is_split) {
            schemas["training_result"]["properties"].erase(std::string(row.figure.name));
        }
    }
}

void add_total_difference(Schema& schemas) {
    Schema difference = Schema::object();
    for (const Figure<Summary>& figure : kTotalFigures) {
        difference[std::string(figure.name)] = or_null(kNumberType);
    }
    schemas["total_difference"] = described(closed_object(std::move(difference)), "null where one of the two has no such figure");
}

// The field tables, for forms.
void add_fields(Schema& schemas) {
    const Schema number = of_type(kNumberType);
    const Schema rows = list_of(reference_to("field"));
    schemas["field"] =
        closed_object({{"name", of_type(kTextType)},
                       {"type", of_type(kTextType)},
                       {"unit", of_type(kTextType)},
                       {"min", number},
                       {"above", number},
                       {"max", number},
                       {"array", of_type(kFlag)},
                       {"required", of_type(kFlag)},
                       {"by_name", described(of_type(kFlag), "an object of them by their names")},
                       {"only_for", described(of_type(kTextType), "kinds that have it, with blanks between")},
                       {"choices", list_of(of_type(kTextType))},
                       {"curve", choice_of(enum_names<CurveKind>)},
                       {"default", Schema::object()},
                       {"help", of_type(kTextType)},
                       {"fields", described(rows, "of a part without a table of its own")}},
                      {"unit", "min", "above", "max", "array", "by_name", "only_for", "choices", "curve", "default", "fields"});
    schemas["fields"] =
        list_of(described(closed_object({{"document", of_type(kTextType)}, {"request", of_type(kTextType)}, {"fields", rows}},
                                        {"document", "request"}),
                          "of a document or of a request"));
}

void add_service(Schema& schemas) {
    Schema openapi = {{"type", "object"}};
    openapi["properties"] = {{"openapi", constant("3.1.0")}, {"info", of_type("object")}, {"paths", of_type("object")}};
    openapi["required"] = Schema::array({"openapi", "info", "paths"});
    schemas["openapi"] = described(std::move(openapi), "this description");
    schemas["examples"] = described(list_of(of_type(kTextType)), "paths of the example scenarios; GET each of them");
}

// Adds the JSON-RPC 2.0 envelope of the Model Context Protocol; tools/list returns the tools' own schemas.
void add_rpc(Schema& schemas) {
    const Schema id = one_of({of_type(kTextType), of_type(kIntegerType)});
    Schema request = closed_object({{"jsonrpc", constant("2.0")},
                                    {"id", described(id, "a notification has none")},
                                    {"method", described(of_type(kTextType), "initialize, ping, tools/list or tools/call")},
                                    {"params", of_type("object")}},
                                   {"id", "params"});
    schemas["rpc_request"] = std::move(request);
    Schema error =
        closed_object({{"code", of_type(kIntegerType)}, {"message", of_type(kTextType)}, {"data", of_type("object")}}, {"data"});
    schemas["rpc_answer"] =
        closed_object({{"jsonrpc", constant("2.0")}, {"id", id}, {"result", of_type("object")}, {"error", std::move(error)}},
                      {"result", "error"});
}

// Adds bodies that aren't objects.
void add_texts(Schema& schemas) {
    schemas["import_file"] = described({{"type", kTextType}, {"format", "binary"}},
                                       "the file as it was published, gzip'd or not; several as multipart/form-data");
    schemas["telemetry_text"] =
        described(of_type(kTextType),
                  "Prometheus text as exporters of DCGM or AMD print it, or lines of JSON: {\"time\", \"source\", \"device\", and "
                  "metrics such as \"power_w\"}, or what nvidia-smi prints: --query-gpu as CSV, or dmon -o DT; gzip'd or not");
    schemas["recalculation_events"] = described(
        of_type(kTextType), "server-sent events: progress with a recalculation four times a second, then result with the last");
}

} // namespace

void add_answer_schemas(Schema& schemas) {
    schemas["batch_line"] = described(one_of({reference_to("result"), reference_to("problem")}), "a line of application/x-ndjson");
    add_categories(schemas);
    add_total_difference(schemas);
    add_result_schemas(schemas);
    add_rules_of_kinds(schemas);
    add_fields(schemas);
    add_service(schemas);
    add_rpc(schemas);
    add_texts(schemas);
    add_store_schemas(schemas);
}

} // namespace costcurve::api
