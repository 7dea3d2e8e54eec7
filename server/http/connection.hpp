// Sockets as values: descriptors, the listening socket, and what the loop knows of a connection.
#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <memory>
#include <string>
#include <utility>

#include <sys/socket.h>
#include <unistd.h>

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

/// Binds and listens on a numeric address or localhost; says which port it got. Throws std::system_error.
[[nodiscard]] Descriptor listen_on(const std::string& host, int port, int& bound_port);

/// The address without its port.
[[nodiscard]] std::string address_text(const sockaddr_storage& address);

// Room for a body, out of what all connections may hold together.
class Reservation {
public:
    Reservation() = default;
    Reservation(const Reservation&) = delete;
    Reservation& operator=(const Reservation&) = delete;
    ~Reservation() { give_back(); }
    [[nodiscard]] bool take(std::size_t bytes, std::size_t& taken, std::size_t most) {
        if (taken + bytes > most) {
            return false;
        }
        taken += bytes;
        taken_ = &taken;
        bytes_ = bytes;
        return true;
    }
    void give_back() {
        if (taken_ != nullptr) {
            *taken_ -= std::exchange(bytes_, 0);
        }
    }

private:
    std::size_t* taken_ = nullptr;
    std::size_t bytes_ = 0;
};

struct Connection {
    /// Closing: the last answer is sent, and what the client still sends is thrown away.
    enum class State { reading, answering, writing, closing };
    Descriptor fd;
    std::string remote_address;
    State state = State::reading;
    std::string in; ///< received, not yet consumed
    Head head;      ///< of the request being read, where complete
    bool said_continue = false;
    std::string out; ///< to be sent
    std::size_t sent = 0;
    std::unique_ptr<Stream> stream;    ///< what follows `out`
    std::atomic<bool> hung_up = false; ///< nobody waits for the answer; noticed while it is made
    bool close_after = false;
    bool peer_done = false; ///< all that it sent has been received
    Reservation body;
    Clock::time_point deadline;
};

/// Receives what is there, but no more than the request at hand may have: what a client sends ahead waits in its socket.
void receive_some(Connection& connection);

/// The body of the request at hand, which is complete, taken out of what was received. Keeps no memory of a large one.
[[nodiscard]] std::string take_body(Connection& connection);

/// Sends what the socket takes now. False where the connection is broken.
[[nodiscard]] bool send_some(Connection& connection);

/// Reads what is there now, up to a few MB, and throws it away. False where nothing more will come.
[[nodiscard]] bool discard_some(const Connection& connection);

} // namespace costcurve::http
