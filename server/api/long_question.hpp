// How questions are answered: on how many threads, for how long, and what their clients hear
// meanwhile. Knows no question.
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

/// How a question runs: on `runner`. Gives the answer's JSON, or what is wrong; any failure where the runner was told to stop.
using Ask = std::function<Attempt<std::string>(const model::Runner& runner)>;

/// A question that is ready to be answered.
struct LongQuestion {
    double deadline_s = 0.0;
    std::size_t bytes = 0;  ///< estimate of what the answer holds while it is computed, besides its client's request
    std::string_view stage; ///< what the runner's tasks are, in a word
    Ask ask;                ///< may run on another thread once the request is gone
};

/// Answers with JSON, or with events where the client wants them. Refused with 503 and Retry-After where too many long questions
/// are being answered, or the daemon's budget of memory has no room for another. The question ends early where the client leaves,
/// and with a 422 where its deadline passes.
[[nodiscard]] Attempt<http::Response> answer_long(Service& service, const Call& call, LongQuestion question);

/// Answers a short question on this thread. One that is thought to take longer than a second, or has taken that long, needs a
/// seat as a long one does. It ends as those do: past the settings' deadline, where the client leaves, and where the daemon stops.
[[nodiscard]] Attempt<http::Response> answer_short(Service& service, const Call& call, const model::EvaluationCost& cost,
                                                   const std::function<Attempt<http::Response>()>& ask);

/// Answers on this thread; ends where the client leaves and where the daemon stops.
[[nodiscard]] Attempt<http::Response> answer_while_wanted(const Call& call, const std::function<Attempt<http::Response>()>& ask);

/// The answer under a watch, whose deadline is set; any failure where the watch found it unwanted.
[[nodiscard]] Attempt<std::string> answer_watched(const LongQuestion& question, std::size_t workers, jobs::Watch watch);

} // namespace costcurve::api
