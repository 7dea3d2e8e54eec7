// Tools of the Model Context Protocol: the API's questions and documents, generated from the route table and the body schemas.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "server/api/openapi/schemas.hpp"
#include "server/api/route.hpp"
#include "server/api/service.hpp"
#include "server/documents/json/parsed_json.hpp"

namespace costcurve::api::mcp {

/// The API request behind a tool call.
struct ToolRequest {
    std::string method;
    std::string path;
    std::vector<http::Header> parameters; ///< query parameters
    std::string body;                     ///< JSON, or a file's text for imports; "" for none
};

/// Converts arguments of a call to a request; nothing if an argument for the path is missing.
using MakeRequest = std::optional<ToolRequest> (*)(std::string_view path, const JsonValue& arguments);

struct Tool {
    std::string name;
    std::string_view help;
    std::string_view path; ///< path of its route; "" if the arguments determine it
    MakeRequest make = nullptr;
    Schema (*input)() = nullptr; ///< schema of its arguments; null if they are the body of `path`
    bool is_write = false;       ///< requires an editor's key
};

/// A member's text; "" if it is absent or no text.
[[nodiscard]] std::string_view text_of(const JsonValue& object, std::string_view name);

/// All tools, questions first.
[[nodiscard]] const std::vector<Tool>& tools();

/// Error in a tool's arguments as a sentence that names the argument; "" if they match the schema. Arguments that form a route's
/// body are checked by the route.
[[nodiscard]] std::string wrong_arguments(const Tool& tool, const JsonValue& arguments);

/// The path of a kind's list, such as "/v1/offers" of offer; nullopt if the word is no kind.
[[nodiscard]] std::optional<std::string> list_path_of(std::string_view kind);

/// The answer to tools/list; without writing tools unless `with_writes`.
[[nodiscard]] const Schema& tool_list(bool with_writes);

/// The self-contained schema of a kind of document; null if there is no such kind.
[[nodiscard]] Schema kind_schema(std::string_view kind);

} // namespace costcurve::api::mcp
