// A connection to PostgreSQL, and a statement's rows. Every failure is a StoreError with its cause; no table is named here.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>

#include "server/storage/error.hpp"
#include "server/storage/postgres/engine/sql_error.hpp"
#include "server/storage/postgres/engine/values.hpp"

struct pg_conn;
struct pg_result;

namespace costcurve::storage::postgres {

struct ConnectionSettings {
    int busy_timeout_ms = 5000;       ///< how long a statement waits for a lock (lock_timeout); 0: for ever
    int statement_timeout_ms = 30000; ///< 0: none, for migrations and checks
    std::int64_t lock_key = 0;        ///< of the lock under which changes are numbered: by the store's id
};

/// A setting of a server that says that the options of a connection have arrived: some poolers drop them.
inline constexpr const char* kOptionsArrived = "costcurve.options_arrived";

/// One thread at a time. Prepared statements are kept, by their text, as long as the connection. Whoever finds it lost reconnects.
class Connection {
public:
    /// Connects. What an address leaves out is PostgreSQL's own: PGPASSWORD, ~/.pgpass, PGSSLMODE. Throws StoreError.
    Connection(const std::string& url, const ConnectionSettings& settings = {});
    ~Connection() = default;
    Connection(const Connection&) = delete;
    Connection& operator=(const Connection&) = delete;

    /// Runs statements that give no rows and aren't kept; a script may have several.
    void execute(const std::string& script);
    /// The number in the first column of a statement's first row; 0 without one.
    template <class... Values> [[nodiscard]] std::int64_t number(std::string_view sql, const Values&... values);
    [[nodiscard]] bool in_transaction() const;
    /// Whether the server or the network ended it: nothing but reconnect() helps.
    [[nodiscard]] bool is_lost() const;
    /// Connects anew, with the same settings. Throws StoreError; then it is still lost.
    void reconnect();
    /// "host:port/database", without user and password: for messages.
    [[nodiscard]] const std::string& target() const { return target_; }
    /// How often it connected: what was prepared or set for a session is gone with the one before.
    [[nodiscard]] std::int64_t connected() const { return connected_; }
    /// The socket, to wait for notifications; -1 of a lost connection.
    [[nodiscard]] int socket() const;
    /// Reads what has come, without waiting. Whether a NOTIFY was among it.
    [[nodiscard]] bool take_notifications();

private:
    friend class Rows;
    friend class CopyIn;
    friend class Transaction;
    friend void lock_changes(Connection& connection);
    friend void wait_for_changes(Connection& connection);
    struct Finish {
        void operator()(pg_conn* connection) const;
    };
    struct TextHash : std::hash<std::string_view> {
        using is_transparent = void;
    };

    void connect();
    [[nodiscard]] pg_result* run(std::string_view sql, const Parameters& parameters);
    [[nodiscard]] const std::string& prepared(std::string_view sql, const Parameters& parameters);
    /// Throws unless the result is a success; frees it then.
    [[nodiscard]] pg_result* checked(pg_result* result) const;
    [[noreturn]] void fail() const;

    std::string url_;
    ConnectionSettings settings_;
    std::string target_;
    std::string prefix_; // of names of statements: no other connection's, behind a pooler too
    std::int64_t connected_ = 0;
    bool is_preparing_ = true; // false once a pooler has lost a prepared statement
    bool is_writing_ = false;  // in a transaction of writes, each statement of which sees what was committed before it
    std::unique_ptr<pg_conn, Finish> connection_;
    std::unordered_map<std::string, std::string, TextHash, std::equal_to<>> statements_; // names
};

/// What a statement gave, in memory. It has run once this is made.
class Rows {
public:
    template <class... Values>
    Rows(Connection& connection, std::string_view sql, const Values&... values)
        : result_(connection.run(sql, Parameters(values...))) {}
    ~Rows();
    Rows(const Rows&) = delete;
    Rows& operator=(const Rows&) = delete;

    /// Goes to the next row; false behind the last.
    [[nodiscard]] bool next();
    /// For what a statement does, not for rows of it: it is done already.
    void run() {}
    /// How many rows the statement gave, inserted, updated or deleted.
    [[nodiscard]] std::int64_t affected() const;

    // Columns count from 0. Texts and bytes are good as long as this. Of a NULL: 0 and "".
    [[nodiscard]] std::int64_t integer(int column) const; ///< of a bigint, integer, smallint or boolean
    [[nodiscard]] double real(int column) const;
    [[nodiscard]] std::string_view text(int column) const;
    [[nodiscard]] std::string_view bytes(int column) const { return text(column); }
    [[nodiscard]] bool is_null(int column) const;
    [[nodiscard]] std::optional<double> real_or_null(int column) const {
        return is_null(column) ? std::nullopt : std::optional(real(column));
    }
    /// Microseconds as text; "" where the column is NULL.
    [[nodiscard]] std::string time_or_empty(int column) const;

private:
    pg_result* result_;
    int row_ = -1;
};

template <class... Values> std::int64_t Connection::number(std::string_view sql, const Values&... values) {
    Rows rows(*this, sql, values...);
    return rows.next() ? rows.integer(0) : 0;
}

} // namespace costcurve::storage::postgres
