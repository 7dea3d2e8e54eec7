// The loop that waits on sockets: it accepts, reads and refuses requests, sends what workers left, and closes. A connection
// belongs to the loop, or while it is being answered to the workers.
#include "server/http/server.hpp"

#include <algorithm>
#include <atomic>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#include <sys/socket.h>

#include "server/http/address.hpp"
#include "server/http/connection.hpp"
#include "server/http/crowd.hpp"
#include "server/http/exchange.hpp"
#include "server/http/intake.hpp"
#include "server/http/poller.hpp"
#include "server/http/workers.hpp"

namespace costcurve::http {

class Server::Loop {
public:
    Loop(Settings settings, Handler handler, ErrorBody error_body, Admit admit)
        : settings_(std::move(settings)), exchange_(std::move(handler), std::move(error_body), settings_.compress_above_bytes),
          own_budget_(settings_.max_memory_bytes, settings_.max_client_memory_bytes),
          budget_(settings_.budget ? *settings_.budget : own_budget_), intake_(settings_, exchange_, std::move(admit), budget_),
          listener_(listen_on(settings_.host, settings_.port, port_)),
          workers_(exchange_, settings_.max_queue, [this] { poller_.wake(); }) {
        poller_.watch(listener_.get(), EPOLLIN, EPOLL_CTL_ADD);
        const unsigned cores = std::max(1U, std::thread::hardware_concurrency());
        settings_.threads = settings_.threads > 0 ? settings_.threads : std::max(2U, cores);
        settings_.heavy_threads = settings_.heavy_threads > 0 ? settings_.heavy_threads : cores;
    }

    [[nodiscard]] int port() const { return port_; }

    void stop() {
        stopping_ = true;
        poller_.wake();
    }

    [[nodiscard]] ServerStats stats() const {
        const Workers::Stats workers = workers_.stats();
        return {connection_count_,  workers.queued, workers.busy,    workers.streams,
                refused_saturated_, budget_.used(), workers.waited_s};
    }

    void run() {
        workers_.start(settings_.threads, settings_.heavy_threads);
        serve();
        dismiss();
        workers_.join();
        connections_.clear();
        connection_count_ = 0;
    }

private:
    static constexpr std::chrono::seconds kOnItsWay{1}; ///< for what comes when it stops

    void serve() {
        Clock::time_point drain_until = Clock::time_point::max();
        Clock::time_point refuse_at = Clock::time_point::max();
        Poller::Events events{};
        Clock::time_point next_sweep = Clock::now();
        while (true) {
            constexpr int kSweepMs = 250;
            const int count = poller_.wait(events, ahead_.empty() ? kSweepMs : 0);
            for (int i = 0; i < count; ++i) {
                guarded(events[static_cast<std::size_t>(i)].data.fd, [&] { on_event(events[static_cast<std::size_t>(i)]); });
            }
            go_on_ahead();
            for (Connection* const connection : workers_.take_answered()) {
                guarded(connection->fd.get(), [&] { start_writing(*connection); });
            }
            connection_count_ = connections_.size();
            const Clock::time_point now = Clock::now();
            if (stopping_ && drain_until == Clock::time_point::max()) {
                drain_until = now + settings_.drain_deadline;
                refuse_at = now + kOnItsWay;
                begin_drain(now);
            }
            if (now >= refuse_at) {
                refuse_at = Clock::time_point::max();
                refuse_waiting();
            }
            if (stopping_ && (connections_.empty() || now > drain_until)) {
                return;
            }
            if (now >= next_sweep) {
                next_sweep = now + std::chrono::milliseconds(kSweepMs);
                sweep(now);
            }
        }
    }

    // What has arrived is answered, and so are the rest of a request that has begun to arrive, and what those send who have
    // connected and not asked yet, as it may be on its way: a head within a second. Who kept a connection for later finds it
    // closed.
    void begin_drain(Clock::time_point now) {
        accept_all();
        listener_ = Descriptor(); // new connections are refused
        std::vector<int> reading;
        for (const auto& [fd, connection] : connections_) {
            if (connection->state == Connection::State::reading) {
                reading.push_back(fd);
            }
        }
        for (const int fd : reading) {
            guarded(fd, [&] { on_readable(*connections_.at(fd)); });
        }
        close_where([](const Connection& c) { return c.state == Connection::State::closing || (is_idle(c) && c.has_answered); });
        for (const auto& [fd, connection] : connections_) {
            if (connection->state == Connection::State::reading && connection->head.bytes == 0) {
                connection->deadline = std::min(connection->deadline, now + kOnItsWay);
            }
        }
    }

    // Where memory runs out, it costs the one connection.
    template <class Step> void guarded(int fd, Step step) {
        try {
            step();
        } catch (...) {
            const auto found = connections_.find(fd);
            if (found != connections_.end() && found->second->state != Connection::State::answering) {
                drop(*found->second);
            }
        }
    }

