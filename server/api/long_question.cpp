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

} // namespace

Attempt<std::string> answer_watched(const LongQuestion& question, std::size_t workers, jobs::Watch watch) {
    watch.deadline = Clock::now() + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(question.deadline_s));
    watch.low_priority = true;
    jobs::Threads threads(workers, std::move(watch));
    Attempt<std::string> answer = question.ask(threads.runner());
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
                  fmt::format("the answer takes longer than {} s; ask for less, or allow more time", question.deadline_s)}}});
}

std::shared_ptr<void> Seats::take() {
    if (taken_++ >= most_) {
        --taken_;
        return nullptr;
    }
    return {this, [this](void* /*seats*/) { --taken_; }};
}

Attempt<http::Response> answer_long(Service& service, const Call& call, LongQuestion question) {
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
        return stream_progress(service, call, [workers, question = std::move(question), held = seat](const Tell& tell) {
            bool gone = false;
            jobs::Watch watch;
            watch.progress = [&](std::size_t done, std::size_t total) { gone = !tell(question.stage, done, total); };
            watch.is_unwanted = [&] { return gone; };
            return answer_watched(question, workers, std::move(watch));
        });
    }
    jobs::Watch watch;
    watch.is_unwanted = call.request.client_gone;
    return answer_watched(question, workers, std::move(watch)).map([](std::string&& text) { return json_answer(std::move(text)); });
}

} // namespace costcurve::api
