// SQLite's dialect of the store. With one writer and one daemon, SQLite's own locks suffice and there are no leases.
#include "server/storage/sql/engine.hpp"
#include "server/storage/sqlite/bill.hpp"
#include "server/storage/sqlite/content.hpp"
#include "server/storage/sqlite/engine/database.hpp"
#include "server/storage/sqlite/outbox.hpp"
#include "server/storage/sqlite/runs.hpp"
#include "server/storage/sqlite/save.hpp"
#include "server/storage/sqlite/telemetry/telemetry.hpp"

namespace costcurve::storage::sqlite {

namespace {

Database& database_of(sql::Connection& connection) { return static_cast<Database&>(connection); }

class SqliteEngine final : public sql::Engine {
public:
    [[nodiscard]] const sql::Dialect& dialect() const override {
        static const sql::Dialect words = {
            .is_free = "$1 = ''",
            .is_over = "1 = 1",
            .numbered = "?",
            .position = "instr",
            .differs = "IS NOT",
            .random_id = "lower(hex(randomblob(16)))",
            .url_of_body = "b.text ->> '$.url'",
            .database_bytes = "SELECT page_count * page_size FROM pragma_page_count, pragma_page_size",
        };
        return words;
    }
    [[nodiscard]] const sql::BillStatements& bill() const override { return bill_statements(); }

    [[nodiscard]] std::optional<std::int64_t> next_due(sql::Connection& connection, std::string_view /*holder*/,
                                                       std::int64_t /*now*/) const override {
        return sqlite::next_due(database_of(connection));
    }
    [[nodiscard]] std::vector<std::string> missing_scenarios(sql::Connection& connection,
                                                             std::span<const std::string> ids) const override {
        return sqlite::missing_scenarios(database_of(connection), ids);
    }
    void add_scenarios(sql::Connection& connection, std::int64_t run, std::span<const std::string> ids) const override {
        sqlite::add_scenarios(database_of(connection), run, ids);
    }
    [[nodiscard]] std::optional<Stored> find_current(sql::Connection& connection, const DocumentKey& key) const override {
        return sqlite::find_current(database_of(connection), key);
    }
    void add_deletion(sql::Connection& connection, sql::Change& change, const Stored& current) const override {
        sqlite::add_deletion(database_of(connection), change, current);
    }
    void remove_lines(sql::Connection& connection, std::int64_t day, std::span<const std::int64_t> items) const override {
        sqlite::remove_lines(database_of(connection), day, items);
    }
    void put_lines(sql::Connection& connection, std::span<const BillLine* const> lines, std::int64_t sequence) const override {
        sqlite::put_lines(database_of(connection), lines, sequence);
    }
    [[nodiscard]] AddedSamples insert_samples(sql::Connection& connection, const SampleBatch& batch,
                                              const TelemetryWindow& window) const override {
        return sqlite::insert_samples(database_of(connection), batch, window);
    }
    [[nodiscard]] HourPage find_hours(sql::Connection& connection, const HourQuery& query) const override {
        return sqlite::find_hours(database_of(connection), query);
    }
    void read_samples(sql::Connection& connection, const SampleQuery& query, const SampleVisitor& visit) const override {
        sqlite::read_samples(database_of(connection), query, visit);
    }
};

} // namespace

const sql::Engine& Database::engine() const {
    static const SqliteEngine engine;
    return engine;
}

} // namespace costcurve::storage::sqlite
