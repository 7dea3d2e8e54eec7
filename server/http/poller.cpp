// Waits for sockets with epoll, and is woken with an eventfd.
#include "server/http/poller.hpp"

#include <sys/eventfd.h>
#include <unistd.h>

namespace costcurve::http {

Poller::Poller() : epoll_(epoll_create1(EPOLL_CLOEXEC)), wake_(eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC)) {
    if (epoll_.get() < 0 || wake_.get() < 0) {
        fail("epoll");
    }
    watch(wake_.get(), EPOLLIN, EPOLL_CTL_ADD);
}

void Poller::watch(int fd, std::uint32_t events, int operation) {
    epoll_event event{};
    event.events = events;
    event.data.fd = fd;
    epoll_ctl(epoll_.get(), operation, fd, &event);
}

int Poller::wait(Events& events, int milliseconds) {
    return epoll_wait(epoll_.get(), events.data(), static_cast<int>(events.size()), milliseconds);
}

void Poller::wake() {
    const std::uint64_t one = 1;
    [[maybe_unused]] const ssize_t n = write(wake_.get(), &one, sizeof one);
}

bool Poller::is_wake(int fd) {
    if (fd != wake_.get()) {
        return false;
    }
    std::uint64_t count = 0;
    [[maybe_unused]] const ssize_t n = read(fd, &count, sizeof count);
    return true;
}

} // namespace costcurve::http
