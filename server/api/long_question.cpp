// Runs long questions, a limited number at a time, and answers in one piece or as events.
#include "server/api/long_question.hpp"

#include <chrono>
#include <memory>
#include <thread>
#include <utility>

#include <fmt/format.h>

#include "model/stop.hpp"
#include "server/api/access.hpp"
#include "server/api/problem.hpp"
#include "server/api/progress_stream.hpp"
#include "server/api/request.hpp"
#include "server/api/service.hpp"
#include "server/http/budget.hpp"
#include "server/jobs/threads.hpp"

namespace costcurve::api {

namespace {

using Clock = std::chrono::steady_clock;

Clock::time_point after(double seconds) {
    return Clock::now() + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds));
}

tl::unexpected<Refusal> no_seat(const Service& service) {
    constexpr int kRetryAfterS = 5;
    return tl::unexpected(
        Refusal{503,
                fmt::format("{} long questions are being answered at once, and as many wait for their turn; try again, or ask "
                            "for a job (Prefer: respond-async)",
                            service.questions.max_concurrent),
                {},
                kRetryAfterS});
}
tl::unexpected<Refusal> ended(jobs::Ended why, double deadline_s) {
    if (why == jobs::Ended::unwanted) {
        return tl::unexpected(Refusal{503, "the client has left"});
    }
    return tl::unexpected(
        Refusal{kUnprocessable,
                "",
                {{"/deadline_s", model::Code::too_large,
                  fmt::format("the answer takes longer than {} s; ask for less, or allow more time", deadline_s)}}});
}

// Waits until the question has its turn (true), or for a short while (false).
bool waits_no_longer(const std::function<bool()>& has_turn) {
    constexpr auto kPause = std::chrono::milliseconds(50);
    const bool goes_on = !has_turn || has_turn();
    if (!goes_on) {
        std::this_thread::sleep_for(kPause);
    }
    return goes_on;
}

} // namespace

Attempt<std::string> answer_watched(const LongQuestion& question, std::size_t workers, jobs::Watch watch) {
    watch.deadline = after(question.deadline_s);
    watch.low_priority = true;
    // Evaluations outside of the tasks are under the same watch.
    jobs::Ended why = jobs::Ended::whole;
    const std::function<bool()> goes_on = [&why, is_unwanted = watch.is_unwanted, deadline = watch.deadline,
                                           has_turn = watch.has_turn] {
        do {
            why = Clock::now() > deadline ? jobs::Ended::late : is_unwanted && is_unwanted() ? jobs::Ended::unwanted : why;
        } while (why == jobs::Ended::whole && !waits_no_longer(has_turn));
        return why == jobs::Ended::whole;
    };
    jobs::Threads threads(workers, std::move(watch));
    const model::Stoppable here(goes_on);
    try {
        Attempt<std::string> answer = question.ask(threads.runner());
        return threads.ended() == jobs::Ended::whole ? answer : ended(threads.ended(), question.deadline_s);
    } catch (const model::Stopped&) { return ended(why, question.deadline_s); }
}

Attempt<http::Response> answer_short(Service& service, const Call& call, const model::EvaluationCost& cost,
                                     const std::function<Attempt<http::Response>()>& ask) {
    constexpr double kLongS = 1.0;
    if (call.request.memory != nullptr && !call.request.memory->resize(call.request.memory->bytes() + cost.bytes)) {
        return tl::unexpected(no_memory());
    }
    std::shared_ptr<Seats::Seat> seat =
        cost.seconds > kLongS ? service.seats.take_in_turn(client_of(service, call.request, call.author), call.request.client_gone)
                              : nullptr;
    if (cost.seconds > kLongS && seat == nullptr) {
        return no_seat(service);
    }
    const Clock::time_point deadline = after(service.questions.seconds);
    const Clock::time_point long_from = after(kLongS);
    jobs::Ended why = jobs::Ended::whole;
    const std::function<bool()> goes_on = [&] {
        const Clock::time_point now = Clock::now();
        if (now > long_from && seat == nullptr) { // it takes longer than estimated
            seat = service.seats.take_in_turn(client_of(service, call.request, call.author), call.request.client_gone);
        }
        do {
            const bool is_gone = call.request.client_gone && call.request.client_gone();
            why = is_gone ? jobs::Ended::unwanted : Clock::now() > deadline ? jobs::Ended::late : why;
        } while (why == jobs::Ended::whole && seat != nullptr && !waits_no_longer([&] { return seat->has_turn(); }));
        return why == jobs::Ended::whole && (seat != nullptr || now <= long_from);
    };
    const model::Stoppable here(goes_on);
    try {
        return ask();
    } catch (const model::Stopped&) { return why == jobs::Ended::whole ? no_seat(service) : ended(why, service.questions.seconds); }
}

Attempt<http::Response> answer_while_wanted(const Call& call, const std::function<Attempt<http::Response>()>& ask) {
    const std::function<bool()> goes_on = [&] { return !call.request.client_gone || !call.request.client_gone(); };
    const model::Stoppable here(goes_on);
    try {
        return ask();
    } catch (const model::Stopped&) { return ended(jobs::Ended::unwanted, 0); }
}

Attempt<http::Response> answer_long(Service& service, const Call& call, LongQuestion question) {
    const std::shared_ptr<Seats::Seat> seat =
        service.seats.take_in_turn(client_of(service, call.request, call.author), call.request.client_gone);
    if (seat == nullptr) {
        return no_seat(service);
    }
    const auto has_memory = service.memory ? service.memory() : nullptr; // released when the answer is complete
    if (has_memory && !has_memory(question.bytes)) {
        return tl::unexpected(no_memory());
    }
    const std::size_t workers = service.questions.threads;
    if (wants_events(call.request)) {
        return stream_progress(service, call, [workers, question = std::move(question), held = seat, has_memory](const Tell& tell) {
            bool gone = false;
            jobs::Watch watch;
            watch.progress = [&](std::size_t done, std::size_t total) { gone = !tell(question.stage, done, total); };
            watch.is_unwanted = [&] { return gone; };
            watch.has_turn = [&] { return held->has_turn(); };
            return answer_watched(question, workers, std::move(watch));
        });
    }
    jobs::Watch watch;
    watch.is_unwanted = call.request.client_gone;
    watch.has_turn = [&] { return seat->has_turn(); };
    return answer_watched(question, workers, std::move(watch)).map([](std::string&& text) { return json_answer(std::move(text)); });
}

} // namespace costcurve::api
