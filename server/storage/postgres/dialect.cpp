// PostgreSQL's dialect of the store: locks and leases among daemons, and set-based statements.
#include <fmt/format.h>

#include "server/storage/postgres/bill.hpp"
#include "server/storage/postgres/content.hpp"
#include "server/storage/postgres/daemons/lease.hpp"
#include "server/storage/postgres/daemons/outbox.hpp"
#include "server/storage/postgres/daemons/runs.hpp"
#include "server/storage/postgres/engine/connection.hpp"
#include "server/storage/postgres/engine/transaction.hpp"
#include "server/storage/postgres/save.hpp"
#include "server/storage/postgres/telemetry/telemetry.hpp"
#include "server/storage/sql/engine.hpp"

namespace costcurve::storage::postgres {

namespace {

Connection& ours(sql::Connection& connection) { return static_cast<Connection&>(connection); }

class PostgresEngine final : public sql::Engine {
public:
    [[nodiscard]] const sql::Dialect& dialect() const override {
        static const std::string is_over = fmt::format("coalesce(lease_until, 0) <= {}", kDatabaseClock);
        static const sql::Dialect words = {
            .notice = ", pg_notify('costcurve', '')",
            .return_notice = " RETURNING pg_notify('costcurve', '')",
            .is_free = fmt::format("(holder IS NULL OR holder = $1 OR {})", is_over),
            .is_over = is_over,
            .end_lease = ", holder = NULL, lease_until = NULL",
            .position = "strpos",
            .differs = "IS DISTINCT FROM",
            .random_id = "replace(gen_random_uuid()::text, '-', '')",
            .url_of_body = "b.text::json ->> 'url'",
            .database_bytes = R"(
        SELECT coalesce(sum(pg_total_relation_size(oid)), 0)::bigint FROM pg_class
        WHERE relkind = 'r' AND relnamespace = (SELECT oid FROM pg_namespace WHERE nspname = current_schema()))",
            .lock = " FOR NO KEY UPDATE OF {}",
            .skip_locked = " FOR UPDATE OF {} SKIP LOCKED",
        };
        return words;
    }
    [[nodiscard]] const sql::BillStatements& bill() const override { return bill_statements(); }

    void lock_changes(sql::Connection& connection) const override { postgres::lock_changes(ours(connection)); }
    void lock_jobs(sql::Connection& connection) const override { postgres::lock_jobs(ours(connection)); }
    void lease_row(sql::Connection& connection, std::string_view table, std::string_view key, std::int64_t row,
                   std::string_view holder) const override {
        postgres::lease_row(ours(connection), table, key, row, holder);
    }
    void remove_attempts(sql::Connection& connection, std::int64_t run) const override {
        postgres::remove_attempts(ours(connection), run);
    }
    [[nodiscard]] std::optional<std::int64_t> next_due(sql::Connection& connection, std::string_view holder,
                                                       std::int64_t now) const override {
        return postgres::next_due(ours(connection), holder, now);
    }
    [[nodiscard]] std::vector<std::string> missing_scenarios(sql::Connection& connection,
                                                             std::span<const std::string> ids) const override {
        return postgres::missing_scenarios(ours(connection), ids);
    }
    void add_scenarios(sql::Connection& connection, std::int64_t run, std::span<const std::string> ids) const override {
        postgres::add_scenarios(ours(connection), run, ids);
    }
    [[nodiscard]] std::optional<Stored> find_current(sql::Connection& connection, const DocumentKey& key) const override {
        return postgres::find_current(ours(connection), key);
    }
    void add_deletion(sql::Connection& connection, sql::Change& change, const Stored& current) const override {
        postgres::add_deletion(ours(connection), change, current);
    }
    void remove_lines(sql::Connection& connection, std::int64_t day, std::span<const std::int64_t> items) const override {
        postgres::remove_lines(ours(connection), day, items);
    }
    void put_lines(sql::Connection& connection, std::span<const BillLine* const> lines, std::int64_t sequence) const override {
        postgres::put_lines(ours(connection), lines, sequence);
    }
    [[nodiscard]] AddedSamples insert_samples(sql::Connection& connection, const SampleBatch& batch,
                                              const TelemetryWindow& window) const override {
        return postgres::insert_samples(ours(connection), batch, window);
    }
    [[nodiscard]] HourPage find_hours(sql::Connection& connection, const HourQuery& query) const override {
        return postgres::find_hours(ours(connection), query);
    }
    void read_samples(sql::Connection& connection, const SampleQuery& query, const SampleVisitor& visit) const override {
        postgres::read_samples(ours(connection), query, visit);
    }
};

} // namespace

const sql::Engine& Connection::engine() const {
    static const PostgresEngine engine;
    return engine;
}

} // namespace costcurve::storage::postgres
