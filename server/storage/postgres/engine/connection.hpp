// A connection to PostgreSQL, and a statement's rows. Every failure is a StoreError with its cause; no table is named here.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

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

class Rows;
struct Statement;

/// One thread at a time. Prepared statements are kept, by their text, as long as the connection. Whoever finds it lost reconnects.
class Connection final : public sql::Connection {
public:
    /// Connects. What an address leaves out is PostgreSQL's own: PGPASSWORD, ~/.pgpass, PGSSLMODE. Throws StoreError.
    Connection(const std::string& url, const ConnectionSettings& settings = {});

    [[nodiscard]] const sql::Engine& engine() const override; ///< in dialect.cpp
    [[nodiscard]] std::unique_ptr<sql::Cursor> open(std::string_view sql, std::span<const sql::Value> values) override;
    void post_values(std::string_view sql, std::span<const sql::Value> values) override;
    /// Runs statements that give no rows and aren't kept; a script may have several.
    void execute(const std::string& script);
    // As those of sql::Connection, with arrays as values too.
    /// Sends a statement that gives no rows and waits for nothing: it has run, or its error is thrown, with the next one that gives
    /// rows, the transaction's commit, or `settle`. Outside of transactions it runs at once.
    template <class... Values> void post(std::string_view sql, const Values&... values) {
        post_statement(sql, Parameters(values...), std::nullopt);
    }
    /// As `post`, of a statement that changes `rows` rows: StoreError (corrupt) where it changes another number.
    template <class... Values> void post_to(std::int64_t rows, std::string_view sql, const Values&... values) {
        post_statement(sql, Parameters(values...), rows);
    }
    template <class... Values> std::int64_t run(std::string_view sql, const Values&... values);
    /// Returns once all has run that was posted.
    void settle() { static_cast<void>(collect()); }
    template <class... Values> [[nodiscard]] std::int64_t number(std::string_view sql, const Values&... values);
    /// What statements give, in one round trip.
    [[nodiscard]] std::vector<Rows> run_all(std::span<const Statement> statements);
    [[nodiscard]] bool in_transaction() const;
    /// Whether the server or the network ended it: nothing but reconnect() helps.
    [[nodiscard]] bool is_lost() const;
    /// Connects anew, with the same settings. Throws StoreError; then it is still lost.
    void reconnect();
    /// "host:port/database", without user and password: for messages.
    [[nodiscard]] const std::string& target() const { return target_; }
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

    // A statement on its way, whose result has yet to be read.
    struct Sent {
        bool gives_rows = false;
        std::optional<std::int64_t> changes; // so many rows
    };

    void connect();
    [[nodiscard]] pg_result* result_of(std::string_view sql, const Parameters& parameters);
    void post_statement(std::string_view sql, const Parameters& parameters, std::optional<std::int64_t> changes);
    /// Sends it behind those that are on their way, and prepares it before where it is new.
    void send(std::string_view sql, const Parameters& parameters, Sent sent);
    /// Waits for all that is on its way: the results of those that give rows, in order.
    [[nodiscard]] std::vector<pg_result*> collect();
    [[nodiscard]] const std::string& prepared(std::string_view sql, const Parameters& parameters);
    /// Throws unless the result is a success; frees it then.
    [[nodiscard]] pg_result* checked(pg_result* result);
    void check_changed(pg_result* result, const Sent& sent) const;
    /// Whether rows have yet to be counted that a statement changes.
    [[nodiscard]] bool expects_changes() const;
    [[noreturn]] void fail() const;
    /// Fails, and drops the connection: what state it is in is not known.
    [[noreturn]] void give_up();

    std::string url_;
    ConnectionSettings settings_;
    std::string target_;
    std::string prefix_;       // of names of statements: no other connection's, behind a pooler too
    bool is_preparing_ = true; // false once a pooler has lost a prepared statement
    bool in_scope_ = false;    // of a Transaction: what is posted is waited for at its end
    bool is_writing_ = false;  // in a transaction of writes, each statement of which sees what was committed before it
    std::unique_ptr<pg_conn, Finish> connection_;
    std::vector<Sent> sent_;
    std::unordered_map<std::string, std::string, TextHash, std::equal_to<>> statements_; // names
};

/// What a statement gave, in memory: it has run once this is made.
class Rows final : public sql::Cursor {
public:
    template <class... Values>
    Rows(Connection& connection, std::string_view sql, const Values&... values)
        : result_(connection.result_of(sql, Parameters(values...))) {}
    ~Rows() override;
    Rows(Rows&& other) noexcept : result_(std::exchange(other.result_, nullptr)), row_(other.row_) {}
    Rows& operator=(Rows&&) = delete;

    [[nodiscard]] bool next() override;
    [[nodiscard]] std::int64_t affected() const override; ///< or how many it gave
    // Texts and bytes are good as long as this.
    [[nodiscard]] std::int64_t integer(int column) const override; ///< of a bigint, integer, smallint or boolean
    [[nodiscard]] double real(int column) const override;
    [[nodiscard]] std::string_view text(int column) const override;
    [[nodiscard]] bool is_null(int column) const override;
    /// The elements of an array of double precision; nothing in place of a NULL.
    [[nodiscard]] std::vector<std::optional<double>> reals(int column) const;

private:
    friend class Connection;
    explicit Rows(pg_result* result) : result_(result) {}

    pg_result* result_;
    int row_ = -1;
};

/// A statement and its parameters.
struct Statement {
    template <class... Values>
    explicit Statement(std::string_view text, const Values&... values) : sql(text), parameters(values...) {}
    std::string_view sql;
    Parameters parameters;
};

template <class... Values> std::int64_t Connection::run(std::string_view sql, const Values&... values) {
    return Rows(*this, sql, values...).affected();
}

template <class... Values> std::int64_t Connection::number(std::string_view sql, const Values&... values) {
    Rows rows(*this, sql, values...);
    return rows.next() ? rows.integer(0) : 0;
}

} // namespace costcurve::storage::postgres
