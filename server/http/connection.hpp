// Sockets as values: descriptors, the listening socket, and the event loop's state of a connection.
#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <memory>
#include <string>
#include <utility>

#include <sys/socket.h>
#include <unistd.h>

#include "server/http/budget.hpp"
#include "server/http/chunked.hpp"
#include "server/http/head.hpp"
#include "server/http/stream.hpp"

namespace costcurve::http {

using Clock = std::chrono::steady_clock;

/// Throws std::system_error with errno and what was tried.
[[noreturn]] void fail(const char* what);

// A file descriptor that is closed with its owner.
class Descriptor {
public:
    explicit Descriptor(int fd = -1) : fd_(fd) {}
    Descriptor(Descriptor&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
    Descriptor& operator=(Descriptor&& other) noexcept {
        std::swap(fd_, other.fd_);
        return *this;
    }
    Descriptor(const Descriptor&) = delete;
    Descriptor& operator=(const Descriptor&) = delete;
    ~Descriptor() {
        if (fd_ >= 0) {
            close(fd_);
        }
    }
    [[nodiscard]] int get() const { return fd_; }

private:
    int fd_;
};

/// Binds and listens on a numeric address or localhost; sets `bound_port`. Throws std::system_error.
[[nodiscard]] Descriptor listen_on(const std::string& host, int port, int& bound_port);

/// The address without its port.
[[nodiscard]] std::string address_text(const sockaddr_storage& address);

// Measures how fast a client receives an answer while part of it waits to be sent.
class Drain {
public:
    /// Called after each send: number of bytes sent, and whether some are left.
    void note(std::size_t bytes, bool is_blocked, Clock::time_point now);
    /// Whether an answer has been waiting for the whole window while the client received fewer than the minimum bytes per second.
    [[nodiscard]] bool is_too_slow(Clock::time_point now, std::chrono::seconds window, std::size_t min_bytes_per_s);

private:
    [[nodiscard]] Clock::duration waited(Clock::time_point now) const {
        return waited_ + (is_blocked_ ? now - blocked_at_ : Clock::duration::zero());
    }
    std::size_t bytes_ = 0; ///< taken in this window
    Clock::duration waited_{};
    bool is_blocked_ = false;
    Clock::time_point blocked_at_;
};

struct Connection {
    /// Stalled: the next piece of its stream waits for memory. Closing: the last answer is sent, and what the client still sends is
    /// thrown away.
    enum class State { reading, answering, stalled, writing, closing };
    Descriptor fd;
    std::string remote_address;
    std::string network;     ///< that of the address (address.hpp)
    Clock::time_point since; ///< when it came, its request began to arrive, or its last answer was sent
    State state = State::reading;
    std::string in;           ///< received and not yet read: heads, framing of chunks, requests sent ahead
    Head head;                ///< of the request at hand, where complete
    Request request;          ///< at hand; its body grows as it arrives
    ChunkedBody chunks;       ///< decodes its body
    std::size_t max_body = 0; ///< bytes
    std::string client;       ///< client whose share of memory it uses
    bool is_heavy = false;    ///< goes to the workers for large requests
    Clock::time_point body_began;
    bool said_continue = false;
    std::string out; ///< to be sent
    std::size_t sent = 0;
    std::unique_ptr<Stream> stream;    ///< what follows `out`
    bool is_stalled = false;           ///< its next piece waits for memory
    std::atomic<bool> hung_up = false; ///< the client has disconnected; detected while the answer is computed
    bool close_after = false;
    bool has_answered = false; ///< it has had an answer before
    bool peer_done = false;    ///< all that it sent has been received
    Booking body_memory;       ///< of the request's body
    Booking work_memory;       ///< of what the handler and the stream hold
    Booking out_memory;        ///< of `out`
    Drain drain;
    Clock::time_point deadline;
};

/// Accepts the next waiting connection of a non-blocking listener; null, with errno, if there is none or accept() fails.
[[nodiscard]] std::unique_ptr<Connection> accept_one(int listener);

/// Whether no byte of a request has arrived.
[[nodiscard]] inline bool is_idle(const Connection& connection) {
    return connection.state == Connection::State::reading && connection.in.empty() && connection.head.bytes == 0;
}

/// Whether its request goes to the workers for large ones: by its route, or by its body.
[[nodiscard]] inline bool is_large(const Connection& connection) {
    constexpr std::size_t kLargeBodyBytes = 256U << 10U;
    return connection.is_heavy || connection.request.body.size() > kLargeBodyBytes;
}

/// Receives available bytes: up to the end of a body of known length, otherwise as much as `in` may hold, 64 KiB at most. Pipelined
/// requests wait in the socket, so that other connections get their turn.
void receive_some(Connection& connection);

/// Sends as much as the socket accepts now, up to 1 MiB. False if the connection is broken.
[[nodiscard]] bool send_some(Connection& connection);

/// Reads and discards available bytes, up to a few MB. False at the end of the input.
[[nodiscard]] bool discard_some(const Connection& connection);

} // namespace costcurve::http
