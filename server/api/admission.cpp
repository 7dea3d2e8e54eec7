// Admission once a request's head is complete, on the server's event loop: never waits for the store or computes for long.
#include <optional>
#include <string>
#include <utility>
#include <variant>

#include <fmt/format.h>

#include "server/api/access.hpp"
#include "server/api/gate.hpp"
#include "server/api/pages.hpp"
#include "server/api/problem.hpp"
#include "server/api/request.hpp"
#include "server/api/routes.hpp"

namespace costcurve::api {

namespace {

constexpr std::string_view kAnyFile = "application/octet-stream";

// Why requests should go to another daemon, if they should: the store's state, or workers that keep small requests waiting.
std::optional<std::string> not_ready(const Service& service) {
    constexpr double kMaxWaitS = 5;
    const double waited_s = service.waited_s ? service.waited_s() : 0.0;
    return waited_s > kMaxWaitS ? fmt::format("small requests have waited for {:.0f} s", waited_s) : service.gate->not_ready();
}

http::Response probe_answer(const Service& service, const http::Request& head) {
    if (head.path == "/healthz") {
        return json_answer(R"({"status":"alive"})");
    }
    const std::optional<std::string> problem_text = not_ready(service);
    constexpr int kRetryAfterS = 5;
    return problem_text ? problem(Refusal{503, *problem_text, {}, kRetryAfterS}, head.request_id)
                        : json_answer(R"({"status":"ready"})");
}

bool is_probe(const http::Request& head) {
    return (head.path == "/healthz" || head.path == "/readyz") && (head.method == "GET" || head.method == "HEAD") &&
           head.query.empty() && !head.has_body;
}

// Whether the route accepts a body of the request's Content-Type.
bool takes_type(const Route& route, const http::Request& head) {
    const std::string type = media_type(head);
    return route.body.empty() || route.body_type == kAnyFile ||
           (!type.empty() && fmt::format(" {} ", route.body_type).find(fmt::format(" {} ", type)) != std::string::npos);
}

http::Response refuse_path(const http::Request& head, const FoundRoute& found) {
    const std::string allowed = find_page(head.path) ? "GET, HEAD" : found.allowed;
    if (allowed.empty()) {
        return problem(404, "no route and no page has this path; /openapi.json describes the routes", head.request_id);
    }
    http::Response refused = problem(405, "allowed: " + allowed, head.request_id);
    refused.headers.push_back({"Allow", allowed});
    return refused;
}

// A refusal, or the name of the request's key; "" without a key.
std::variant<http::Response, std::optional<std::string>> refuse_or_identify(Service& service, const http::Request& head,
                                                                            const FoundRoute& found) {
    if (const std::optional<Refusal> refusal = refuse_cross_origin(service, head)) {
        return problem(*refusal, head.request_id);
    }
    if (found.route == nullptr) {
        return refuse_path(head, found);
    }
    Attempt<std::optional<std::string>> author = admit_without_store(service, *found.route, head);
    if (!author) {
        return refused_caller(author.error(), head.request_id);
    }
    if (!takes_type(*found.route, head)) {
        return problem(415, fmt::format("send Content-Type: {}", found.route->body_type), head.request_id);
    }
    return std::move(*author);
}

} // namespace

http::Admission admit_head(Service& service, const http::Request& head) {
    http::Admission admission;
    admission.client = "address " + client_address(head);
    const FoundRoute found = find_route(head);
    if (!head.has_body && !is_probe(head)) { // no memory to reserve: a worker decides later, in its client's turn
        if (service.access.keys_required && found.route != nullptr) {
            const auto author = admit_without_store(service, *found.route, head);
            admission.client = author && *author ? client_of(service, head, **author) : admission.client;
        }
        return admission;
    }
    if (is_probe(head)) {
        admission.answer = probe_answer(service, head);
    } else {
        auto outcome = refuse_or_identify(service, head, found);
        if (auto* const refused = std::get_if<http::Response>(&outcome)) {
            admission.answer = std::move(*refused);
        } else if (const auto& author = std::get<1>(outcome)) {
            admission.client = client_of(service, head, *author);
        } else { // all callers with keys not yet known share one share
            admission.client = "unknown keys";
        }
    }
    if (admission.answer) {
        complete_answer(service, head, found.route, 0.0, *admission.answer);
        return admission;
    }
    admission.max_body_bytes = max_body_bytes(*found.route);
    admission.is_heavy = found.route->answer_type == "application/x-ndjson" || found.route->body_type != "application/json";
    return admission;
}

} // namespace costcurve::api
