// The table of tools, and self-contained schemas.
#include "server/api/mcp/tools.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "server/api/handlers/handlers.hpp"
#include "server/api/openapi/openapi.hpp"
#include "server/api/routes.hpp"
#include "server/documents/decoder.hpp"
#include "server/documents/json/json_text.hpp"

namespace costcurve::api::mcp {

namespace {

constexpr std::string_view kComponents = "#/components/schemas/";

// Query parameters: all arguments except those used in the path.
std::vector<http::Header> query_of(const JsonValue& arguments, std::initializer_list<std::string_view> taken) {
    std::vector<http::Header> parameters;
    for (const auto& [name, value] : arguments.members()) {
        if (std::find(taken.begin(), taken.end(), name) == taken.end()) {
            parameters.push_back({std::string(name), value.is_string() ? std::string(value.text()) : value.dump()});
        }
    }
    return parameters;
}

// Whether the route lists a kind's documents.
bool is_list(const Route& route) { return route.kind && route.method == "GET" && route.path.find('{') == std::string_view::npos; }

std::optional<std::string> path_of_kind(const JsonValue& arguments) { return list_path_of(text_of(arguments, "kind")); }

std::optional<std::string> path_of_document(const JsonValue& arguments) {
    const auto path = path_of_kind(arguments);
    const std::string_view id = text_of(arguments, "id");
    return path && model::is_slug(id) ? std::optional(fmt::format("{}/{}", *path, id)) : std::nullopt;
}

std::optional<ToolRequest> ask(std::string_view path, const JsonValue& arguments) {
    return ToolRequest{"POST", std::string(path), {}, arguments.dump()};
}
std::optional<ToolRequest> list(std::string_view /*path*/, const JsonValue& arguments) {
    const auto path = path_of_kind(arguments);
    return path ? std::optional(ToolRequest{"GET", *path, query_of(arguments, {"kind"}), ""}) : std::nullopt;
}
std::optional<ToolRequest> get(std::string_view /*path*/, const JsonValue& arguments) {
    const auto path = path_of_document(arguments);
    return path ? std::optional(ToolRequest{"GET", *path, query_of(arguments, {"kind", "id"}), ""}) : std::nullopt;
}
std::optional<ToolRequest> price(std::string_view /*path*/, const JsonValue& arguments) {
    const std::string_view offer = text_of(arguments, "offer");
    return model::is_slug(offer)
               ? std::optional(ToolRequest{"GET", fmt::format("/v1/offers/{}/price", offer), query_of(arguments, {"offer"}), ""})
               : std::nullopt;
}
std::optional<ToolRequest> put(std::string_view /*path*/, const JsonValue& arguments) {
    const auto path = path_of_document(arguments);
    const JsonValue* const document = arguments.find("document");
    return path && document != nullptr ? std::optional(ToolRequest{"PUT", *path, {}, document->dump()}) : std::nullopt;
}

// Fills arguments `feed` and `run` into a path such as "/v1/feeds/{id}/runs/{run}/accept"; nothing if one can't be part of a path.
std::optional<std::string> path_of_run(std::string_view path, const JsonValue& arguments) {
    constexpr double kMaxRun = 1e15;
    std::string filled(path);
    if (const auto place = filled.find("{id}"); place != std::string::npos) {
        const std::string_view feed = text_of(arguments, "feed");
        if (!model::is_slug(feed)) {
            return std::nullopt;
        }
        filled.replace(place, std::string_view("{id}").size(), feed);
    }
    if (const auto place = filled.find("{run}"); place != std::string::npos) {
        const JsonValue* const run = arguments.find("run");
        if (run == nullptr || !run->is_number() || run->number() < 1 || run->number() > kMaxRun) {
            return std::nullopt;
        }
        filled.replace(place, std::string_view("{run}").size(), fmt::format("{:.0f}", run->number()));
    }
    return filled;
}

std::optional<ToolRequest> read_runs(std::string_view path, const JsonValue& arguments) {
    const auto filled = path_of_run(path, arguments);
    return filled ? std::optional(ToolRequest{"GET", *filled, query_of(arguments, {"feed", "run"}), ""}) : std::nullopt;
}
std::optional<ToolRequest> review_run(std::string_view path, const JsonValue& arguments) {
    const auto filled = path_of_run(path, arguments);
    return filled ? std::optional(ToolRequest{"POST", *filled, {}, ""}) : std::nullopt;
}

std::optional<ToolRequest> import_text(std::string_view path, const JsonValue& arguments) {
    return ToolRequest{"POST", std::string(path), query_of(arguments, {"content"}), std::string(text_of(arguments, "content"))};
}

// "break_even" of "/v1/break-even".
std::string name_of_path(std::string_view path) {
    std::string name(path.substr(std::string_view("/v1/").size()));
    std::replace(name.begin(), name.end(), '-', '_');
    return name;
}

// Whether the route is a question open to viewers with a single JSON answer.
bool is_question(const Route& route) {
    return route.method == "POST" && route.role == storage::Role::viewer && route.answer_type == "application/json" &&
           !route.body.empty() && route.path.starts_with("/v1/");
}

// Copies all schemas that a schema refers to into `$defs`. A document is its id, or an object that `describe` describes.
void stand_alone(Schema& schema, const Schema& components, Schema& definitions) {
    if (schema.is_array()) {
        std::for_each(schema.begin(), schema.end(), [&](Schema& item) { stand_alone(item, components, definitions); });
    }
    if (!schema.is_object()) {
        return;
    }
    const auto reference = schema.find("$ref");
    if (reference == schema.end() || !reference->is_string()) {
        std::for_each(schema.begin(), schema.end(), [&](Schema& member) { stand_alone(member, components, definitions); });
        return;
    }
    std::string name = reference->get<std::string>().substr(kComponents.size());
    if (is_kind(name)) {
        schema = {{"type", "object"}, {"description", fmt::format("a {}; describe says what it has", name)}};
        return;
    }
    const Schema::json_pointer place("/" + name);
    std::replace(name.begin(), name.end(), '/', '_');
    *reference = "#/$defs/" + name;
    if (!definitions.contains(name)) {
        definitions[name] = nullptr; // marks it as visited, because it may refer to itself
        Schema made = components.at(place);
        stand_alone(made, components, definitions);
        definitions[name] = std::move(made);
    }
}

Schema alone(Schema schema, const Schema& components) {
    Schema definitions = Schema::object();
    stand_alone(schema, components, definitions);
    if (!definitions.empty()) {
        schema["$defs"] = std::move(definitions);
    }
    return schema;
}

const Schema& components() {
    static const Schema schemas = component_schemas();
    return schemas;
}

Schema text(std::string_view help) { return {{"type", "string"}, {"description", help}}; }

// Arguments of the tools that aren't questions.
Schema kind_choice() { return described(choice_of(storage::kind_names), "the kind of document"); }
Schema id_text() { return text("the document's id"); }
Schema as_of_text() { return text("the store as it was known then: RFC 3339, or @ and a change's number"); }

// The parameters of the lists, of every kind.
Schema list_schema() {
    Schema properties = {{"kind", kind_choice()}};
    for (const Route& route : routes()) {
        if (is_list(route)) {
            for (const Parameter& row : route.parameters) {
                if (row.in == "query") {
                    properties[std::string(row.name)] = described(parameter_schema(row), row.help);
                }
            }
        }
    }
    Schema schema = {{"type", "object"}, {"properties", std::move(properties)}, {"required", {"kind"}}};
    schema["additionalProperties"] = false;
    return schema;
}

Schema get_schema() { return closed_object({{"kind", kind_choice()}, {"id", id_text()}, {"as_of", as_of_text()}}, {"as_of"}); }
Schema price_schema() {
    return closed_object(
        {{"offer", text("the offer's id")}, {"date", text("YYYY-MM-DD; today where absent")}, {"as_of", as_of_text()}},
        {"date", "as_of"});
}
Schema describe_schema() { return closed_object({{"kind", kind_choice()}}); }
Schema put_schema() {
    return closed_object(
        {{"kind", kind_choice()}, {"id", id_text()}, {"document", {{"type", "object"}, {"description", "as describe says"}}}});
}

Schema feed_text() { return text("the feed's id"); }
Schema run_number() { return {{"type", "integer"}, {"minimum", 1}, {"description", "the run's number"}}; }
Schema runs_properties() {
    return {{"after", text("the `next` of the page before")}, {"limit", {{"type", "integer"}, {"minimum", 1}, {"maximum", 1000}}}};
}
Schema import_runs_schema() { return closed_object(runs_properties(), {"after", "limit"}); }
Schema import_run_schema() { return closed_object({{"run", run_number()}}); }
Schema feed_runs_schema() {
    Schema properties = runs_properties();
    properties["feed"] = feed_text();
    return closed_object(std::move(properties), {"after", "limit"});
}
Schema feed_run_schema() { return closed_object({{"feed", feed_text()}, {"run", run_number()}}); }

// Schema of the body of the route that a tool calls.
Schema body_schema(std::string_view path) {
    const auto all = routes();
    const auto is_asked = [&](const Route& route) { return route.method == "POST" && route.path == path; };
    return components().at(std::string(std::find_if(all.begin(), all.end(), is_asked)->body));
}

Schema input_of(const Tool& tool) { return alone(tool.input == nullptr ? body_schema(tool.path) : tool.input(), components()); }

// The text of a file, and what the query of an import takes.
Schema import_schema() {
    const auto all = routes();
    const auto route = std::find_if(all.begin(), all.end(), [](const Route& one) { return one.handle == post_imports; });
    Schema properties{{"content", text("the file's text, as it was published")}};
    for (const Parameter& parameter : route->parameters) {
        if (parameter.in == "query") {
            properties[std::string(parameter.name)] = described(parameter_schema(parameter), parameter.help);
        }
    }
    Schema schema = closed_object(std::move(properties));
    schema["required"] = {"content"};
    return schema;
}

// Adds tools for runs of imports and feeds, and for reviewing held documents.
void add_runs(std::vector<Tool>& made) {
    const auto add = [&](std::string name, std::string_view path, Schema (*input)(), bool is_write) {
        const auto all = routes();
        const auto is_asked = [&](const Route& route) {
            return route.path == path && route.method == (is_write ? std::string_view("POST") : std::string_view("GET"));
        };
        made.push_back({std::move(name), std::find_if(all.begin(), all.end(), is_asked)->help, path,
                        is_write ? review_run : read_runs, input, is_write});
    };
    made.push_back({"import", "store what a published file says; with dry_run only say what would change", "/v1/imports",
                    import_text, import_schema, true});
    add("list_import_runs", "/v1/imports", import_runs_schema, false);
    add("get_import_run", "/v1/imports/{run}", import_run_schema, false);
    add("accept_import", "/v1/imports/{run}/accept", import_run_schema, true);
    add("reject_import", "/v1/imports/{run}/reject", import_run_schema, true);
    add("undo_import", "/v1/imports/{run}/undo", import_run_schema, true);
    add("list_feed_runs", "/v1/feeds/{id}/runs", feed_runs_schema, false);
    add("accept_feed_run", "/v1/feeds/{id}/runs/{run}/accept", feed_run_schema, true);
    add("reject_feed_run", "/v1/feeds/{id}/runs/{run}/reject", feed_run_schema, true);
    add("undo_feed_run", "/v1/feeds/{id}/runs/{run}/undo", feed_run_schema, true);
}

std::vector<Tool> make_tools() {
    std::vector<Tool> made;
    for (const Route& route : routes()) {
        if (is_question(route)) {
            made.push_back({name_of_path(route.path), route.help, route.path, ask});
        }
    }
    made.push_back({"list_documents", "a page of the stored documents of a kind, by id", "", list, list_schema});
    made.push_back({"get_document", "a stored document with its revision and source", "", get, get_schema});
    made.push_back({"price_at", "what an offer costs an hour on a day, and what day that price is of", "", price, price_schema});
    made.push_back({"describe", "the JSON Schema of a kind of document: members, units, ranges", "", nullptr, describe_schema});
    made.push_back({"put_document", "store a document as its next revision", "", put, put_schema, true});
    made.push_back(
        {"recalculations", "evaluate stored scenarios again, and keep the results", "/v1/recalculations", ask, nullptr, true});
    add_runs(made);
    return made;
}

// Whether a value has a schema's `type`, which is a single word here.
bool has_type(const JsonValue& value, std::string_view type) {
    return type == "object"    ? value.is_object()
           : type == "boolean" ? value.is_boolean()
           : type == "string"  ? value.is_string()
                               : value.is_number() && (type == "number" || value.number() == std::floor(value.number()));
}

Schema make_list(bool with_writes) {
    Schema list = Schema::array();
    for (const Tool& tool : tools()) {
        if (!tool.is_write || with_writes) {
            list.push_back({{"name", tool.name},
                            {"description", tool.help},
                            {"inputSchema", input_of(tool)},
                            {"annotations", {{"readOnlyHint", !tool.is_write}, {"openWorldHint", false}}}});
        }
    }
    return list;
}

} // namespace

std::string_view text_of(const JsonValue& object, std::string_view name) {
    const JsonValue* const found = object.find(name);
    return found == nullptr ? std::string_view() : found->text();
}

std::optional<std::string> list_path_of(std::string_view kind) {
    const auto all = routes();
    const auto found = std::find_if(all.begin(), all.end(),
                                    [&](const Route& route) { return is_list(route) && storage::name_of(*route.kind) == kind; });
    return found == all.end() ? std::nullopt : std::optional(std::string(found->path));
}

const std::vector<Tool>& tools() {
    static const std::vector<Tool> all = make_tools();
    return all;
}

std::string wrong_arguments(const Tool& tool, const JsonValue& arguments) {
    if (tool.input == nullptr) {
        return "";
    }
    const Schema schema = tool.input();
    const Schema& properties = schema.at("properties");
    for (const auto& [name, value] : arguments.members()) {
        const auto row = properties.find(std::string(name));
        if (row == properties.end()) {
            std::vector<std::string> names;
            for (const auto& property : properties.items()) {
                names.push_back(property.key());
            }
            return fmt::format("{} takes no argument {}; it takes {}", tool.name, shortened(name, 60), fmt::join(names, ", "));
        }
        if (const std::string type = row->value("type", "string"); !has_type(value, type)) {
            return fmt::format("{} is {}; {} takes {} {}", name, shortened(value.dump(), 60), tool.name,
                               type == "object" || type == "integer" ? "an" : "a", type);
        }
    }
    for (const Schema& required : schema.value("required", Schema::array())) {
        if (const auto name = required.get<std::string>(); !arguments.contains(name)) {
            return fmt::format("{} needs the argument {}", tool.name, name);
        }
    }
    return "";
}

const Schema& tool_list(bool with_writes) {
    static const Schema reading = make_list(false);
    static const Schema all = make_list(true);
    return with_writes ? all : reading;
}

Schema kind_schema(std::string_view kind) {
    if (!is_kind(kind)) {
        return nullptr;
    }
    Schema schema = components().at(std::string(kind));
    return alone(std::move(schema), components());
}

} // namespace costcurve::api::mcp
