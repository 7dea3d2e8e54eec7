// Stored documents as JSON Schema: with revision and recorded_at, in lists, and unreadable ones.
#include <nlohmann/json.hpp>

#include "model/documents/automation.hpp"
#include "server/api/openapi/schemas.hpp"
#include "server/storage/record.hpp"

namespace costcurve::api {

namespace {

using namespace costcurve::model;

// Allows members that the store adds to its answers: clients may send them back, and they are ignored.
void allow_stored_members(Schema& document) {
    Schema& properties = document["properties"];
    properties["revision"] = {{"type", "number"}, {"minimum", 0}, {"maximum", number_of(kLargest)}};
    for (const char* name : {"revision", "recorded_at", "recorded_by", "unknown_fields", "warnings"}) {
        properties[name]["description"] = "of the store's answers; read over where it is sent";
    }
}

// Adds the next run of schedules and feeds to the store's answers.
void add_next_runs(Schema& schemas) {
    const Schema time = {{"type", "string"}, {"format", "date-time"}};
    for (const std::string kind : {"schedule", "feed"}) {
        schemas[kind]["properties"]["next_runs"]["description"] = "of the store's answers; read over where it is sent";
        Schema& stored = schemas["stored_" + kind];
        stored["properties"]["next_runs"] =
            described(list_of(time), "the next five, in its time zone; none where it is not enabled");
        stored["required"].push_back("next_runs");
    }
    schemas["stored_schedule"]["properties"]["warnings"]["description"] =
        "of a GET: what it watches for drift and isn't there; left out where there is nothing";
}

// A document as the store answers it.
Schema stored(Schema document) {
    Schema& properties = document["properties"];
    properties["revision"] = {{"type", "integer"}, {"minimum", 1}, {"description", "counts from 1; the ETag"}};
    properties["recorded_at"] = {{"type", "string"}, {"format", "date-time"}, {"description", "when this revision was stored"}};
    properties["recorded_by"] = {{"type", "string"}, {"description", "the name of the API key; local without one"}};
    properties["unknown_fields"] = described(list_of({{"type", "string"}}),
                                             "pointers of fields that another version stored and this one does not read; left out "
                                             "where there are none");
    properties["warnings"] =
        described(list_of({{"type", "string"}}),
                  "of a PUT alone: what the document has lost by it that the revision before had; left out where "
                  "there is nothing");
    const Schema given = properties;
    for (const auto& [name, property] : given.items()) {
        if (property.contains("writeOnly")) {
            properties.erase(name);
        }
    }
    for (const char* name : {"id", "revision", "recorded_at", "recorded_by"}) {
        document["required"].push_back(name);
    }
    for (const char* name : {"if", "then", "else"}) { // a curve's rules by kind were checked when it was stored
        document.erase(name);
    }
    return document;
}

} // namespace

bool is_kind(std::string_view name) { return model::value_of<storage::Kind>(name).has_value(); }

void add_document_schemas(Schema& schemas) {
    schemas["slug"] = {{"type", "string"}, {"pattern", "^[a-z0-9][a-z0-9._-]{0,127}$"}, {"description", "the id of a document"}};
    schemas["currency_code"] = {{"type", "string"}, {"pattern", "^[A-Z]{3}$"}, {"description", "ISO 4217"}};
    schemas["year_month"] = {{"type", "string"},
                             {"pattern", "^(19[7-9][0-9]|2[0-9]{3})-(0[1-9]|1[0-2])$"},
                             {"description", "YYYY-MM; a scenario starts from 1970-01 to 2199-12"}};
    add_field_schemas(schemas);
    for (const std::string_view kind : storage::kind_names) {
        const std::string name(kind);
        allow_stored_members(schemas[name]);
        schemas[name + "_list"] = page_of("stored_" + name, "unreadable_document");
    }
    add_curve_schemas(schemas);
    for (const std::string_view kind : storage::kind_names) {
        schemas["stored_" + std::string(kind)] = stored(schemas[std::string(kind)]);
    }
    add_next_runs(schemas);
}

} // namespace costcurve::api
