// Transactions, and the lock under which changes are numbered.
#pragma once

#include "server/storage/postgres/engine/connection.hpp"

namespace costcurve::storage::postgres {

/// A transaction; the destructor rolls back unless it was committed.
class Transaction {
public:
    /// A read uses one snapshot (REPEATABLE READ, READ ONLY). In a write each statement sees everything committed before it (READ
    /// COMMITTED), so that after waiting for a lock it sees the other transaction's rows.
    enum class Kind { read, write };
    Transaction(Connection& connection, Kind kind);
    ~Transaction();
    Transaction(const Transaction&) = delete;
    Transaction& operator=(const Transaction&) = delete;
    /// Throws StoreError; CommitUnknown if the connection broke during the commit.
    void commit();

private:
    Connection& connection_;
};

/// The connection broke during COMMIT. The caller must look up whether the transaction was committed.
class CommitUnknown : public SqlError {
public:
    explicit CommitUnknown(const SqlError& error) : SqlError(error) {}
};

/// Takes the lock for numbering changes until the transaction ends, in a statement of its own: later statements see all commits of
/// former holders. Only in a write.
void lock_changes(Connection& connection);
/// Waits until no daemon has an unfinished write that numbers a change. Call outside of transactions.
void wait_for_changes(Connection& connection);

} // namespace costcurve::storage::postgres
