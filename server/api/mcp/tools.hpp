// What agents may call: the questions and documents of the API, as tools of the Model Context Protocol. Made from the table of
// routes and the schemas of their bodies.
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

/// A request that a tool's call stands for.
struct ToolRequest {
    std::string method;
    std::string path;
    std::vector<http::Header> parameters; ///< of the query
    std::string body;                     ///< JSON, of imports a file's text; "" for none
};

/// Arguments of a call to the request; nothing where they miss what names the path.
using MakeRequest = std::optional<ToolRequest> (*)(std::string_view path, const JsonValue& arguments);

struct Tool {
    std::string name;
    std::string_view help;
    std::string_view path; ///< that it asks; "" where its arguments name it
    MakeRequest make = nullptr;
    Schema (*input)() = nullptr; ///< of its arguments; null where they are the body of `path`
    bool is_write = false;       ///< asks for an editor's key
};

/// A member's text; "" if it is absent or no text.
[[nodiscard]] std::string_view text_of(const JsonValue& object, std::string_view name);

/// All of them, the questions first.
[[nodiscard]] const std::vector<Tool>& tools();

/// What the schema of a tool's arguments does not take of them: a sentence that names it; "" where it takes them. Arguments that
/// are the body of a route are for the route to check.
[[nodiscard]] std::string wrong_arguments(const Tool& tool, const JsonValue& arguments);

/// The path of a kind's list, such as "/v1/offers" of offer; nullopt if the word is no kind.
[[nodiscard]] std::optional<std::string> list_path_of(std::string_view kind);

/// What tools/list answers, without tools that write unless `with_writes`.
[[nodiscard]] const Schema& tool_list(bool with_writes);

/// The schema of a kind of document, by itself; null where there is none of that name.
[[nodiscard]] Schema kind_schema(std::string_view kind);

} // namespace costcurve::api::mcp
