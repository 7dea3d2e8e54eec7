// Connections that threads borrow: one each, for a while. Knows no SQL.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "server/storage/error.hpp"
#include "server/storage/postgres/engine/connection.hpp"

namespace costcurve::storage::postgres {

class Pool;

/// A borrowed connection; it goes back with this.
class Lease {
public:
    Lease(Lease&& other) noexcept;
    Lease& operator=(Lease&& other) noexcept;
    ~Lease();
    Connection& operator*() const { return *connection_; }
    Connection* operator->() const { return connection_; }

private:
    friend class Pool;
    Lease(Pool& pool, Connection& connection) : pool_(&pool), connection_(&connection) {}

    Pool* pool_;
    Connection* connection_;
};

/// Thread-safe. Outlives its leases. Connections are made when they are first needed, and anew where they were lost.
class Pool {
public:
    /// `what` names a connection in the message of one that stayed in use for too long.
    Pool(std::string url, ConnectionSettings settings, std::size_t size, BusyTimeout busy_timeout, const char* what);

    /// Waits until one is free; throws StoreError: busy at the end of its busy timeout, or what keeps it from connecting.
    [[nodiscard]] Lease lease();
    /// Nothing where none is free now.
    [[nodiscard]] std::optional<Lease> try_lease();

private:
    friend class Lease;
    void give_back(Connection& connection);
    [[nodiscard]] Lease connected(std::unique_ptr<Connection> connection);

    std::string url_;
    ConnectionSettings settings_;
    BusyTimeout busy_timeout_;
    const char* what_;
    std::mutex mutex_;
    std::condition_variable freed_;
    std::vector<std::unique_ptr<Connection>> free_; // by mutex_; empty pointers are connections to be made
};

/// The result of a call that reads, once more where the connection was lost: the next one is made anew.
template <class Call> auto with_connection(Pool& pool, const Call& call) {
    bool is_second = false;
    while (true) {
        const Lease lease = pool.lease();
        try {
            return call(*lease);
        } catch (const SqlError& error) {
            if (!error.is_lost() || is_second) {
                throw;
            }
            is_second = true;
        }
    }
}

} // namespace costcurve::storage::postgres
