// From a request to its route: admission, parameters, idempotency, and what becomes of failures.
#include <algorithm>
#include <chrono>

#include <fmt/format.h>

#include "server/api/access.hpp"
#include "server/api/encode.hpp"
#include "server/api/pages.hpp"
#include "server/api/problem.hpp"
#include "server/api/request.hpp"
#include "server/api/routes.hpp"
#include "server/import/utf8.hpp"
#include "server/storage/sha256.hpp"

namespace costcurve::api {

namespace {

constexpr std::string_view kJson = "application/json";
constexpr std::size_t kMostJsonBody = 8U << 20U; // files may have more, up to what the transport takes

// True where the path fits the route's; what stands for {…} goes into `arguments`.
bool matches(std::string_view pattern, std::string_view path, std::vector<std::string>& arguments) {
    arguments.clear();
    while (true) {
        const std::size_t end = std::min(pattern.find('/', 1), pattern.size());
        const std::size_t path_end = std::min(path.find('/', 1), path.size());
        const std::string_view segment = pattern.substr(0, end);
        const std::string_view given = path.substr(0, path_end);
        if (segment.starts_with("/{")) {
            if (given.size() < 2) {
                return false;
            }
            arguments.emplace_back(given.substr(1));
        } else if (segment != given) {
            return false;
        }
        pattern.remove_prefix(end);
        path.remove_prefix(path_end);
        if (pattern.empty() || path.empty()) {
            return pattern.empty() && path.empty();
        }
    }
}

struct Found {
    const Route* route = nullptr;
    std::vector<std::string> arguments;
    std::string allowed; ///< the path's methods, where the request's is none of them
};

Found find_route(const http::Request& request) {
    const std::string_view method = request.method == "HEAD" ? "GET" : std::string_view(request.method);
    Found found;
    std::vector<std::string> arguments;
    for (const Route& row : routes()) {
        if (!matches(row.path, request.path, arguments)) {
            continue;
        }
        if (row.method == method) {
            return {&row, std::move(arguments), ""};
        }
        found.allowed += (found.allowed.empty() ? "" : ", ") + std::string(row.method) + (row.method == "GET" ? ", HEAD" : "");
    }
    return found;
}

// A kept answer counts for the same request only: method, path, query and body.
std::string request_hash(const http::Request& request) {
    return storage::sha256(fmt::format("{} {}?{}\n{}", request.method, request.path, request.query, request.body));
}

http::Response from_kept(const storage::StoredAnswer& kept) {
    http::Response response;
    response.status = kept.status;
    response.content_type = kept.content_type;
    response.body = kept.body;
    if (!kept.location.empty()) {
        response.headers.push_back({"Location", kept.location});
    }
    response.headers.push_back({"Idempotency-Replayed", "true"});
    return response;
}

std::string location_of(const http::Response& response) {
    const auto found = std::find_if(response.headers.begin(), response.headers.end(),
                                    [](const http::Header& header) { return header.name == "Location"; });
    return found == response.headers.end() ? "" : found->value;
}

// Calls the handler; under an Idempotency-Key only once.
http::Response handle_once(Service& service, const Call& call) {
    const auto handle = [&] {
        Attempt<http::Response> attempt = call.route.handle(service, call);
        return attempt ? std::move(*attempt) : problem(attempt.error(), call.request.request_id);
    };
    const std::string_view key = http::header(call.request, "idempotency-key");
    if (key.empty() || call.route.method != "POST") {
        return handle();
    }
    constexpr std::size_t kMostKey = 255;
    constexpr std::size_t kMostKept = 1U << 20U; // bytes of an answer; a larger one is made again
    if (key.size() > kMostKey) {
        return problem({400, fmt::format("Idempotency-Key has more than {} bytes", kMostKey)}, call.request.request_id);
    }
    const Claim claim(service.under_way, fmt::format("{}\n{}", call.author, key));
    if (!claim.is_held()) {
        constexpr int kRetryAfterS = 1;
        return problem({409, "a request with this Idempotency-Key is being answered; ask again for its answer", {}, kRetryAfterS},
                       call.request.request_id);
    }
    const std::string hash = request_hash(call.request);
    if (const std::optional<storage::StoredAnswer> kept = service.store.kept_answer(call.author, key)) {
        return kept->request_hash == hash
                   ? from_kept(*kept)
                   : problem({409, "this Idempotency-Key was used for another request"}, call.request.request_id);
    }
    http::Response response = handle();
    if (response.status < 500 && !response.stream && response.body.size() <= kMostKept) {
        try {
            service.store.keep_answer({call.author, call.request.request_id}, key,
                                      {hash, response.status, response.content_type, response.body, location_of(response)});
        } catch (const storage::StoreError& error) { // the answer stands, though it can't be kept
            log_broken(service, error, call.request.request_id);
        }
    }
    return response;
}

http::Response answer(Service& service, const http::Request& request, const Found& found) {
    Attempt<std::string> author = admit(service, *found.route, request);
    if (!author) {
        http::Response refused = problem(author.error(), request.request_id);
        if (refused.status == 401) {
            refused.headers.push_back({"WWW-Authenticate", "Bearer"});
        }
        return refused;
    }
    model::Failure issues = check_parameters(*found.route, request);
    if (!issues.empty()) {
        return problem({kUnprocessable, "", std::move(issues)}, request.request_id);
    }
    if (found.route->body_type == kJson && request.body.size() > kMostJsonBody) {
        return problem(413, fmt::format("the body has more than {} bytes", kMostJsonBody), request.request_id);
    }
    return handle_once(service, Call{request, *found.route, found.arguments, std::move(*author)});
}

http::Response no_route(const http::Request& request, std::string allowed) {
    const bool reads = request.method == "GET" || request.method == "HEAD";
    std::optional<http::Response> page = find_page(request.path);
    if (page && reads) {
        return std::move(*page);
    }
    if (page) {
        allowed = "GET, HEAD";
    }
    if (allowed.empty()) {
        return problem(404, "no route and no page has this path; /openapi.json describes the routes", request.request_id);
    }
    http::Response refused = problem(405, "allowed: " + allowed, request.request_id);
    refused.headers.push_back({"Allow", allowed});
    return refused;
}

// An answer that echoes them must be UTF-8.
bool is_text(const http::Request& request) {
    return imports::is_utf8(request.path) &&
           std::all_of(request.parameters.begin(), request.parameters.end(),
                       [](const http::Header& given) { return imports::is_utf8(given.name) && imports::is_utf8(given.value); });
}

http::Response respond(Service& service, const http::Request& request, const Found& found) {
    if (!is_text(request)) {
        return problem(400, "the path or a query parameter is not UTF-8, once its percent signs are decoded", request.request_id);
    }
    if (is_preflight(service, request)) {
        http::Response response;
        response.status = 204;
        return response;
    }
    if (found.route == nullptr) {
        return no_route(request, found.allowed);
    }
    try {
        return answer(service, request, found);
    } catch (const storage::StoreError& error) { // the world broke
        return problem(refusal_of(service, error, request.request_id), request.request_id);
    } catch (const std::exception& error) { // we broke it
        if (service.log_error) {
            service.log_error(error.what(), request.request_id);
        }
        return problem(500, "something went wrong here; the request's id is in X-Request-Id", request.request_id);
    }
}

} // namespace

http::Response dispatch(Service& service, const http::Request& request) {
    const auto start = std::chrono::steady_clock::now();
    const Found found = find_route(request);
    http::Response response = respond(service, request, found);
    add_security_headers(request.path, response);
    add_cors_headers(service, request, response);
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
    const bool known = found.route != nullptr;
    service.metrics.observe_request(known ? found.route->method : "", known ? found.route->path : "", response.status,
                                    took.count());
    return response;
}

} // namespace costcurve::api
