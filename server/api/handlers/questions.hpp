// A request about scenarios becomes an answer: one template for those that are answered at once, one for those that take long.
#pragma once

#include "server/api/route.hpp"

namespace costcurve::api {

/// Decodes the body, resolves its scenarios and answers. Defined for the requests of questions.cpp.
template <class R> [[nodiscard]] Attempt<http::Response> post_question(Service& service, const Call& call);

/// The same with progress, a deadline and a limit of how many run at once. Defined for the requests of questions.cpp.
template <class R> [[nodiscard]] Attempt<http::Response> post_long_question(Service& service, const Call& call);

} // namespace costcurve::api
