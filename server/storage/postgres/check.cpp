// Checks part by part, in one transaction and a page of rows at a time; a part that can't be read because of damage is one problem,
// and the next part is checked. What PostgreSQL's own pages hold is for pg_amcheck and data checksums.
#include "server/storage/postgres/open.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "server/storage/checker.hpp"
#include "server/storage/postgres/content.hpp"
#include "server/storage/postgres/engine/transaction.hpp"
#include "server/storage/postgres/hashed_rows.hpp"
#include "server/storage/postgres/migrations.hpp"
#include "server/storage/rows.hpp"
#include "server/storage/writes/chain.hpp"

namespace costcurve::storage::postgres {

namespace {

constexpr std::int64_t kQuickLinks = 1000;
constexpr std::int64_t kRowsPerPage = 5000;
constexpr std::int64_t kDocumentsPerPage = 1000;
constexpr std::int64_t kResultsPerPage = 500;

struct ReferencingColumn {
    std::string table;
    std::string column;
    std::string other;
    std::string key; // of the other
};
// Those that have no foreign key. Points are looked for by document and change.
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
    {"telemetry_sample", "series", "telemetry_series", "series"},
    {"telemetry_counter", "series", "telemetry_series", "series"},
    {"telemetry_hour", "series", "telemetry_series", "series"},
};
// All are of one column. A role that may switch triggers off has switched these off too.
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
const std::string kCheckedResults = "SELECT " + result_columns() + R"(, hash
    FROM result JOIN result_body USING (body) WHERE (scenario, number) > ($1, $2) ORDER BY scenario, number LIMIT $3)";
const std::string kChangesFrom =
    fmt::format("SELECT {} FROM change WHERE sequence > $1 ORDER BY sequence LIMIT $2", kChangeColumns);

class PostgresChecker : private Checker {
public:
    PostgresChecker(Connection& connection, const CheckOptions& options) : Checker(options), connection_(connection) {}

    CheckReport run() {
        const Transaction transaction(connection_, Transaction::Kind::read);
        if (options_.is_quick) {
            const std::int64_t last = connection_.number("SELECT coalesce(max(sequence), 0) FROM change");
            part("changes", [this, last] { check_changes(std::max<std::int64_t>(1, last - kQuickLinks + 1)); });
            return std::move(report_);
        }
        part("references", [this] { check_references(); });
        part("bodies", [this] { check_bodies(); });
        part("revisions", [this] { check_revisions(); });
        part("results", [this] { check_results(); });
        part("keys", [this] { add_hashes_of_secrets(); });
        part("changes", [this] { check_changes(1); });
        part("names", [this] { check_names(); });
        part("documents", [this] { check_documents(); });
        return std::move(report_);
    }

private:
    void check_references() {
        std::vector<ReferencingColumn> columns;
        for (const auto& [table, column, other, key] : kWithoutForeignKey) {
            columns.push_back({table, column, other, key});
        }
        Rows keys(connection_, kForeignKeys);
        while (keys.next()) {
            columns.push_back(
                {std::string(keys.text(0)), std::string(keys.text(1)), std::string(keys.text(2)), std::string(keys.text(3))});
        }
        for (const auto& [table, column, other, key] : columns) {
            Rows rows(connection_, fmt::format(fmt::runtime(kLostRows), table, column, other, key));
            while (rows.next()) {
                report_.add(fmt::format("references: {} of {} refer to {} {}, which isn't there", rows.integer(1), table, other,
                                        rows.text(0)));
            }
        }
    }

    void check_bodies() {
        expect(connection_.number("SELECT count(*) FROM body"));
        std::int64_t last = 0;
        bool more = true;
        while (more) {
            Rows rows(connection_, "SELECT body, text, hash FROM body WHERE body > $1 ORDER BY body LIMIT $2", last, kRowsPerPage);
            more = rows.affected() == kRowsPerPage;
            while (rows.next()) {
                last = rows.integer(0);
                check_body(last, rows.text(1), as_hash(rows.bytes(2)));
            }
        }
    }

