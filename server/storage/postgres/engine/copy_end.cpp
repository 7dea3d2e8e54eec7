// PostgreSQL's end of a copy between stores: reads tables by cursors and writes them by COPY.
#include "server/storage/postgres/engine/copy_end.hpp"

#include <optional>
#include <vector>

#include <fmt/format.h>

#include "server/storage/postgres/engine/connection.hpp"
#include "server/storage/postgres/engine/copy_in.hpp"
#include "server/storage/postgres/engine/transaction.hpp"
#include "server/storage/sql/copy_rows.hpp"

namespace costcurve::storage::postgres {

namespace {

constexpr const char* kColumns = R"(
    SELECT column_name::text COLLATE "C" AS name, data_type::text FROM information_schema.columns
    WHERE table_schema = current_schema() AND table_name = $1 AND column_name NOT IN ('holder', 'lease_until') ORDER BY name)";
// Leases aren't copied, because they belong to daemons; nor are claims of unfinished answers.
constexpr std::string_view kClaimed = "answer";

class ServerEnd : public CopyEnd {
public:
    ServerEnd(const std::string& url, bool writes)
        : connection_(url, {.statement_timeout_ms = 0}), // no timeout: one table may take minutes
          transaction_(connection_, writes ? Transaction::Kind::write : Transaction::Kind::read) {
        if (writes) { // lock: otherwise two copies into one database would both find it empty
            connection_.execute("LOCK TABLE change IN SHARE ROW EXCLUSIVE MODE");
        }
    }

    std::vector<CopiedColumn> columns(const CopiedTable& table) override {
        return sql::read_columns(Rows(connection_, kColumns, table.name));
    }
    std::int64_t count(const CopiedTable& table) override {
        return connection_.number(fmt::format("SELECT count(*) FROM {}", table.name));
    }
    // Uses a cursor, because a statement's result is held in memory as a whole.
    void visit(const CopiedTable& table, std::span<const CopiedColumn> columns,
               const std::function<void(CopiedRow)>& visitor) override {
        connection_.execute(fmt::format("DECLARE copied_{0} NO SCROLL CURSOR FOR SELECT {1} FROM {0}{3} ORDER BY {2}", table.name,
                                        sql::names_of(columns), table.key, table.name == kClaimed ? " WHERE status <> 0" : ""));
        const std::string fetch = fmt::format("FETCH {} FROM copied_{}", kBatchRows, table.name);
        while (sql::visit_rows(Rows(connection_, fetch), columns, visitor) == kBatchRows) {}
        connection_.execute(fmt::format("CLOSE copied_{}", table.name));
    }
    std::int64_t last_id(const CopiedTable& table) override {
        return connection_.number(
            fmt::format("SELECT greatest((SELECT coalesce(max({1}), 0) FROM {0}), coalesce(pg_sequence_last_value("
                        "pg_get_serial_sequence('{0}', '{1}')::regclass), 0))",
                        table.name, table.ids));
    }

    void clear(const CopiedTable& table) override { connection_.execute(fmt::format("DELETE FROM {}", table.name)); }
    void begin_table(const CopiedTable& table, std::span<const CopiedColumn> columns) override {
        table_ = table;
        copy_.emplace(connection_, fmt::format("COPY {} ({}) FROM STDIN (FORMAT binary)", table.name, sql::names_of(columns)));
    }
    void add(CopiedRow row) override {
        copy_->begin_row(row.size());
        for (const CopiedCell& cell : row) {
            std::visit([this](const auto& value) { add_cell(value); }, cell);
        }
        copy_->end_row();
    }
    void end_table(std::int64_t last_id) override {
        copy_->finish();
        copy_.reset();
        if (last_id > 0) {
            static_cast<void>(connection_.number(
                fmt::format("SELECT setval(pg_get_serial_sequence('{}', '{}'), $1)", table_.name, table_.ids), last_id));
        }
    }
    void commit() override { transaction_.commit(); }

private:
    static constexpr std::int64_t kBatchRows = 2000;

    void add_cell(std::monostate /*null*/) { copy_->cell(std::optional<std::int64_t>()); }
    void add_cell(const Blob& value) { copy_->cell(Bytes{value.value}); }
    template <class T> void add_cell(const T& value) { copy_->cell(value); }

    Connection connection_;
    Transaction transaction_;
    CopiedTable table_;
    std::optional<CopyIn> copy_;
};

} // namespace

std::unique_ptr<CopyEnd> copy_end(const std::string& url, bool writes) { return std::make_unique<ServerEnd>(url, writes); }

} // namespace costcurve::storage::postgres
