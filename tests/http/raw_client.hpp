// A client that sends bytes as they are and reads whole replies. Knows no more of HTTP than where a reply ends. Its
// deadline only turns a hang into a failure.
#pragma once

#include <algorithm>
#include <array>
#include <cctype>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <arpa/inet.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

namespace costcurve::http::test {

inline constexpr int kHangMs = 10000;

struct Reply {
    int status = 0;
    std::string head; ///< status line and fields, with their line ends
    std::string body;

    [[nodiscard]] bool has(std::string_view name) const { return at(name) != std::string::npos; }

    /// The value of a field; empty where it is absent.
    [[nodiscard]] std::string field(std::string_view name) const {
        const std::size_t found = at(name);
        if (found == std::string::npos) {
            return {};
        }
        const std::size_t begin = found + name.size() + 4;
        return head.substr(begin, head.find("\r\n", begin) - begin);
    }

private:
    [[nodiscard]] std::size_t at(std::string_view name) const {
        const auto lower = [](std::string_view text) {
            std::string result(text);
            std::transform(result.begin(), result.end(), result.begin(),
                           [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
            return result;
        };
        return lower(head).find("\r\n" + lower(name) + ": ");
    }
};

class RawClient {
public:
    /// With `slow`, it takes in a few KB only of what it doesn't read.
    explicit RawClient(int port, bool slow = false) : fd_(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
        if (slow) {
            const int few = 4096;
            setsockopt(fd_, SOL_SOCKET, SO_RCVBUF, &few, sizeof few);
        }
        sockaddr_in address{};
        address.sin_family = AF_INET;
        address.sin_port = htons(static_cast<std::uint16_t>(port));
        address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        if (connect(fd_, reinterpret_cast<sockaddr*>(&address), sizeof address) != 0) {
            close(std::exchange(fd_, -1));
            throw std::runtime_error("can't connect");
        }
    }
    RawClient(RawClient&& other) noexcept : fd_(std::exchange(other.fd_, -1)), in_(std::move(other.in_)) {}
    RawClient(const RawClient&) = delete;
    RawClient& operator=(const RawClient&) = delete;
    RawClient& operator=(RawClient&&) = delete;
    ~RawClient() {
        if (fd_ >= 0) {
            close(fd_);
        }
    }

    /// Sends as much as the server takes: it may refuse and close before the end, and its reply has the reason.
    RawClient& send(std::string_view bytes) {
        send_all(bytes);
        return *this;
    }

    /// True where the server took all of it, as far as a sender can know.
    bool send_all(std::string_view bytes) {
        while (!bytes.empty()) {
            wait(POLLOUT);
            const ssize_t n = ::send(fd_, bytes.data(), bytes.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
            if (n < 0 && errno != EAGAIN) {
                return false;
            }
            bytes.remove_prefix(static_cast<std::size_t>(std::max<ssize_t>(n, 0)));
        }
        return true;
    }

    /// Says that it sends no more.
    RawClient& finish() {
        shutdown(fd_, SHUT_WR);
        return *this;
    }

    /// The next reply. With `no_body`, as to HEAD, nothing after the head is read whatever its Content-Length says.
    Reply reply(bool no_body = false) {
        std::size_t end = std::string::npos;
        while ((end = in_.find("\r\n\r\n")) == std::string::npos) {
            if (!receive()) {
                throw std::runtime_error("closed before a reply; received: " + in_);
            }
        }
        Reply result;
        result.head = in_.substr(0, end + 2);
        in_.erase(0, end + 4);
        if (!result.head.starts_with("HTTP/1.1 ")) {
            throw std::runtime_error("no reply: " + result.head);
        }
        result.status = std::stoi(result.head.substr(9, 3));
        if (no_body) {
            return result;
        }
        if (result.field("Transfer-Encoding") == "chunked") {
            while (std::optional<std::string> data = chunk()) {
                result.body += *data;
            }
        } else if (result.has("Content-Length")) {
            result.body = take(std::stoul(result.field("Content-Length")));
        }
        return result;
    }

    /// The data of the next chunk; nothing at the last one. Throws where the connection ends before it.
    std::optional<std::string> chunk() {
        std::size_t end = std::string::npos;
        while ((end = in_.find("\r\n")) == std::string::npos) {
            receive_or_throw();
        }
        std::size_t digits = 0;
        const std::size_t size = std::stoul(in_, &digits, 16);
        if (digits != end) {
            throw std::runtime_error("no chunk size: " + in_.substr(0, end));
        }
        take(end + 2);
        std::string data = take(size);
        if (take(2) != "\r\n") {
            throw std::runtime_error("a chunk longer than it says");
        }
        return size == 0 ? std::nullopt : std::optional(std::move(data));
    }

    /// What comes until the server closes.
    std::string rest() {
        while (receive()) {}
        return std::exchange(in_, {});
    }

    Reply ask(std::string_view bytes) { return send(bytes).reply(); }

    /// True where the server closes and sends nothing before it; waits for that.
    bool is_closed() { return in_.empty() && !receive(); }

    /// The index of a client that has something to read, or was closed; waits for one.
    static std::size_t first_readable(const std::vector<RawClient*>& clients) {
        std::vector<pollfd> polled;
        for (const RawClient* const client : clients) {
            polled.push_back({client->fd_, POLLIN, 0});
        }
        if (poll(polled.data(), polled.size(), kHangMs) <= 0) {
            throw std::runtime_error("hangs: no client hears anything");
        }
        const auto found = std::find_if(polled.begin(), polled.end(), [](const pollfd& one) { return one.revents != 0; });
        return static_cast<std::size_t>(found - polled.begin());
    }

private:
    void wait(short event) const {
        pollfd polled{fd_, event, 0};
        if (poll(&polled, 1, kHangMs) <= 0) {
            throw std::runtime_error("hangs; received so far: " + in_);
        }
    }

    void receive_or_throw() {
        if (!receive()) {
            throw std::runtime_error("closed within a body");
        }
    }

    std::string take(std::size_t bytes) {
        while (in_.size() < bytes) {
            receive_or_throw();
        }
        std::string taken = in_.substr(0, bytes);
        in_.erase(0, bytes);
        return taken;
    }

    // False at the end of what the server sends.
    bool receive() {
        wait(POLLIN);
        std::array<char, 16384> chunk{};
        const ssize_t n = recv(fd_, chunk.data(), chunk.size(), 0);
        if (n <= 0) {
            return false;
        }
        in_.append(chunk.data(), static_cast<std::size_t>(n));
        return true;
    }

    int fd_;
    std::string in_;
};

} // namespace costcurve::http::test
