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
    std::int64_t lock_key = 0;        ///< key of the advisory lock for numbering changes, derived from the store's id
};

/// Server setting that proves that the connection's options arrived: some poolers drop them.
inline constexpr const char* kOptionsArrived = "costcurve.options_arrived";

class Rows;
struct Statement;

/// For one thread at a time. Prepared statements are cached by text for the life of the connection. A caller that finds the
/// connection lost must call reconnect().
class Connection final : public sql::Connection {
public:
    /// Connects. Parts missing in the address come from PostgreSQL's own sources: PGPASSWORD, ~/.pgpass, PGSSLMODE. Throws
    /// StoreError.
    Connection(const std::string& url, const ConnectionSettings& settings = {});

    [[nodiscard]] const sql::Engine& engine() const override; ///< in dialect.cpp
    [[nodiscard]] std::unique_ptr<sql::Cursor> open(std::string_view sql, std::span<const sql::Value> values) override;
    void post_values(std::string_view sql, std::span<const sql::Value> values) override;
    /// Runs a script of one or more statements without result rows; they aren't cached.
    void execute(const std::string& script);
    // As those of sql::Connection, with arrays as values too.
    /// Sends a statement that gives no rows and waits for nothing: it has run, or its error is thrown, with the next one that gives
    /// rows, the transaction's commit, or `settle`. Outside of transactions it runs at once.
    template <class... Values> void post(std::string_view sql, const Values&... values) {
        post_statement(sql, Parameters(values...), std::nullopt);
    }
    /// Like `post`, for a statement that must change `rows` rows; otherwise StoreError (corrupt).
    template <class... Values> void post_to(std::int64_t rows, std::string_view sql, const Values&... values) {
        post_statement(sql, Parameters(values...), rows);
    }
    template <class... Values> std::int64_t run(std::string_view sql, const Values&... values);
    /// Waits until all posted statements have run.
    void settle() { static_cast<void>(collect()); }
    template <class... Values> [[nodiscard]] std::int64_t number(std::string_view sql, const Values&... values);
    /// Runs the statements in one round trip and returns their rows.
    [[nodiscard]] std::vector<Rows> run_all(std::span<const Statement> statements);
    [[nodiscard]] bool in_transaction() const;
    /// Whether server or network ended the connection; only reconnect() helps.
    [[nodiscard]] bool is_lost() const;
    /// Reconnects with the same settings. Throws StoreError; the connection then stays lost.
    void reconnect();
    /// "host:port/database", without user and password: for messages.
    [[nodiscard]] const std::string& target() const { return target_; }
    /// The socket, to wait for notifications; -1 if the connection is lost.
    [[nodiscard]] int socket() const;
    /// Reads arrived data without waiting. True if it included a NOTIFY.
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

    // A sent statement whose result hasn't been read.
    struct Sent {
        bool gives_rows = false;
        std::optional<std::int64_t> changes; // expected number of changed rows
    };

    void connect();
    [[nodiscard]] pg_result* result_of(std::string_view sql, const Parameters& parameters);
    void post_statement(std::string_view sql, const Parameters& parameters, std::optional<std::int64_t> changes);
    /// Queues a statement in the pipeline, after preparing it if it is new.
    void send(std::string_view sql, const Parameters& parameters, Sent sent);
    /// Waits for the pipeline to drain; returns the results of statements that give rows, in order.
    [[nodiscard]] std::vector<pg_result*> collect();
    [[nodiscard]] const std::string& prepared(std::string_view sql, const Parameters& parameters);
    /// Returns a successful result; otherwise frees it and throws.
    [[nodiscard]] pg_result* checked(pg_result* result);
    void check_changed(pg_result* result, const Sent& sent) const;
    /// Whether a sent statement's number of changed rows is still unchecked.
    [[nodiscard]] bool expects_changes() const;
    [[noreturn]] void fail() const;
    /// Drops the connection, whose state is unknown, and throws.
    [[noreturn]] void give_up();

    std::string url_;
    ConnectionSettings settings_;
    std::string target_;
    std::string prefix_;       // prefix of statement names, unique even behind a pooler
    bool is_preparing_ = true; // false once a pooler has lost a prepared statement
    bool in_scope_ = false;    // inside a Transaction, whose end waits for posted statements
    bool is_writing_ = false;  // in a write transaction, where each statement sees everything committed before it
    std::unique_ptr<pg_conn, Finish> connection_;
    std::vector<Sent> sent_;
    std::unordered_map<std::string, std::string, TextHash, std::equal_to<>> statements_; // names
};

/// The complete result of a statement, in memory; the constructor runs the statement.
class Rows final : public sql::Cursor {
public:
    template <class... Values>
    Rows(Connection& connection, std::string_view sql, const Values&... values)
        : result_(connection.result_of(sql, Parameters(values...))) {}
    ~Rows() override;
    Rows(Rows&& other) noexcept : result_(std::exchange(other.result_, nullptr)), row_(other.row_) {}
    Rows& operator=(Rows&&) = delete;

    [[nodiscard]] bool next() override;
    [[nodiscard]] std::int64_t affected() const override; ///< number of changed or returned rows
    // Texts and bytes are valid for the lifetime of this object.
    [[nodiscard]] std::int64_t integer(int column) const override; ///< reads a bigint, integer, smallint or boolean
    [[nodiscard]] double real(int column) const override;
    [[nodiscard]] std::string_view text(int column) const override;
    [[nodiscard]] bool is_null(int column) const override;
    /// The elements of a double precision array; NULL elements are empty.
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
