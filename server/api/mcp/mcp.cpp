// The Model Context Protocol over HTTP: JSON-RPC requests, each answered in one piece. No sessions, no streams.
#include <algorithm>
#include <array>
#include <cmath>
#include <span>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "model/version.hpp"
#include "server/api/access.hpp"
#include "server/api/handlers/handlers.hpp"
#include "server/api/mcp/methods.hpp"
#include "server/api/problem.hpp"
#include "server/api/request.hpp"
#include "server/api/routes.hpp"
#include "server/documents/decoder.hpp"
#include "server/documents/json/json_text.hpp"
#include "server/documents/json/parsed_json.hpp"

namespace costcurve::api {

namespace {

// The newest first.
constexpr auto kVersions = std::to_array<std::string_view>({"2025-11-25", "2025-06-18", "2025-03-26"});

constexpr std::string_view kInstructions =
    "costcurve computes what AI accelerators cost, from stored prices, power and utilization. Start with rank (a model and a "
    "demand "
    "become plans) or list_documents (kind scenario), then evaluate, compare and explain. Money is in the answer's currency; null "
    "is not known, and never 0; `feasible` says whether a plan does its work, `evidence` what its rates are good for, "
    "`provenance.oldest_price` how old prices are, `price_day` and `price_source` of which day each is and who states it. Every "
    "figure can be explained: give its pointer to explain.";

// A member of an object, or an empty object if absent.
const JsonValue& member_of(const JsonValue& object, std::string_view name) {
    static const JsonValue empty{std::span<const JsonMember>()};
    const JsonValue* const found = object.find(name);
    return found == nullptr ? empty : *found;
}

bool is_known_version(std::string_view version) {
    return std::find(kVersions.begin(), kVersions.end(), version) != kVersions.end();
}

// A response of JSON-RPC to the request `id` (JSON text): the result, or the error, as JSON text.
std::string answer_of(std::string_view id, std::string_view member, std::string_view content) {
    JsonWriter writer;
    writer.begin_object().member("jsonrpc", "2.0").key("id").raw(id).key(member).raw(content).end_object();
    return writer.take();
}

std::string failure_of(std::string_view id, const mcp::RpcFailure& failure) {
    JsonWriter writer;
    writer.begin_object().member("code", static_cast<int>(failure.code)).member("message", failure.message);
    if (!failure.data.empty()) {
        writer.key("data").raw(failure.data);
    }
    writer.end_object();
    return answer_of(id, "error", writer.text());
}

mcp::RpcResult rpc_initialize(Service& /*service*/, const Call& /*call*/, const JsonValue& parameters) {
    const std::string_view wanted = mcp::text_of(parameters, "protocolVersion");
    return Schema{{"protocolVersion", is_known_version(wanted) ? wanted : kVersions.front()},
                  {"capabilities",
                   {{"tools", Schema::object()},
                    {"resources", Schema::object()},
                    {"prompts", Schema::object()},
                    {"completions", Schema::object()}}},
                  {"serverInfo", {{"name", "costcurve"}, {"title", "costcurve"}, {"version", model::kModelVersion}}},
                  {"instructions", kInstructions}}
        .dump();
}

// The dashboard's chart of the stored scenarios that a question names. "" if it names none, or if the caller's Host isn't a name of
// this service (with a key, any Host is accepted).
std::string picture_of(const Service& service, const http::Request& request, const JsonValue& arguments) {
    std::vector<std::string_view> ids;
    const auto add = [&](const JsonValue& scenario) {
        if (scenario.is_string()) {
            ids.push_back(scenario.text());
        }
    };
    if (const JsonValue* const scenario = arguments.find("scenario")) {
        add(*scenario);
    } else if (const JsonValue* const scenarios = arguments.find("scenarios")) {
        std::for_each(scenarios->entries().begin(), scenarios->entries().end(), add);
    }
    const bool is_safe = std::all_of(ids.begin(), ids.end(), [](std::string_view id) { return model::is_slug(id); });
    if (ids.empty() || !is_safe || !is_called_by_own_name(service, request)) {
        return "";
    }
    const bool is_https = http::header(request, "x-forwarded-proto") == "https";
    return fmt::format("{}://{}/?view={}&scenario={}", is_https ? "https" : "http", http::header(request, "host"),
                       ids.size() == 1 ? "result" : "compare", fmt::join(ids, "&scenario="));
}

void write_text(std::string_view text, JsonWriter& writer) {
    writer.begin_object().member("type", "text").member("text", text).end_object();
}

std::string tool_problem(std::string_view text) {
    JsonWriter writer;
    write_text(text, writer.begin_object().key("content").begin_array());
    writer.end_array().member("isError", true).end_object();
    return writer.take();
}

// A tool's answer: JSON text, and optionally a picture ("" for none).
std::string tool_answer(std::string_view answer, std::string_view picture = "") {
    JsonWriter writer;
    write_text(answer, writer.begin_object().key("content").begin_array());
    if (!picture.empty()) {
        writer.begin_object().member("type", "resource_link").member("uri", picture).member("name", "picture");
        writer.member("mimeType", "text/html").end_object();
    }
    writer.end_array().key("structuredContent").raw(answer).end_object();
    return writer.take();
}

// Calls a route and converts its answer to a tool's answer.
std::string call_route(Service& service, const Call& call, const JsonValue& arguments, mcp::ToolRequest&& wanted) {
    const http::Response response = mcp::ask_route(service, call, std::move(wanted));
    return response.status >= 400 || response.content_type != kJsonType
               ? tool_problem(response.body)
               : tool_answer(response.body, picture_of(service, call.request, arguments));
}

mcp::RpcResult call_tool(Service& service, const Call& call, const JsonValue& parameters) {
    const std::string_view name = mcp::text_of(parameters, "name");
    const JsonValue& arguments = member_of(parameters, "arguments");
    const auto& all = mcp::tools();
    const auto tool = std::find_if(all.begin(), all.end(), [&](const mcp::Tool& it) { return it.name == name; });
    if (tool == all.end()) {
        return mcp::invalid_params("there is no such tool; tools/list names them");
    }
    if (!arguments.is_object()) {
        return tool_problem("arguments is an object");
    }
    if (const std::string wrong = mcp::wrong_arguments(*tool, arguments); !wrong.empty()) {
        return tool_problem(wrong);
    }
    if (tool->make == nullptr) {
        const Schema schema = mcp::kind_schema(mcp::text_of(arguments, "kind"));
        return schema.is_null() ? tool_problem(fmt::format("kind is one of {}", fmt::join(storage::kind_names, ", ")))
                                : tool_answer(schema.dump());
    }
    std::optional<mcp::ToolRequest> wanted = tool->make(tool->path, arguments);
    if (!wanted) {
        return tool_problem(fmt::format("{} takes other arguments; tools/list has their schema", name));
    }
    return call_route(service, call, arguments, std::move(*wanted));
}

mcp::RpcResult rpc_ping(Service& /*service*/, const Call& /*call*/, const JsonValue& /*parameters*/) { return "{}"; }

mcp::RpcResult list_tools(Service& service, const Call& call, const JsonValue& /*parameters*/) {
    return Schema{{"tools", mcp::tool_list(has_role(service, call.request, storage::Role::editor))}}.dump();
}

struct RpcMethod {
    std::string_view name;
    mcp::RpcResult (*answer)(Service& service, const Call& call, const JsonValue& parameters) = nullptr;
};
constexpr auto kMethods = std::to_array<RpcMethod>({{"initialize", rpc_initialize},
                                                    {"ping", rpc_ping},
                                                    {"tools/list", list_tools},
                                                    {"tools/call", call_tool},
                                                    {"resources/list", mcp::list_resources},
                                                    {"resources/templates/list", mcp::list_resource_templates},
                                                    {"resources/read", mcp::read_resource},
                                                    {"prompts/list", mcp::list_prompts},
                                                    {"prompts/get", mcp::get_prompt},
                                                    {"completion/complete", mcp::complete}});

// The answer to a request of JSON-RPC.
std::string answer_rpc(Service& service, const Call& call, const JsonValue& request) {
    const std::string id = request.find("id")->dump();
    const std::string_view name = mcp::text_of(request, "method");
    const auto method = std::find_if(kMethods.begin(), kMethods.end(), [&](const RpcMethod& row) { return row.name == name; });
    if (method == kMethods.end()) {
        std::vector<std::string_view> names;
        std::transform(kMethods.begin(), kMethods.end(), std::back_inserter(names), [](const RpcMethod& row) { return row.name; });
        return failure_of(id, {mcp::RpcCode::method_not_found, fmt::format("this server has {}", fmt::join(names, ", "))});
    }
    const mcp::RpcResult result = method->answer(service, call, member_of(request, "params"));
    return result ? answer_of(id, "result", *result) : failure_of(id, result.error());
}

// Whether this is a valid JSON-RPC 2.0 request, or a notification, which has no id.
bool is_rpc(const JsonValue& request) {
    constexpr auto kMembers = std::to_array<std::string_view>({"jsonrpc", "id", "method", "params"});
    const JsonValue* const id = request.find("id");
    const JsonValue* const method = request.find("method");
    return mcp::text_of(request, "jsonrpc") == "2.0" && method != nullptr && method->is_string() &&
           member_of(request, "params").is_object() &&
           (id == nullptr || id->is_string() || (id->is_number() && id->number() == std::floor(id->number()))) &&
           std::all_of(request.members().begin(), request.members().end(), [&](const JsonMember& member) {
               return std::find(kMembers.begin(), kMembers.end(), member.name) != kMembers.end();
           });
}

// The id of an invalid request, if the id is valid.
std::string id_of(const JsonValue& request) {
    const JsonValue* const id = request.find("id");
    return id != nullptr && (id->is_string() || id->is_number()) ? id->dump() : "null";
}

} // namespace

namespace mcp {

http::Response ask_route(Service& service, const Call& call, ToolRequest&& wanted) {
    http::Request request = call.request;
    request.method = std::move(wanted.method);
    request.path = std::move(wanted.path);
    request.query.clear();
    request.parameters = std::move(wanted.parameters);
    request.body = std::move(wanted.body);
    request.has_body = !request.body.empty();
    // Only headers that identify the caller are passed on; the others belong to the JSON-RPC request. Tools have no conditional
    // requests and accept only JSON.
    constexpr auto kOfCaller = std::to_array<std::string_view>({"authorization", "host", "origin", "sec-fetch-site"});
    std::erase_if(request.headers, [&](const http::Header& header) {
        return std::find(kOfCaller.begin(), kOfCaller.end(), header.name) == kOfCaller.end();
    });
    request.headers.push_back({"content-type", "application/json"});
    return dispatch(service, request);
}

std::string answer_line(Service& service, std::string_view line) {
    http::Request request;
    request.method = "POST";
    request.path = "/mcp";
    request.body = line;
    request.has_body = true;
    request.headers = {{"content-type", "application/json"}};
    request.request_id = "stdio";
    http::Response response = dispatch(service, request);
    if (response.status == 202) {
        return "";
    }
    if (response.status == 200) {
        std::erase_if(response.body, [](char c) { return c == '\n' || c == '\r'; }); // line ends inside of strings are escaped
        return std::move(response.body);
    }
    const auto message = parse(line);
    const auto problem = parse(response.body);
    const RpcCode code = response.status != 400 ? RpcCode::refused : message ? RpcCode::invalid_request : RpcCode::parse_error;
    return failure_of(message ? id_of(**message) : "null",
                      {code, std::string(problem ? text_of(**problem, "detail") : ""), problem ? response.body : ""});
}

} // namespace mcp

Attempt<http::Response> post_mcp(Service& service, const Call& call) {
    const std::string_view version = http::header(call.request, "mcp-protocol-version");
    if (!version.empty() && !is_known_version(version)) {
        return tl::unexpected(Refusal{400, fmt::format("MCP-Protocol-Version is one of {}", fmt::join(kVersions, ", "))});
    }
    const Attempt<ParsedJson> body = read_body(call.request);
    if (!body) {
        return tl::unexpected(body.error());
    }
    const JsonValue& request = **body;
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
