// Errors as RFC 9457 problem documents. One table of kinds serves the whole service.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "model/documents/failure.hpp"
#include "server/answers/answer.hpp"
#include "server/api/route.hpp"
#include "server/http/message.hpp"

namespace costcurve::api {

/// Every way a request can fail, by HTTP status.
struct ProblemKind {
    int status;
    std::string_view name; ///< last part of `type`
    std::string_view title;
};
[[nodiscard]] std::span<const ProblemKind> problem_kinds();

/// The body of an error, RFC 9457.
struct ProblemAnswer {
    std::string type;
    std::string_view title;
    int status = 0;
    std::string detail;
    std::string instance;
    model::Failure errors;
};

[[nodiscard]] http::Response problem(int status, std::string_view detail, std::string_view request_id,
                                     const model::Failure& issues = {});

/// 422 with one issue.
[[nodiscard]] Refusal invalid(const std::string& pointer, model::Code code, std::string message);

/// The answer to a refusal; an empty detail is replaced by the number of issues.
[[nodiscard]] http::Response problem(const Refusal& refusal, std::string_view request_id);

/// Refusal for a stored document that can't be read: a 500 that names it.
[[nodiscard]] Refusal unreadable(std::string_view what);

/// Refusal of a request that needs more memory than is available.
[[nodiscard]] Refusal no_memory();

/// The HTTP status of a failure: 400 for text that is not JSON, 422 for JSON that breaks the rules.
inline constexpr int kUnprocessable = 422;

} // namespace costcurve::api

template <> inline constexpr std::string_view costcurve::model::document_name<costcurve::api::ProblemAnswer> = "problem";
template <>
inline constexpr auto costcurve::model::fields<costcurve::api::ProblemAnswer> = model::Rows{
    Field{"type", &api::ProblemAnswer::type, {}},
    Field{"title", &api::ProblemAnswer::title, {}},
    Field{"status", &api::ProblemAnswer::status, {}},
    Field{"detail", &api::ProblemAnswer::detail, {}},
    Field{"instance", &api::ProblemAnswer::instance, {.pattern = "^/requests/"}},
    Field{"errors", &api::ProblemAnswer::errors, {.help = "at most 1,000; detail has the count"}},
};
