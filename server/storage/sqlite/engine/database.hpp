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
#include "server/storage/sql/dialect.hpp"

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

/// A connection: one thread at a time. Prepared statements are kept, by their text, as long as the connection.
class Database {
public:
    enum class Access { read, write, create };

    /// Opens the file without reading it: what is wrong with its content shows at the first statement.
    Database(const std::filesystem::path& path, Access access, BusyTimeout busy_timeout = {});
    ~Database();
    Database(const Database&) = delete;
    Database& operator=(const Database&) = delete;

    /// Runs statements that give no rows and aren't kept; a script may have several.
    void execute(const std::string& script);
    /// Runs a statement for what it does.
    template <class... Values> void post(std::string_view sql, const Values&... values);
    /// The number in the first column of a statement's first row; 0 without one.
    template <class... Values> [[nodiscard]] std::int64_t number(std::string_view sql, const Values&... values);
    /// The row that the last INSERT made.
    [[nodiscard]] std::int64_t last_row() const;
    /// How many rows the last statement changed.
    [[nodiscard]] std::int64_t changed() const;
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

/// A kept statement while it runs; it is free again when this goes. A text runs once at a time on a connection. The values are its
/// parameters, or one InputRows: the rows of its table `input_rows`.
class Rows {
public:
    template <class... Values>
    Rows(Database& database, std::string_view sql, const Values&... values)
        : database_(database), statement_(database.prepared(sql)) {
        int index = 0;
        (bind(++index, values), ...);
    }
    ~Rows();
    Rows(const Rows&) = delete;
    Rows& operator=(const Rows&) = delete;

    /// Goes to the next row; false behind the last.
    [[nodiscard]] bool next();
    /// Runs a statement that gives no rows.
    void run() { static_cast<void>(next()); }
    /// Runs it; how many rows it inserted, updated or deleted.
    [[nodiscard]] std::int64_t affected() {
        run();
        return database_.changed();
    }

    // Columns count from 0. A text is good until the next row.
    [[nodiscard]] std::int64_t integer(int column) const;
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
    void bind(int index, std::int64_t value);
    void bind(int index, double value);
    void bind(int index, std::string_view value);
    void bind(int index, Bytes value);
    void bind(int /*index*/, const InputRows& input) { database_.input_rows_ = &input; }
    /// Of a statement whose parameters are known as the program runs; the only value then.
    void bind(int index, std::span<const Cell> cells);
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
    sqlite3_stmt* statement_;
};

template <class... Values> void Database::post(std::string_view sql, const Values&... values) { Rows(*this, sql, values...).run(); }

template <class... Values> std::int64_t Database::number(std::string_view sql, const Values&... values) {
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
