// A seat, a watch over the threads, and the answer in one piece or as events.
#include "server/api/long_question.hpp"

#include <chrono>
#include <utility>

#include <fmt/format.h>

#include "server/api/problem.hpp"
#include "server/api/progress_stream.hpp"
#include "server/api/request.hpp"
#include "server/api/service.hpp"
#include "server/jobs/threads.hpp"

namespace costcurve::api {

namespace {

using Clock = std::chrono::steady_clock;

Attempt<std::string> run(const Ask& ask, std::size_t workers, jobs::Watch watch, double deadline_s) {
    watch.deadline = Clock::now() + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(deadline_s));
    watch.low_priority = true;
    jobs::Threads threads(workers, std::move(watch));
    Attempt<std::string> answer = ask(threads.runner());
    switch (threads.ended()) {
    case jobs::Ended::whole:
        return answer;
    case jobs::Ended::unwanted:
        return tl::unexpected(Refusal{503, "the client has left"});
    case jobs::Ended::late:
        break;
    }
    return tl::unexpected(
        Refusal{kUnprocessable,
                "",
                {{"/deadline_s", model::Code::too_large,
                  fmt::format("the answer takes longer than {} s; ask for less, or allow more time", deadline_s)}}});
}

} // namespace

std::shared_ptr<void> Seats::take() {
    if (taken_++ >= most_) {
        --taken_;
        return nullptr;
    }
    return {this, [this](void* /*seats*/) { --taken_; }};
}

Attempt<http::Response> answer_long(Service& service, const Call& call, double deadline_s, std::string_view stage, Ask ask) {
    constexpr int kRetryAfterS = 5;
    const std::shared_ptr<void> seat = service.seats.take();
    if (seat == nullptr) {
        return tl::unexpected(Refusal{503,
                                      fmt::format("{} long questions are being answered, and no more are at once; try again",
                                                  service.questions.max_concurrent),
                                      {},
                                      kRetryAfterS});
    }
    const std::size_t workers = service.questions.threads;
    if (wants_events(call.request)) {
        return stream_progress(service, call, [=, ask = std::move(ask), stage = std::string(stage), held = seat](const Tell& tell) {
            bool gone = false;
            jobs::Watch watch;
            watch.progress = [&](std::size_t done, std::size_t total) { gone = !tell(stage, done, total); };
            watch.is_unwanted = [&] { return gone; };
            return run(ask, workers, std::move(watch), deadline_s);
        });
    }
    jobs::Watch watch;
    watch.is_unwanted = call.request.client_gone;
    return run(ask, workers, std::move(watch), deadline_s).map([](std::string&& text) { return json_answer(std::move(text)); });
}

} // namespace costcurve::api
