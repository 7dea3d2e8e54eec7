// Copies a whole store from one engine to another, row by row, and verifies the copy. Knows tables by name and contains no SQL.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace costcurve::storage {

/// Binary data.
struct Blob {
    std::string_view value;
};
/// A cell of a row being copied. Its text is valid only during the call that receives it.
using CopiedCell = std::variant<std::monostate, std::int64_t, double, std::string_view, Blob>;
using CopiedRow = std::span<const CopiedCell>;

/// A table to copy; it has the same columns in every engine.
struct CopiedTable {
    std::string_view name;
    std::string_view key; ///< columns that order its rows, with commas between
    std::string_view ids; ///< the column numbered by the engine, which never reuses a number; "" if none
};
/// All tables of a store; a table comes before the tables that refer to it.
[[nodiscard]] std::span<const CopiedTable> copied_tables();

struct CopiedColumn {
    enum class Type { integer, real, text, blob };
    std::string name;
    Type type = Type::text;
};

/// One end of a copy: an open store with one transaction. The destructor rolls the transaction back unless it was committed. For
/// one thread. Throws StoreError.
class CopyEnd {
public:
    virtual ~CopyEnd() = default;
    /// The columns ordered by name, so that every engine gives the same order.
    [[nodiscard]] virtual std::vector<CopiedColumn> columns(const CopiedTable& table) = 0;
    [[nodiscard]] virtual std::int64_t count(const CopiedTable& table) = 0;
    /// Visits all rows, in the order of the table's key.
    virtual void visit(const CopiedTable& table, std::span<const CopiedColumn> columns,
                       const std::function<void(CopiedRow)>& visitor) = 0;
    /// The largest number that the engine ever assigned; 0 if none.
    [[nodiscard]] virtual std::int64_t last_id(const CopiedTable& table) = 0;

    /// Deletes the rows that a new store creates in the table.
    virtual void clear(const CopiedTable& table) = 0;
    /// Begins writing rows to a table; `end_table` flushes the added rows.
    virtual void begin_table(const CopiedTable& table, std::span<const CopiedColumn> columns) = 0;
    virtual void add(CopiedRow row) = 0;
    virtual void end_table(std::int64_t last_id) = 0;
    virtual void commit() = 0;
};

struct CopyReport {
    struct Table {
        std::string name;
        std::int64_t rows = 0;
        std::string hash; ///< SHA-256 over its rows in order, in hexadecimal: the same on both sides
    };
    std::vector<Table> tables;
    [[nodiscard]] std::int64_t rows() const;
};

/// Called before a table is copied, and again before it is verified.
using CopyProgress = std::function<void(std::string_view table, std::string_view step)>;

/// Copies all rows, reads them again on both sides, and commits if every table is identical. Throws StoreError and writes nothing
/// if the target has rows, or if columns or hashes differ. Cost: one read of the source, one write and one read of the target;
/// memory for one batch of rows.
CopyReport copy_all(CopyEnd& from, CopyEnd& to, const CopyProgress& progress = {});

} // namespace costcurve::storage
