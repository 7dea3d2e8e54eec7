// Rows of the route table: handler, required role, and OpenAPI description.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "model/documents/failure.hpp"
#include "server/answers/tables/table.hpp"
#include "server/http/message.hpp"
#include "server/storage/access.hpp"
#include "server/storage/record.hpp"

namespace costcurve::api {

struct Service;
struct Route;

/// Why a request is refused; becomes a problem document.
struct Refusal {
    int status = 422;
    std::string detail; ///< a sentence for the caller; if empty, the number of issues is stated
    model::Failure issues = {};
    int retry_after_s = 0;      ///< set if a retry may succeed
    std::string_view kind = ""; ///< name of a ProblemKind, if the status has several
};
/// An answer or a refusal.
template <class T> using Attempt = tl::expected<T, Refusal>;

/// Minimum role of a key for a route, if keys are required; empty if the route never needs a key.
using NeededRole = std::optional<storage::Role>;
inline constexpr NeededRole kOpen = std::nullopt;

/// A parameter in the query, the path or a header.
struct Parameter {
    std::string_view name;
    std::string_view in;   ///< "query", "path" or "header"
    std::string_view type; ///< "string", "integer", "number" or "boolean"
    std::string_view help;
    double min = 0.0; ///< range of numbers; both 0 for no range
    double max = 0.0;
    std::string_view format = "";                 ///< "date-time", or a pattern that begins with ^
    std::span<const std::string_view> words = {}; ///< allowed texts; empty for any
};

/// Name of the author if no key is required.
inline constexpr std::string_view kNoKey = "local";

/// One request passed to a handler.
struct Call {
    const http::Request& request;
    const Route& route;
    std::vector<std::string> arguments; ///< values of the path's {…}, in order
    std::string author;                 ///< the key's name; "local" without one
};

/// One route: a method and a path.
struct Route {
    std::string_view method;
    std::string_view path = ""; ///< {name} stands for one segment
    Attempt<http::Response> (*handle)(Service& service, const Call& call) = nullptr;
    NeededRole role = kOpen;
    std::string_view help = "";
    std::string_view body = "";   ///< OpenAPI component of the request's body; "" for none
    std::string_view answer = ""; ///< OpenAPI component of the answer with status 200
    std::string_view answer_type = "application/json";
    std::span<const Parameter> parameters = {};
    std::span<const int> statuses = {};               ///< further statuses of this route, besides 200 and those of every route
    std::optional<storage::Kind> kind = std::nullopt; ///< kind of document, for document routes
    std::string_view body_type = "application/json";  ///< media type of the body, or several separated by spaces
    std::string_view later = ""; ///< component of the 202 answer, for routes that also answer 200; "" for no body
    std::span<const answers::TableRows> tables =
        {}; ///< tables of the 200 answer that are also available as CSV; the first is the default
};

} // namespace costcurve::api
