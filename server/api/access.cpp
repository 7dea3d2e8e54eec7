// Keys are compared by their hash, in the store; a secret is never kept, logged or sent.
#include "server/api/access.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <stdexcept>

#include <fmt/format.h>
#include <openssl/rand.h>

#include "server/storage/sha256.hpp"

namespace costcurve::api {

namespace {

constexpr std::string_view kNoKey = "local"; ///< the author where no key is asked for

// The host of a Host header, without its port.
std::string_view host_name(std::string_view host) {
    if (host.starts_with('[')) {
        return host.substr(0, host.find(']') + 1);
    }
    return host.substr(0, host.find(':'));
}

// A page of another site could let its name point to this machine, and ask through the visitor's browser.
bool is_host_allowed(const AccessSettings& access, std::string_view host) {
    const std::string_view name = host_name(host);
    return host.empty() || is_loopback(name) ||
           std::find(access.allowed_hosts.begin(), access.allowed_hosts.end(), name) != access.allowed_hosts.end();
}

bool is_configured_origin(const Service& service, std::string_view origin) {
    const auto& origins = service.access.cors_origins;
    return !origin.empty() && std::find(origins.begin(), origins.end(), origin) != origins.end();
}

constexpr std::string_view kBearer = "bearer ";

// The name of a scheme has no case (RFC 9110, section 11.1).
bool begins_with_scheme(std::string_view sent) {
    return sent.size() >= kBearer.size() && std::equal(kBearer.begin(), kBearer.end(), sent.begin(), [](char expected, char c) {
               return c == expected || (c >= 'A' && c <= 'Z' && c - 'A' + 'a' == expected);
           });
}

double steady_seconds() { return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(); }

Attempt<std::string> identify(Service& service, const Route& route, const http::Request& request) {
    const std::string_view sent = http::header(request, "authorization");
    if (sent.empty() && !service.access.keys_required) {
        if (!is_host_allowed(service.access, http::header(request, "host"))) {
            return tl::unexpected(Refusal{403, "without keys this service answers to local names only; see --allowed-host"});
        }
        return std::string(kNoKey);
    }
    if (sent.empty()) {
        return tl::unexpected(Refusal{401, "send Authorization: Bearer and a key; costcurve keys add makes one"});
    }
    std::optional<storage::ApiKey> key;
    if (begins_with_scheme(sent)) {
        key = service.store.find_key(storage::sha256(sent.substr(kBearer.size())));
    }
    if (!key) {
        return tl::unexpected(Refusal{401, "this key is unknown or revoked"});
    }
    // viewer, editor and admin stand in the same order in both, after `open`.
    if (static_cast<int>(key->role) + 1 < static_cast<int>(route.access)) {
        constexpr std::array kNeeded{"", "viewer", "editor", "admin"};
        return tl::unexpected(
            Refusal{403, fmt::format("the key {} is a {}'s; this needs the role {}", key->name, storage::name_of(key->role),
                                     kNeeded[static_cast<std::size_t>(route.access)])});
    }
    return key->name;
}

} // namespace

bool is_loopback(std::string_view host) {
    const bool numeric = host.find_first_not_of("0123456789.") == std::string_view::npos; // 127.example is a name like any other
    return (numeric && host.starts_with("127.")) || host == "localhost" || host == "::1" || host == "[::1]";
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

Attempt<std::string> admit(Service& service, const Route& route, const http::Request& request) {
    if (route.access == Access::open) {
        return std::string(kNoKey);
    }
    Attempt<std::string> author = identify(service, route, request);
    if (author) {
        const double wait_s = service.limiter.take(*author, steady_seconds());
        if (wait_s > 0) {
            const int seconds = static_cast<int>(std::ceil(std::min(wait_s, 3600.0)));
            return tl::unexpected(
                Refusal{429,
                        fmt::format("more than {} requests/s; try again in {} s", service.access.requests_per_s, seconds),
                        {},
                        seconds});
        }
    }
    return author;
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
    response.headers.push_back({"Access-Control-Expose-Headers", "ETag, Location, Retry-After, X-Request-Id"});
    if (is_preflight(service, request)) {
        response.headers.push_back({"Access-Control-Allow-Methods", "GET, PUT, POST, DELETE"});
        response.headers.push_back({"Access-Control-Allow-Headers",
                                    "Authorization, Content-Type, If-Match, If-None-Match, Idempotency-Key, X-Request-Id"});
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
