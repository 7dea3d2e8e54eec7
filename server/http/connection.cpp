// Opening, naming and writing to sockets.
#include "server/http/connection.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdint>
#include <system_error>

#include <arpa/inet.h>

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

void receive_some(Connection& connection) {
    std::array<char, 65536> chunk; // NOLINT(cppcoreguidelines-pro-type-member-init): filled by recv
    const std::size_t most = connection.head.bytes == 0 ? kMostHeadBytes : connection.head.bytes + connection.head.content_length;
    while (connection.in.size() < most) {
        const ssize_t n = recv(connection.fd.get(), chunk.data(), std::min(chunk.size(), most - connection.in.size()), 0);
        if (n > 0) {
            connection.in.append(chunk.data(), static_cast<std::size_t>(n));
            if (static_cast<std::size_t>(n) == chunk.size()) {
                continue;
            }
            break;
        }
        if (n < 0 && (errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR)) {
            break;
        }
        connection.peer_done = true;
        break;
    }
}

std::string take_body(Connection& connection) {
    const std::size_t whole = connection.head.bytes + connection.head.content_length;
    std::string body;
    if (connection.in.capacity() <= 2 * kMostHeadBytes) {
        body = connection.in.substr(connection.head.bytes, connection.head.content_length);
        connection.in.erase(0, whole);
    } else {
        std::string rest = connection.in.substr(whole);
        body = std::move(connection.in);
        body.resize(whole);
        body.erase(0, connection.head.bytes);
        connection.in = std::move(rest);
    }
    return body;
}

bool send_some(Connection& connection) {
    while (connection.sent < connection.out.size()) {
        const ssize_t n = send(connection.fd.get(), connection.out.data() + connection.sent,
                               connection.out.size() - connection.sent, MSG_NOSIGNAL);
        if (n < 0) {
            return errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR;
        }
        connection.sent += static_cast<std::size_t>(n);
    }
    return true;
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
