// The route table: paths and methods to handlers, and what every answer carries.
#pragma once

#include <span>
#include <string_view>

#include "server/http/message.hpp"

namespace costcurve::api {

/// One row a method and path; the API's overview.
struct Route {
    std::string_view method;
    std::string_view path;
    http::Response (*handle)(const http::Request&);
    std::string_view help;
};
[[nodiscard]] std::span<const Route> routes();

/// Answers a request: a route, a page, or a problem. Never throws; thread-safe.
[[nodiscard]] http::Response dispatch(const http::Request& request);

} // namespace costcurve::api
