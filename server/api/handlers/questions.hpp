// A request about scenarios becomes an answer: at once, or as a long question, which may also be answered later.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "server/api/long_question.hpp"
#include "server/api/route.hpp"

namespace costcurve::api {

/// Decodes the body, resolves its scenarios and answers. Defined for the requests of questions.cpp.
template <class R> [[nodiscard]] Attempt<http::Response> post_question(Service& service, const Call& call);

/// The same of one scenario that is held against what the store measured. Defined for VarianceRequest and ActualsRequest.
template <class R> [[nodiscard]] Attempt<http::Response> post_measured(Service& service, const Call& call);

/// A long question by its path, from its body, as of `as_of` where the body names no other moment: decoded and its scenarios
/// resolved, or what is wrong with it.
[[nodiscard]] Attempt<LongQuestion> prepare_question(const Service& service, std::string_view path, std::string_view body,
                                                     const std::optional<std::string>& as_of);

/// Answers a long question at once, with progress, a deadline and a limit of how many run at once; or queues it as a job where the
/// client prefers that.
[[nodiscard]] Attempt<http::Response> post_long_question(Service& service, const Call& call);

} // namespace costcurve::api
