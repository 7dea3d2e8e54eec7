// The threads that answer requests and go on with streams, and what waits for them. They never wait for a socket.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <deque>
#include <functional>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "server/http/connection.hpp"
#include "server/http/exchange.hpp"

namespace costcurve::http {

/// A connection belongs to the workers from ask or go_on until it is among those answered; only its `hung_up` may be set
/// meanwhile. All members are thread-safe.
class Workers {
public:
    /// Calls `answered` from a worker when there is something to take again.
    Workers(const Exchange& exchange, std::size_t max_queue, std::function<void()> answered);

    void start(std::size_t threads);

    /// Answers the connection's request: what is to be sent stands in `out`, its beginning already sent. False where too many
    /// wait.
    [[nodiscard]] bool ask(Connection& connection, std::string body);

    /// Sends the next piece of the connection's stream. Streams and requests take turns, so that neither starves.
    void go_on(Connection& connection);

    [[nodiscard]] std::vector<Connection*> take_answered();

    /// Begins nothing more, and gives the connections that wait.
    [[nodiscard]] std::vector<Connection*> dismiss();

    /// Waits until the threads have ended; after dismiss.
    void join();

    struct Stats {
        std::size_t queued = 0; ///< requests
        std::size_t busy = 0;
        std::size_t streams = 0;
    };
    [[nodiscard]] Stats stats() const;

private:
    struct Job {
        Connection* connection;
        std::string body;
    };
    void work();
    Job take_job();
    void do_job(Job job);

    const Exchange& exchange_;
    std::size_t max_queue_;
    std::function<void()> tell_answered_;
    std::vector<std::thread> threads_;
    std::atomic<std::size_t> open_streams_ = 0;

    mutable std::mutex mutex_; ///< guards what follows
    std::condition_variable job_ready_;
    std::deque<Job> requests_;
    std::deque<Job> streams_;
    bool streams_turn_ = false;
    std::vector<Connection*> answered_;
    std::size_t busy_ = 0;
    bool dismissed_ = false;
};

} // namespace costcurve::http
