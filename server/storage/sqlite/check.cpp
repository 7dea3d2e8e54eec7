// Checks part by part; a part that can't be read because of damage is one problem, and the next part is checked.
#include "model/documents/text.hpp"
#include "server/storage/sqlite/open.hpp"

#include <algorithm>
#include <chrono>

#include <fmt/format.h>

#include "server/storage/sqlite/access.hpp"
#include "server/storage/sqlite/change.hpp"
#include "server/storage/sqlite/content.hpp"
#include "server/storage/sqlite/engine/files.hpp"
#include "server/storage/sqlite/hashed_rows.hpp"
#include "server/storage/sqlite/migrations.hpp"
#include "server/storage/sqlite/references.hpp"
#include "server/storage/writes/chain.hpp"

namespace costcurve::storage::sqlite {

namespace {

constexpr std::int64_t kQuickLinks = 1000;

class Checker {
public:
    Checker(Database& database, const CheckOptions& options) : database_(database), options_(options) {}

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
    template <class Call> void part(const char* name, Call call) {
        part_ = name;
        done_ = 0;
        total_ = 0;
        try {
            call();
        } catch (const StoreError& error) {
            report_.add(fmt::format("{}: {}", name, error.what()));
        } catch (const std::exception& error) { // of a decoder or an unpacker: what it reads is damaged
            report_.add(fmt::format("{}: {}", name, error.what()));
        }
        report_progress(true);
    }
    void step() {
        constexpr std::int64_t kStepsBetweenLooks = 256;
        if (++done_ % kStepsBetweenLooks == 0) {
            report_progress(false);
        }
    }
    void report_progress(bool is_end) {
        constexpr std::chrono::milliseconds kBetween{200};
        const auto now = std::chrono::steady_clock::now();
        if (options_.progress && (is_end || now - reported_ >= kBetween)) {
            reported_ = now;
            options_.progress(part_, done_, is_end ? done_ : std::max(total_, done_));
        }
    }

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
        total_ = database_.number("SELECT count(*) FROM body");
        Rows rows(database_, "SELECT body, text, hash FROM body ORDER BY body");
        while (rows.next()) {
            if (as_hash(rows.text(2)) != hash_of(rows.text(1))) {
                report_.add(fmt::format("bodies: body {} has not the text that was stored", rows.integer(0)));
            }
            step();
        }
    }

    void check_revisions() {
        total_ = database_.number("SELECT count(*) FROM revision");
        std::int64_t document = 0;
        std::int64_t revision = 0;
        std::int64_t until = 0;
        std::vector<WrittenPoints> written;
        auto points = written.cbegin();
        const auto check_rest = [&] { // points of a change that wrote no revision, and a document without a current one
            if (document != 0 && points != written.cend()) {
                report_.add(fmt::format("revisions: document {} has points of change {}, which wrote no revision of it", document,
                                        points->since));
            }
            if (document != 0 && until != kCurrent) {
                report_.add(fmt::format("revisions: document {} has no current revision", document));
            }
        };
        Rows rows(database_, fmt::format("SELECT {}, r.search, r.hash, b.hash FROM revision r LEFT JOIN body b USING (body) "
                                         "ORDER BY r.row",
                                         kRevisionColumns));
        while (rows.next()) {
            const RevisionRow row = read_revision_row(rows);
            const auto wrong = [&](std::string_view what) {
                report_.add(
                    fmt::format("revisions: {} {}, revision {} (change {}): {}", row.kind, row.id, row.revision, row.since, what));
            };
            if (row.document != document) {
                check_rest();
                document = row.document;
                revision = 0;
                until = row.since;
                written = load_written_points(database_, document);
                points = written.cbegin();
            }
            if (row.revision != revision + 1 || row.since != until) {
                wrong("it does not follow the one before");
            }
            revision = row.revision;
            until = row.until;
            const bool has_points = points != written.cend() && points->since == row.since;
            check_hash(row, rows.text(15), rows.text(16), has_points ? points->curves : std::vector<CurveRows>(), wrong);
            points += has_points ? 1 : 0;
            if (rows.text(14) != model::lower(row.title)) {
                wrong("searches see another title");
            }
            ++report_.revisions;
            step();
        }
        check_rest();
    }

    template <class Wrong>
    void check_hash(const RevisionRow& row, std::string_view stored, std::string_view body, const std::vector<CurveRows>& curves,
                    const Wrong& wrong) {
        const Hash hash =
            hash_of_revision(row, row.body ? as_hash(body).value_or(Hash{}) : Hash{}, curves,
                             row.deleted ? std::vector<DocumentKey>() : load_references(database_, row.document, row.since));
        if (as_hash(stored) != hash) {
            wrong("it is not what was stored: its title, its price, a point of its curves, a reference or its hash has changed");
        }
        hashes_[row.since].emplace_back(row.document, hash);
    }

