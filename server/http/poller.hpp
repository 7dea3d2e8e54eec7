// What the loop's thread waits on: sockets, and who wakes it.
#pragma once

#include <array>
#include <cstdint>

#include <sys/epoll.h>

#include "server/http/connection.hpp"

namespace costcurve::http {

class Poller {
public:
    using Events = std::array<epoll_event, 256>;

    /// Throws std::system_error.
    Poller();
    void watch(int fd, std::uint32_t events, int operation);
    /// How many of `events` there are now; waits for one, or so long.
    [[nodiscard]] int wait(Events& events, int milliseconds);
    /// Ends a wait; from any thread.
    void wake();
    /// True for the event of a wake, which is over then.
    [[nodiscard]] bool is_wake(int fd);

private:
    Descriptor epoll_;
    Descriptor wake_;
};

} // namespace costcurve::http
