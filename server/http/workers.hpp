// The threads that answer requests and go on with streams, and what waits for them. They never wait for a socket. Small requests
// have threads of their own, so that large ones and streams, however many, don't keep them waiting.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#include "server/http/connection.hpp"
#include "server/http/exchange.hpp"
#include "server/http/turns.hpp"

namespace costcurve::http {

/// A connection belongs to the workers from ask or go_on until it is among those answered; only its `hung_up` may be set
/// meanwhile. All members are thread-safe.
class Workers {
public:
    /// Calls `answered` from a worker when there is something to take again.
    Workers(const Exchange& exchange, std::size_t max_queue, std::function<void()> answered);

    /// So many threads for small requests, and so many for large ones and streams, which give way to the others.
    void start(std::size_t threads, std::size_t heavy_threads);

    /// Answers the connection's request, in turn with those of other clients: what is to be sent stands in `out`, its beginning
    /// already sent. False where too many wait, of all clients or of its own.
    [[nodiscard]] bool ask(Connection& connection, bool is_heavy);

    /// Sends the next piece of the connection's stream. Without memory for it, the connection `is_stalled`.
    /// Streams and large requests take turns, so that neither starves.
    void go_on(Connection& connection);

    /// Destroys a stream, which may take long, on a thread of its own kind.
    void discard(std::unique_ptr<Stream> stream);

    /// Good until the next call; for one thread.
    [[nodiscard]] const std::vector<Connection*>& take_answered();

    /// Takes back a request that waits because all workers are busy. False where one has begun it, or is about to.
    [[nodiscard]] bool withdraw(const Connection& connection);

    /// Takes back all requests that wait.
    [[nodiscard]] std::vector<Connection*> withdraw_all();

    /// Begins nothing more, and gives the connections that wait.
    [[nodiscard]] std::vector<Connection*> dismiss();

    /// Waits until the threads have ended; after dismiss.
    void join();

    struct Stats {
        std::size_t queued = 0; ///< requests
        std::size_t busy = 0;
        std::size_t streams = 0;
        double waited_s = 0.0; ///< how long a client with small requests that wait has had no turn, at most
    };
    [[nodiscard]] Stats stats() const;

private:
    /// Threads, and the requests that wait for them.
    struct Kind {
        std::size_t threads = 0;
        std::size_t busy = 0;
        Turns waiting;
        std::condition_variable ready;
    };
    void start_one(void (Workers::*work)());
    void work_small();
    void work_heavy();
    void finish_job(std::unique_lock<std::mutex>& lock, Kind& kind, Connection* connection);
    Connection* take_heavy();
    void do_job(Connection& connection);
    void answer(Connection& connection);

    const Exchange& exchange_;
    std::size_t max_queue_;
    std::function<void()> tell_answered_;
    std::vector<std::thread> threads_;
    std::atomic<std::size_t> open_streams_ = 0;

    mutable std::mutex mutex_; ///< guards what follows
    Kind small_;
    Kind heavy_;
    std::deque<Connection*> streams_;
    bool streams_turn_ = false;
    std::vector<std::unique_ptr<Stream>> discarded_;
    std::vector<Connection*> answered_;
    std::vector<Connection*> taken_; ///< the caller's, until it takes again
    bool dismissed_ = false;
};

} // namespace costcurve::http