    void check_results() {
        total_ = database_.number("SELECT count(*) FROM result");
        Rows rows(database_, fmt::format("SELECT {}, hash FROM result JOIN result_body USING (body) ORDER BY scenario, number",
                                         result_columns()));
        std::int64_t scenario = 0;
        std::int64_t number = 0;
        while (rows.next()) {
            const ResultRow row = read_result_row(rows);
            const auto wrong = [&](std::string_view what) {
                report_.add(fmt::format("results: result {} of scenario {}: {}", row.number, row.scenario, what));
            };
            if (as_hash(rows.text(17)) != hash_of_result(row)) {
                wrong("it is not what was stored");
            }
            if (row.number != (row.scenario == scenario ? number + 1 : 1)) {
                wrong("the one before is missing");
            }
            scenario = row.scenario;
            number = row.number;
            ++report_.results;
            step();
        }
    }

    void add_hashes_of_secrets() {
        Rows rows(database_, "SELECT s.created, k.name, k.role, s.hash FROM api_secret s JOIN api_key k USING (name)");
        while (rows.next()) {
            hashes_[rows.integer(0)].emplace_back(0, hash_of_secret(rows.text(1), rows.text(2), rows.text(3)));
        }
    }

    // The links from a change on; the first one's is taken as stored unless it is the first of all.
    void check_changes(std::int64_t first) {
        total_ = database_.number("SELECT count(*) FROM change") - first + 1;
        Hash link{};
        if (first > 1) {
            Rows before(database_, "SELECT link FROM change WHERE sequence = ?", first - 1);
            link = before.next() ? as_hash(before.text(0)).value_or(Hash{}) : Hash{};
        }
        std::int64_t expected = first;
        Rows rows(database_, R"(
            SELECT sequence, era, recorded_at, author, address, request_id, action, subject, content, link FROM change
            WHERE sequence >= ? ORDER BY sequence)",
                  first);
        while (rows.next()) {
            ChangeRow row{rows.integer(0), rows.integer(1), rows.integer(2),
                          rows.text(3),    rows.text(4),    rows.text(5),
                          rows.text(6),    rows.text(7),    {}};
            row.content = rows.is_null(8) ? std::nullopt : as_hash(rows.text(8));
            const auto wrong = [&](std::string_view what) {
                report_.add(fmt::format("changes: change {} ({} {}): {}", row.sequence, row.action, row.subject, what));
            };
            if (row.sequence != expected) {
                wrong("a change before it is missing");
            }
            expected = row.sequence + 1;
            link = link_of(link, row);
            if (const auto stored = as_hash(rows.text(9)); stored != link) {
                wrong("it does not follow from the change before: the chain is broken here");
                link = stored.value_or(link); // so that what follows is judged by itself
            }
            check_content(row, wrong);
            ++report_.changes;
            step();
        }
        report_.last_sequence = expected - 1;
        report_.last_link = hex_of(text_of(link));
    }

    // What a change wrote. The lines of bills are replaced by later ones: theirs are not looked at.
    template <class Wrong> void check_content(const ChangeRow& row, const Wrong& wrong) {
        if (options_.is_quick || row.action == "save_bill") {
            return;
        }
        const auto found = hashes_.find(row.sequence);
        if (!row.content && found != hashes_.end()) {
            wrong("it should have written nothing");
        }
        if (row.content && *row.content != content_of(found == hashes_.end() ? decltype(found->second)() : found->second)) {
            wrong("what it wrote is not what is stored: a revision has changed, or is missing");
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
        total_ = database_.number("SELECT count(*) FROM revision WHERE until = 9223372036854775807 AND deleted = 0");
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
                    step();
                }
                query.after = found.empty() ? "" : found.back().revision.record.key.id;
            }
        }
    }

    void check_document(const Revision& revision) {
        std::string problem;
        try {
            problem = options_.read(revision);
        } catch (const std::exception& error) { problem = error.what(); }
        if (!problem.empty()) {
            report_.add(fmt::format("documents: {} {} can't be read: {}", name_of(revision.record.key.kind), revision.record.key.id,
                                    problem));
        }
    }

    Database& database_;
    const CheckOptions& options_;
    CheckReport report_;
    HashesByChange hashes_; // computed from what is stored
    std::string_view part_;
    std::int64_t done_ = 0;
    std::int64_t total_ = 0;
    std::chrono::steady_clock::time_point reported_;
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
    return Checker(database, options).run();
}

CheckReport check(const std::string& path, const CheckOptions& options) {
    Database database(path, Database::Access::read);
    return check(database, options);
}

} // namespace costcurve::storage::sqlite
