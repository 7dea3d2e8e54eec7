// A server on a free port with a handler that echoes, fails or blocks as its path says.
#pragma once

#include <chrono>
#include <condition_variable>
#include <future>
#include <mutex>
#include <stdexcept>
#include <string>
#include <thread>

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

inline const std::string kBigText(5000, 'a');

class ToyServer {
public:
    explicit ToyServer(Settings settings = {})
        : server_(
              on_a_free_port(std::move(settings)), [this](const Request& request) { return answer(request); }, error_body),
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

    Gate gate; ///< what GET /block waits for

private:
    static Settings on_a_free_port(Settings settings) {
        settings.port = 0;
        if (settings.threads == 0) {
            settings.threads = 2;
        }
        return settings;
    }

    static Response error_body(int status, std::string_view detail, std::string_view request_id) {
        if (request_id == "no-error-body") {
            throw std::runtime_error("secret");
        }
        Response response;
        response.status = status;
        response.content_type = "application/problem+json";
        response.body = std::string(detail) + " [" + std::string(request_id) + "]";
        return response;
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
        if (request.path == "/block") {
            gate.enter();
            response.body = "released";
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
