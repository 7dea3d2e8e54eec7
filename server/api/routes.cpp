// Handlers by method and noun, the table that finds them, and the pages that are compiled in.
#include "server/api/routes.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <optional>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "server/api/assets.hpp"
#include "server/api/decode.hpp"
#include "server/api/evaluate_scenario.hpp"
#include "server/api/json_text.hpp"
#include "server/api/problem.hpp"

namespace costcurve::api {

namespace {

using nlohmann::json;

constexpr std::string_view kJson = "application/json; charset=utf-8";

http::Response answer(std::string body, std::string_view content_type = kJson) {
    http::Response response;
    response.content_type = content_type;
    response.body = std::move(body);
    return response;
}

http::Response get_healthz(const http::Request& /*request*/) { return answer(R"({"status":"alive"})"); }

http::Response get_fields(const http::Request& /*request*/) { return answer(encode_fields()); }

http::Response get_examples(const http::Request& /*request*/) {
    JsonWriter out;
    out.begin_array();
    for (const Asset& asset : assets()) {
        if (asset.path.starts_with("/examples/")) {
            out.value(asset.path);
        }
    }
    out.end_array();
    return answer(out.take());
}

bool is_json(const http::Request& request) {
    std::string type(http::header(request, "content-type"));
    type.resize(std::min(type.find(';'), type.size()));
    type.resize(type.find_last_not_of(" \t") + 1);
    std::transform(type.begin(), type.end(), type.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return type == "application/json";
}

// What POST /v1/evaluate asks; each issue has its pointer into the request.
struct EvaluateRequest {
    json scenario;
    bool ledger = false;
};

// The scenario with its defaults filled in: what the pointers of `set` point into.
model::Result<json> resolved(const json& scenario) {
    model::Result<model::ScenarioDocument> document = decode_scenario(scenario, "/scenario");
    if (!document) {
        return tl::unexpected(std::move(document.error()));
    }
    return *parse_json(encode_scenario(*document));
}

// Replaces what each pointer names; a member of an object may be new, an entry of an array may not.
void apply_set(const json& set, json& scenario, model::Failure& issues) {
    for (const auto& [pointer, value] : set.items()) {
        try {
            const json::json_pointer path(pointer);
            if (scenario.contains(path) || scenario.at(path.parent_pointer()).is_object()) {
                scenario[path] = value;
                continue;
            }
        } catch (const json::exception&) { // no pointer, or nothing on its way
        }
        issues.push_back(
            {join_pointer("/set", pointer), model::Code::unknown_reference, "no JSON Pointer to a place in the scenario"});
    }
}

model::Result<EvaluateRequest> decode_request(json body) {
    using model::Code;
    model::Failure issues;
    EvaluateRequest request;
    if (!body.is_object()) {
        return tl::unexpected(model::Failure{{"", Code::wrong_type, "the body must be an object {scenario, set, ledger}"}});
    }
    for (const auto& [name, value] : body.items()) {
        const std::string at = join_pointer("", name);
        if (name == "scenario" || name == "set") {
            if (!value.is_object()) {
                issues.push_back({at, value.is_string() ? Code::unknown_reference : Code::wrong_type,
                                  fmt::format("{} must be an object; nothing is stored here that an id could name", name)});
            }
        } else if (name == "ledger") {
            if (value.is_boolean()) {
                request.ledger = value.get<bool>();
            } else {
                issues.push_back({at, Code::wrong_type, "ledger must be true or false"});
            }
        } else if (name == "as_of") {
            if (!value.is_null()) {
                issues.push_back({at, Code::not_allowed, "as_of needs stored documents; an inline scenario has no history"});
            }
        } else {
            issues.push_back({at, Code::unknown_field, fmt::format("allowed: scenario, set, as_of, ledger")});
        }
    }
    if (!body.contains("scenario")) {
        issues.push_back({"/scenario", Code::missing, "scenario is required: a complete scenario document"});
    }
    if (issues.empty()) {
        request.scenario = std::move(body["scenario"]);
        if (body.contains("set")) {
            model::Result<json> scenario = resolved(request.scenario);
            if (!scenario) {
                return tl::unexpected(std::move(scenario.error()));
            }
            request.scenario = std::move(*scenario);
            apply_set(body["set"], request.scenario, issues);
        }
    }
    if (!issues.empty()) {
        return tl::unexpected(std::move(issues));
    }
    return request;
}

http::Response post_evaluate(const http::Request& request) {
    const auto invalid = [&](const model::Failure& issues) {
        return problem(kUnprocessable, fmt::format("{} issue{}; see errors", issues.size(), issues.size() == 1 ? "" : "s"),
                       request.request_id, issues);
    };
    if (!is_json(request)) {
        return problem(415, "send Content-Type: application/json", request.request_id);
    }
    auto body = parse_json(request.body);
    if (!body) {
        return problem(400, body.error().message, request.request_id);
    }
    const model::Result<EvaluateRequest> question = decode_request(std::move(*body));
    if (!question) {
        return invalid(question.error());
    }
    model::Result<model::ScenarioDocument> document = decode_scenario(question->scenario, "/scenario");
    if (!document) {
        return invalid(document.error());
    }
    const model::Result<Evaluated> evaluated = evaluate_document(std::move(*document), "/scenario");
    if (!evaluated) {
        return invalid(evaluated.error());
    }
    return answer(encode_result(*evaluated, question->ledger));
}

constexpr auto kRoutes = std::to_array<Route>({
    {"GET", "/healthz", get_healthz, "alive"},
    {"GET", "/v1/fields", get_fields, "the field tables, for forms"},
    {"GET", "/v1/examples", get_examples, "paths of the example scenarios"},
    {"POST", "/v1/evaluate", post_evaluate, "{scenario, set, ledger} to a result"},
});

std::string_view content_type_of(std::string_view path) {
    static constexpr auto kTypes = std::to_array<std::pair<std::string_view, std::string_view>>({
        {".html", "text/html; charset=utf-8"},
        {".js", "text/javascript; charset=utf-8"},
        {".css", "text/css; charset=utf-8"},
        {".svg", "image/svg+xml"},
        {".json", kJson},
        {".md", "text/markdown; charset=utf-8"},
    });
    for (const auto& [ending, type] : kTypes) {
        if (path.ends_with(ending)) {
            return type;
        }
    }
    return "application/octet-stream";
}

std::optional<http::Response> find_asset(std::string_view path) {
    if (path == "/") {
        path = "/static/index.html";
    }
    for (const Asset& asset : assets()) {
        if (asset.path == path) {
            return answer(std::string(asset.bytes), content_type_of(path));
        }
    }
    return std::nullopt;
}

http::Response route(const http::Request& request) {
    const std::string_view method = request.method == "HEAD" ? "GET" : std::string_view(request.method);
    std::string allowed;
    for (const Route& row : kRoutes) {
        if (row.path != request.path) {
            continue;
        }
        if (row.method == method) {
            return row.handle(request);
        }
        allowed += (allowed.empty() ? "" : ", ") + std::string(row.method) + (row.method == "GET" ? ", HEAD" : "");
    }
    std::optional<http::Response> asset = find_asset(request.path);
    if (asset && method == "GET") {
        return std::move(*asset);
    }
    if (asset) {
        allowed = "GET, HEAD";
    }
    if (allowed.empty()) {
        return problem(404, "no route and no page has this path; the routes are in the README", request.request_id);
    }
    http::Response refused = problem(405, "allowed: " + allowed, request.request_id);
    refused.headers.push_back({"Allow", allowed});
    return refused;
}

// Nothing is loaded from elsewhere, framed, or guessed.
void add_security_headers(http::Response& response) {
    response.headers.push_back(
        {"Content-Security-Policy",
         "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
         "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"});
    response.headers.push_back({"X-Content-Type-Options", "nosniff"});
    response.headers.push_back({"Referrer-Policy", "no-referrer"});
    response.headers.push_back({"Cache-Control", "no-store"});
}

} // namespace

std::span<const Route> routes() { return kRoutes; }

http::Response dispatch(const http::Request& request) {
    http::Response response = route(request);
    add_security_headers(response);
    return response;
}

} // namespace costcurve::api
