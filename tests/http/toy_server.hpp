// A server on a free port with a handler that echoes, fails, blocks or streams as its path says.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <future>
#include <mutex>
#include <new>
#include <stdexcept>
#include <string>
#include <thread>

#include "server/http/budget.hpp"
#include "server/http/server.hpp"
#include "tests/http/raw_client.hpp"

namespace costcurve::http::test {

/// Holds handlers until it is opened. Thread-safe.
class Gate {
public:
    void enter() {
        std::unique_lock lock(mutex_);
        ++entered_;
        changed_.notify_all();
        changed_.wait(lock, [this] { return open_; });
    }
    void open() {
        const std::lock_guard lock(mutex_);
        open_ = true;
        changed_.notify_all();
    }
    /// Waits until so many handlers have entered.
    void wait_entered(int count) {
        std::unique_lock lock(mutex_);
        if (!changed_.wait_for(lock, std::chrono::milliseconds(kHangMs), [&] { return entered_ >= count; })) {
            throw std::runtime_error("hangs: no handler was called");
        }
    }

private:
    std::mutex mutex_;
    std::condition_variable changed_;
    int entered_ = 0;
    bool open_ = false;
};

/// Remembers until it is asked. Thread-safe.
class Errors {
public:
    void add(std::string error) {
        const std::lock_guard lock(mutex_);
        errors_.push_back(std::move(error));
    }
    std::vector<std::string> take() {
        const std::lock_guard lock(mutex_);
        return std::exchange(errors_, {});
    }

private:
    std::mutex mutex_;
    std::vector<std::string> errors_;
};

/// Counts what producers of streams have given, and how many live. Thread-safe.
class StreamLog {
public:
    void give(std::size_t bytes) {
        const std::lock_guard lock(mutex_);
        given_ += bytes;
    }
    void begin() {
        const std::lock_guard lock(mutex_);
        ++live_;
    }
    void end() {
        const std::lock_guard lock(mutex_);
        --live_;
        ended_.notify_all();
    }
    /// Waits until none lives, and says how many bytes they gave.
    std::size_t wait_ended() {
        std::unique_lock lock(mutex_);
        if (!ended_.wait_for(lock, std::chrono::milliseconds(kHangMs), [this] { return live_ == 0; })) {
            throw std::runtime_error("hangs: a producer lives on");
        }
        return given_;
    }

private:
    std::mutex mutex_;
    std::condition_variable ended_;
    int live_ = 0;
    std::size_t given_ = 0;
};

/// Gives so many pieces, of so many bytes each; then ends, or fails.
class Pieces {
public:
    Pieces(StreamLog& log, std::size_t count, std::size_t bytes, bool fails)
        : log_(&log), left_(count), bytes_(bytes), fails_(fails) {
        log_->begin();
    }
    Pieces(const Pieces& other) : log_(other.log_), left_(other.left_), bytes_(other.bytes_), fails_(other.fails_) {
        log_->begin();
    }
    Pieces& operator=(const Pieces&) = delete;
    ~Pieces() { log_->end(); }
    bool operator()(std::string& out) {
        if (left_ == 0 && fails_) {
            throw std::runtime_error("secret");
        }
        if (left_ > 0) {
            out.append(bytes_, static_cast<char>('a' + left_ % 26));
            log_->give(bytes_);
            --left_;
        }
        return left_ > 0 || fails_;
    }

private:
    StreamLog* log_;
    std::size_t left_;
    std::size_t bytes_;
    bool fails_;
};

inline const std::string kBigText(5000, 'a');

class ToyServer {
public:
    explicit ToyServer(Settings settings = {}, Admit admit = {})
        : server_(
              on_a_free_port(std::move(settings)), [this](const Request& request) { return answer(request); },
              [this](int status, std::string_view detail, std::string_view id) { return error_body(status, detail, id); },
              std::move(admit)),
          returned_(std::async(std::launch::async, [this] { server_.run(); })) {}
    ToyServer(const ToyServer&) = delete;
    ToyServer& operator=(const ToyServer&) = delete;
    ~ToyServer() {
        gate.open();
        server_.stop();
    }

    [[nodiscard]] int port() const { return server_.port(); }
    [[nodiscard]] RawClient client() const { return RawClient(port()); }
    void stop() { server_.stop(); }
    /// True once run has returned; false where it hangs.
    [[nodiscard]] bool has_returned() const {
        return returned_.wait_for(std::chrono::milliseconds(kHangMs)) == std::future_status::ready;
    }

    [[nodiscard]] RawClient slow_client() const { return RawClient(port(), true); }
    /// Statuses and ids of the errors whose bodies were made since the last call.
    [[nodiscard]] std::vector<std::string> told() { return errors_.take(); }
    [[nodiscard]] ServerStats stats() const { return server_.stats(); }