    void check_revisions() {
        expect(connection_.number("SELECT count(*) FROM revision"));
        std::int64_t last_document = 0; // pages end with whole documents
        while (true) {
            const std::vector<CheckedRevision> page = load_revisions(connection_, last_document, kDocumentsPerPage);
            if (page.empty()) {
                break;
            }
            for (const CheckedRevision& each : page) {
                const RevisionRow row = each.view();
                check_revision(row, each.search,
                               hash_of_revision(row, each.body_hash.value_or(Hash{}), each.curves, each.references), each.hash);
            }
            last_document = page.back().row.document;
        }
        end_document();
        Rows points(connection_, kLostPoints);
        while (points.next()) {
            add_lost_points(points.integer(0), points.integer(1));
        }
    }

    void check_results() {
        expect(connection_.number("SELECT count(*) FROM result"));
        std::int64_t scenario = 0;
        std::int64_t number = 0;
        bool more = true;
        while (more) {
            Rows rows(connection_, kCheckedResults, scenario, number, kResultsPerPage);
            more = rows.affected() == kResultsPerPage;
            while (rows.next()) {
                const ResultRow row = read_result_row(rows);
                check_result(row, as_hash(rows.bytes(kBehindResult)));
                scenario = row.scenario;
                number = row.number;
            }
        }
    }

    void add_hashes_of_secrets() {
        Rows rows(connection_, "SELECT s.created, k.name, k.role, s.hash FROM api_secret s JOIN api_key k USING (name)");
        while (rows.next()) {
            add_hash(rows.integer(0), hash_of_secret(rows.text(1), rows.text(2), rows.text(3)));
        }
    }

    // The links from a change on; the first one's is taken as stored unless it is the first of all.
    void check_changes(std::int64_t first) {
        expect(connection_.number("SELECT count(*) FROM change") - first + 1);
        Hash link{};
        if (first > 1) {
            Rows before(connection_, "SELECT link FROM change WHERE sequence = $1", first - 1);
            link = before.next() ? as_hash(before.bytes(0)).value_or(Hash{}) : Hash{};
        }
        begin_changes(first, link);
        bool more = true;
        while (more) {
            Rows rows(connection_, kChangesFrom, report_.last_sequence, kRowsPerPage);
            more = rows.affected() == kRowsPerPage;
            while (rows.next()) {
                check_change(read_change_row(rows), as_hash(rows.bytes(kLinkOfChange)));
            }
        }
    }

    void check_names() {
        Rows twice(connection_, "SELECT kind, id FROM named_document GROUP BY kind, id HAVING count(*) > 1");
        while (twice.next()) {
            report_.add(fmt::format("names: two documents are {} {}", twice.text(0), twice.text(1)));
        }
        Rows other(connection_, R"(
            SELECT r.kind, r.id FROM revision r LEFT JOIN document d USING (document)
            WHERE (d.kind, d.id) IS DISTINCT FROM (r.kind, r.id))");
        while (other.next()) {
            report_.add(fmt::format("names: a revision of {} {} is of a document with another name", other.text(0), other.text(1)));
        }
        Rows gone(connection_, R"(
            SELECT d.kind, d.id, t.kind, t.id FROM reference f JOIN document d ON d.document = f.source
            JOIN revision t ON t.document = f.target AND t.until = 9223372036854775807
            WHERE f.until = 9223372036854775807 AND t.deleted = 1)");
        while (gone.next()) {
            report_.add(fmt::format("names: {} {} refers to {} {}, which is deleted", gone.text(0), gone.text(1), gone.text(2),
                                    gone.text(3)));
        }
    }

    void check_documents() {
        if (!options_.read) {
            return;
        }
        expect(connection_.number("SELECT count(*) FROM revision WHERE until = 9223372036854775807 AND deleted = 0"));
        for (std::size_t kind = 0; kind < kind_names.size(); ++kind) {
            ListQuery query;
            query.kind = static_cast<Kind>(kind);
            bool more = true;
            while (more) {
                std::vector<Stored> found = find_page(connection_, query, kNow);
                more = cut_to(found, query.limit);
                std::vector<Stored*> stored;
                std::ranges::transform(found, std::back_inserter(stored), [](Stored& each) { return &each; });
                load_contents(connection_, stored, kNow);
                for (const Stored& each : found) {
                    check_document(each.revision);
                }
                query.after = found.empty() ? "" : found.back().revision.record.key.id;
            }
        }
    }

    Connection& connection_;
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
