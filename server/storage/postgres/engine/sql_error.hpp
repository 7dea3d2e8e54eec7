// PostgreSQL errors: SQLSTATE, cause, and advice to the operator.
#pragma once

#include <string>
#include <string_view>

#include "server/storage/error.hpp"

namespace costcurve::storage::postgres {

/// A StoreError of one statement; the caller may retry the whole transaction. The text never contains a password.
class SqlError : public StoreError {
public:
    SqlError(Cause cause, const std::string& what, std::string_view sqlstate, std::string_view constraint, bool is_lost)
        : StoreError(cause, what), sqlstate_(sqlstate), constraint_(constraint), is_lost_(is_lost) {}

    /// Five characters; "" if the connection broke without a message.
    [[nodiscard]] const std::string& sqlstate() const { return sqlstate_; }
    /// The constraint or index that a row violates; "" for none.
    [[nodiscard]] const std::string& constraint() const { return constraint_; }
    /// Whether the connection is gone.
    [[nodiscard]] bool is_lost() const { return is_lost_; }
    /// Whether a retry of the transaction may succeed: it conflicted with another one, or a pooler lost a prepared statement.
    [[nodiscard]] bool may_be_retried() const;

private:
    std::string sqlstate_;
    std::string constraint_;
    bool is_lost_;
};

struct SqlProblem {
    std::string_view target; ///< names the database
    std::string_view sqlstate;
    std::string_view message; ///< message of the server or of libpq
    std::string_view constraint;
    bool is_lost = false;
};
/// The error as a sentence with advice to the operator.
[[nodiscard]] SqlError sql_error(const SqlProblem& problem);

} // namespace costcurve::storage::postgres
