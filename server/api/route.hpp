// What a row of the route table is: it finds the handler, says who may call it, and describes it for OpenAPI.
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

/// Why a request is not answered: what becomes a problem document.
struct Refusal {
    int status = 422;
    std::string detail; ///< a sentence for the caller; where empty, how many issues there are
    model::Failure issues = {};
    int retry_after_s = 0;      ///< where waiting helps
    std::string_view kind = ""; ///< a ProblemKind's name, where the status has several
};
/// An answer or a refusal.
template <class T> using Attempt = tl::expected<T, Refusal>;

/// The role that a key needs to call it, or a higher one, where keys are required; nothing where no key is needed, ever.
using NeededRole = std::optional<storage::Role>;
inline constexpr NeededRole kOpen = std::nullopt;

/// A parameter in the query, the path or a header.
struct Parameter {
    std::string_view name;
    std::string_view in;   ///< "query", "path" or "header"
    std::string_view type; ///< "string", "integer", "number" or "boolean"
    std::string_view help;
    double min = 0.0; ///< of numbers; both 0: no range
    double max = 0.0;
    std::string_view format = "";                 ///< "date-time", or a pattern that begins with ^
    std::span<const std::string_view> words = {}; ///< those that a text may be; empty for any
};

/// The author where no key is asked for.
inline constexpr std::string_view kNoKey = "local";

/// One request on its way through a handler.
struct Call {
    const http::Request& request;
    const Route& route;
    std::vector<std::string> arguments; ///< what stands for the path's {…}, in order
    std::string author;                 ///< the key's name; "local" without one
};

/// One row a method and path; the API's overview.
struct Route {
    std::string_view method;
    std::string_view path = ""; ///< {name} stands for one segment
    Attempt<http::Response> (*handle)(Service& service, const Call& call) = nullptr;
    NeededRole role = kOpen;
    std::string_view help = "";
    std::string_view body = "";   ///< the schema of the request's body in OpenAPI's components; "" for none
    std::string_view answer = ""; ///< the schema of the answer of status 200
    std::string_view answer_type = "application/json";
    std::span<const Parameter> parameters = {};
    std::span<const int> statuses = {};               ///< that this route can answer with, besides 200 and those of every route
    std::optional<storage::Kind> kind = std::nullopt; ///< of the document routes
    std::string_view body_type = "application/json";  ///< or several, separated by spaces
    std::string_view later = ""; ///< the schema of the answer of status 202, of one that also answers 200; "" for no body
    std::span<const answers::TableRows> tables = {}; ///< of the answer of status 200, also as CSV; the first one by default
};

} // namespace costcurve::api
