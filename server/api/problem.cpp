// The error table, and the one function that writes an error body.
#include "server/api/problem.hpp"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "server/answers/answer.hpp"
#include "server/api/gate.hpp"
#include "server/api/service.hpp"
#include "server/documents/json/json_text.hpp"

namespace costcurve::api {

namespace {

constexpr auto kProblemKinds = std::to_array<ProblemKind>({
    {400, "bad-request", "The request is not well formed"},
    {401, "unauthorized", "A key is needed"},
    {403, "forbidden", "The key may not do this"},
    {403, "cross_origin", "A page of another origin may not do this"},
    {403, "forbidden_host", "The service does not do this by this host name"},
    {404, "not-found", "There is nothing at this path"},
    {405, "method-not-allowed", "This path has other methods"},
    {406, "not-acceptable", "There is no answer of a type that Accept names"},
    {408, "timeout", "The request took too long to arrive"},
    {409, "conflict", "The state of the document forbids this"},
    {412, "precondition-failed", "The document is not as the request expects"},
    {413, "too-large", "The body is too large"},
    {414, "uri-too-long", "The path is too long"},
    {415, "unsupported-media-type", "The body must be JSON"},
    {417, "expectation-failed", "This expectation is not met"},
    {422, "invalid", "The document breaks rules"},
    {429, "too-many-requests", "The key's rate is used up"},
    {431, "head-too-large", "The header fields are too large"},
    {500, "internal", "Something went wrong here"},
    {501, "not-supported", "This transfer coding is not supported"},
    {503, "saturated", "The service can't do this now"},
    {505, "version-not-supported", "This HTTP version is not supported"},
});

// The problem kind with this name, or the first one of the status if the name is empty.
const ProblemKind& kind_of(int status, std::string_view name) {
    const auto found = std::find_if(kProblemKinds.begin(), kProblemKinds.end(),
                                    [&](const ProblemKind& k) { return name.empty() ? k.status == status : k.name == name; });
    return found == kProblemKinds.end() ? kProblemKinds.front() : *found;
}

} // namespace

std::span<const ProblemKind> problem_kinds() { return kProblemKinds; }

namespace {

http::Response problem_of_kind(const ProblemKind& kind, std::string_view detail, std::string_view request_id,
                               const model::Failure& issues) {
    http::Response response;
    response.status = kind.status;
    response.content_type = "application/problem+json; charset=utf-8";
    response.body = answers::encode_answer(ProblemAnswer{"/problems/" + std::string(kind.name), kind.title, kind.status,
                                                         std::string(detail), "/requests/" + std::string(request_id), issues});
    return response;
}

} // namespace

http::Response problem(int status, std::string_view detail, std::string_view request_id, const model::Failure& issues) {
    return problem_of_kind(kind_of(status, ""), detail, request_id, issues);
}

Refusal invalid(const std::string& pointer, model::Code code, std::string message) {
    return {kUnprocessable, "", {{pointer, code, std::move(message)}}};
}

http::Response problem(const Refusal& refusal, std::string_view request_id) {
    const std::string detail = refusal.detail.empty() ? model::count_text(refusal.issues) + "; see errors" : refusal.detail;
    http::Response response = problem_of_kind(kind_of(refusal.status, refusal.kind), detail, request_id, refusal.issues);
    if (refusal.retry_after_s > 0) {
        response.headers.push_back({"Retry-After", std::to_string(refusal.retry_after_s)});
    }
    return response;
}

Refusal no_memory() {
    constexpr int kRetryAfterS = 1;
    return {503, "memory is short; try again in a second", {}, kRetryAfterS};
}

Refusal unreadable(std::string_view what) {
    return {500, fmt::format("{}; PUT it again, or read an older revision with as_of", what)};
}

std::string_view readable_cause(const failure::Thrown& thrown) {
    using Cause = storage::StoreError::Cause;
    if (!thrown.store) {
        return "the store can't be checked; try again";
    }
    switch (*thrown.store) {
    case Cause::busy:
        return "the store is busy; try again";
    case Cause::full:
        return "the store's disk is full; reading goes on, writing waits for the operator";
    case Cause::read_only:
        return "the store can't be written; reading goes on, writing waits for the operator";
    case Cause::unavailable:
        return "the store can't be reached; try again";
    case Cause::moved:
        return "the store's file was moved, replaced or deleted; nothing is written until the operator restarts the daemon";
    default:
        return "the store failed; the log says how";
    }
}

namespace {

// Whether a write of usual size would fail, too: the failure of a large write doesn't affect others.
bool has_no_room(const Service& service) {
    return failure::guarded([&] { service.store.check_writable(); }).has_value();
}

} // namespace

Refusal refusal_of(const Service& service, const failure::Thrown& thrown, std::string_view request_id) {
    using Cause = storage::StoreError::Cause;
    constexpr int kRetryAfterS = 5;
    if (thrown.store == Cause::no_such_change) {
        return {422, "", {{"/as_of", model::Code::out_of_range, thrown.what}}};
    }
    failure::log_failure(service.log_error, thrown.what, request_id);
    if (thrown.is_unreadable()) {
        return unreadable(thrown.what);
    }
    if (thrown.is_memory) {
        return {503, "there is no memory for this request now; try again, or ask for less", {}, kRetryAfterS};
    }
    if (!thrown.store) {
        return {500, "something went wrong here; the request's id is in `instance`"};
    }
    const Cause cause = *thrown.store;
    const bool is_passing = cause == Cause::busy || cause == Cause::full || cause == Cause::read_only ||
                            cause == Cause::unavailable || cause == Cause::moved;
    const bool is_of_all = cause == Cause::read_only || cause == Cause::moved || (cause == Cause::full && has_no_room(service));
    if (is_of_all) {
        service.gate->note_refused(readable_cause(thrown));
    }
    return is_passing ? Refusal{503, std::string(readable_cause(thrown)), {}, kRetryAfterS}
                      : Refusal{500, "the store failed; the request's id is in `instance`"};
}

} // namespace costcurve::api
