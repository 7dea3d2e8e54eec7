// Progress of a long question as server-sent events: one thread computes, another reads the events.
#include "server/api/progress_stream.hpp"

#include <chrono>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <thread>
#include <utility>

#include <fmt/format.h>

#include "server/api/problem.hpp"
#include "server/api/service.hpp"

namespace costcurve::api {

namespace {

using Clock = std::chrono::steady_clock;

// Stream of a running work; the destructor stops the work, because the client has disconnected.
class ProgressStream {
public:
    ProgressStream(Service& service, std::string request_id, Work work)
        : service_(service), request_id_(std::move(request_id)), work_(std::move(work)), thread_([this] { run(); }) {}
    ProgressStream(const ProgressStream&) = delete;
    ProgressStream& operator=(const ProgressStream&) = delete;
    ~ProgressStream() {
        {
            const std::lock_guard lock(mutex_);
            gone_ = true;
        }
        thread_.join();
    }

    // Appends the next event, if one is due within milliseconds; says whether more follow.
    bool next(std::string& out) {
        constexpr std::chrono::milliseconds kTurn{15};
        constexpr std::chrono::milliseconds kEvery{250};
        std::unique_lock lock(mutex_);
        changed_.wait_for(lock, kTurn, [this] { return ended_; });
        if (ended_) {
            out += fmt::format("event: {}\ndata: {}\n\n", failed_ ? "problem" : "result", answer_);
            return false;
        }
        if (const auto now = Clock::now(); now >= next_event_) {
            next_event_ = now + kEvery;
            out += fmt::format("event: progress\ndata: {{\"stage\":\"{}\",\"done\":{},\"total\":{}}}\n\n", stage_, done_, total_);
        }
        return true;
    }

private:
    bool tell(std::string_view stage, std::size_t done, std::size_t total) {
        const std::lock_guard lock(mutex_);
        stage_ = stage;
        done_ = done;
        total_ = total;
        return !gone_;
    }
    void run() {
        const auto told = [this](std::string_view stage, std::size_t done, std::size_t total) { return tell(stage, done, total); };
        std::string text;
        bool failed = true;
        const auto thrown = failure::guarded([&] {
            const Attempt<std::string> attempt = work_(told);
            failed = !attempt;
            text = attempt ? *attempt : problem(attempt.error(), request_id_).body;
        });
        if (thrown) {
            failed = true;
            text = "{}"; // if memory is exhausted, or if the client has left and nobody reads it
            const bool is_heard = tell("", 0, 0);
            static_cast<void>(failure::guarded(
                [&] { text = is_heard ? problem(refusal_of(service_, *thrown, request_id_), request_id_).body : text; }));
        }
        const std::lock_guard lock(mutex_);
        answer_ = std::move(text);
        failed_ = failed;
        ended_ = true;
        changed_.notify_all();
    }

    Service& service_;
    std::string request_id_;
    Work work_;
    std::mutex mutex_; ///< guards what follows, up to the thread
    std::condition_variable changed_;
    Clock::time_point next_event_;
    std::string stage_ = "start";
    std::size_t done_ = 0;
    std::size_t total_ = 0;
    std::string answer_;
    bool failed_ = false;
    bool ended_ = false;
    bool gone_ = false;
    std::thread thread_; ///< initialized last, because it uses the other members
};

} // namespace

bool wants_events(const http::Request& request) {
    return http::header(request, "accept").find(kEventStream) != std::string_view::npos;
}

http::Response stream_progress(Service& service, const Call& call, Work work) {
    // shared_ptr only because std::function requires copyable captures.
    const auto stream = std::make_shared<ProgressStream>(service, call.request.request_id, std::move(work));
    http::Response response;
    response.content_type = kEventStream;
    response.stream = [stream](std::string& out) { return stream->next(out); };
    return response;
}

} // namespace costcurve::api
