// Runs questions: threads, deadlines, progress and cancellation. Knows no particular question.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>

#include "model/questions/evaluation_cost.hpp"
#include "model/questions/runner.hpp"
#include "server/answers/limits.hpp"
#include "server/api/route.hpp"
#include "server/api/seats.hpp"
#include "server/jobs/threads.hpp"

namespace costcurve::api {

using answers::QuestionLimits;

/// Answers the question on `runner`: JSON or a failure. If the runner was stopped, the failure is arbitrary.
using Ask = std::function<Attempt<std::string>(const model::Runner& runner)>;

/// A decoded question, ready to be answered.
struct LongQuestion {
    double deadline_s = 0.0;
    std::size_t bytes = 0;  ///< estimated memory of the computation, in addition to the request
    std::string_view stage; ///< name of the runner's tasks in progress events
    Ask ask;                ///< may run on another thread once the request is gone
};

/// Answers with JSON, or with events if the client accepts them. 503 with Retry-After if too many long questions are running or the
/// daemon's memory budget is exhausted. The question ends early if the client disconnects, and with 422 at its deadline.
[[nodiscard]] Attempt<http::Response> answer_long(Service& service, const Call& call, LongQuestion question);

/// Answers a short question on this thread. If it is estimated to take, or has taken, more than a second, it needs a seat like a
/// long question. It ends at the deadline in the settings, when the client disconnects, and when the daemon stops.
[[nodiscard]] Attempt<http::Response> answer_short(Service& service, const Call& call, const model::EvaluationCost& cost,
                                                   const std::function<Attempt<http::Response>()>& ask);

/// Answers on this thread; ends when the client disconnects or the daemon stops.
[[nodiscard]] Attempt<http::Response> answer_while_wanted(const Call& call, const std::function<Attempt<http::Response>()>& ask);

/// Answers under a watch with a deadline; if the watch stops it, the failure is arbitrary.
[[nodiscard]] Attempt<std::string> answer_watched(const LongQuestion& question, std::size_t workers, jobs::Watch watch);

} // namespace costcurve::api
