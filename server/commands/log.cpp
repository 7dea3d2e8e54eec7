// The log's queue and its one writing thread. It polls before it writes, so that it can be stopped.
#include "server/commands/log.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <thread>
#include <utility>

#include <fmt/format.h>
#include <poll.h>
#include <spdlog/sinks/base_sink.h>
#include <spdlog/spdlog.h>
#include <unistd.h>

#include "server/documents/json/json_text.hpp"

namespace costcurve::commands {

namespace {

constexpr std::size_t kMaxLines = 10000;            // that wait; about 2 MB
constexpr std::size_t kPiece = 4096;                // what a pipe that polls as writable takes without blocking (PIPE_BUF)
constexpr std::chrono::milliseconds kPatience{100}; // between looks at whether it shall stop
constexpr std::chrono::seconds kLastLines{1};       // how long the end waits for a reader

} // namespace

class Log::Sink final : public spdlog::sinks::base_sink<std::mutex> {
public:
    Sink(int descriptor, bool json) : descriptor_(descriptor), json_(json), thread_([this] { write_lines(); }) {}

    // Ends the thread, and with it what is written; what is logged later is dropped.
    void stop() {
        {
            const std::lock_guard lock(queue_mutex_);
            stopping_ = true;
            give_up_at_ = std::chrono::steady_clock::now() + kLastLines;
        }
        ready_.notify_all();
        if (thread_.joinable()) {
            thread_.join();
        }
    }
    ~Sink() override { stop(); }
    Sink(const Sink&) = delete;
    Sink& operator=(const Sink&) = delete;

    [[nodiscard]] std::uint64_t dropped() const { return dropped_; }

protected:
    void sink_it_(const spdlog::details::log_msg& message) override {
        try {
            spdlog::memory_buf_t line;
            formatter_->format(message, line);
            std::string text(line.data(), line.size());
            const std::lock_guard lock(queue_mutex_);
            if (lines_.size() >= kMaxLines) {
                lines_.pop_front();
                ++dropped_;
            }
            lines_.push_back(std::move(text));
            ready_.notify_one();
        } catch (...) { // no memory for a line
            ++dropped_;
        }
    }
    void flush_() override {}

private:
    void write_lines() {
        std::deque<std::string> batch;
        std::uint64_t said = 0;
        while (true) {
            {
                std::unique_lock lock(queue_mutex_);
                ready_.wait(lock, [this] { return stopping_ || !lines_.empty(); });
                if (lines_.empty()) {
                    return;
                }
                batch.swap(lines_);
            }
            for (; !batch.empty(); batch.pop_front()) {
                if (is_past_the_end()) {
                    return;
                }
                if (const std::uint64_t lost = dropped_; lost > said && write_all(lost_line(lost - said))) {
                    said = lost;
                }
                if (!write_all(batch.front())) {
                    ++dropped_;
                }
            }
        }
    }

    [[nodiscard]] std::string lost_line(std::uint64_t lines) const {
        const std::string detail = fmt::format("{} lines of the log: nobody read them in time", lines);
        return json_ ? fmt::format("{{\"level\":\"warning\",\"event\":\"dropped\",\"detail\":\"{}\"}}\n", detail)
                     : fmt::format("[warning] dropped: {}\n", detail);
    }

    // False where it is time to end, or nobody can read any more.
    bool write_all(std::string_view text) {
        while (!text.empty()) {
            pollfd ready{descriptor_, POLLOUT, 0};
            const int polled = poll(&ready, 1, static_cast<int>(kPatience.count()));
            if (polled > 0) {
                const ssize_t n = write(descriptor_, text.data(), std::min(text.size(), kPiece));
                if (n < 0 && errno != EINTR && errno != EAGAIN) {
                    return false;
                }
                text.remove_prefix(n > 0 ? static_cast<std::size_t>(n) : 0);
            }
            if (!text.empty() && is_past_the_end()) {
                return false;
            }
        }
        return true;
    }
    bool is_past_the_end() {
        const std::lock_guard lock(queue_mutex_);
        return stopping_ && std::chrono::steady_clock::now() >= give_up_at_;
    }

    int descriptor_;
    bool json_;
    std::atomic<std::uint64_t> dropped_ = 0;
    std::mutex queue_mutex_; ///< guards what follows, up to the thread
    std::condition_variable ready_;
    std::deque<std::string> lines_;
    bool stopping_ = false;
    std::chrono::steady_clock::time_point give_up_at_;
    std::thread thread_;
};

// In JSON a line's fields stand beside the time and the level; the message is their object without its brackets.
Log::Log(std::string_view level, bool json, int descriptor) : sink_(std::make_shared<Sink>(descriptor, json)), json_(json) {
    spdlog::set_default_logger(std::make_shared<spdlog::logger>("", sink_));
    spdlog::set_level(spdlog::level::from_str(std::string(level)));
    if (json) {
        spdlog::set_pattern(R"({"time":"%Y-%m-%dT%H:%M:%S.%f%z","level":"%l",%v})");
    }
}

Log::~Log() { sink_->stop(); }

std::uint64_t Log::dropped() const { return sink_->dropped(); }

void Log::access(const http::Request& request, const http::Response& response, double milliseconds) const {
    if (!spdlog::should_log(spdlog::level::info)) {
        return;
    }
    if (json_) {
        JsonWriter out;
        out.begin_object().member("event", "request").member("method", request.method).member("path", request.path);
        out.member("status", response.status).member("ms", milliseconds);
        out.member("bytes", static_cast<double>(response.body.size())).member("key", response.author);
        out.member("address", request.remote_address).member("id", request.request_id).member("client_id", request.client_id);
        const std::string object = out.end_object().take();
        spdlog::info("{}", std::string_view(object).substr(1, object.size() - 2));
    } else {
        spdlog::info("{} {} {} {:.2f} ms {} bytes key={} address={} id={}{}{}", request.method, request.path, response.status,
                     milliseconds, response.body.size(), response.author.empty() ? "-" : response.author, request.remote_address,
                     request.request_id, request.client_id.empty() ? "" : " client_id=", request.client_id);
    }
}

void Log::event(Level of, std::string_view event, std::string_view detail, std::string_view id) const {
    static constexpr std::array kLevels{spdlog::level::info, spdlog::level::warn, spdlog::level::err};
    const spdlog::level::level_enum level = kLevels.at(static_cast<std::size_t>(of));
    if (json_) {
        JsonWriter out;
        out.begin_object().member("event", event).member("detail", detail).member("id", id);
        const std::string object = out.end_object().take();
        spdlog::log(level, "{}", std::string_view(object).substr(1, object.size() - 2));
    } else {
        spdlog::log(level, "{}: {}{}{}", event, detail, id.empty() ? "" : " id=", id);
    }
}

} // namespace costcurve::commands
