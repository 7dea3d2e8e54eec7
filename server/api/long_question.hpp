// Questions that take long: how many at once, on how many threads, for how long, and what their clients hear meanwhile. Knows no
// question.
#pragma once

#include <atomic>
#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "model/questions/runner.hpp"
#include "server/api/members.hpp"
#include "server/api/route.hpp"

namespace costcurve::api {

/// Settings of the service (docs/operations.md says what happens if they are raised).
struct QuestionLimits {
    std::size_t at_once = 2;         ///< long questions; more are told to come again
    std::size_t samples = 1'000'000; ///< of a simulation, or of demand
    std::size_t cells = 250'000;     ///< of a map
    std::size_t plans = 100'000;     ///< that an optimizer evaluates
    double seconds = 600;            ///< that one may take
    std::size_t threads = 0;         ///< of one question; 0 is one a core
};

/// Counts the long questions that are being answered. Thread-safe.
class Seats {
public:
    explicit Seats(std::size_t most) : most_(most) {}
    /// Held as long as the question takes; null where all are taken. The seats outlive it.
    [[nodiscard]] std::shared_ptr<void> take();

private:
    std::size_t most_;
    std::atomic<std::size_t> taken_ = 0;
};

/// Reads `deadline_s`: the most seconds that the answer may take; the service's limit where it is not given.
[[nodiscard]] double read_deadline(Members& members, const QuestionLimits& limits);

/// How a question runs: on `runner`. Gives the answer's JSON, or what is wrong; any failure where the runner was told to stop.
using Ask = std::function<Attempt<std::string>(const model::Runner& runner)>;

/// Answers with JSON, or with events where the client asks for them. Refused with 503 and Retry-After where too many long questions
/// are being answered. The question ends early where the client leaves, and with a 422 where `deadline_s` passes. `stage` is what
/// the runner's tasks are, in a word. `ask` may run on another thread once the request is gone.
[[nodiscard]] Attempt<http::Response> answer_long(Service& service, const Call& call, double deadline_s, std::string_view stage,
                                                  Ask ask);

} // namespace costcurve::api
