// Transactions, and the lock under which changes are numbered.
#pragma once

#include "server/storage/postgres/engine/connection.hpp"

namespace costcurve::storage::postgres {

/// Rolled back where it isn't committed.
class Transaction {
public:
    /// A read sees one moment (REPEATABLE READ, READ ONLY); each statement of a write sees what was committed before it (READ
    /// COMMITTED): what waited for a lock sees what the other one wrote.
    enum class Kind { read, write };
    Transaction(Connection& connection, Kind kind);
    ~Transaction();
    Transaction(const Transaction&) = delete;
    Transaction& operator=(const Transaction&) = delete;
    /// Throws StoreError: CommitUnknown where the connection broke while it committed.
    void commit();

private:
    Connection& connection_;
};

/// The connection broke during COMMIT: it may be done or not, and must be looked up before anything is said.
class CommitUnknown : public SqlError {
public:
    explicit CommitUnknown(const SqlError& error) : SqlError(error) {}
};

/// Takes the lock under which changes are numbered, until the transaction's end, as a statement of its own: what comes next sees
/// all that its former holders committed. Only in a write.
void lock_changes(Connection& connection);
/// Returns once no write that numbers a change is under way, of any daemon. Outside of transactions.
void wait_for_changes(Connection& connection);

} // namespace costcurve::storage::postgres
