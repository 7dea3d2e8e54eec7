// Sockets: opening, addresses, writing.
#include "server/http/connection.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdint>
#include <system_error>

#include <arpa/inet.h>
#include <netinet/tcp.h>

namespace costcurve::http {

void fail(const char* what) { throw std::system_error(errno, std::generic_category(), what); }

Descriptor listen_on(const std::string& host, int port, int& bound_port) {
    sockaddr_storage address{};
    socklen_t size = 0;
    const std::string numeric = host == "localhost" ? "127.0.0.1" : host;
    auto* const v4 = reinterpret_cast<sockaddr_in*>(&address);
    auto* const v6 = reinterpret_cast<sockaddr_in6*>(&address);
    if (inet_pton(AF_INET, numeric.c_str(), &v4->sin_addr) == 1) {
        v4->sin_family = AF_INET;
        v4->sin_port = htons(static_cast<std::uint16_t>(port));
        size = sizeof *v4;
    } else if (inet_pton(AF_INET6, numeric.c_str(), &v6->sin6_addr) == 1) {
        v6->sin6_family = AF_INET6;
        v6->sin6_port = htons(static_cast<std::uint16_t>(port));
        size = sizeof *v6;
    } else {
        errno = EINVAL;
        fail("give a numeric address");
    }
    Descriptor fd(socket(address.ss_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0));
    if (fd.get() < 0) {
        fail("socket");
    }
    const int yes = 1;
    setsockopt(fd.get(), SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
    constexpr int kBacklog = 1024;
    if (bind(fd.get(), reinterpret_cast<sockaddr*>(&address), size) != 0 || listen(fd.get(), kBacklog) != 0) {
        fail("the address is in use or not ours");
    }
    getsockname(fd.get(), reinterpret_cast<sockaddr*>(&address), &size);
    bound_port = ntohs(address.ss_family == AF_INET ? v4->sin_port : v6->sin6_port);
    return fd;
}

std::string address_text(const sockaddr_storage& address) {
    std::array<char, INET6_ADDRSTRLEN> text{};
    const void* const bytes = address.ss_family == AF_INET
                                  ? static_cast<const void*>(&reinterpret_cast<const sockaddr_in&>(address).sin_addr)
                                  : &reinterpret_cast<const sockaddr_in6&>(address).sin6_addr;
    inet_ntop(address.ss_family, bytes, text.data(), text.size());
    return text.data();
}

std::unique_ptr<Connection> accept_one(int listener) {
    sockaddr_storage address{};
    socklen_t size = sizeof address;
    Descriptor fd(accept4(listener, reinterpret_cast<sockaddr*>(&address), &size, SOCK_NONBLOCK | SOCK_CLOEXEC));
    if (fd.get() < 0) {
        return nullptr;
    }
    const int yes = 1;
    setsockopt(fd.get(), IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
    auto connection = std::make_unique<Connection>();
    connection->fd = std::move(fd);
    connection->remote_address = address_text(address);
    return connection;
}

void receive_some(Connection& connection) {
    std::array<char, 65536> chunk; // NOLINT(cppcoreguidelines-pro-type-member-init): filled by recv
    const bool has_head = connection.head.bytes != 0;
    const bool to_body = has_head && !connection.head.is_chunked;
    std::string& to = to_body ? connection.request.body : connection.in;
    const std::size_t max = to_body ? connection.head.content_length : has_head ? chunk.size() : kMaxHeadBytes;
    if (to.size() >= max) {
        return;
    }
    const ssize_t n = recv(connection.fd.get(), chunk.data(), std::min(chunk.size(), max - to.size()), 0);
    if (n > 0) {
        constexpr std::size_t kFirstBytes = 256U << 10U; // room for the rest is made once so much of a body is there
        if (to_body && to.size() >= kFirstBytes && to.capacity() < max) {
            to.reserve(max);
        }
        to.append(chunk.data(), static_cast<std::size_t>(n));
    } else if (n == 0 || (errno != EAGAIN && errno != EWOULDBLOCK && errno != EINTR)) {
        connection.peer_done = true;
    }
}

bool send_some(Connection& connection) {
    constexpr std::size_t kTurnBytes = 1U << 20U;
    const std::size_t end = std::min(connection.out.size(), connection.sent + kTurnBytes);
    while (connection.sent < end) {
        const ssize_t n = send(connection.fd.get(), connection.out.data() + connection.sent, end - connection.sent, MSG_NOSIGNAL);
        if (n < 0) {
            return errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR;
        }
        connection.sent += static_cast<std::size_t>(n);
    }
    return true;
}

void Drain::note(std::size_t bytes, bool is_blocked, Clock::time_point now) {
    waited_ = waited(now);
    blocked_at_ = now;
    is_blocked_ = is_blocked;
    bytes_ += bytes;
}

bool Drain::is_too_slow(Clock::time_point now, std::chrono::seconds window, std::size_t min_bytes_per_s) {
    if (waited(now) < window) {
        return false;
    }
    if (bytes_ < min_bytes_per_s * static_cast<std::size_t>(window.count())) {
        return true;
    }
    bytes_ = 0;
    waited_ = {};
    blocked_at_ = now;
    return false;
}

bool discard_some(const Connection& connection) {
    std::array<char, 65536> chunk; // NOLINT(cppcoreguidelines-pro-type-member-init): only drained
    ssize_t n = 1;
    for (int i = 0; i < 64 && n > 0; ++i) {
        n = recv(connection.fd.get(), chunk.data(), chunk.size(), 0);
    }
    return n > 0 || (n < 0 && (errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR));
}

} // namespace costcurve::http
