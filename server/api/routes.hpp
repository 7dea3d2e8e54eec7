// The API's overview: every route, and the one function that answers requests.
#pragma once

#include <span>

#include "server/api/route.hpp"
#include "server/api/service.hpp"

namespace costcurve::api {

[[nodiscard]] std::span<const Route> routes();

/// Answers a request: a route, a page, or a problem. Never throws; thread-safe.
[[nodiscard]] http::Response dispatch(Service& service, const http::Request& request);

} // namespace costcurve::api
