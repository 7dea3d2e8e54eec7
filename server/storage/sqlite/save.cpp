// Saves and removes documents: each revision writes only the points and references that differ from the one before.
#include "server/storage/sqlite/save.hpp"

#include <algorithm>
#include <set>

#include "model/documents/text.hpp"
#include "server/storage/error.hpp"
#include "server/storage/sql/feeds.hpp"
#include "server/storage/sql/outbox.hpp"
#include "server/storage/sqlite/bulk_insert.hpp"
#include "server/storage/sqlite/references.hpp"
#include "server/storage/writes/chain.hpp"
#include "server/storage/writes/next_revision.hpp"

namespace costcurve::storage::sqlite {

namespace {

constexpr std::size_t kMaxRowsPerStatement = 250; // maximum rows per statement

constexpr const char* kEndRevision = "UPDATE revision SET until = ? WHERE row = ?";
constexpr const char* kAddDeletion = R"(
    INSERT INTO revision (row, document, revision, since, until, deleted, kind, id, title, search, hash)
    VALUES (?1 << 32 | ?3, ?1, ?2, ?3, ?4, 1, ?5, ?6, ?7, ?8, CAST(?9 AS BLOB)))";
constexpr const char* kAddReferences = "INSERT INTO reference (source, target, since, until) SELECT c0, c1, c2, c3 FROM input_rows";

// A document whose revision is written but whose references aren't yet: they may name documents that come later.
struct Written {
    std::int64_t document = 0;
    bool is_new = false;                                // the document has had no references before
    std::optional<std::vector<DocumentKey>> references; // for an existing document, if they differ from the previous revision
};

// The next revision of a document that is, or was, stored.
Saved save_next(BulkInsert& bulk_insert, Change& change, const Stored& current, const Record& input, const Merge& merge,
                Written& written) {
    const Revision& stored = current.revision;
    std::optional<Record> merged;
    if (merge && !stored.deleted) {
        merged = merge(stored.record, input);
        check_record(*merged);
    }
    const Record& record = merged ? *merged : input;
    written = {current.document, false, std::nullopt};
    NextRevision next = next_revision(stored, record);
    if (next.what == Saved::What::unchanged) {
        return {stored.revision, stored.recorded_at, stored.recorded_by, next.what};
    }
    if (stored.deleted || as_set(record.references) != stored.record.references) {
        written.references = record.references;
    }
    const Saved::What what = next.what;
    change.record();
    bulk_insert.add_next(current, input, std::move(merged), std::move(next));
    return {stored.revision + 1, change.recorded_at_text(), change.author(), what};
}

// Writes the references of saved documents. Returns references to missing documents; the caller must then roll back.
std::set<DocumentKey> save_all_references(Database& database, Change& change, std::span<const Record> records,
                                          std::span<const Saved> saved, std::span<const Written> written) {
    ReferenceResolver resolver(database);
    InputRows references; // references of documents that had none before
    for (std::size_t i = 0; i < records.size(); ++i) {
        if (saved[i].what == Saved::What::unchanged) {
            continue;
        }
        const auto& [document, is_new, next_references] = written[i];
        if (!is_new && !next_references) {
            continue;
        }
        const std::set<std::int64_t> targets = resolver.resolve(is_new ? records[i].references : *next_references);
        if (!is_new && resolver.missing().empty()) {
            save_references(database, document, change.sequence(), targets);
        }
        for (const std::int64_t target : targets) {
            if (is_new) {
                references.add({document, target, change.sequence(), kCurrent});
            }
        }
        if (references.cells.size() >= references.columns * kMaxRowsPerStatement && resolver.missing().empty()) {
            database.run(kAddReferences, references);
            references.cells.clear();
        }
    }
    if (resolver.missing().empty()) {
        database.run(kAddReferences, references);
    }
    return {resolver.missing().begin(), resolver.missing().end()};
}

} // namespace

std::variant<std::vector<Saved>, MissingReferences> save_records(Database& database, Change& change,
                                                                 std::span<const Record> records, const SaveOptions& options) {
    std::vector<Saved> saved;
    saved.reserve(records.size());
    std::vector<Written> written(records.size());
    BulkInsert bulk_insert(database, change);
    std::vector<std::optional<Stored>> current; // stored revisions of the records from `first` on
    for (std::size_t i = 0, first = 0; i < records.size(); ++i) {
        if (i == first + current.size()) {
            first = i;
            current = load_current(database, records.subspan(first, std::min(kMaxRowsPerStatement, records.size() - first)));
        }
        if (const std::optional<Stored>& stored = current[i - first]) {
            saved.push_back(save_next(bulk_insert, change, *stored, records[i], options.merge, written[i]));
        } else {
            written[i] = {bulk_insert.add(records[i]), true, std::nullopt};
            change.record();
            saved.push_back({1, change.recorded_at_text(), change.author(), Saved::What::added});
        }
        if (options.progress) {
            options.progress(i + 1);
        }
    }
    bulk_insert.write();
    for (std::size_t i = 0; i < records.size(); ++i) {
        if (records[i].webhook) { // also for an unchanged document, because a secret isn't part of the content
            sql::save_webhook(database, change, written[i].document, *records[i].webhook);
        }
        if (records[i].feed) {
            sql::save_feed(database, change, written[i].document, *records[i].feed);
        }
    }
    const std::set<DocumentKey> missing = save_all_references(database, change, records, saved, written);
    if (!missing.empty()) {
        return MissingReferences{{missing.begin(), missing.end()}};
    }
    return saved;
}

void add_deletion(Database& database, Change& change, const Stored& current) {
    const Record& record = current.revision.record;
    const std::int64_t sequence = change.sequence();
    database.run(kEndRevision, sequence, row_number(current));
    const RevisionRow row = row_of(record, current.document, sequence, current.revision.revision + 1, true);
    const Hash hash = hash_of_revision(row, Hash{}, {}, {});
    database.run(kAddDeletion, row.document, row.revision, sequence, kCurrent, row.kind, row.id, row.title,
                 model::lower(record.title), text_of(hash));
    change.add_hash(row.document, hash);
    save_references(database, current.document, sequence, {});
}

} // namespace costcurve::storage::sqlite
