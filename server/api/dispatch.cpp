// Dispatches a request to its route: admission, parameters, idempotency, and handling of failures.
#include <algorithm>
#include <array>
#include <chrono>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "server/answers/encode_result.hpp"
#include "server/api/access.hpp"
#include "server/api/pages.hpp"
#include "server/api/problem.hpp"
#include "server/api/progress_stream.hpp"
#include "server/api/request.hpp"
#include "server/api/routes.hpp"
#include "server/api/tables.hpp"
#include "server/documents/json/parsed_json.hpp"
#include "server/http/budget.hpp"
#include "server/import/text/utf8.hpp"
#include "server/storage/sha256.hpp"

namespace costcurve::api {

namespace {

// A stored answer applies only to the same request: method, path, query and body.
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

// Claim of an author's Idempotency-Key. Until its answer is stored or this is destroyed, no other request with the key is executed.
class HeldKey {
public:
    HeldKey(Service& service, std::string author, std::string_view key, std::string_view request_hash)
        : service_(service), author_(std::move(author)), key_(key), claim_(service.store.claim_answer(author_, key, request_hash)) {
    }
    ~HeldKey() {
        if (claim_.is_held) { // if the release fails, the claim ends with its lease
            const auto thrown = failure::guarded([&] { service_.store.release_answer(author_, key_); });
            failure::log_failure(thrown ? service_.log_error : nullptr, thrown ? thrown->what : "", "idempotency key");
        }
    }
    HeldKey(const HeldKey&) = delete;
    HeldKey& operator=(const HeldKey&) = delete;
    [[nodiscard]] bool is_held() const { return claim_.is_held; }
    [[nodiscard]] const std::optional<storage::StoredAnswer>& kept() const { return claim_.kept; }
    [[nodiscard]] bool is_full() const { return claim_.is_full; }
    [[nodiscard]] bool has_room(const http::Response& response) const {
        return static_cast<std::int64_t>(response.body.size()) <= claim_.room;
    }
    /// Notes that the answer is stored, so that the claim isn't released.
    void note_kept() { claim_.is_held = false; }

private:
    Service& service_;
    std::string author_;
    std::string_view key_;
    storage::AnswerClaim claim_;
};

// Calls the handler; a write under an Idempotency-Key is executed only once.
http::Response handle_once(Service& service, const Call& call) {
    const auto handle = [&] {
        Attempt<http::Response> attempt = call.route.handle(service, call);
        return attempt ? std::move(*attempt) : problem(attempt.error(), call.request.request_id);
    };
    const std::string_view key = idempotency_key(call);
    if (key.empty()) {
        return handle();
    }
    constexpr std::size_t kMaxKey = 255;
    constexpr std::size_t kMaxKept =
        64U << 10U; // maximum bytes of a stored answer; for a larger answer only a note of the write is kept
    if (key.size() > kMaxKey) {
        return problem({400, fmt::format("Idempotency-Key has more than {} bytes", kMaxKey)}, call.request.request_id);
    }
    const std::string hash = request_hash(call.request);
    HeldKey held(service, storage::keeper_of(author_of(call)), key, hash);
    if (const std::optional<storage::StoredAnswer>& kept = held.kept()) {
        if (kept->status == storage::kClaimed) {
            return problem(
                {409, fmt::format("a request with this Idempotency-Key was done ({}), and its answer is not kept: read what "
                                  "is there; to do it again, send another key",
                                  kept->body)},
                call.request.request_id);
        }
        return kept->request_hash == hash
                   ? from_kept(*kept)
                   : problem({409, "this Idempotency-Key was used for another request"}, call.request.request_id);
    }
    if (held.is_full()) {
        return problem(
            {429, fmt::format("{} requests with an Idempotency-Key are kept of this caller within a day, or {} of all: send "
                              "it without one, or later",
                              storage::kMaxAnswersOfAuthor, storage::kMaxAnswers)},
            call.request.request_id);
    }
    if (!held.is_held()) {
        constexpr int kRetryAfterS = 1;
        return problem({409, "a request with this Idempotency-Key is being answered; ask again for its answer", {}, kRetryAfterS},
                       call.request.request_id);
    }
    http::Response response = handle();
    const bool is_done = response.status < 300; // a refused request has changed nothing and may be repeated
    if (is_done && !response.stream && response.body.size() <= kMaxKept && held.has_room(response)) {
        const auto thrown = failure::guarded([&] {
            service.store.keep_answer(author_of(call), key,
                                      {hash, response.status, response.content_type, response.body, location_of(response)});
            held.note_kept();
        });
        if (thrown) { // the answer is sent even if it can't be stored
            failure::log_failure(service.log_error, thrown->what, call.request.request_id);
        }
    }
    return response;
}

// Whether the client accepts one of the route's types; a POST question may also be answered as events. `format` in the query
// overrides Accept.
bool is_acceptable(const Route& route, const http::Request& request) {
    const std::string_view accept = http::header(request, "accept");
    const bool has_answer = !route.answer.empty() || route.answer_type.starts_with("text/");
    const bool has_format = std::any_of(request.parameters.begin(), request.parameters.end(),
                                        [](const http::Header& given) { return given.name == "format"; });
    const auto takes = [&](std::string_view type) { return weight_of(accept, type) > 0; };
    return !has_answer || takes(route.answer_type) || (!route.tables.empty() && (has_format || takes(kCsv))) ||
           (has_workbook(route) && takes(kXlsx)) || (route.method == "POST" && takes(kEventStream));
}

// Reserves the memory that a worker needs to process the body. It is released with the request, or at the end of a streamed answer.
bool book_work(const Route& route, const http::Request& request) {
    constexpr std::size_t kFileMultiple = 3; // for a file: memory of parsed rows as a multiple of its size
    if (request.memory == nullptr) {
        return true;
    }
    const std::size_t bytes = route.body_type == kJson ? json_bytes(request.body) : kFileMultiple * request.body.size();
    return request.memory->resize(request.memory->bytes() + bytes); // in addition to the memory of an enclosing JSON-RPC request
}

// Many clients send "{}" if a request needs no body.
bool is_empty_object(std::string text) {
    std::erase_if(text, [](char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; });
    return text == "{}";
}

http::Response answer(Service& service, const http::Request& request, const FoundRoute& found) {
    if (const std::optional<Refusal> refusal = refuse_cross_origin(service, request)) {
        return problem(*refusal, request.request_id);
    }
    Attempt<std::string> author = admit(service, *found.route, request);
    if (!author) {
        return refused_caller(author.error(), request.request_id);
    }
    if (!is_acceptable(*found.route, request)) {
        return problem(
            406, fmt::format("this answers with {}{}", found.route->answer_type, found.route->tables.empty() ? "" : " or text/csv"),
            request.request_id);
    }
    const auto table = wanted_table(*found.route, request);
    if (!table) {
        return problem(table.error(), request.request_id);
    }
    model::Failure issues = check_parameters(*found.route, table_parameters(*found.route), request);
    if (!issues.empty()) {
        return problem({kUnprocessable, "", std::move(issues)}, request.request_id);
    }
    if (found.route->body.empty() && !request.body.empty() && !(request.method == "POST" && is_empty_object(request.body))) {
        return problem(400, "this takes no body: send none", request.request_id);
    }
    const std::size_t max_body = max_body_bytes(*found.route);
    if (request.body.size() > max_body) {
        return problem(413, fmt::format("the body has more than {} bytes", max_body), request.request_id);
    }
    if (!book_work(*found.route, request)) {
        return problem(no_memory(), request.request_id);
    }
    const Call call{request, *found.route, found.arguments, std::move(*author)};
    http::Response response = handle_once(service, call);
    if (*table != nullptr) {
        make_table(*found.route, **table, request, response);
    }
    if (!found.route->tables.empty()) {
        response.headers.push_back({"Vary", "Accept"});
    }
    if (response.stream) {
        const Refusal revoked{401, "this key was revoked or has expired, and the answer ends here"};
        const std::string last = problem(revoked, request.request_id).body;
        response.stream = while_key_is_good(
            service, request, std::move(response.stream),
            response.content_type == kEventStream ? fmt::format("event: problem\ndata: {}\n\n", last) : last + '\n');
    }
    response.author = call.author;
    return response;
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

// Paths must be UTF-8, because answers echo them, and without U+0000, which the store can't keep.
bool is_text(const http::Request& request) {
    return imports::is_utf8(request.path) && request.path.find('\0') == std::string::npos &&
           std::all_of(request.parameters.begin(), request.parameters.end(),
                       [](const http::Header& given) { return imports::is_utf8(given.name) && imports::is_utf8(given.value); });
}

http::Response respond(Service& service, const http::Request& request, const FoundRoute& found) {
    if (!is_text(request)) {
        return problem(400, "the path or a query parameter is not UTF-8, or the path has U+0000, once percent signs are decoded",
                       request.request_id);
    }
    if (is_preflight(service, request)) {
        http::Response response;
        response.status = 204;
        return response;
    }
    if (found.route == nullptr) {
        return no_route(request, found.allowed);
    }
    http::Response response;
    const auto thrown = failure::guarded([&] { response = answer(service, request, found); });
    return thrown ? problem(refusal_of(service, *thrown, request.request_id), request.request_id) : response;
}

} // namespace

http::Response dispatch(Service& service, const http::Request& request) {
    const auto start = std::chrono::steady_clock::now();
    const FoundRoute found = find_route(request);
    http::Response response = respond(service, request, found);
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
    complete_answer(service, request, found.route, took.count(), response);
    return response;
}

http::Response refused_caller(const Refusal& refusal, std::string_view request_id) {
    http::Response refused = problem(refusal, request_id);
    if (refused.status == 401) {
        refused.headers.push_back({"WWW-Authenticate", "Bearer"});
    }
    return refused;
}

void complete_answer(Service& service, const http::Request& request, const Route* route, double seconds, http::Response& response) {
    add_security_headers(request.path, response);
    add_cors_headers(service, request, response);
    service.metrics.observe_request(route != nullptr ? route->method : "", route != nullptr ? route->path : "", response.status,
                                    seconds);
}

} // namespace costcurve::api
