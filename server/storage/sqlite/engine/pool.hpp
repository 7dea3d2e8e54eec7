// Connections that threads borrow: one each, for a while. Knows no SQL.
#pragma once

#include <condition_variable>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

#include "server/storage/sqlite/engine/database.hpp"

namespace costcurve::storage::sqlite {

class Pool;

/// A borrowed connection; it goes back with this.
class Lease {
public:
    Lease(Lease&& other) noexcept;
    Lease& operator=(Lease&& other) noexcept;
    ~Lease();
    Database& operator*() const { return *database_; }

private:
    friend class Pool;
    Lease(Pool& pool, Database& database) : pool_(&pool), database_(&database) {}

    Pool* pool_;
    Database* database_;
};

/// Thread-safe. Outlives its leases.
class Pool {
public:
    /// `what` names a connection in the message of one that stayed in use for too long.
    Pool(std::vector<std::unique_ptr<Database>> connections, BusyTimeout busy_timeout, const char* what);

    /// Waits until one is free; throws StoreError (busy) at the end of its busy timeout.
    [[nodiscard]] Lease lease();
    /// Nothing where none is free now.
    [[nodiscard]] std::optional<Lease> try_lease();

private:
    friend class Lease;
    void give_back(Database& database);

    BusyTimeout busy_timeout_;
    const char* what_;
    std::vector<std::unique_ptr<Database>> connections_;
    std::mutex mutex_;
    std::condition_variable freed_;
    std::vector<Database*> free_; // by mutex_
};

} // namespace costcurve::storage::sqlite
