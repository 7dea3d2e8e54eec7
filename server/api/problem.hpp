// Errors as RFC 9457 problem documents. One table of kinds serves the whole service.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "model/failure.hpp"
#include "server/api/route.hpp"
#include "server/http/message.hpp"

namespace costcurve::api {

class JsonWriter;

/// [{pointer, code, message}]
void write_issues(JsonWriter& out, const model::Failure& issues);

/// Every way a request can fail, by HTTP status.
struct ProblemKind {
    int status;
    std::string_view name; ///< last part of `type`
    std::string_view title;
};
[[nodiscard]] std::span<const ProblemKind> problem_kinds();

/// {type, title, status, detail, instance, errors: [{pointer, code, message}]}.
[[nodiscard]] http::Response problem(int status, std::string_view detail, std::string_view request_id,
                                     const model::Failure& issues = {});

/// The same of a refusal; without a detail it says how many issues there are.
[[nodiscard]] http::Response problem(const Refusal& refusal, std::string_view request_id);

/// The HTTP status of a failure: 400 for text that is not JSON, 422 for JSON that breaks the rules.
inline constexpr int kUnprocessable = 422;

} // namespace costcurve::api
