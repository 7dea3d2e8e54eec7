// Methods of the Model Context Protocol for prompts and resources. Each calls the API on behalf of the caller.
#pragma once

#include <string>
#include <string_view>

#include <tl/expected.hpp>

#include "server/api/mcp/tools.hpp"
#include "server/api/route.hpp"
#include "server/api/service.hpp"
#include "server/documents/json/parsed_json.hpp"

namespace costcurve::api::mcp {

/// Errors of JSON-RPC 2.0, of its range for servers, and of MCP (2025-11-25, server/resources).
enum class RpcCode {
    parse_error = -32700,
    invalid_request = -32600,
    method_not_found = -32601,
    invalid_params = -32602,
    refused = -32000, ///< refused by the API: `data` is its problem document
    no_resource = -32002,
};
struct RpcFailure {
    RpcCode code = RpcCode::invalid_params;
    std::string message;
    std::string data = ""; ///< JSON text; "" for none
};
/// A result as JSON text.
using RpcResult = tl::expected<std::string, RpcFailure>;

[[nodiscard]] tl::unexpected<RpcFailure> invalid_params(std::string message);

/// Calls the route behind a tool or resource, with the caller's key, role, limits and rate.
[[nodiscard]] http::Response ask_route(Service& service, const Call& call, ToolRequest&& wanted);

/// A document of a kind as JSON, costcurve://offers/ID and so on; the schema of a kind, costcurve://schemas/KIND; the words of the
/// dashboard, costcurve://glossary.
struct ResourceContent {
    std::string mime_type;
    std::string text;
};
[[nodiscard]] tl::expected<ResourceContent, RpcFailure> content_of(Service& service, const Call& call, std::string_view uri);
/// The members of a resource's contents: uri, mimeType, text.
void write_content(std::string_view uri, const ResourceContent& content, JsonWriter& writer);

/// resources/list: by pages of 100, those that the caller may read.
[[nodiscard]] RpcResult list_resources(Service& service, const Call& call, const JsonValue& parameters);
/// resources/templates/list.
[[nodiscard]] RpcResult list_resource_templates(Service& service, const Call& call, const JsonValue& parameters);
/// resources/read.
[[nodiscard]] RpcResult read_resource(Service& service, const Call& call, const JsonValue& parameters);

/// prompts/list and prompts/get.
[[nodiscard]] RpcResult list_prompts(Service& service, const Call& call, const JsonValue& parameters);
[[nodiscard]] RpcResult get_prompt(Service& service, const Call& call, const JsonValue& parameters);
/// completion/complete: ids for the arguments of prompts and of resources' templates.
[[nodiscard]] RpcResult complete(Service& service, const Call& call, const JsonValue& parameters);

/// Ids of the caller's documents of a kind that contain a text; `has_more` tells whether there are more.
struct FoundIds {
    std::vector<std::string> ids;
    bool has_more = false;
};
[[nodiscard]] FoundIds find_ids(Service& service, const Call& call, std::string_view kind, std::string_view text);

/// The kind of the id in a template of resources/templates/list; "" if the URI matches none.
[[nodiscard]] std::string_view kind_of_template(std::string_view uri);

/// Answers one JSON-RPC message as one line without line end; "" for a notification. The caller is local and has no key.
[[nodiscard]] std::string answer_line(Service& service, std::string_view line);

} // namespace costcurve::api::mcp
