// The API's overview: every route, and the one function that answers requests.
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

/// The row of a path and method (HEAD as GET).
struct FoundRoute {
    const Route* route = nullptr;
    std::vector<std::string> arguments; ///< what stands for the path's {…}, in order
    std::string allowed;                ///< the path's methods, where the request's is none of them
};
[[nodiscard]] FoundRoute find_route(const http::Request& request);

/// The most bytes that the body of a request to the route may have. A POST that takes none takes an empty object.
[[nodiscard]] std::size_t max_body_bytes(const Route& route);

/// 401, 403 or 429, with the header that says how to come with a key.
[[nodiscard]] http::Response refused_caller(const Refusal& refusal, std::string_view request_id);

/// Adds the headers that every answer has, and counts it; `route` is null where none was found.
void complete_answer(Service& service, const http::Request& request, const Route* route, double seconds, http::Response& response);

/// Decides on the head of a request before its body is read: answers /healthz and /readyz, refuses what will be refused whatever
/// the body is, and limits the body. Asks the store nothing. Thread-safe.
[[nodiscard]] http::Admission admit_head(Service& service, const http::Request& head);

/// Answers a request: a route, a page, or a problem. Never throws; thread-safe.
[[nodiscard]] http::Response dispatch(Service& service, const http::Request& request);

} // namespace costcurve::api
