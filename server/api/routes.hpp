// All routes, and the function that answers requests.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "server/api/route.hpp"
#include "server/api/service.hpp"

namespace costcurve::api {

[[nodiscard]] std::span<const Route> routes();

/// The route of a path and method (HEAD counts as GET).
struct FoundRoute {
    const Route* route = nullptr;
    std::vector<std::string> arguments; ///< values of the path's {…}, in order
    std::string allowed;                ///< methods of the path, if the request's method isn't one of them
};
[[nodiscard]] FoundRoute find_route(const http::Request& request);

/// Maximum bytes of a request's body on this route. A POST without a body accepts an empty object.
[[nodiscard]] std::size_t max_body_bytes(const Route& route);

/// A 401, 403 or 429 answer, with the header that tells how to authenticate.
[[nodiscard]] http::Response refused_caller(const Refusal& refusal, std::string_view request_id);

/// Adds the headers of every answer and counts the answer; `route` is null if no route matched.
void complete_answer(Service& service, const http::Request& request, const Route* route, double seconds, http::Response& response);

/// Decides on a request's head before its body is read: answers /healthz and /readyz, refuses requests that fail whatever their
/// body, and limits the body's size. Doesn't read the store. Thread-safe.
[[nodiscard]] http::Admission admit_head(Service& service, const http::Request& head);

/// Answers a request: a route, a page, or a problem. Never throws; thread-safe.
[[nodiscard]] http::Response dispatch(Service& service, const http::Request& request);

} // namespace costcurve::api
