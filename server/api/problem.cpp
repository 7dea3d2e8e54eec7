// The error table, and the one function that writes an error body.
#include "server/api/problem.hpp"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "server/api/json_text.hpp"
#include "server/api/service.hpp"

namespace costcurve::api {

namespace {

constexpr auto kKinds = std::to_array<ProblemKind>({
    {400, "bad-request", "The request is not well formed"},
    {401, "unauthorized", "A key is needed"},
    {403, "forbidden", "The key may not do this"},
    {404, "not-found", "There is nothing at this path"},
    {405, "method-not-allowed", "This path has other methods"},
    {408, "timeout", "The request took too long to arrive"},
    {409, "conflict", "The state of the document forbids this"},
    {411, "length-required", "A body needs a Content-Length"},
    {412, "precondition-failed", "The document is not as the request expects"},
    {413, "too-large", "The body is too large"},
    {414, "uri-too-long", "The path is too long"},
    {415, "unsupported-media-type", "The body must be JSON"},
    {417, "expectation-failed", "This expectation is not met"},
    {422, "invalid", "The document breaks rules"},
    {429, "too-many-requests", "The key's rate is used up"},
    {431, "head-too-large", "The header fields are too large"},
    {500, "internal", "Something went wrong here"},
    {501, "not-supported", "This method is not supported"},
    {503, "saturated", "The service can't do this now"},
    {505, "version-not-supported", "This HTTP version is not supported"},
});

const ProblemKind& kind_of(int status) {
    const auto found = std::find_if(kKinds.begin(), kKinds.end(), [status](const ProblemKind& k) { return k.status == status; });
    return found == kKinds.end() ? kKinds.front() : *found;
}

} // namespace

std::span<const ProblemKind> problem_kinds() { return kKinds; }

void write_issues(JsonWriter& out, const model::Failure& issues) {
    out.begin_array();
    for (const model::Issue& issue : issues) {
        out.begin_object().member("pointer", issue.pointer).member("code", model::code_name(issue.code));
        out.member("message", issue.message).end_object();
    }
    out.end_array();
}

http::Response problem(int status, std::string_view detail, std::string_view request_id, const model::Failure& issues) {
    const ProblemKind& kind = kind_of(status);
    JsonWriter out;
    out.begin_object().member("type", "/problems/" + std::string(kind.name)).member("title", kind.title);
    out.member("status", status).member("detail", detail).member("instance", "/requests/" + std::string(request_id));
    out.key("errors");
    write_issues(out, issues);
    out.end_object();
    http::Response response;
    response.status = status;
    response.content_type = "application/problem+json; charset=utf-8";
    response.body = out.take();
    return response;
}

http::Response problem(const Refusal& refusal, std::string_view request_id) {
    const std::size_t count = refusal.issues.size();
    const std::string counted = fmt::format("{} issue{}; see errors", count, count == 1 ? "" : "s");
    http::Response response =
        problem(refusal.status, refusal.detail.empty() ? counted : refusal.detail, request_id, refusal.issues);
    if (refusal.retry_after_s > 0) {
        response.headers.push_back({"Retry-After", std::to_string(refusal.retry_after_s)});
    }
    return response;
}

void log_broken(const Service& service, const storage::StoreError& error, std::string_view request_id) {
    if (service.log_error) {
        service.log_error(error.what(), request_id);
    }
}

Refusal refusal_of(const Service& service, const storage::StoreError& error, std::string_view request_id) {
    using Cause = storage::StoreError::Cause;
    struct Row {
        Cause cause;
        std::string_view detail;
    };
    static constexpr auto kRows = std::to_array<Row>({
        {Cause::busy, "the store is busy; try again"},
        {Cause::full, "the store's disk is full; reading goes on, writing waits for the operator"},
        {Cause::read_only, "the store can't be written; reading goes on, writing waits for the operator"},
        {Cause::unavailable, "the store can't be reached; try again"},
    });
    log_broken(service, error, request_id);
    const auto row = std::find_if(kRows.begin(), kRows.end(), [&](const Row& r) { return r.cause == error.cause(); });
    constexpr int kRetryAfterS = 5;
    return row == kRows.end() ? Refusal{500, "the store failed; the request's id is in X-Request-Id"}
                              : Refusal{503, std::string(row->detail), {}, kRetryAfterS};
}

} // namespace costcurve::api
