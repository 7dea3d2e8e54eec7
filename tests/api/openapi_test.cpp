// The description of the API: what it says of a small table of routes, and that its schemas say what the field tables say.
#include <algorithm>
#include <set>
#include <stdexcept>
#include <string>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "model/version.hpp"
#include "server/api/openapi/openapi.hpp"
#include "server/api/problem.hpp"

namespace costcurve::tests {
namespace {

using nlohmann::json;

constexpr auto kList = std::to_array<api::Parameter>({
    {"limit", "query", "integer", "most items", 1, 1000},
    {"as_of", "query", "string", "as known then", 0, 0, "date-time"},
});
constexpr auto kPut = std::to_array<api::Parameter>({{"If-Match", "header", "string", "a revision", 0, 0, "^\"[0-9]+\"$"}});
constexpr std::array kPutStatuses = {201};
constexpr std::array kDeleteStatuses = {204};

std::vector<api::Route> some_routes() {
    using storage::Kind;
    return {
        {.method = "GET",
         .path = "/v1/offers",
         .role = storage::Role::viewer,
         .help = "a page",
         .answer = "offer_list",
         .parameters = kList,
         .kind = Kind::offer},
        {.method = "PUT",
         .path = "/v1/offers/{id}",
         .role = storage::Role::editor,
         .help = "saves one",
         .body = "offer",
         .answer = "stored_offer",
         .parameters = kPut,
         .statuses = kPutStatuses,
         .kind = Kind::offer},
        {.method = "DELETE",
         .path = "/v1/offers/{id}",
         .role = storage::Role::editor,
         .help = "deletes one",
         .statuses = kDeleteStatuses,
         .kind = Kind::offer},
        {.method = "POST",
         .path = "/v1/evaluate/batch",
         .role = storage::Role::viewer,
         .help = "many",
         .body = "batch_request",
         .answer = "batch_line",
         .answer_type = "application/x-ndjson"},
        {.method = "GET", .path = "/metrics", .role = storage::Role::viewer, .help = "text", .answer_type = "text/plain"},
        {.method = "GET", .path = "/healthz", .help = "alive", .answer = "health"},
    };
}

const json& description() {
    static const json made = json::parse(api::openapi_document(some_routes()));
    return made;
}
const json& schema(const std::string& name) { return description()["components"]["schemas"].at(name); }

std::set<std::string> statuses(const json& operation) {
    std::set<std::string> found;
    for (const auto& [status, answer] : operation.at("responses").items()) {
        found.insert(status);
    }
    return found;
}

void expect_references_resolve(const json& value) {
    if (value.is_object() && value.contains("$ref")) {
        const auto target = value["$ref"].get<std::string>();
        ASSERT_EQ(target.substr(0, 2), "#/");
        EXPECT_TRUE(description().contains(json::json_pointer(target.substr(1)))) << target;
    }
    if (value.is_structured()) {
        for (const json& part : value) {
            expect_references_resolve(part);
        }
    }
}

TEST(Openapi, IsOfVersionThreeOneAndOfTheModelsVersion) {
    EXPECT_EQ(description()["openapi"], "3.1.0");
    EXPECT_EQ(description()["info"]["version"], model::kModelVersion);
    EXPECT_EQ(api::openapi_document(some_routes()), api::openapi_document(some_routes()));
}

TEST(Openapi, RefersOnlyToWhatItHas) { expect_references_resolve(description()); }

TEST(Openapi, RefusesARouteThatNamesNoSchema) {
    std::vector<api::Route> routes = some_routes();
    routes.front().answer = "offers";
    EXPECT_THROW((void)api::openapi_document(routes), std::logic_error);
    routes = some_routes();
    constexpr std::array kTeapot = {218};
    routes.front().statuses = kTeapot;
    EXPECT_THROW((void)api::openapi_document(routes), std::logic_error) << "a status with neither a problem nor a word";
}

TEST(Openapi, DescribesParametersBodiesAndAccess) {
    const json& paths = description()["paths"];
    ASSERT_EQ(paths.size(), 5U);
    const json& list = paths["/v1/offers"]["get"];
    EXPECT_EQ(list["operationId"], "get_offers");
    EXPECT_EQ(list["parameters"][0]["schema"], json({{"type", "integer"}, {"minimum", 1}, {"maximum", 1000}}));
    EXPECT_EQ(list["parameters"][1]["schema"], json({{"type", "string"}, {"format", "date-time"}}));
    EXPECT_EQ(list["x-role"], "viewer");
    EXPECT_EQ(list["security"], json::parse(R"([{"bearer": []}])"));
    const json& put = paths["/v1/offers/{id}"]["put"];
    EXPECT_EQ(put["operationId"], "put_offers_id");
    EXPECT_EQ(put["parameters"][0]["name"], "id");
    EXPECT_TRUE(put["parameters"][0]["required"].get<bool>());
    EXPECT_EQ(put["parameters"][1]["schema"]["pattern"], "^\"[0-9]+\"$");
    EXPECT_EQ(put["requestBody"]["content"]["application/json"]["schema"]["$ref"], "#/components/schemas/offer");
    EXPECT_TRUE(put["responses"]["201"]["headers"].contains("ETag"));
    EXPECT_EQ(paths["/healthz"]["get"]["security"], json::array());
    const json& batch = paths["/v1/evaluate/batch"]["post"]["responses"]["200"]["content"];
    EXPECT_EQ(paths["/metrics"]["get"]["responses"]["200"]["content"],
              json::parse(R"({"text/plain": {"schema": {"type": "string"}}})"));
    EXPECT_EQ(batch["application/x-ndjson"]["schema"]["$ref"], "#/components/schemas/batch_line");
}

TEST(Openapi, NamesTheStatusesThatCanBe) {
    const json& paths = description()["paths"];
    const std::set<std::string> health = statuses(paths["/healthz"]["get"]);
    for (const char* status : {"200", "400", "431", "500", "503"}) {
        EXPECT_TRUE(health.contains(status)) << status;
    }
    for (const char* status : {"401", "404", "409", "415"}) {
        EXPECT_FALSE(health.contains(status)) << status;
    }
    const std::set<std::string> put = statuses(paths["/v1/offers/{id}"]["put"]);
    for (const char* status : {"200", "201", "413", "415", "422"}) {
        EXPECT_TRUE(put.contains(status)) << status;
    }
    const json& remove = paths["/v1/offers/{id}"]["delete"]["responses"];
    EXPECT_FALSE(remove.contains("200"));
    EXPECT_FALSE(remove.at("204").contains("content"));
}

// Unit, range, requirement, choices and default of every field, against what the forms are made from.
TEST(Openapi, SaysOfEveryFieldWhatTheFieldTablesSay) {
    std::size_t seen = 0;
    for (const json& table : json::parse(api::encode_field_tables())) {
        const std::string of = table.value("document", table.value("request", ""));
        const json& made = schema(of);
        EXPECT_EQ(made["additionalProperties"], false);
        for (const json& field : table["fields"]) {
            const std::string name = field["name"];
            const std::string context = of + "." + name;
            ASSERT_TRUE(made["properties"].contains(name)) << context;
            const json& property = made["properties"][name];
            EXPECT_EQ(property.value("x-unit", ""), field.value("unit", "")) << context;
            EXPECT_EQ(property.value("x-only-for", ""), field.value("only_for", "")) << context;
            EXPECT_EQ(property["description"].get<std::string>().rfind(field["help"].get<std::string>(), 0), 0U) << context;
            if (field.contains("choices")) {
                const json& one = property.contains("items") ? property["items"] : property;
                EXPECT_EQ(one["enum"], field["choices"]) << context;
            }
            const json* range = property.contains("oneOf") ? &property["oneOf"][0] : &property;
            range = range->value("type", json()) == "object" ? &(*range)["additionalProperties"] : range;
            // of these, a range is that of one form among several, or stands in the scenario's schema
            const bool is_mixed =
                std::set<std::string>{"number or id", "all, changed or ids", "part of a scenario"}.contains(field["type"]);
            if (!field.contains("array") && !is_mixed && range->contains("type")) {
                const bool is_list = (*range)["type"] == "array"; // of texts: the range counts them, where there is one
                EXPECT_EQ(range->value(is_list ? "minItems" : "minimum", json()), field.value("min", json())) << context;
                EXPECT_EQ(range->value("exclusiveMinimum", json()), field.value("above", json())) << context;
                if (!is_list || field.contains("max")) {
                    EXPECT_EQ(range->value(is_list ? "maxItems" : "maximum", json()), field.value("max", json())) << context;
                }
            }
            EXPECT_EQ(property.value("default", json()), field.value("default", json())) << context;
            const json required = made.value("required", json::array());
            const bool listed = std::find(required.begin(), required.end(), name) != required.end();
            EXPECT_EQ(listed,
                      (field["required"] && !field.contains("only_for")) || (name == "id" && (of == "pool" || of == "workload")))
                << context;
            ++seen;
        }
    }
    EXPECT_GT(seen, 100U);
}

TEST(Openapi, KeepsFieldsOfOneKindToThatKind) {
    std::size_t kinds = 0;
    for (json rule = schema("pool"); rule.contains("if"); rule = rule.value("else", json())) {
        ++kinds;
        const json& kind = rule["if"]["properties"]["kind"]["const"];
        const json& then = rule["then"];
        const json required = then.value("required", json::array()); // none of an api pool: it may name an endpoint
        const bool needs_offer = std::find(required.begin(), required.end(), "offer") != required.end();
        EXPECT_EQ(needs_offer, kind == "cloud");
        EXPECT_EQ(then["properties"].contains("offer"), kind != "cloud");
        EXPECT_FALSE(then["properties"].contains("ramp_months"));
    }
    EXPECT_EQ(kinds, 3U);
}

TEST(Openapi, HasACurveOfEveryKind) {
    for (const model::CurveKindRow& row : model::curve_kinds()) {
        const json& curve = schema("curve_" + std::string(model::name_of(row.kind)));
        EXPECT_EQ(curve["properties"]["kind"]["enum"][0], model::name_of(row.kind));
        EXPECT_EQ(curve["properties"].size(), schema("curve")["properties"].size());
        EXPECT_EQ(curve["properties"]["axis"]["enum"].size(), row.axes.size());
        const json& y = curve["properties"]["points"]["items"]["prefixItems"][1];
        EXPECT_EQ(y["minimum"], row.y_min);
        EXPECT_EQ(y["maximum"], row.y_max);
    }
    const json& price = schema("offer")["properties"]["hourly_price"]["oneOf"];
    EXPECT_EQ(price[2]["$ref"], "#/components/schemas/curve_price");
}

TEST(Openapi, NamesEveryProblem) {
    for (const api::ProblemKind& kind : api::problem_kinds()) {
        EXPECT_TRUE(description()["components"]["responses"].contains(std::string(kind.name))) << kind.name;
    }
    EXPECT_EQ(schema("issue")["properties"]["code"]["enum"].size(), static_cast<std::size_t>(model::Code::count_));
}

TEST(Openapi, RequiresOfAStoredDocumentWhatTheStoreKnows) {
    for (const std::string_view kind : storage::kind_names) {
        const json& stored = schema("stored_" + std::string(kind));
        const json& given = schema(std::string(kind))["properties"];
        const auto secret = std::count_if(given.begin(), given.end(), [](const json& row) { return row.contains("writeOnly"); });
        EXPECT_EQ(stored["properties"].size(), given.size() - static_cast<std::size_t>(secret));
        for (const json& name : stored["required"]) {
            EXPECT_TRUE(schema(std::string(kind))["properties"].contains(name)) << name;
        }
        EXPECT_EQ(schema(std::string(kind) + "_list").at(json::json_pointer("/properties/items/items/oneOf/0/$ref")),
                  "#/components/schemas/stored_" + std::string(kind));
    }
}

} // namespace
} // namespace costcurve::tests
