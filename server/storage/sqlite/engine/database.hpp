// SQLite as three small types: a connection, a statement while it runs, a transaction. Every failure is a StoreError with its
// cause; no table is named here.
#pragma once

#include <atomic>
#include <chrono>
#include <concepts>
#include <cstdint>
#include <filesystem>
#include <initializer_list>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <variant>
#include <vector>

#include "server/storage/error.hpp"
#include "server/storage/sql/connection.hpp"

struct sqlite3;
struct sqlite3_stmt;

namespace costcurve::storage::sqlite {

/// A cell of the table `input_rows`; a text outlives the statement that reads it.
using Cell = std::variant<std::monostate, std::int64_t, double, std::string_view>;

/// What the table `input_rows` has while a statement runs: values in memory, in columns c0, c1 … c15. `INSERT … SELECT … FROM
/// input_rows` runs its loop inside of SQLite, whose cursors stay open: half the time of a statement a row, less where keys ascend.
struct InputRows {
    std::size_t columns = 1;
    std::vector<Cell> cells = {}; ///< row after row

    void add(std::initializer_list<Cell> row) {
        columns = row.size();
        cells.insert(cells.end(), row);
    }
};

/// What a statement is given: its parameters one by one or all together, or the rows of `input_rows`.
template <class T>
concept Given = sql::Parameter<T> || std::same_as<T, InputRows> || std::convertible_to<const T&, std::span<const Cell>> ||
    std::same_as<T, std::span<const sql::Value>>;

/// A connection: one thread at a time. Prepared statements are kept, by their text, as long as the connection.
class Database final : public sql::Connection {
public:
    enum class Access { read, write, create };

    /// Opens the file without reading it: what is wrong with its content shows at the first statement.
    Database(const std::filesystem::path& path, Access access, BusyTimeout busy_timeout = {});
    ~Database() override;
    Database(const Database&) = delete;
    Database& operator=(const Database&) = delete;

    [[nodiscard]] const sql::Engine& engine() const override; ///< in dialect.cpp
    [[nodiscard]] std::unique_ptr<sql::Cursor> open(std::string_view sql, std::span<const sql::Value> values) override;
    void post_values(std::string_view sql, std::span<const sql::Value> values) override;
    /// Runs statements that give no rows and aren't kept; a script may have several.
    void execute(const std::string& script);
    // As those of sql::Connection, with the values that Rows takes.
    template <Given... Values> std::int64_t run(std::string_view sql, const Values&... values);
    template <Given... Values> void post(std::string_view sql, const Values&... values) { run(sql, values...); }
    template <Given... Values> [[nodiscard]] std::int64_t number(std::string_view sql, const Values&... values);
    /// The row that the last INSERT made.
    [[nodiscard]] std::int64_t last_row() const;
    [[nodiscard]] bool in_transaction() const;
    /// Whether the file could be opened for reading only.
    [[nodiscard]] bool is_read_only() const;
    /// Whether another file, or none, is at the path where this one was opened.
    [[nodiscard]] bool has_moved() const;
    /// Throws StoreError (moved) where the database or its log is not the file any more that stands under its name: what is written
    /// would be lost. Cost: two calls of the system.
    void check_place();
    /// Copies all pages into an open, empty database, as of one moment.
    void copy_into(Database& target);
    /// The file, as an absolute path.
    [[nodiscard]] const std::string& path() const { return path_; }

private:
    friend class Rows;
    struct Finalize {
        void operator()(sqlite3_stmt* statement) const;
    };
    struct Hash : std::hash<std::string_view> {
        using is_transparent = void;
    };
    struct Wait {
        BusyTimeout busy_timeout;
        std::chrono::steady_clock::time_point since;
    };

    sqlite3_stmt* prepared(std::string_view sql);
    [[noreturn]] void fail(int code) const;
    void check(int code) const;
    static int wait_for_lock(void* state, int tries);

