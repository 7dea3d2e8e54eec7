// SQLite's end of a copy between stores: reads and writes tables by statements built from their columns.
#include "server/storage/sqlite/engine/copy_end.hpp"

#include <algorithm>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "server/storage/sql/copy_rows.hpp"
#include "server/storage/sqlite/engine/database.hpp"

namespace costcurve::storage::sqlite {

namespace {

// Skips the row number of revisions: it is computed from other columns, and no other engine has it.
constexpr const char* kColumns =
    "SELECT name, type FROM pragma_table_info(?1) WHERE ?1 <> 'revision' OR name <> 'row' ORDER BY name";

struct AsCell {
    Cell operator()(std::monostate /*null*/) const { return {}; }
    Cell operator()(const Blob& value) const { return value.value; }
    template <class T> Cell operator()(const T& value) const { return value; }
};

// INSERT statement with numbered parameters; a binary column casts its parameter, because bytes are bound as text.
std::string insert_of(const CopiedTable& table, std::span<const CopiedColumn> columns) {
    std::vector<std::string> values;
    for (std::size_t i = 0; i < columns.size(); ++i) {
        const std::string parameter = fmt::format("?{}", i + 1);
        values.push_back(columns[i].type == CopiedColumn::Type::blob ? "CAST(" + parameter + " AS BLOB)" : parameter);
    }
    const auto number = [&](std::string_view name) {
        return std::ranges::find(columns, name, &CopiedColumn::name) - columns.begin() + 1;
    };
    const bool is_revision = table.name == "revision";
    return fmt::format("INSERT INTO {} ({}{}) VALUES ({}{})", table.name, sql::names_of(columns), is_revision ? ", row" : "",
                       fmt::join(values, ", "),
                       is_revision ? fmt::format(", (?{} << 32) | ?{}", number("document"), number("since")) : "");
}

class FileEnd : public CopyEnd {
public:
    FileEnd(const std::string& path, bool writes)
        : database_(path, writes ? Database::Access::write : Database::Access::read, {.timeout_ms = kBusyMs, .waits = nullptr}),
          transaction_(database_, writes ? Transaction::Kind::write : Transaction::Kind::read) {}

    std::vector<CopiedColumn> columns(const CopiedTable& table) override {
        return sql::read_columns(Rows(database_, kColumns, table.name));
    }
    std::int64_t count(const CopiedTable& table) override {
        return database_.number(fmt::format("SELECT count(*) FROM {}", table.name));
    }
    void visit(const CopiedTable& table, std::span<const CopiedColumn> columns,
               const std::function<void(CopiedRow)>& visitor) override {
        std::vector<CopiedCell> cells(columns.size());
        const std::string sql = fmt::format("SELECT {} FROM {} ORDER BY {}", sql::names_of(columns), table.name, table.key);
        sql::visit_rows(Rows(database_, sql), columns, visitor);
    }
    std::int64_t last_id(const CopiedTable& table) override {
        const std::int64_t stored = database_.number(fmt::format("SELECT coalesce(max({}), 0) FROM {}", table.ids, table.name));
        Rows rows(database_, "SELECT seq FROM sqlite_sequence WHERE name = ?", table.name);
        return rows.next() ? std::max(stored, rows.integer(0)) : stored;
    }

    void clear(const CopiedTable& table) override { database_.execute(fmt::format("DELETE FROM {}", table.name)); }
    void begin_table(const CopiedTable& table, std::span<const CopiedColumn> columns) override {
        table_ = table;
        insert_ = insert_of(table, columns);
        cells_.resize(columns.size());
    }
    void add(CopiedRow row) override {
        for (std::size_t i = 0; i < row.size(); ++i) {
            cells_[i] = std::visit(AsCell(), row[i]);
        }
        database_.run(insert_, std::span<const Cell>(cells_));
    }
    void end_table(std::int64_t last_id) override {
        if (last_id > 0) { // only tables that never reuse a number have this row
            database_.run("UPDATE sqlite_sequence SET seq = max(seq, ?1) WHERE name = ?2", last_id, table_.name);
        }
    }
    void commit() override { transaction_.commit(); }

private:
    static constexpr int kBusyMs = 5000;

    Database database_;
    Transaction transaction_;
    CopiedTable table_;
    std::string insert_;
    std::vector<Cell> cells_;
};

} // namespace

std::unique_ptr<CopyEnd> copy_end(const std::string& path, bool writes) { return std::make_unique<FileEnd>(path, writes); }

} // namespace costcurve::storage::sqlite
