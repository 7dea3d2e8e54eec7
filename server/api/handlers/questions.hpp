// Answers requests about scenarios: at once, or as long questions, which jobs may answer later.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "server/api/long_question.hpp"
#include "server/api/route.hpp"

namespace costcurve::api {

/// Adds the routes for the list of questions in server/api/questions.hpp; `common` has their shared fields.
void add_short_questions(std::vector<Route>& routes, const Route& common);
void add_result_questions(std::vector<Route>& routes, const Route& common);
void add_long_questions(std::vector<Route>& routes, const Route& common);
void add_stored_questions(std::vector<Route>& routes, const Route& common);
void add_measured_questions(std::vector<Route>& routes, const Route& common);
/// Adds GET routes for measured questions about a stored scenario.
void add_runs_of_stored(std::vector<Route>& routes);

/// Decodes a long question of this path and resolves its scenarios as of `as_of`, unless the body names another moment; or returns
/// its errors. The body was queued, perhaps by the previous version, and may use that version's names. New requests with such names
/// are refused before they are queued.
[[nodiscard]] Attempt<LongQuestion> prepare_question(const Service& service, std::string_view path, std::string_view body,
                                                     const std::optional<std::string>& as_of);

} // namespace costcurve::api
