// Access by key: hashes are compared in the store; a secret is never stored, logged or sent.
#include "server/api/access.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <stdexcept>

#include <fmt/format.h>
#include <openssl/rand.h>

#include "model/documents/text.hpp"
#include "server/api/gate.hpp"
#include "server/http/address.hpp"
#include "server/storage/sha256.hpp"

namespace costcurve::api {

namespace {

struct Authority {
    std::string host; ///< lower case, without the trailing dot of the root
    std::string port; ///< "" if absent
};

// Parses host[:port]; nothing if it is malformed, such as [::1].example.com.
std::optional<Authority> read_authority(std::string_view text) {
    const std::size_t bracket = text.starts_with('[') ? text.find(']') : 0;
    if (bracket == std::string_view::npos) {
        return std::nullopt;
    }
    const std::size_t end = std::min(bracket > 0 ? bracket + 1 : text.find(':'), text.size());
    const std::string_view port = text.substr(std::min(end + 1, text.size()));
    const bool is_port = end == text.size() ||
                         (text[end] == ':' && port.size() <= 5 && port.find_first_not_of("0123456789") == std::string_view::npos);
    std::string host = model::lower(text.substr(0, end));
    if (host.ends_with('.')) {
        host.pop_back();
    }
    return is_port && !host.empty() ? std::optional(Authority{std::move(host), std::string(port)}) : std::nullopt;
}

bool is_allowed_host(const AccessSettings& access, std::string_view host) {
    return std::any_of(access.allowed_hosts.begin(), access.allowed_hosts.end(),
                       [&](const std::string& allowed) { return model::lower(allowed) == host; });
}

const std::string* find_header(const http::Request& request, std::string_view name) {
    const auto found =
        std::find_if(request.headers.begin(), request.headers.end(), [&](const http::Header& field) { return field.name == name; });
    return found == request.headers.end() ? nullptr : &found->value;
}

enum class HostName { local, allowed, foreign };

// Whether the request's Host names this machine, or is a host that the operator allows.
HostName host_name_of(const AccessSettings& access, const http::Request& request) {
    const std::string* const host = find_header(request, "host");
    if (host == nullptr) {
        return HostName::local;
    }
    const std::optional<Authority> authority = read_authority(*host);
    if (authority && http::is_loopback(authority->host)) {
        return HostName::local;
    }
    return authority && is_allowed_host(access, authority->host) ? HostName::allowed : HostName::foreign;
}

bool is_configured_origin(const Service& service, std::string_view origin) {
    const auto& origins = service.access.cors_origins;
    return !origin.empty() && std::find(origins.begin(), origins.end(), origin) != origins.end();
}

constexpr std::string_view kBearer = "bearer ";

// Names of schemes are case-insensitive (RFC 9110, section 11.1).
bool begins_with_scheme(std::string_view sent) { return model::lower(sent.substr(0, kBearer.size())) == kBearer; }

// The hash of the request's bearer key; nothing if Authorization has no such key.
std::optional<std::string> key_hash(std::string_view authorization) {
    return begins_with_scheme(authorization) ? std::optional(storage::sha256(authorization.substr(kBearer.size()))) : std::nullopt;
}

// Identifies a caller without a key, or refuses. The Host check stops DNS rebinding: a foreign page could make its name point to
// this machine, but the visitor's browser still sends that name in Host. With a host allowed by the operator, a proxy admits
// everyone who reaches it.
Attempt<std::string> identify_without_key(const Service& service, const Route& route, const http::Request& request) {
    if (service.access.keys_required) {
        return tl::unexpected(Refusal{401, "send Authorization: Bearer and a key; costcurve keys add makes one"});
    }
    const HostName name = host_name_of(service.access, request);
    if (name == HostName::foreign) {
        return tl::unexpected(
            Refusal{403, "without keys this service answers to local names only; see --allowed-host", {}, 0, "forbidden_host"});
    }
    if (name == HostName::allowed && route.role != storage::Role::viewer) {
        return tl::unexpected(
            Refusal{403,
                    "by a name of --allowed-host this takes a key: send Authorization: Bearer and one that costcurve "
                    "keys add makes, and start the service with --require-keys",
                    {},
                    0,
                    "forbidden_host"});
    }
    if (service.access.without_key < route.role) {
        return tl::unexpected(
            Refusal{403, fmt::format("without a key this is a {}'s; this needs the role {}",
                                     storage::name_of(service.access.without_key), storage::name_of(*route.role))});
    }
    return std::string(kNoKey);
}

Refusal too_many_failed_tries(double wait_s) {
    return {429, "too many tries with wrong keys from this address; try again later", {}, static_cast<int>(std::ceil(wait_s))};
}

Attempt<std::string> check_role(const Route& route, const storage::ApiKey& key) {
    if (key.role < route.role) { // an empty role is below every role
        return tl::unexpected(Refusal{403, fmt::format("the key {} is a {}'s; this needs the role {}", key.name,
                                                       storage::name_of(key.role), storage::name_of(*route.role))});
    }
    return key.name;
}

Refusal rate_used_up(const Service& service, double wait_s) {
    const int seconds = static_cast<int>(std::ceil(std::min(wait_s, 3600.0)));
    return {429, fmt::format("more than {} requests/s; try again in {} s", service.access.requests_per_s, seconds), {}, seconds};
}

Attempt<std::string> identify(Service& service, const Route& route, const http::Request& request) {
    const std::string_view sent = http::header(request, "authorization");
    if (sent.empty()) {
        return identify_without_key(service, route, request);
    }
    const std::string address = client_address(request);
    const std::optional<std::string> hash = key_hash(sent);
    const std::optional<storage::ApiKey> key = hash ? service.store.find_key(*hash) : std::nullopt;
    if (!key) {
        if (hash) {
            service.gate->forget_key(*hash);
        }
        const double wait_s = service.gate->failed.wait_s(address, steady_seconds());
        service.gate->failed.add(address, true, steady_seconds());
        if (wait_s > 0) {
            return tl::unexpected(too_many_failed_tries(wait_s));
        }
        const bool has_expired = hash && service.store.has_expired(*hash);
        return tl::unexpected(Refusal{401, has_expired ? "this key has expired; costcurve keys rotate makes a new secret for it"
                                                       : "this key is unknown or revoked"});
    }
    service.gate->remember_key(*hash, *key);
    Attempt<std::string> author = check_role(route, *key);
    if (!author) {
        service.gate->failed.add(address, false, steady_seconds());
    }
    return author;
}

// Whether an origin is our own: its host and port are those of the request, or its host is allowed.
bool is_own_origin(const Service& service, std::string_view origin, const http::Request& request) {
    const std::size_t scheme = origin.find("://");
    const std::string* const host = find_header(request, "host");
    if (scheme == std::string_view::npos || host == nullptr) {
        return false;
    }
    const std::string_view usual_port = origin.starts_with("https:") ? "443" : "80";
    const auto with_port = [&](std::optional<Authority> authority) {
        if (authority && authority->port.empty()) {
            authority->port = usual_port;
        }
        return authority;
    };
    const std::optional<Authority> page = with_port(read_authority(origin.substr(scheme + 3)));
    const std::optional<Authority> own = with_port(read_authority(*host));
    if (!page || !own) {
        return false;
    }
    // A proxy may put its own upstream name into Host; the page's host must then be one that the operator allows.
    const bool is_allowed_page =
        is_allowed_host(service.access, page->host) && (page->port == usual_port || page->port == own->port);
    const bool is_own_host = page->host == own->host && page->port == own->port;
    return is_allowed_page || (is_own_host && (service.access.keys_required || is_called_by_own_name(service, request)));
}

} // namespace

std::optional<Refusal> refuse_cross_origin(const Service& service, const http::Request& request) {
    if (request.method == "GET" || request.method == "HEAD" || request.method == "OPTIONS") {
        return std::nullopt;
    }
    const std::string_view origin = http::header(request, "origin");
    const std::string_view site = http::header(request, "sec-fetch-site"); // set by browsers; pages can't set it
    if (is_configured_origin(service, origin) || site == "same-origin" || site == "none") {
        return std::nullopt;
    }
    if (site.empty() && (origin.empty() || is_own_origin(service, origin, request))) {
        return std::nullopt;
    }
    return Refusal{403,
                   "a page of another origin may not write here; the operator can allow its origin with --cors-origin",
                   {},
                   0,
                   "cross_origin"};
}

bool is_called_by_own_name(const Service& service, const http::Request& request) {
    return host_name_of(service.access, request) != HostName::foreign;
}

std::string client_address(const http::Request& request) { return http::network_of(request.remote_address); }

std::string client_of(const Service& service, const http::Request& request, std::string_view author) {
    return service.access.keys_required ? fmt::format("key {}", author) : "address " + client_address(request);
}

double RateLimiter::take(const std::string& name, double now_s) {
    if (per_s_ <= 0) {
        return 0.0;
    }
    const double most = std::max(1.0, 2 * per_s_);
    const std::lock_guard lock(mutex_);
    const auto [found, is_new] = buckets_.try_emplace(name, Bucket{most, now_s});
    Bucket& bucket = found->second;
    bucket.requests = std::min(most, bucket.requests + (now_s - bucket.filled_s) * per_s_);
    bucket.filled_s = now_s;
    if (bucket.requests < 1.0) {
        return (1.0 - bucket.requests) / per_s_;
    }
    bucket.requests -= 1.0;
    return 0.0;
}

double RateLimiter::wait_s(const std::string& name, double now_s) const {
    const std::lock_guard lock(mutex_);
    const auto found = buckets_.find(name);
    if (per_s_ <= 0 || found == buckets_.end()) {
        return 0.0;
    }
    const double requests = found->second.requests + (now_s - found->second.filled_s) * per_s_;
    return std::max(0.0, (1.0 - requests) / per_s_);
}

void RateLimiter::charge(const std::string& name, double requests) {
    const std::lock_guard lock(mutex_);
    const auto found = buckets_.find(name);
    if (per_s_ > 0 && found != buckets_.end()) {
        found->second.requests -= requests;
    }
}

Attempt<std::string> admit(Service& service, const Route& route, const http::Request& request) {
    if (!route.role) {
        return std::string(kNoKey);
    }
    Attempt<std::string> author = identify(service, route, request);
    if (author) {
        const double wait_s = service.limiter.take(*author, steady_seconds());
        if (wait_s > 0) {
            return tl::unexpected(rate_used_up(service, wait_s));
        }
    }
    return author;
}

Attempt<std::optional<std::string>> admit_without_store(Service& service, const Route& route, const http::Request& request) {
    const std::string_view sent = http::header(request, "authorization");
    Attempt<std::string> author = std::string(kNoKey);
    if (route.role && sent.empty()) {
        author = identify_without_key(service, route, request);
    } else if (route.role) {
        const std::optional<std::string> hash = key_hash(sent);
        const std::optional<storage::ApiKey> key = hash ? service.gate->key(*hash) : std::nullopt;
        if (!key) {
            const double wait_s = service.gate->failed.wait_s(client_address(request), steady_seconds());
            if (wait_s > 0) {
                service.gate->look_up_later(hash.value_or("")); // it may be a valid key of another client behind the same proxy
                return tl::unexpected(too_many_failed_tries(wait_s));
            }
            return std::optional<std::string>();
        }
        author = check_role(route, *key);
    }
    if (!author) {
        return tl::unexpected(std::move(author.error()));
    }
    const double wait_s = !route.role ? 0.0 : service.limiter.wait_s(*author, steady_seconds());
    if (wait_s > 0) {
        return tl::unexpected(rate_used_up(service, wait_s));
    }
    return std::optional(std::move(*author));
}

bool has_role(const Service& service, const http::Request& request, storage::Role role) {
    const std::string_view sent = http::header(request, "authorization");
    if (sent.empty()) {
        return !service.access.keys_required && host_name_of(service.access, request) == HostName::local &&
               service.access.without_key >= role;
    }
    const std::optional<std::string> hash = key_hash(sent);
    std::optional<storage::ApiKey> key = hash ? service.gate->key(*hash) : std::nullopt;
    if (hash && !key) {
        key = service.store.find_key(*hash);
    }
    return key && key->role >= role;
}

http::Producer while_key_is_good(const Service& service, const http::Request& request, http::Producer produce, std::string last) {
    const std::optional<std::string> hash = key_hash(http::header(request, "authorization"));
    if (!hash) {
        return produce;
    }
    return [&service, hash = *hash, produce = std::move(produce), last = std::move(last)](std::string& out) {
        if (!service.gate->key(hash)) {
            out += last;
            return false;
        }
        return produce(out);
    };
}

void add_cors_headers(const Service& service, const http::Request& request, http::Response& response) {
    if (service.access.cors_origins.empty()) {
        return;
    }
    response.headers.push_back({"Vary", "Origin"});
    const std::string_view origin = http::header(request, "origin");
    if (!is_configured_origin(service, origin)) {
        return;
    }
    response.headers.push_back({"Access-Control-Allow-Origin", std::string(origin)});
    response.headers.push_back(
        {"Access-Control-Expose-Headers", "ETag, Link, Location, Preference-Applied, Retry-After, X-Request-Id"});
    if (is_preflight(service, request)) {
        response.headers.push_back({"Access-Control-Allow-Methods", "GET, PUT, POST, DELETE"});
        response.headers.push_back({"Access-Control-Allow-Headers",
                                    "Authorization, Content-Type, If-Match, If-None-Match, Idempotency-Key, Prefer, X-Request-Id"});
        response.headers.push_back({"Access-Control-Max-Age", "600"});
    }
}

bool is_preflight(const Service& service, const http::Request& request) {
    return request.method == "OPTIONS" && !http::header(request, "access-control-request-method").empty() &&
           is_configured_origin(service, http::header(request, "origin"));
}

std::string make_secret() {
    std::array<unsigned char, 32> random{};
    if (RAND_bytes(random.data(), random.size()) != 1) {
        throw std::runtime_error("the system gives no random bytes");
    }
    constexpr std::string_view kDigits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
    std::string secret = "cc_";
    unsigned bits = 0;
    unsigned held = 0;
    for (const unsigned char byte : random) {
        bits = (bits << 8U) | byte;
        for (held += 8; held >= 6; held -= 6) {
            secret += kDigits[(bits >> (held - 6)) & 63U];
        }
    }
    return secret + kDigits[(bits << (6 - held)) & 63U];
}

} // namespace costcurve::api