    struct Inode {
        std::uint64_t device = 0;
        std::uint64_t number = 0;
        friend bool operator==(const Inode&, const Inode&) = default;
    };
    std::string path_;
    std::optional<Inode> log_; // of the -wal file, once it was seen
    Wait wait_;
    const InputRows* input_rows_ = nullptr; // of the statement that runs
    sqlite3* connection_ = nullptr;
    std::unordered_map<std::string, std::unique_ptr<sqlite3_stmt, Finalize>, Hash, std::equal_to<>> statements_;
};

/// A kept statement, which has run once this is made: what it inserts, updates or deletes is done, and rows come one at a time. It
/// is free again when this goes. A text runs once at a time on a connection. The values are its parameters, or one InputRows: the
/// rows of its table `input_rows`.
class Rows final : public sql::Cursor {
public:
    template <Given... Values>
    Rows(Database& database, std::string_view sql, const Values&... values)
        : database_(database), statement_(database.prepared(sql)) {
        int index = 0;
        (bind(++index, values), ...);
        begin();
    }
    [[nodiscard]] bool next() override;
    [[nodiscard]] std::int64_t affected() const override { return affected_; }
    [[nodiscard]] std::int64_t integer(int column) const override;
    [[nodiscard]] double real(int column) const override;
    [[nodiscard]] std::string_view text(int column) const override;
    [[nodiscard]] bool is_null(int column) const override;

private:
    struct Reset {
        void operator()(sqlite3_stmt* statement) const;
    };

    void begin();
    [[nodiscard]] bool step();
    void bind(int index, std::int64_t value);
    void bind(int index, double value);
    void bind(int index, std::string_view value);
    void bind(int index, Bytes value);
    void bind(int /*index*/, const InputRows& input) { database_.input_rows_ = &input; }
    /// Of a statement whose parameters are known as the program runs; the only value then.
    void bind(int index, std::span<const Cell> cells);
    void bind(int index, std::span<const sql::Value> values);
    void bind_null(int index);
    template <std::integral T> void bind(int index, T value) { bind(index, static_cast<std::int64_t>(value)); }
    template <class T> void bind(int index, const std::optional<T>& value) {
        if (value) {
            bind(index, *value);
        } else {
            bind_null(index);
        }
    }

    Database& database_;
    std::unique_ptr<sqlite3_stmt, Reset> statement_;
    bool has_row_ = false;
    bool is_first_ = true; // the row that it has is the first, and yet to be given
    std::int64_t affected_ = 0;
};

template <Given... Values> std::int64_t Database::run(std::string_view sql, const Values&... values) {
    return Rows(*this, sql, values...).affected();
}

template <Given... Values> std::int64_t Database::number(std::string_view sql, const Values&... values) {
    Rows rows(*this, sql, values...);
    return rows.next() ? rows.integer(0) : 0;
}

/// Rolled back where it isn't committed.
class Transaction {
public:
    enum class Kind { read, write };
    /// A write waits for the lock of another one and fails at the end of its busy timeout; a read begins at its first statement.
    Transaction(Database& database, Kind kind);
    ~Transaction();
    Transaction(const Transaction&) = delete;
    Transaction& operator=(const Transaction&) = delete;
    /// Of a write, after a look whether the file is still in its place. Throws StoreError.
    void commit();

private:
    Database& database_;
    Kind kind_;
};

/// A part of a write: what it wrote is undone where it isn't released, and the rest stays.
class Savepoint {
public:
    explicit Savepoint(Database& database);
    ~Savepoint();
    Savepoint(const Savepoint&) = delete;
    Savepoint& operator=(const Savepoint&) = delete;
    void release();

private:
    Database& database_;
    bool is_released_ = false;
};

/// While it is there, a connection takes keys of other rows unseen: for what writes many, all of them keys of rows that it has just
/// found or made. Outside of transactions.
class UncheckedKeys {
public:
    explicit UncheckedKeys(Database& database) : database_(database) { database_.execute("PRAGMA foreign_keys = OFF"); }
    ~UncheckedKeys() { database_.execute("PRAGMA foreign_keys = ON"); }
    UncheckedKeys(const UncheckedKeys&) = delete;
    UncheckedKeys& operator=(const UncheckedKeys&) = delete;

private:
    Database& database_;
};

} // namespace costcurve::storage::sqlite
