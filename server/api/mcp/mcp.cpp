// The Model Context Protocol over HTTP (2025-06-18): JSON-RPC requests, each answered in one piece. No sessions, no streams.
#include <algorithm>
#include <array>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "model/version.hpp"
#include "server/api/access.hpp"
#include "server/api/handlers/handlers.hpp"
#include "server/api/mcp/tools.hpp"
#include "server/api/problem.hpp"
#include "server/api/request.hpp"
#include "server/api/routes.hpp"
#include "server/documents/decoder.hpp"

namespace costcurve::api {

namespace {

using nlohmann::json;

// The newest first.
constexpr auto kVersions = std::to_array<std::string_view>({"2025-11-25", "2025-06-18", "2025-03-26"});

constexpr std::string_view kInstructions =
    "costcurve computes what AI accelerators cost, from stored prices, power and utilization. Start with rank (a model and a "
    "demand "
    "become plans) or list_documents (kind scenario), then evaluate, compare and explain. Money is in the answer's currency; null "
    "is not known, and never 0; `feasible` says whether a plan does its work, `evidence` what its rates are good for, "
    "`provenance.oldest_price` how old prices are. Every figure can be explained: give its pointer to explain.";

bool is_known_version(std::string_view version) {
    return std::find(kVersions.begin(), kVersions.end(), version) != kVersions.end();
}

// What JSON-RPC 2.0 calls its errors.
enum class RpcError { method_not_found = -32601, invalid_params = -32602 };

json failure(const json& id, RpcError code, std::string_view message) {
    return {{"jsonrpc", "2.0"}, {"id", id}, {"error", {{"code", static_cast<int>(code)}, {"message", message}}}};
}

Schema initialized(const json& parameters) {
    const std::string wanted = parameters.value("protocolVersion", "");
    return {{"protocolVersion", is_known_version(wanted) ? wanted : std::string(kVersions.front())},
            {"capabilities", {{"tools", Schema::object()}}},
            {"serverInfo", {{"name", "costcurve"}, {"title", "costcurve"}, {"version", model::kModelVersion}}},
            {"instructions", kInstructions}};
}

// The dashboard's picture of the stored scenarios that a question names; "" where it names none.
std::string picture_of(const http::Request& request, const json& arguments) {
    std::vector<std::string> ids;
    const auto add = [&](const json& scenario) {
        if (scenario.is_string()) {
            ids.push_back(scenario.get<std::string>());
        }
    };
    if (arguments.contains("scenario")) {
        add(arguments["scenario"]);
    } else if (arguments.contains("scenarios") && arguments["scenarios"].is_array()) {
        std::for_each(arguments["scenarios"].begin(), arguments["scenarios"].end(), add);
    }
    const bool is_safe = std::all_of(ids.begin(), ids.end(), [](const std::string& id) { return model::is_slug(id); });
    if (ids.empty() || !is_safe) {
        return "";
    }
    const bool is_https = http::header(request, "x-forwarded-proto") == "https";
    return fmt::format("{}://{}/?view={}&scenario={}", is_https ? "https" : "http", http::header(request, "host"),
                       ids.size() == 1 ? "result" : "compare", fmt::join(ids, "&scenario="));
}

Schema text_content(std::string_view text) { return {{"type", "text"}, {"text", text}}; }

Schema tool_problem(std::string_view text) { return {{"content", Schema::array({text_content(text)})}, {"isError", true}}; }

// Asks the API as the caller himself would.
Schema call_route(Service& service, const Call& call, const json& arguments, mcp::ToolRequest&& wanted) {
    http::Request request = call.request;
    request.method = std::move(wanted.method);
    request.path = std::move(wanted.path);
    request.query.clear();
    request.parameters = std::move(wanted.parameters);
    request.body = std::move(wanted.body);
    request.has_body = !request.body.empty();
    std::erase_if(request.headers, [](const http::Header& header) {
        return header.name == "accept" || header.name == "idempotency-key" || header.name == "prefer" ||
               header.name == "content-type";
    });
    request.headers.push_back({"content-type", "application/json"});
    const http::Response response = dispatch(service, request);
    if (response.status >= 400) {
        return tool_problem(response.body);
    }
    Schema answer = {{"content", Schema::array({text_content(response.body)})},
                     {"structuredContent", Schema::parse(response.body)}};
    if (const std::string picture = picture_of(request, arguments); !picture.empty()) {
        answer["content"].push_back({{"type", "resource_link"}, {"uri", picture}, {"name", "picture"}, {"mimeType", "text/html"}});
    }
    return answer;
}

// A tool's answer; nothing where there is no such tool.
std::optional<Schema> call_tool(Service& service, const Call& call, const json& parameters) {
    const std::string name = parameters.contains("name") && parameters["name"].is_string() ? parameters["name"] : "";
    const json arguments = parameters.value("arguments", json::object());
    const auto& all = mcp::tools();
    const auto tool = std::find_if(all.begin(), all.end(), [&](const mcp::Tool& it) { return it.name == name; });
    if (tool == all.end()) {
        return std::nullopt;
    }
    if (!arguments.is_object()) {
        return tool_problem("arguments is an object");
    }
    if (tool->make == nullptr) {
        const std::string kind = arguments.contains("kind") && arguments["kind"].is_string() ? arguments["kind"] : "";
        const Schema schema = mcp::kind_schema(kind);
        return schema.is_null() ? tool_problem(fmt::format("kind is one of {}", fmt::join(storage::kind_names, ", ")))
                                : Schema{{"content", Schema::array({text_content(schema.dump())})}, {"structuredContent", schema}};
    }
    std::optional<mcp::ToolRequest> wanted = tool->make(tool->path, arguments);
    if (!wanted) {
        return tool_problem(fmt::format("{} takes other arguments; tools/list has their schema", name));
    }
    return call_route(service, call, arguments, std::move(*wanted));
}

std::string answer_of(const json& id, Schema&& result) {
    const Schema answer = {{"jsonrpc", "2.0"}, {"id", id}, {"result", std::move(result)}};
    return answer.dump(-1, ' ', false, Schema::error_handler_t::replace);
}

// The answer to a request of JSON-RPC.
std::string answer_rpc(Service& service, const Call& call, const json& request) {
    const json& id = request.at("id");
    const std::string method = request.at("method");
    const json parameters = request.value("params", json::object());
    if (method == "initialize") {
        return answer_of(id, initialized(parameters));
    }
    if (method == "ping") {
        return answer_of(id, Schema::object());
    }
    if (method == "tools/list") {
        return answer_of(id, {{"tools", mcp::tool_list(is_editor(service, call.request))}});
    }
    if (method == "tools/call") {
        std::optional<Schema> result = call_tool(service, call, parameters);
        return result ? answer_of(id, std::move(*result))
                      : failure(id, RpcError::invalid_params, "there is no such tool; tools/list names them").dump();
    }
    return failure(id, RpcError::method_not_found, "this server has initialize, ping, tools/list and tools/call").dump();
}

// A request of JSON-RPC 2.0 as the protocol has it, or a notification, which has no id.
bool is_rpc(const json& request) {
    constexpr auto kMembers = std::to_array<std::string_view>({"jsonrpc", "id", "method", "params"});
    if (!request.is_object() || request.value("jsonrpc", json()) != "2.0" || !request.value("method", json()).is_string() ||
        !request.value("params", json::object()).is_object()) {
        return false;
    }
    const json id = request.value("id", json(0));
    return (id.is_string() || id.is_number_integer()) &&
           std::all_of(request.items().begin(), request.items().end(), [&](const auto& member) {
               return std::find(kMembers.begin(), kMembers.end(), member.key()) != kMembers.end();
           });
}

} // namespace

Attempt<http::Response> post_mcp(Service& service, const Call& call) {
    const std::string_view version = http::header(call.request, "mcp-protocol-version");
    if (!version.empty() && !is_known_version(version)) {
        return tl::unexpected(Refusal{400, fmt::format("MCP-Protocol-Version is one of {}", fmt::join(kVersions, ", "))});
    }
    const Attempt<ParsedJson> body = read_body(call.request);
    if (!body) {
        return tl::unexpected(body.error());
    }
    const json& request = **body;
    if (!is_rpc(request)) {
        return tl::unexpected(Refusal{400, "send one request of JSON-RPC 2.0: jsonrpc, id and method, params where it has any"});
    }
    if (!request.contains("id")) { // a notification
        http::Response taken;
        taken.status = 202;
        return taken;
    }
    return json_answer(answer_rpc(service, call, request));
}

} // namespace costcurve::api
