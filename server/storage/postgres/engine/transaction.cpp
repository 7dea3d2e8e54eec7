// Transactions. BEGIN and COMMIT are pipelined with neighbouring statements; the server rolls back if one between them fails.
#include "server/storage/postgres/engine/transaction.hpp"

#include <stdexcept>

namespace costcurve::storage::postgres {

Transaction::Transaction(Connection& connection, Kind kind) : connection_(connection) {
    connection_.send(kind == Kind::write ? "BEGIN ISOLATION LEVEL READ COMMITTED"
                                         : "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY",
                     Parameters(), {});
    connection_.in_scope_ = true;
    connection_.is_writing_ = kind == Kind::write;
}

Transaction::~Transaction() {
    connection_.in_scope_ = false;
    connection_.is_writing_ = false;
    try {
        connection_.settle();
    } catch (...) { // NOLINT(bugprone-empty-catch): it is undone
    }
    if (!connection_.is_lost() && connection_.in_transaction()) {
        try {
            connection_.execute("ROLLBACK");
        } catch (const StoreError&) { // NOLINT(bugprone-empty-catch): the server undoes it when the connection ends
        }
    }
}

void Transaction::commit() {
    connection_.is_writing_ = false;
    try {
        if (connection_.expects_changes()) { // check the numbers of changed rows before the commit
            connection_.settle();
        }
        connection_.post("COMMIT");
        connection_.settle();
    } catch (const SqlError& error) {
        if (error.is_lost()) {
            throw CommitUnknown(error);
        }
        throw;
    }
}

// Not in REPEATABLE READ: there the statement that waits for the lock fixes the snapshot, and numbering would continue from an old
// change.
void lock_changes(Connection& connection) {
    if (!connection.is_writing_) {
        throw std::logic_error("changes are numbered in a transaction that writes");
    }
    connection.post("SELECT pg_advisory_xact_lock($1)", connection.settings_.lock_key);
}

void wait_for_changes(Connection& connection) {
    connection.run("SELECT pg_advisory_xact_lock_shared($1)", connection.settings_.lock_key);
}

} // namespace costcurve::storage::postgres
