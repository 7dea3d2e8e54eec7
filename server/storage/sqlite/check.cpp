// Checks part by part; a part that can't be read because of damage is one problem, and the next part is checked.
#include "server/storage/sqlite/open.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "server/storage/checker.hpp"
#include "server/storage/rows.hpp"
#include "server/storage/sqlite/content.hpp"
#include "server/storage/sqlite/dialect.hpp"
#include "server/storage/sqlite/engine/files.hpp"
#include "server/storage/sqlite/hashed_rows.hpp"
#include "server/storage/sqlite/migrations.hpp"
#include "server/storage/sqlite/references.hpp"
#include "server/storage/writes/chain.hpp"

namespace costcurve::storage::sqlite {

namespace {

constexpr std::int64_t kQuickLinks = 1000;

class SqliteChecker : private Checker {
public:
    SqliteChecker(Database& database, const CheckOptions& options) : Checker(options), database_(database) {}

    CheckReport run() {
        const Transaction transaction(database_, Transaction::Kind::read);
        part("pages", [this] { check_pages(); });
        if (options_.is_quick) {
            const std::int64_t last = database_.number("SELECT coalesce(max(sequence), 0) FROM change");
            part("changes", [this, last] { check_changes(std::max<std::int64_t>(1, last - kQuickLinks + 1)); });
            return std::move(report_);
        }
        part("references", [this] { check_foreign_keys(); });
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
    void check_pages() {
        const std::string sql =
            fmt::format("PRAGMA {}({})", options_.is_quick ? "quick_check" : "integrity_check", CheckReport::kMaxListed);
        Rows rows(database_, sql);
        while (rows.next()) {
            if (rows.text(0) != "ok") {
                report_.add(fmt::format("pages: {}", rows.text(0)));
            }
        }
    }

    void check_foreign_keys() {
        Rows rows(database_, "PRAGMA foreign_key_check");
        while (rows.next()) {
            report_.add(fmt::format("references: row {} of {} refers to a row of {} that isn't there", rows.integer(1),
                                    rows.text(0), rows.text(2)));
        }
    }

    void check_bodies() {
        expect(database_.number("SELECT count(*) FROM body"));
        Rows rows(database_, "SELECT body, text, hash FROM body ORDER BY body");
        while (rows.next()) {
            check_body(rows.integer(0), rows.text(1), as_hash(rows.text(2)));
        }
    }

    void check_revisions() {
        expect(database_.number("SELECT count(*) FROM revision"));
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
                                         kRevisionColumns));
        while (rows.next()) {
            const RevisionRow row = read_revision_row(rows);
            if (row.document != document) {
                check_rest();
                document = row.document;
                written = load_written_points(database_, document);
                points = written.cbegin();
            }
            const bool has_points = points != written.cend() && points->since == row.since;
            const Hash body = row.body ? as_hash(rows.text(16)).value_or(Hash{}) : Hash{};
            const Hash computed =
                hash_of_revision(row, body, has_points ? points->curves : std::vector<CurveRows>(),
                                 row.deleted ? std::vector<DocumentKey>() : load_references(database_, row.document, row.since));
            points += has_points ? 1 : 0;
            check_revision(row, rows.text(14), computed, as_hash(rows.text(15)));
        }
        check_rest();
        end_document();
    }

    void check_results() {
        expect(database_.number("SELECT count(*) FROM result"));
        Rows rows(database_, fmt::format("SELECT {}, hash FROM result JOIN result_body USING (body) ORDER BY scenario, number",
                                         result_columns()));
        while (rows.next()) {
            check_result(read_result_row(rows), as_hash(rows.text(kBehindResult)));
        }
    }

    void add_hashes_of_secrets() {
        Rows rows(database_, "SELECT s.created, k.name, k.role, s.hash FROM api_secret s JOIN api_key k USING (name)");
        while (rows.next()) {
            add_hash(rows.integer(0), hash_of_secret(rows.text(1), rows.text(2), rows.text(3)));
        }
    }

    // The links from a change on; the first one's is taken as stored unless it is the first of all.
    void check_changes(std::int64_t first) {
        expect(database_.number("SELECT count(*) FROM change") - first + 1);
        Hash link{};
        if (first > 1) {
            Rows before(database_, "SELECT link FROM change WHERE sequence = ?", first - 1);
            link = before.next() ? as_hash(before.text(0)).value_or(Hash{}) : Hash{};
        }
        begin_changes(first, link);
        Rows rows(database_, fmt::format("SELECT {} FROM change WHERE sequence >= ? ORDER BY sequence", kChangeColumns), first);
        while (rows.next()) {
            check_change(read_change_row(rows), as_hash(rows.text(kLinkOfChange)));
        }
    }

    void check_names() {
        Rows twice(database_, "SELECT kind, id FROM named_document GROUP BY kind, id HAVING count(*) > 1");
        while (twice.next()) {
            report_.add(fmt::format("names: two documents are {} {}", twice.text(0), twice.text(1)));
        }
        Rows other(database_, R"(
            SELECT r.kind, r.id FROM revision r LEFT JOIN document d USING (document)
            WHERE (d.kind, d.id) IS NOT (r.kind, r.id))");
        while (other.next()) {
            report_.add(fmt::format("names: a revision of {} {} is of a document with another name", other.text(0), other.text(1)));
        }
        Rows gone(database_, R"(
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
        expect(database_.number("SELECT count(*) FROM revision WHERE until = 9223372036854775807 AND deleted = 0"));
        for (std::size_t kind = 0; kind < kind_names.size(); ++kind) {
            ListQuery query;
            query.kind = static_cast<Kind>(kind);
            bool more = true;
            while (more) {
                std::vector<Stored> found = find_page(database_, query, kNow, true);
                more = cut_to(found, query.limit);
                for (Stored& stored : found) {
                    load_content(database_, stored, kNow);
                    check_document(stored.revision);
                }
                query.after = found.empty() ? "" : found.back().revision.record.key.id;
            }
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
