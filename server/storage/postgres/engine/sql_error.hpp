// What PostgreSQL refuses, with its SQLSTATE, and what that means to an operator.
#pragma once

#include <string>
#include <string_view>

#include "server/storage/error.hpp"

namespace costcurve::storage::postgres {

/// A StoreError that a transaction as a whole may be tried again for. Its text never has a password.
class SqlError : public StoreError {
public:
    SqlError(Cause cause, const std::string& what, std::string_view sqlstate, std::string_view constraint, bool is_lost)
        : StoreError(cause, what), sqlstate_(sqlstate), constraint_(constraint), is_lost_(is_lost) {}

    /// Five characters; "" where the connection broke without a word.
    [[nodiscard]] const std::string& sqlstate() const { return sqlstate_; }
    /// The constraint or index that a row violates; "" for none.
    [[nodiscard]] const std::string& constraint() const { return constraint_; }
    /// Whether the connection is gone.
    [[nodiscard]] bool is_lost() const { return is_lost_; }
    /// Another transaction came first, or a pooler lost a prepared statement: the same transaction may succeed now.
    [[nodiscard]] bool may_be_retried() const;

private:
    std::string sqlstate_;
    std::string constraint_;
    bool is_lost_;
};

struct SqlProblem {
    std::string_view target; ///< names the database
    std::string_view sqlstate;
    std::string_view message; ///< the server's, or the library's
    std::string_view constraint;
    bool is_lost = false;
};
/// As a sentence with what to do.
[[nodiscard]] SqlError sql_error(const SqlProblem& problem);

} // namespace costcurve::storage::postgres