    Gate gate;               ///< what GET /block waits for, and a stream that blocks after its first piece
    std::promise<void> left; ///< kept once GET /until_gone knows that nobody waits for it
    std::atomic<bool> error_body_fails = false;
    StreamLog log; ///< of GET /stream?count=&bytes=[&fails][&blocks]

private:
    static Settings on_a_free_port(Settings settings) {
        settings.port = 0;
        if (settings.threads == 0) {
            settings.threads = 2;
        }
        return settings;
    }

    Response error_body(int status, std::string_view detail, std::string_view request_id) {
        errors_.add(std::to_string(status) + " " + std::string(request_id));
        if (error_body_fails) {
            throw std::runtime_error("secret");
        }
        Response response;
        response.status = status;
        response.content_type = "application/problem+json";
        response.body = std::string(detail) + " [" + std::string(request_id) + "]";
        return response;
    }

    static bool has(const Request& request, std::string_view name) {
        return std::any_of(request.parameters.begin(), request.parameters.end(), [&](const Header& p) { return p.name == name; });
    }
    static std::size_t number(const Request& request, std::string_view name) {
        for (const Header& parameter : request.parameters) {
            if (parameter.name == name) {
                return std::stoul(parameter.value);
            }
        }
        return 0;
    }

    Response answer(const Request& request) {
        Response response;
        response.content_type = "text/plain";
        if (request.path == "/throw") {
            throw std::runtime_error("secret");
        }
        if (request.path == "/throw_int") {
            throw 42; // NOLINT: a handler may throw anything
        }
        if (request.path == "/no_memory") {
            throw std::bad_alloc();
        }
        if (request.path == "/books") { // so much for what it makes of the request
            response.status = request.memory->resize(number(request, "bytes")) ? 200 : 503;
            if (has(request, "blocks")) {
                gate.enter();
            }
        } else if (request.path == "/large") {
            response.body = std::string(number(request, "bytes"), 'x');
        } else if (request.path == "/block") {
            gate.enter();
            response.body = "released";
        } else if (request.path == "/until_gone") {
            while (!request.client_gone()) {
                std::this_thread::yield();
            }
            left.set_value();
        } else if (request.path == "/stream") {
            response.content_type = "application/x-ndjson";
            if (has(request, "books")) {
                static_cast<void>(request.memory->resize(number(request, "books")));
            }
            response.stream = Pieces(log, number(request, "count"), number(request, "bytes"), has(request, "fails"));
            if (has(request, "blocks")) {
                response.stream = [this, first = true, pieces = std::move(response.stream)](std::string& out) mutable {
                    if (!std::exchange(first, false)) {
                        gate.enter();
                    }
                    return pieces(out);
                };
            }
        } else if (request.path == "/parameters") {
            for (const Header& parameter : request.parameters) {
                response.body += "[" + parameter.name + "=" + parameter.value + "]";
            }
        } else if (request.path == "/echo") {
            response.body = request.body;
        } else if (request.path == "/big") {
            response.body = kBigText;
        } else if (request.path == "/ndjson") {
            response.content_type = "application/x-ndjson";
            response.body = kBigText;
        } else if (request.path == "/packed_already") {
            response.body = kBigText;
            response.headers = {{"Content-Encoding", "gzip"}};
        } else if (request.path == "/packed_beside") {
            response.body = kBigText;
            response.gzip = "packed";
        } else if (request.path == "/nothing" || request.path == "/not_modified") {
            response.status = request.path == "/nothing" ? 204 : 304;
            response.content_type.clear();
        } else if (request.path == "/bytes") {
            response.content_type = "application/octet-stream";
            response.body = kBigText;
        } else if (request.path == "/headers") {
            for (const Header& field : request.headers) {
                response.body += field.name + "=" + field.value + "\n";
            }
            response.body += "from " + request.remote_address + "\n";
        } else if (request.path == "/created") {
            response.status = 201;
            response.headers = {{"Location", "/v1/offers/7"}, {"X-Forged", "a\r\nSet-Cookie: b"}};
        } else {
            response.body = request.method + " " + request.path + "?" + request.query;
        }
        return response;
    }

    Errors errors_;
    Server server_;
    std::future<void> returned_; ///< waits in its destructor
};

/// A request without fields, or with those given, each with its line end.
inline std::string get(std::string_view target, std::string_view fields = {}) {
    return "GET " + std::string(target) + " HTTP/1.1\r\nHost: a\r\n" + std::string(fields) + "\r\n";
}

inline std::string post(std::string_view target, std::string_view body, std::string_view fields = {}) {
    return "POST " + std::string(target) + " HTTP/1.1\r\nHost: a\r\nContent-Length: " + std::to_string(body.size()) + "\r\n" +
           std::string(fields) + "\r\n" + std::string(body);
}

} // namespace costcurve::http::test
