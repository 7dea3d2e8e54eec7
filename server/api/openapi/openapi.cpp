// Routes as OpenAPI 3.1 operations: paths, parameters, bodies, answers of every status, access. Schemas come from
// openapi_documents.cpp and openapi_answers.cpp.
#include "server/api/openapi/openapi.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <set>
#include <stdexcept>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "model/documents/text.hpp"
#include "model/version.hpp"
#include "server/api/openapi/schemas.hpp"
#include "server/api/problem.hpp"
#include "server/api/tables.hpp"

namespace costcurve::api {

namespace {

// When a response status applies to an operation; only statuses in the table of problems are listed.
enum class When { always, has_body, has_answer, needs_key, is_post };
struct Expected {
    int status;
    When when;
};
constexpr auto kExpected = std::to_array<Expected>({
    {400, When::always},
    {401, When::needs_key},
    {403, When::needs_key},
    {406, When::has_answer},
    {408, When::has_body},
    {409, When::is_post}, // an Idempotency-Key that was used for another request
    {413, When::has_body},
    {414, When::always},
    {415, When::has_body},
    {417, When::has_body},
    {422, When::always}, // a query parameter that is wrong, or that the path does not take
    {429, When::needs_key},
    {431, When::always},
    {500, When::always},
    {503, When::always},
});

// Whether the answer is text: a body without a schema.
bool is_text(const Route& route) { return route.answer.empty() && route.answer_type.starts_with("text/"); }

bool applies(When when, const Route& route) {
    switch (when) {
    case When::has_body:
        return !route.body.empty();
    case When::has_answer:
        return !route.answer.empty() || is_text(route);
    case When::needs_key:
        return route.role.has_value();
    case When::is_post:
        return route.method == "POST";
    case When::always:
        break;
    }
    return true;
}

const ProblemKind* problem_of(int status) {
    const auto kinds = problem_kinds();
    const auto found =
        std::find_if(kinds.begin(), kinds.end(), [status](const ProblemKind& kind) { return kind.status == status; });
    return found == kinds.end() ? nullptr : &*found;
}

std::set<int> statuses_of(const Route& route) {
    std::set<int> statuses(route.statuses.begin(), route.statuses.end());
    for (const Expected& row : kExpected) {
        if (applies(row.when, route) && problem_of(row.status) != nullptr) {
            statuses.insert(row.status);
        }
    }
    if ((!route.answer.empty() || is_text(route)) && !statuses.contains(202)) {
        statuses.insert(200);
    }
    return statuses;
}

Schema header(std::string_view name) { return {{"$ref", "#/components/headers/" + std::string(name)}}; }

Schema content_of(std::string_view type, Schema schema) {
    const std::string media(type.substr(0, type.find(';')));
    return {{media, {{"schema", std::move(schema)}}}};
}

// The same schema of each of several types, separated by spaces.
Schema contents_of(std::string_view types, const Schema& schema) {
    Schema contents = Schema::object();
    while (!types.empty()) {
        const std::size_t space = std::min(types.find(' '), types.size());
        contents.update(content_of(types.substr(0, space), schema));
        types.remove_prefix(std::min(space + 1, types.size()));
    }
    return contents;
}

// Successful answers: with a body, or complete by their status alone.
struct Success {
    int status;
    bool has_body;
    std::string_view word; ///< "" for the route's own
};
constexpr auto kSuccesses = std::to_array<Success>({
    {200, true, ""},
    {201, true, "made"},
    {202, true, "begun"},
    {204, false, "done"},
    {304, false, "what the client has is still so"},
});

Schema success_of(const Route& route, int status) {
    const auto* const row =
        std::find_if(kSuccesses.begin(), kSuccesses.end(), [&](const Success& s) { return s.status == status; });
    if (row == kSuccesses.end()) {
        throw std::logic_error(fmt::format("{} {}: nothing is said of status {}", route.method, route.path, status));
    }
    Schema answer = {{"description", row->word.empty() ? route.help : row->word}};
    answer["headers"]["X-Request-Id"] = header("X-Request-Id");
    if (route.answer.starts_with("stored_")) {
        answer["headers"]["ETag"] = header("ETag");
    }
    const bool is_later = status == 202 && statuses_of(route).contains(200);
    const std::string_view schema = is_later ? route.later : route.answer;
    if (status == 201 || (status == 202 && !schema.empty())) {
        answer["headers"]["Location"] = header("Location");
    }
    if (row->has_body && !(is_later && schema.empty())) {
        answer["content"] = content_of(route.answer_type, is_text(route) ? Schema{{"type", "string"}} : reference_to(schema));
    }
    if (status == 200 && !route.tables.empty()) {
        answer["content"].update(content_of(kCsv, Schema{{"type", "string"}}));
        if (has_workbook(route)) {
            answer["content"].update(content_of(kXlsx, Schema{{"type", "string"}, {"format", "binary"}}));
        }
        if (std::any_of(route.tables.begin(), route.tables.end(), [](const auto& table) { return table.rows == "/items"; })) {
            answer["headers"]["Link"] = header("Link");
        }
    }
    return answer;
}

Schema answers_of(const Route& route) {
    Schema answers = Schema::object();
    for (const int status : statuses_of(route)) {
        const ProblemKind* const problem = problem_of(status);
        if (problem != nullptr) {
            answers[std::to_string(status)] = {{"$ref", "#/components/responses/" + std::string(problem->name)}};
        } else {
            answers[std::to_string(status)] = success_of(route, status);
        }
    }
    return answers;
}

// The names between braces in a path.
std::vector<std::string_view> arguments_of(std::string_view path) {
    std::vector<std::string_view> names;
    for (std::size_t open = path.find('{'); open != std::string_view::npos; open = path.find('{', open + 1)) {
        names.push_back(path.substr(open + 1, path.find('}', open) - open - 1));
    }
    return names;
}

Schema parameters_of(const Route& route) {
    Schema parameters = Schema::array();
    for (const std::string_view name : arguments_of(route.path)) {
        const bool listed = std::any_of(route.parameters.begin(), route.parameters.end(),
                                        [&](const Parameter& row) { return row.in == "path" && row.name == name; });
        if (!listed) {
            parameters.push_back({{"name", name}, {"in", "path"}, {"required", true}, {"schema", reference_to("slug")}});
        }
    }
    std::vector<Parameter> rows(route.parameters.begin(), route.parameters.end());
    const std::vector<Parameter> of_tables = table_parameters(route);
    rows.insert(rows.end(), of_tables.begin(), of_tables.end());
    for (const Parameter& row : rows) {
        Schema parameter = {{"name", row.name}, {"in", row.in}, {"required", row.in == "path"}};
        parameter["description"] = row.help;
        parameter["schema"] = parameter_schema(row);
        parameters.push_back(std::move(parameter));
    }
    return parameters;
}

// get_offers_id for GET /v1/offers/{id}.
std::string operation_id(const Route& route) {
    std::string id;
    for (const char c : fmt::format("{}{}", route.method, route.path.substr(route.path.starts_with("/v1/") ? 3 : 0))) {
        if (std::isalnum(static_cast<unsigned char>(c)) != 0) {
            id += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
        } else if (c != '}' && !id.ends_with('_')) {
            id += '_';
        }
    }
    return id;
}

// Tag of a route: documents by kind, then questions, then the service itself.
std::string tag_of(const Route& route) {
    if (route.kind) {
        return std::string(storage::name_of(*route.kind));
    }
    return route.method == "POST" ? "questions" : "service";
}

Schema operation_of(const Route& route) {
    Schema operation = {{"operationId", operation_id(route)}, {"summary", route.help}};
    operation["tags"] = Schema::array({tag_of(route)});
    operation["security"] = Schema::array();
    if (route.role) {
        operation["security"].push_back({{"bearer", Schema::array()}});
    }
    operation["x-role"] = route.role ? storage::name_of(*route.role) : "none";
    if (Schema parameters = parameters_of(route); !parameters.empty()) {
        operation["parameters"] = std::move(parameters);
    }
    if (!route.body.empty()) {
        operation["requestBody"] = {{"required", true}, {"content", contents_of(route.body_type, reference_to(route.body))}};
    }
    operation["responses"] = answers_of(route);
    return operation;
}

Schema paths_of(std::span<const Route> routes) {
    Schema paths = Schema::object();
    for (const Route& route : routes) {
        paths[std::string(route.path)][model::lower(route.method)] = operation_of(route);
    }
    return paths;
}

Schema problem_responses() {
    Schema responses = Schema::object();
    for (const ProblemKind& kind : problem_kinds()) {
        Schema response = {{"description", kind.title}, {"headers", {{"X-Request-Id", header("X-Request-Id")}}}};
        if (kind.status == 429 || kind.status == 503) {
            response["headers"]["Retry-After"] = header("Retry-After");
        } else if (kind.status == 401) {
            response["headers"]["WWW-Authenticate"] = header("WWW-Authenticate");
        }
        response["content"] = content_of("application/problem+json", reference_to("problem"));
        responses[std::string(kind.name)] = std::move(response);
    }
    return responses;
}

Schema components() {
    Schema made = {{"schemas", component_schemas()}, {"responses", problem_responses()}};
    const auto text_header = [](std::string_view help, std::string_view pattern) -> Schema {
        return {{"required", true}, {"description", help}, {"schema", {{"type", "string"}, {"pattern", pattern}}}};
    };
    made["headers"] = {
        {"X-Request-Id", text_header("the request's, or one of ours", "^[A-Za-z0-9._-]{1,64}$")},
        {"ETag", text_header("the revision, in quotes", "^\"[0-9]+\"$")},
        {"Location", text_header("the path of the document", "^/v1/")},
        {"WWW-Authenticate", text_header("Bearer", "^Bearer$")},
        {"Retry-After", text_header("seconds", "^[0-9]+$")},
        {"Link", text_header("of CSV: the next page's address (RFC 8288), where there is one", "^</v1/.*>; rel=\"next\"$")},
    };
    made["headers"]["Link"]["required"] = false;
    made["securitySchemes"]["bearer"] = {
        {"type", "http"},
        {"scheme", "bearer"},
        {"description", "an API key whose role is the operation's x-role or a higher one; a daemon without keys asks for none"}};
    return made;
}

void check_names(const Route& route, const Schema& schemas) {
    for (const std::string_view name : {route.body, route.answer}) {
        if (!name.empty() && !schemas.contains(std::string(name))) {
            throw std::logic_error(fmt::format("{} {}: no schema {}", route.method, route.path, name));
        }
    }
}

} // namespace

Schema parameter_schema(const Parameter& parameter) {
    if (!parameter.words.empty()) {
        return {{"type", parameter.type}, {"pattern", fmt::format("^({})$", fmt::join(parameter.words, "|"))}};
    }
    if (parameter.format.starts_with('^')) {
        return {{"type", parameter.type}, {"pattern", parameter.format}};
    }
    Schema schema = {{"type", parameter.type}};
    if (!parameter.format.empty()) {
        schema["format"] = parameter.format;
    }
    if (parameter.min != 0.0 || parameter.max != 0.0) {
        schema["minimum"] = number_of(parameter.min);
        schema["maximum"] = number_of(parameter.max);
    }
    return schema;
}

Schema component_schemas() {
    Schema schemas = Schema::object();
    add_document_schemas(schemas);
    add_answer_schemas(schemas);
    return schemas;
}

std::string openapi_document(std::span<const Route> routes) {
    Schema document = {{"openapi", "3.1.0"}};
    document["info"] = {{"title", "costcurve"},
                        {"version", model::kModelVersion},
                        {"summary", "What AI accelerators really cost: per epoch, per inference, rented, owned or mixed."},
                        {"description",
                         "Unknown fields and wrong types are errors, and all of them are named at once. A reference is the id of a "
                         "stored document or the document itself. HEAD works wherever GET does."},
                        {"license", {{"name", "Apache-2.0"}, {"identifier", "Apache-2.0"}}}};
    document["servers"] = Schema::array({{{"url", "/"}}});
    document["paths"] = paths_of(routes);
    document["components"] = components();
    for (const Route& route : routes) {
        check_names(route, document["components"]["schemas"]);
    }
    return document.dump(2) + "\n";
}

} // namespace costcurve::api
