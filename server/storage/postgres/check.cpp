// Checks a store part by part in one transaction, one page of rows at a time. A part that damage makes unreadable counts as one
// problem, and the check goes on with the next part. PostgreSQL's own pages are left to pg_amcheck and data checksums.
#include "server/storage/postgres/open.hpp"

#include <algorithm>
#include <iterator>

#include <fmt/format.h>

#include "server/storage/postgres/content.hpp"
#include "server/storage/postgres/engine/transaction.hpp"
#include "server/storage/postgres/hashed_rows.hpp"
#include "server/storage/postgres/migrations.hpp"
#include "server/storage/sql/check.hpp"
#include "server/storage/writes/chain.hpp"

namespace costcurve::storage::postgres {

namespace {

constexpr sql::CheckPages kPages = {.rows = 5000, .results = 500};
constexpr std::int64_t kDocumentsPerPage = 1000;

struct ReferencingColumn {
    std::string table;
    std::string column;
    std::string other;
    std::string key; // key column of the referenced table
};
// References without a foreign key. Points are looked up by document and change.
constexpr const char* kWithoutForeignKey[][4] = {
    {"revision", "body", "body", "body"},
    {"revision", "since", "change", "sequence"},
    {"revision", "document", "document", "document"},
    {"point", "pointer", "pointer", "pointer"},
    {"reference", "source", "document", "document"},
    {"reference", "target", "document", "document"},
    {"reference", "since", "change", "sequence"},
    {"bill_line", "item", "bill_item", "item"},
    {"bill_line", "since", "change", "sequence"},
    {"replaced_bill_line", "item", "bill_item", "item"},
    {"replaced_bill_line", "change", "change", "sequence"},
    {"replaced_bill_line", "since", "change", "sequence"},
    {"telemetry_sample", "series", "telemetry_series", "series"},
    {"telemetry_counter", "series", "telemetry_series", "series"},
    {"telemetry_hour", "series", "telemetry_series", "series"},
};
// Foreign keys, all of one column. They are checked because a role that may disable triggers can bypass them.
constexpr const char* kForeignKeys = R"(
    SELECT c.conrelid::regclass::text, a.attname::text, c.confrelid::regclass::text, k.attname::text
    FROM pg_constraint c JOIN pg_attribute a ON a.attrelid = c.conrelid AND a.attnum = c.conkey[1]
    JOIN pg_attribute k ON k.attrelid = c.confrelid AND k.attnum = c.confkey[1]
    WHERE c.contype = 'f' AND c.connamespace = current_schema()::regnamespace ORDER BY 1, 2)";
constexpr const char* kLostRows = R"(
    SELECT r.{1}::text, count(*) FROM {0} r WHERE NOT EXISTS (SELECT 1 FROM {2} o WHERE o.{3} = r.{1}) AND r.{1} IS NOT NULL
    GROUP BY r.{1} ORDER BY r.{1} LIMIT 100)";
constexpr const char* kLostPoints = R"(
    SELECT DISTINCT document, since FROM point p
    WHERE NOT EXISTS (SELECT 1 FROM revision r WHERE r.document = p.document AND r.since = p.since) LIMIT 100)";

class PostgresChecker : private sql::StoreChecker {
public:
    PostgresChecker(Connection& connection, const CheckOptions& options)
        : StoreChecker(connection, options, kPages), ours_(connection) {}

    CheckReport run() {
        const Transaction transaction(ours_, Transaction::Kind::read);
        return check_parts();
    }

private:
    void check_references() override {
        std::vector<ReferencingColumn> columns;
        for (const auto& [table, column, other, key] : kWithoutForeignKey) {
            columns.push_back({table, column, other, key});
        }
        Rows keys(ours_, kForeignKeys);
        while (keys.next()) {
            columns.push_back(
                {std::string(keys.text(0)), std::string(keys.text(1)), std::string(keys.text(2)), std::string(keys.text(3))});
        }
        for (const auto& [table, column, other, key] : columns) {
            Rows rows(ours_, fmt::format(fmt::runtime(kLostRows), table, column, other, key));
            while (rows.next()) {
                report_.add(fmt::format("references: {} of {} refer to {} {}, which isn't there", rows.integer(1), table, other,
                                        rows.text(0)));
            }
        }
    }

    void check_revisions() override {
        expect(connection_.number("SELECT count(*) FROM revision"));
        std::int64_t last_document = 0; // pages end with whole documents
        while (true) {
            const RevisionPage page = load_revisions(ours_, last_document, kDocumentsPerPage);
            if (page.revisions.empty()) {
                break;
            }
            for (const CheckedRevision& each : page.revisions) {
                check_revision(each.row, each.search,
                               hash_of_revision(each.row, each.body_hash.value_or(Hash{}), each.curves, each.references),
                               each.hash);
            }
            last_document = page.revisions.back().row.document;
        }
        end_document();
        Rows points(ours_, kLostPoints);
        while (points.next()) {
            add_lost_points(points.integer(0), points.integer(1));
        }
    }

    std::vector<Stored> find_documents(const ListQuery& query) override { return find_page(ours_, query, kNow); }

    void check_contents(std::vector<Stored>& documents) override {
        std::vector<Stored*> stored;
        std::ranges::transform(documents, std::back_inserter(stored), [](Stored& each) { return &each; });
        load_contents(ours_, stored, kNow);
        for (const Stored& each : documents) {
            check_document(each.revision);
        }
    }

    Connection& ours_;
};

} // namespace

CheckReport check(const StoreSettings& settings, const CheckOptions& options) {
    ConnectionSettings connecting = connection_settings(settings);
    connecting.statement_timeout_ms = 0;
    Connection connection(settings.path, connecting);
    const std::int64_t version = verified_version(connection, migrations());
    if (version != migrations().back().version) {
        throw StoreError(StoreError::Cause::unavailable,
                         fmt::format("{}: schema {}, this program's is {}; costcurve migrate brings it there", connection.target(),
                                     version, migrations().back().version));
    }
    return PostgresChecker(connection, options).run();
}

} // namespace costcurve::storage::postgres
