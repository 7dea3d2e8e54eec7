// A whole store copied from one engine to another, row by row, and verified. Knows tables by their names, and no SQL.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace costcurve::storage {

/// Bytes that are no text.
struct Blob {
    std::string_view value;
};
/// A cell of a row that is under way; its text lives as long as the call that it is given to.
using CopiedCell = std::variant<std::monostate, std::int64_t, double, std::string_view, Blob>;
using CopiedRow = std::span<const CopiedCell>;

/// A table of every engine, which has the same columns in each.
struct CopiedTable {
    std::string_view name;
    std::string_view key; ///< columns that order its rows, with commas between
    std::string_view ids; ///< the column whose numbers the engine gives, none of them again; "" without one
};
/// All tables of a store, those first that others refer to.
[[nodiscard]] std::span<const CopiedTable> copied_tables();

struct CopiedColumn {
    enum class Type { integer, real, text, blob };
    std::string name;
    Type type = Type::text;
};

/// One end of a copy: a store of an engine, in one transaction for as long as this lives, that is rolled back unless it is
/// committed. One thread. Throws StoreError.
class CopyEnd {
public:
    virtual ~CopyEnd() = default;
    /// In the same order in every engine: by name.
    [[nodiscard]] virtual std::vector<CopiedColumn> columns(const CopiedTable& table) = 0;
    [[nodiscard]] virtual std::int64_t count(const CopiedTable& table) = 0;
    /// Visits all rows, in the order of the table's key.
    virtual void visit(const CopiedTable& table, std::span<const CopiedColumn> columns,
                       const std::function<void(CopiedRow)>& visitor) = 0;
    /// The largest number that was ever given; 0 where none was.
    [[nodiscard]] virtual std::int64_t last_id(const CopiedTable& table) = 0;

    /// Takes what a new store has of itself out of a table.
    virtual void clear(const CopiedTable& table) = 0;
    /// Begins to write rows of a table; `end_table` writes those that were added.
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

/// Called before a table is copied, and before it is read again.
using CopyProgress = std::function<void(std::string_view table, std::string_view step)>;

/// Copies all rows and reads them again on both sides; commits where every table is the same. Throws StoreError where the target
/// has rows, where columns differ, and where a hash differs: then nothing is written. Cost: reads the source once and the target
/// once, writes the target once; memory for a batch of rows.
CopyReport copy_all(CopyEnd& from, CopyEnd& to, const CopyProgress& progress = {});

} // namespace costcurve::storage