    // Requests that were sent ahead of the answer before: one after another, with those of others between them.
    void go_on_ahead() {
        for (const int fd : std::exchange(ahead_, {})) {
            const auto found = connections_.find(fd);
            if (found != connections_.end() && found->second->state == Connection::State::reading) {
                guarded(fd, [&] { proceed(*found->second); });
            }
        }
    }

    // Who waits for a worker of a server that stops asks another one.
    void refuse_waiting() {
        for (Connection* const connection : workers_.withdraw_all()) {
            guarded(connection->fd.get(), [&] { refuse(*connection, 503, "the server stops; ask again"); });
        }
    }

    // Past the drain deadline: who waits for a worker is refused, who doesn't read is closed; a running handler is cancelled, and
    // waited for.
    void dismiss() {
        refuse_waiting();
        for (Connection* const connection : workers_.dismiss()) {
            drop(*connection);
        }
        close_where([](const Connection& c) { return c.state != Connection::State::answering; });
        for (const auto& [fd, connection] : connections_) {
            connection->hung_up = true;
        }
    }

    void on_event(const epoll_event& event) {
        const int fd = event.data.fd;
        if (fd == listener_.get()) {
            return accept_all();
        }
        const auto found = connections_.find(fd);
        if (poller_.is_wake(fd) || found == connections_.end()) {
            return;
        }
        Connection& connection = *found->second;
        const bool hung_up = (event.events & (EPOLLRDHUP | EPOLLHUP | EPOLLERR)) != 0;
        switch (connection.state) {
        case Connection::State::reading:
            return on_readable(connection);
        case Connection::State::stalled:
            return hung_up ? drop(connection) : void();
        case Connection::State::answering:
            connection.hung_up = connection.hung_up || hung_up; // told once; a stream then stops
            return hung_up && workers_.withdraw(connection) ? refuse(connection, 503, "the client has left") : void();
        case Connection::State::writing:
            return hung_up && connection.stream ? drop(connection) : on_writable(connection);
        case Connection::State::closing:
            return discard_some(connection) ? void() : drop(connection);
        }
    }

    void accept_all() {
        for (bool first = true;; first = false) {
            std::unique_ptr<Connection> connection = accept_one(listener_.get());
            if (connection == nullptr) {
                // Only the first failure means that somebody waits: without descriptors accept doesn't look.
                const bool none_left = errno == EMFILE || errno == ENFILE || errno == ENOBUFS || errno == ENOMEM;
                if (none_left && first && !make_room()) {
                    poller_.watch(listener_.get(), 0, EPOLL_CTL_MOD); // until the sweep, or who waits would wake the loop again
                }
                return;
            }
            if (connections_.size() >= settings_.max_connections && !make_room()) {
                continue;
            }
            const int number = connection->fd.get();
            connection->network = network_of(connection->remote_address);
            connection->since = Clock::now();
            connection->deadline = connection->since + settings_.head_deadline;
            poller_.watch(number, EPOLLIN, EPOLL_CTL_ADD);
            connections_[number] = std::move(connection);
        }
    }

    void on_readable(Connection& connection) {
        const bool was_empty = connection.in.empty();
        receive_some(connection);
        if (was_empty && !connection.in.empty() && connection.head.bytes == 0) {
            connection.since = Clock::now();
            connection.deadline = connection.since + settings_.head_deadline;
        }
        proceed(connection);
    }

    void proceed(Connection& connection) {
        switch (intake_.proceed(connection)) {
        case Step::say_continue: {
            constexpr std::string_view kContinue = "HTTP/1.1 100 Continue\r\n\r\n";
            [[maybe_unused]] const ssize_t n = send(connection.fd.get(), kContinue.data(), kContinue.size(), MSG_NOSIGNAL);
            [[fallthrough]];
        }
        case Step::wait:
            return connection.peer_done ? drop(connection) : void();
        case Step::send:
            return send_own(connection);
        case Step::hand_over:
            connection.close_after = !connection.head.keep_alive || stopping_;
            connection.head.keep_alive = !connection.close_after;
            start_answering(connection);
            if (!workers_.ask(connection, is_large(connection))) {
                refuse(connection, 503, "too many requests are waiting, of this client or of all; try again in a second");
            }
        }
    }

    void start_answering(Connection& connection) {
        connection.state = Connection::State::answering;
        poller_.watch(connection.fd.get(), EPOLLRDHUP | EPOLLONESHOT,
                      EPOLL_CTL_MOD); // a hang-up is reported once, not all the time
    }

    void refuse(Connection& connection, int status, const std::string& detail) {
        static_cast<void>(intake_.refuse(connection, status, detail));
        send_own(connection);
    }

    // An answer that no worker made.
    void send_own(Connection& connection) {
        refused_saturated_ += connection.out.starts_with("HTTP/1.1 503") ? 1 : 0;
        start_writing(connection);
    }

    void start_writing(Connection& connection) {
        connection.state = Connection::State::writing;
        connection.deadline = Clock::now() + settings_.write_deadline;
        on_writable(connection);
    }

