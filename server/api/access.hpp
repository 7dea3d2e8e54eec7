// Who asks, and whether they may: keys, roles, rates, hosts and origins.
#pragma once

#include <string>

#include "server/api/route.hpp"
#include "server/api/service.hpp"

namespace costcurve::api {

/// The author's name where the request may go to the route; 401, 403 or 429 where not.
[[nodiscard]] Attempt<std::string> admit(Service& service, const Route& route, const http::Request& request);

/// What lets pages of configured origins read the answer. Nothing where none are configured.
void add_cors_headers(const Service& service, const http::Request& request, http::Response& response);

/// A browser's question before a request from another origin; nothing where this is none or its origin is not configured.
[[nodiscard]] bool is_preflight(const Service& service, const http::Request& request);

/// True for a name or address of this machine itself, without a port.
[[nodiscard]] bool is_loopback(std::string_view host);

/// A fresh key's secret: 43 characters of base64url, 256 random bits, after "cc_".
[[nodiscard]] std::string make_secret();

} // namespace costcurve::api
