// Engine-independent interface of a database connection and of result rows. Statements name parameters $1, $2 … in the order of
// their first appearance.
#pragma once

#include <array>
#include <concepts>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

namespace costcurve::storage {

/// Sent as bytes; a plain text is sent as text.
struct Bytes {
    std::string_view value;
};

} // namespace costcurve::storage

namespace costcurve::storage::sql {

/// Value of a parameter; a NULL has a type, too. Texts and bytes must outlive the statement.
using Value =
    std::variant<std::optional<std::int64_t>, std::optional<double>, std::optional<std::string_view>, std::optional<Bytes>>;

[[nodiscard]] inline Value value_of(std::integral auto value) { return std::optional(static_cast<std::int64_t>(value)); }
[[nodiscard]] inline Value value_of(double value) { return std::optional(value); }
[[nodiscard]] inline Value value_of(std::string_view value) { return std::optional(value); }
[[nodiscard]] inline Value value_of(Bytes value) { return std::optional(value); }
template <class T> [[nodiscard]] Value value_of(const std::optional<T>& value) {
    if (value) {
        return value_of(*value);
    }
    return std::visit([](auto held) { return Value(decltype(held)()); }, value_of(T()));
}

/// Parameter types: an integer, a double, a text, Bytes, or an optional of one.
template <class T>
concept Parameter = requires(const T& value) {
    { value_of(value) } -> std::same_as<Value>;
};

/// The current row of a statement. Columns count from 0. Texts and bytes are valid until the next row. NULL reads as 0 or "".
class Row {
public:
    [[nodiscard]] virtual std::int64_t integer(int column) const = 0;
    [[nodiscard]] virtual double real(int column) const = 0;
    [[nodiscard]] virtual std::string_view text(int column) const = 0;
    [[nodiscard]] virtual bool is_null(int column) const = 0;

    [[nodiscard]] std::string_view bytes(int column) const { return text(column); }
    [[nodiscard]] std::optional<std::int64_t> integer_or_null(int column) const {
        return is_null(column) ? std::nullopt : std::optional(integer(column));
    }
    [[nodiscard]] std::optional<double> real_or_null(int column) const {
        return is_null(column) ? std::nullopt : std::optional(real(column));
    }
    [[nodiscard]] std::optional<std::string_view> text_or_null(int column) const {
        return is_null(column) ? std::nullopt : std::optional(text(column));
    }
    /// Microseconds as text; "" where the column is NULL.
    [[nodiscard]] std::string time_or_empty(int column) const;

protected:
    Row() = default;
    Row(const Row&) = default;
    Row(Row&&) = default;
    Row& operator=(const Row&) = default;
    Row& operator=(Row&&) = default;
    ~Row() = default;
};

/// A statement that has been executed: its writes are done, and its rows are read one at a time.
class Cursor : public Row {
public:
    Cursor() = default;
    virtual ~Cursor() = default;
    Cursor(const Cursor&) = delete;
    Cursor& operator=(const Cursor&) = delete;

    /// Moves to the next row; false after the last.
    [[nodiscard]] virtual bool next() = 0;
    /// Number of inserted, updated or deleted rows.
    [[nodiscard]] virtual std::int64_t affected() const = 0;
};

class Engine;

/// One thread at a time. Failures are StoreErrors.
class Connection {
public:
    Connection() = default;
    virtual ~Connection() = default;
    Connection(const Connection&) = delete;
    Connection& operator=(const Connection&) = delete;

    /// The engine of the database.
    [[nodiscard]] virtual const Engine& engine() const = 0;
    /// Runs a statement.
    [[nodiscard]] virtual std::unique_ptr<Cursor> open(std::string_view sql, std::span<const Value> values) = 0;
    /// Runs a statement without rows. It may be delayed until the next statement with rows or the transaction's end; its error is
    /// thrown then.
    virtual void post_values(std::string_view sql, std::span<const Value> values) = 0;

    template <Parameter... Values> void post(std::string_view sql, const Values&... values) {
        post_values(sql, std::array<Value, sizeof...(values)>{value_of(values)...});
    }
    /// Runs a statement; returns the number of inserted, updated or deleted rows.
    template <Parameter... Values> std::int64_t run(std::string_view sql, const Values&... values);
    /// The number in the first column of a statement's first row; 0 without one.
    template <Parameter... Values> [[nodiscard]] std::int64_t number(std::string_view sql, const Values&... values);
    /// Whether a statement gives a row.
    template <Parameter... Values> [[nodiscard]] bool has_row(std::string_view sql, const Values&... values);
};

/// A statement that has run, and its rows.
class Rows {
public:
    template <Parameter... Values>
    Rows(Connection& connection, std::string_view sql, const Values&... values)
        : cursor_(connection.open(sql, std::array<Value, sizeof...(values)>{value_of(values)...})) {}

    /// Moves to the next row; false after the last.
    [[nodiscard]] bool next() { return cursor_->next(); }
    [[nodiscard]] std::int64_t affected() const { return cursor_->affected(); }
    [[nodiscard]] const Row& operator*() const { return *cursor_; }
    [[nodiscard]] const Row* operator->() const { return cursor_.get(); }
    [[nodiscard]] Cursor& cursor() const { return *cursor_; }

private:
    std::unique_ptr<Cursor> cursor_;
};

template <Parameter... Values> std::int64_t Connection::run(std::string_view sql, const Values&... values) {
    return Rows(*this, sql, values...).affected();
}
template <Parameter... Values> std::int64_t Connection::number(std::string_view sql, const Values&... values) {
    Rows rows(*this, sql, values...);
    return rows.next() ? rows->integer(0) : 0;
}
template <Parameter... Values> bool Connection::has_row(std::string_view sql, const Values&... values) {
    return Rows(*this, sql, values...).next();
}

/// All rows of a statement, each converted by `read(row)`.
template <std::invocable<const Row&> Read> [[nodiscard]] auto read_all(Cursor&& cursor, const Read& read) {
    std::vector<std::invoke_result_t<const Read&, const Row&>> values;
    while (cursor.next()) {
        values.push_back(read(cursor));
    }
    return values;
}
template <std::invocable<const Row&> Read> [[nodiscard]] auto read_all(Rows rows, const Read& read) {
    return read_all(std::move(rows.cursor()), read);
}

} // namespace costcurve::storage::sql
