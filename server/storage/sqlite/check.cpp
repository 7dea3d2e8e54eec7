// Checks a store part by part. A part that damage makes unreadable counts as one problem, and the check goes on with the next part.
#include "server/storage/sqlite/open.hpp"

#include <fmt/format.h>

#include "server/storage/sql/check.hpp"
#include "server/storage/sqlite/content.hpp"
#include "server/storage/sqlite/engine/files.hpp"
#include "server/storage/sqlite/hashed_rows.hpp"
#include "server/storage/sqlite/migrations.hpp"
#include "server/storage/sqlite/references.hpp"
#include "server/storage/writes/chain.hpp"

namespace costcurve::storage::sqlite {

namespace {

class SqliteChecker : private sql::StoreChecker {
public:
    SqliteChecker(Database& database, const CheckOptions& options) : StoreChecker(database, options, {}), database_(database) {}

    CheckReport run() {
        const Transaction transaction(database_, Transaction::Kind::read);
        part("pages", [this] { check_file(); });
        return check_parts();
    }

private:
    void check_file() {
        const std::string sql =
            fmt::format("PRAGMA {}({})", options_.is_quick ? "quick_check" : "integrity_check", CheckReport::kMaxListed);
        Rows rows(database_, sql);
        while (rows.next()) {
            if (rows.text(0) != "ok") {
                report_.add(fmt::format("pages: {}", rows.text(0)));
            }
        }
    }

    void check_references() override {
        Rows rows(database_, "PRAGMA foreign_key_check");
        while (rows.next()) {
            report_.add(fmt::format("references: row {} of {} refers to a row of {} that isn't there", rows.integer(1),
                                    rows.text(0), rows.text(2)));
        }
    }

    void check_revisions() override {
        expect(connection_.number("SELECT count(*) FROM revision"));
        std::int64_t document = 0;
        std::vector<WrittenPoints> written;
        auto points = written.cbegin();
        const auto check_rest = [&] {
            if (points != written.cend()) {
                add_lost_points(document, points->since);
            }
        };
        Rows rows(database_, fmt::format("SELECT {}, r.search, r.hash, b.hash FROM revision r LEFT JOIN body b USING (body) "
                                         "ORDER BY r.row",
                                         sql::kRevisionColumns));
        while (rows.next()) {
            const RevisionRow row = sql::read_revision_row(rows);
            if (row.document != document) {
                check_rest();
                document = row.document;
                written = load_written_points(database_, document);
                points = written.cbegin();
            }
            const bool has_points = points != written.cend() && points->since == row.since;
            const Hash body = row.body ? as_hash(rows.bytes(sql::kBehindRevisionRow + 2)).value_or(Hash{}) : Hash{};
            const Hash computed =
                hash_of_revision(row, body, has_points ? points->curves : std::vector<CurveRows>(),
                                 row.deleted ? std::vector<DocumentKey>() : load_references(database_, row.document, row.since));
            points += has_points ? 1 : 0;
            check_revision(row, rows.text(sql::kBehindRevisionRow), computed, as_hash(rows.bytes(sql::kBehindRevisionRow + 1)));
        }
        check_rest();
        end_document();
    }

    std::vector<Stored> find_documents(const ListQuery& query) override { return find_page(database_, query, kNow); }

    void check_contents(std::vector<Stored>& documents) override {
        for (Stored& each : documents) {
            load_content(database_, each, kNow);
            check_document(each.revision);
        }
    }

    Database& database_;
};

} // namespace

CheckReport check(Database& database, const CheckOptions& options) {
    const std::int64_t version = verified_version(database, migrations());
    if (version != std::ssize(migrations())) {
        throw StoreError(
            StoreError::Cause::unavailable,
            fmt::format("{}: schema {}, this program's is {}; costcurve migrate brings it there, and computes its hashes",
                        database.path(), version, migrations().size()));
    }
    check_whole(database);
    return SqliteChecker(database, options).run();
}

CheckReport check(const std::string& path, const CheckOptions& options) {
    Database database(path, Database::Access::read);
    return check(database, options);
}

} // namespace costcurve::storage::sqlite
