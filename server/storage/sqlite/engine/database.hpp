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

/// A cell of table `input_rows`. Its text must outlive the statement that reads it.
using Cell = std::variant<std::monostate, std::int64_t, double, std::string_view>;

/// In-memory values that table `input_rows` shows as columns c0, c1 … c15 while a statement runs. `INSERT … SELECT … FROM
/// input_rows` loops inside SQLite and keeps its cursors open: half the time of one statement per row, less if keys ascend.
struct InputRows {
    std::size_t columns = 1;
    std::vector<Cell> cells = {}; ///< row after row

    void add(std::initializer_list<Cell> row) {
        columns = row.size();
        cells.insert(cells.end(), row);
    }
};

/// Arguments of a statement: its parameters one by one or as a span, or the rows of `input_rows`.
template <class T>
concept Given = sql::Parameter<T> || std::same_as<T, InputRows> || std::convertible_to<const T&, std::span<const Cell>> ||
    std::same_as<T, std::span<const sql::Value>>;

/// A connection, for one thread at a time. Prepared statements are cached by text for the life of the connection.
class Database final : public sql::Connection {
public:
    enum class Access { read, write, create };

    /// Opens the file without reading it; damaged content shows at the first statement.
    Database(const std::filesystem::path& path, Access access, BusyTimeout busy_timeout = {});
    ~Database() override;
    Database(const Database&) = delete;
    Database& operator=(const Database&) = delete;

    [[nodiscard]] const sql::Engine& engine() const override; ///< in dialect.cpp
    [[nodiscard]] std::unique_ptr<sql::Cursor> open(std::string_view sql, std::span<const sql::Value> values) override;
    void post_values(std::string_view sql, std::span<const sql::Value> values) override;
    /// Runs a script of one or more statements without result rows; they aren't cached.
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
    /// Whether the path of the opened file now holds another file or none.
    [[nodiscard]] bool has_moved() const;
    /// Throws StoreError (moved) if the path of the database or its log no longer names the opened file: writes would be lost.
    /// Cost: two system calls.
    void check_place();
    /// Copies one snapshot of all pages into an open, empty database.
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
    std::optional<Inode> log_; // inode of the -wal file, once seen
    Wait wait_;
    const InputRows* input_rows_ = nullptr; // rows of the running statement
    sqlite3* connection_ = nullptr;
    std::unordered_map<std::string, std::unique_ptr<sqlite3_stmt, Finalize>, Hash, std::equal_to<>> statements_;
};

/// A cached statement that the constructor executes: its writes are done, and its rows are read one at a time. The destructor
/// releases it. A connection runs one statement of the same text at a time. The values are its parameters, or one InputRows for
/// table `input_rows`.
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
    /// Binds parameters known only at run time; this must then be the only value.
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
    bool is_first_ = true; // the first row is loaded and not yet returned
    std::int64_t affected_ = 0;
};

template <Given... Values> std::int64_t Database::run(std::string_view sql, const Values&... values) {
    return Rows(*this, sql, values...).affected();
}

template <Given... Values> std::int64_t Database::number(std::string_view sql, const Values&... values) {
    Rows rows(*this, sql, values...);
    return rows.next() ? rows.integer(0) : 0;
}

/// A transaction; the destructor rolls back unless it was committed.
class Transaction {
public:
    enum class Kind { read, write };
    /// A write waits for another write's lock and fails at the busy timeout. A read begins at its first statement.
    Transaction(Database& database, Kind kind);
    ~Transaction();
    Transaction(const Transaction&) = delete;
    Transaction& operator=(const Transaction&) = delete;
    /// Commits a write after checking that the file is still in place. Throws StoreError.
    void commit();

private:
    Database& database_;
    Kind kind_;
};

/// A savepoint; the destructor rolls back its part of the write unless it was released.
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

/// Disables foreign key checks of a connection during its lifetime. For bulk writes whose keys were all just found or created.
/// Outside of transactions.
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
