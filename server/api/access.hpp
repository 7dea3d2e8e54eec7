// Authentication and authorization: keys, roles, rates, hosts and origins.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "server/api/route.hpp"
#include "server/api/service.hpp"

namespace costcurve::api {

/// The author's name if the request may use the route; otherwise 401, 403 or 429. Looks up the key in the store.
[[nodiscard]] Attempt<std::string> admit(Service& service, const Route& route, const http::Request& request);

/// Like admit, when a request's head is complete: doesn't read the store and doesn't count against the rate. A key that isn't
/// cached gives no author, because it may be valid.
[[nodiscard]] Attempt<std::optional<std::string>> admit_without_store(Service& service, const Route& route,
                                                                      const http::Request& request);

/// 403 if the request comes from a page of another origin that isn't allowed; otherwise nothing (as CrossOriginProtection of
/// Go 1.25).
[[nodiscard]] std::optional<Refusal> refuse_cross_origin(const Service& service, const http::Request& request);

/// The client's address for rate limits; for IPv6, its /64 network.
[[nodiscard]] std::string client_address(const http::Request& request);
/// The client whose share of seats and memory a request uses: its key's name, or its address if no key is required.
[[nodiscard]] std::string client_of(const Service& service, const http::Request& request, std::string_view author);
/// Whether the caller has at least this role. If no key is required, callers without a key that use a local name have the role
/// `without_key`. Used for fields that give access elsewhere, such as a webhook's URL, which editors may read. May read the store.
[[nodiscard]] bool has_role(const Service& service, const http::Request& request, storage::Role role);
/// Whether the request's Host is a local name or one of --allowed-host.
[[nodiscard]] bool is_called_by_own_name(const Service& service, const http::Request& request);

/// Wraps a stream: its key is checked before each piece. Within about a second after the key ends, the stream ends with `last`.
/// Without a key the stream is unchanged.
[[nodiscard]] http::Producer while_key_is_good(const Service& service, const http::Request& request, http::Producer produce,
                                               std::string last);

/// Adds the headers that let pages of configured origins read the response. Does nothing if none are configured.
void add_cors_headers(const Service& service, const http::Request& request, http::Response& response);

/// Whether the request is a CORS preflight from a configured origin.
[[nodiscard]] bool is_preflight(const Service& service, const http::Request& request);

/// A fresh key's secret: 43 characters of base64url, 256 random bits, after "cc_".
[[nodiscard]] std::string make_secret();

} // namespace costcurve::api
