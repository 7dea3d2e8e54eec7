// The HTTP/1.1 server: one thread waits on all sockets and reads requests within limits and deadlines, workers answer
// them. Idle, slow and hostile connections hold no worker. Knows neither routes nor JSON.
#pragma once

#include <chrono>
#include <cstddef>
#include <memory>

#include "server/http/message.hpp"

namespace costcurve::http {

class Budget;

struct Settings {
    std::string host = "127.0.0.1";                    ///< a numeric IPv4 or IPv6 address, or localhost
    int port = 8080;                                   ///< 0 takes any that is free
    std::size_t threads = 0;                           ///< workers for small requests; 0 is one a core, at least 2
    std::size_t heavy_threads = 0;                     ///< workers for large requests and streams; 0 is one a core
    std::size_t max_body_bytes = 8U << 20U;            ///< where nobody decides on the head
    std::size_t max_memory_bytes = 512U << 20U;        ///< of bodies, work on them, answers and streams (budget.hpp)
    Budget* budget = nullptr;                          ///< in place of one of that size: what others book from too; outlives it
    std::size_t max_client_memory_bytes = 128U << 20U; ///< of one client's bodies, answers and streams
    std::size_t max_connections = 4096;
    std::size_t max_queue =
        256; ///< requests of a kind waiting for a worker, three quarters of one client; beyond it 503 with Retry-After
    std::size_t compress_above_bytes = 1024;
    std::chrono::seconds head_deadline{10}; ///< from a request's first byte to the end of its head
    std::chrono::seconds body_deadline{60};
    std::chrono::seconds write_deadline{60}; ///< for a client that takes nothing of its answer
    std::size_t min_bytes_per_s = 1024;      ///< of a body that arrives, after the grace, and of an answer that waits to be taken
    std::chrono::seconds rate_grace{5};
    std::chrono::seconds drain_window{60};   ///< the time over which a client takes an answer too slowly
    std::chrono::seconds idle_deadline{60};  ///< between requests
    std::chrono::seconds drain_deadline{10}; ///< for requests in flight and streams when stopping
};

/// As they are now, but for the total.
struct ServerStats {
    std::size_t connections = 0;
    std::size_t queued = 0; ///< requests that wait for a worker
    std::size_t busy_workers = 0;
    std::size_t streams = 0;           ///< answers under way that are streamed
    std::size_t refused_saturated = 0; ///< requests answered with 503 since the start: a queue or the memory was full
    std::size_t memory_bytes = 0;      ///< booked (budget.hpp)
    double waited_s = 0.0;             ///< how long a client whose small requests wait has had no turn, at most
};

class Server {
public:
    /// Binds and listens. Throws std::system_error where the address can't be had.
    /// `admit` decides on each head; without one every request is handed to the handler.
    Server(Settings settings, Handler handler, ErrorBody error_body, Admit admit = {});
    ~Server();
    Server(const Server&) = delete;
    Server& operator=(const Server&) = delete;

    /// The port it listens on.
    [[nodiscard]] int port() const;

    /// Serves until stop; call once.
    void run();

    /// From any thread.
    [[nodiscard]] ServerStats stats() const;

    /// From any thread, also before run: accepts no more, closes idle connections, finishes requests in flight, and lets
    /// run return. Who waits for a worker for a second gets a 503. Past the drain deadline it closes who doesn't read its answer;
    /// run then returns once the handlers that have begun have ended.
    void stop();

private:
    class Loop;
    std::unique_ptr<Loop> loop_;
};

} // namespace costcurve::http