    void on_writable(Connection& connection) {
        const std::size_t sent_before = connection.sent;
        if (!send_some(connection)) {
            return drop(connection);
        }
        const bool is_blocked = connection.sent < connection.out.size();
        const Clock::time_point now = Clock::now();
        connection.drain.note(connection.sent - sent_before, is_blocked, now);
        if (connection.sent > sent_before) {
            connection.deadline = now + settings_.write_deadline;
        }
        if (is_blocked) {
            return poller_.watch(connection.fd.get(), connection.stream ? EPOLLOUT | EPOLLRDHUP : EPOLLOUT, EPOLL_CTL_MOD);
        }
        connection.out = std::string(); // frees its memory too
        connection.out_memory.force(0);
        if (connection.stream) {
            start_answering(connection);
            if (connection.is_stalled) {
                connection.state = Connection::State::stalled; // the sweep tries again
                return;
            }
            return workers_.go_on(connection);
        }
        forget_request(connection);
        if (stopping_ && !connection.close_after) {
            receive_some(connection); // what was sent after an answer that was not called the last is answered too
        }
        if (connection.close_after || (stopping_ && connection.in.empty())) {
            return finish(connection);
        }
        connection.state = Connection::State::reading;
        connection.has_answered = true;
        connection.since = Clock::now();
        connection.deadline = connection.since + (connection.in.empty() ? settings_.idle_deadline : settings_.head_deadline);
        poller_.watch(connection.fd.get(), EPOLLIN, EPOLL_CTL_MOD);
        if (!connection.in.empty() || connection.peer_done) {
            ahead_.push_back(connection.fd.get());
        }
    }

    // Ends a connection so that the last answer arrives: what the client still sends is read, or a reset would overtake it.
    void finish(Connection& connection) {
        constexpr std::chrono::seconds kLinger{5};
        shutdown(connection.fd.get(), SHUT_WR);
        if (!discard_some(connection) || stopping_) {
            return drop(connection);
        }
        connection.in = std::string();
        connection.state = Connection::State::closing;
        connection.deadline = Clock::now() + kLinger;
        poller_.watch(connection.fd.get(), EPOLLIN, EPOLL_CTL_MOD);
    }

    void drop(Connection& connection) {
        if (connection.stream) {
            workers_.discard(std::move(connection.stream));
        }
        connections_.erase(connection.fd.get());
    }

    template <class Predicate> void close_where(Predicate predicate) {
        std::erase_if(connections_, [&](const auto& entry) { return predicate(*entry.second); });
    }

    bool make_room() {
        constexpr std::size_t kAtOnce = 64; // parts of all
        const std::vector<int> closed = whom_to_close(connections_, settings_.max_connections / kAtOnce + 1);
        for (const int fd : closed) {
            connections_.erase(fd);
        }
        return !closed.empty();
    }

    // Closes what is past its deadline; a request that dribbles in gets a 408.
    void sweep(Clock::time_point now) {
        poller_.watch(listener_.get(), EPOLLIN, EPOLL_CTL_MOD); // again, where descriptors had run out
        std::vector<Connection*> late;
        for (const auto& [fd, connection] : connections_) {
            const bool is_writing = connection->state == Connection::State::writing;
            if (connection->state == Connection::State::stalled && now <= connection->deadline) {
                connection->state = Connection::State::answering;
                workers_.go_on(*connection);
            } else if (connection->state != Connection::State::answering &&
                       (now > connection->deadline || intake_.is_too_slow(*connection, now) ||
                        (is_writing && connection->drain.is_too_slow(now, settings_.drain_window, settings_.min_bytes_per_s)))) {
                late.push_back(connection.get());
            }
        }
        for (Connection* const connection : late) {
            if (connection->state == Connection::State::reading && !is_idle(*connection)) {
                guarded(connection->fd.get(), [&] { refuse(*connection, 408, "the request took too long to arrive"); });
            } else {
                drop(*connection);
            }
        }
    }

    Settings settings_;
    int port_ = 0;
    Exchange exchange_;
    Budget own_budget_; ///< outlives the connections that book from it
    Budget& budget_;
    Intake intake_;
    Descriptor listener_;
    Poller poller_;
    Workers workers_;         ///< whose counts its streams keep; outlives the connections
    Connections connections_; ///< the loop's
    std::vector<int> ahead_;  ///< connections that have received more than they were answered
    std::atomic<std::size_t> connection_count_ = 0;
    std::atomic<std::size_t> refused_saturated_ = 0;
    std::atomic<bool> stopping_ = false;
};

Server::Server(Settings settings, Handler handler, ErrorBody error_body, Admit admit)
    : loop_(std::make_unique<Loop>(std::move(settings), std::move(handler), std::move(error_body), std::move(admit))) {}

Server::~Server() = default;

int Server::port() const { return loop_->port(); }

ServerStats Server::stats() const { return loop_->stats(); }

void Server::run() { loop_->run(); }

void Server::stop() { loop_->stop(); }

} // namespace costcurve::http
