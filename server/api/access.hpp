// Who asks, and whether they may: keys, roles, rates, hosts and origins.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "server/api/route.hpp"
#include "server/api/service.hpp"

namespace costcurve::api {

/// The author's name where the request may go to the route; 401, 403 or 429 where not. Asks the store for the key.
[[nodiscard]] Attempt<std::string> admit(Service& service, const Route& route, const http::Request& request);

/// The same at the end of a head, from what is known without the store, and without counting the request for the rate. A key
/// that is not known is nobody's: it may be good.
[[nodiscard]] Attempt<std::optional<std::string>> admit_without_store(Service& service, const Route& route,
                                                                      const http::Request& request);

/// Nothing where a page of another origin may make the request, or none does; else 403 (as CrossOriginProtection of Go 1.25).
[[nodiscard]] std::optional<Refusal> refuse_cross_origin(const Service& service, const http::Request& request);

/// The client's address, as limits count it: of IPv6 its network of 64 bits.
[[nodiscard]] std::string client_address(const http::Request& request);
/// Whose share of seats and memory a request counts for: its key's, or where none is required its address's.
[[nodiscard]] std::string client_of(const Service& service, const http::Request& request, std::string_view author);
/// Whether the caller has the role or a higher one, or is anybody who calls by a local name where no key is required and none is
/// shown: editors may also read what gives access elsewhere, as a webhook's URL may. May read the store.
[[nodiscard]] bool has_role(const Service& service, const http::Request& request, storage::Role role);
/// Whether the request calls us by a local name or one of --allowed-host.
[[nodiscard]] bool is_called_by_own_name(const Service& service, const http::Request& request);

/// The pieces of a stream for as long as the request's key is good, looked at for each piece: within a second or so of its end
/// comes `last`, and nothing after it. Without a key, as they are.
[[nodiscard]] http::Producer while_key_is_good(const Service& service, const http::Request& request, http::Producer produce,
                                               std::string last);

/// What lets pages of configured origins read the answer. Nothing where none are configured.
void add_cors_headers(const Service& service, const http::Request& request, http::Response& response);

/// A browser's question before a request from another origin; nothing where this is none or its origin is not configured.
[[nodiscard]] bool is_preflight(const Service& service, const http::Request& request);

/// A fresh key's secret: 43 characters of base64url, 256 random bits, after "cc_".
[[nodiscard]] std::string make_secret();

} // namespace costcurve::api
