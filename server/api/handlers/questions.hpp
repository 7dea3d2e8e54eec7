// A request about scenarios becomes an answer: at once, or as a long question, which may also be answered later.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "server/api/long_question.hpp"
#include "server/api/route.hpp"

namespace costcurve::api {

/// Adds the routes of a list of server/api/questions.hpp; `common` is what they share.
void add_short_questions(std::vector<Route>& routes, const Route& common);
void add_result_questions(std::vector<Route>& routes, const Route& common);
void add_long_questions(std::vector<Route>& routes, const Route& common);
void add_stored_questions(std::vector<Route>& routes, const Route& common);
void add_measured_questions(std::vector<Route>& routes, const Route& common);
/// Those of measured questions about what runs, of a stored scenario, by GET.
void add_runs_of_stored(std::vector<Route>& routes);

/// A long question by its path, from its body, as of `as_of` where the body names no other moment: decoded and its scenarios
/// resolved, or what is wrong with it. The body is one that was queued, maybe by the version before, whose names it may have:
/// requests of today with them are refused before they are queued.
[[nodiscard]] Attempt<LongQuestion> prepare_question(const Service& service, std::string_view path, std::string_view body,
                                                     const std::optional<std::string>& as_of);

} // namespace costcurve::api
