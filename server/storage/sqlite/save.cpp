// Saves and removes documents: each revision writes only the points and references that differ from the one before.
#include "server/storage/sqlite/save.hpp"

#include <algorithm>
#include <set>

#include "model/documents/text.hpp"
#include "server/storage/chain.hpp"
#include "server/storage/curve_rows.hpp"
#include "server/storage/error.hpp"
#include "server/storage/list_query.hpp"
#include "server/storage/next_revision.hpp"
#include "server/storage/sqlite/bulk_insert.hpp"
#include "server/storage/sqlite/outbox.hpp"
#include "server/storage/sqlite/points.hpp"
#include "server/storage/sqlite/references.hpp"

namespace costcurve::storage::sqlite {

namespace {

constexpr std::size_t kMaxRowsPerStatement = 250; // rows that a statement is given

constexpr const char* kAddBody = "INSERT INTO body (text, hash, encoding) VALUES (?, CAST(? AS BLOB), ?)";
constexpr const char* kBodyHash = "SELECT hash FROM body WHERE body = ?";
constexpr const char* kEndRevision = "UPDATE revision SET until = ? WHERE row = ?";
constexpr const char* kAddRevision = R"(
    INSERT INTO revision (row, document, revision, since, until, deleted, kind, id, title, search, body,
                          provider, region, device, purchase, hourly_price, hash)
    VALUES (?1 << 32 | ?3, ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, CAST(?16 AS BLOB)))";
constexpr const char* kFindNames = "SELECT c0 FROM input_rows CROSS JOIN named_document d ON d.kind = c1 AND d.id = c2";
constexpr const char* kAddReferences = "INSERT INTO reference (source, target, since, until) SELECT c0, c1, c2, c3 FROM input_rows";

struct Body {
    std::int64_t row = 0;
    Hash hash{};
};

Body add_body(Database& database, const Record& record) {
    const Hash hash = hash_of(record.body);
    Rows(database, kAddBody, record.body, text_of(hash), record.encoding).run();
    return {database.last_row(), hash};
}

Body stored_body(Database& database, std::int64_t row) {
    Rows rows(database, kBodyHash, row);
    const auto hash = rows.next() ? as_hash(rows.text(0)) : std::nullopt;
    if (!hash) {
        throw StoreError(StoreError::Cause::corrupt, database.path() + ": a body has no hash; restore a backup");
    }
    return {row, *hash};
}

// The revision behind `current`; a deletion has no body.
void add_revision(Database& database, Change& change, const Stored& current, const Record& record, const std::optional<Body>& body,
                  const std::vector<CurveRows>& curves) {
    const std::int64_t sequence = change.sequence();
    Rows(database, kEndRevision, sequence, current.row).run();
    const RevisionRow row = row_of(record, current.document, sequence, current.revision.revision + 1, !body);
    const Hash hash =
        hash_of_revision(row, body ? body->hash : Hash{}, curves, body ? as_set(record.references) : std::vector<DocumentKey>());
    const auto body_row = body ? std::optional(body->row) : std::nullopt;
    Rows(database, kAddRevision, row.document, row.revision, sequence, kCurrent, row.deleted ? 1 : 0, row.kind, row.id, row.title,
         model::lower(record.title), body_row, row.provider, row.region, row.device, row.purchase, row.hourly_price, text_of(hash))
        .run();
    change.add_hash(row.document, hash);
}

// A document whose revision is written, all but its references: they may be to documents that come later.
struct Written {
    std::int64_t document = 0;
    bool is_new = false;                 // it has had no references before
    std::vector<DocumentKey> references; // of one that isn't new: it may have been merged
};

// The next revision of a document that is, or was, stored.
Saved save_next(Database& database, Change& change, Stored& current, const Record& input, const Merge& merge, Written& written) {
    load_content(database, current, kNow);
    const Revision& stored = current.revision;
    std::optional<Record> merged;
    if (merge && !stored.deleted) {
        merged = merge(stored.record, input);
        check_record(*merged);
    }
    const Record& record = merged ? *merged : input;
    written = {current.document, false, record.references};
    const NextRevision next = next_revision(stored, record);
    if (next.what == Saved::What::unchanged) {
        return {stored.revision, stored.recorded_at, stored.recorded_by, next.what};
    }
    add_revision(database, change, current, record,
                 next.keeps_body ? stored_body(database, current.body.value()) : add_body(database, record), next.curves);
    add_rows(database, current.document, change.sequence(), next.curves);
    return {stored.revision + 1, change.recorded_at_text(), change.author(), next.what};
}

// Which of the documents are, or were, stored: one statement for many, most of which a first import has never had.
std::vector<bool> find_names(Database& database, std::span<const Record> records) {
    std::vector<bool> found(records.size());
    for (std::size_t first = 0; first < records.size(); first += kMaxRowsPerStatement) {
        InputRows names;
        for (std::size_t i = first; i < std::min(first + kMaxRowsPerStatement, records.size()); ++i) {
            names.add({static_cast<std::int64_t>(i), name_of(records[i].key.kind), records[i].key.id});
        }
        Rows rows(database, kFindNames, names);
        while (rows.next()) {
            found[static_cast<std::size_t>(rows.integer(0))] = true;
        }
    }
    return found;
}

// The references of what was saved; those to documents that aren't stored are returned, and then the change is not to be kept.
std::set<DocumentKey> save_all_references(Database& database, Change& change, std::span<const Record> records,
                                          std::span<const Saved> saved, std::span<const Written> written) {
    ReferenceResolver resolver(database);
    InputRows references; // of documents that have had none
    for (std::size_t i = 0; i < records.size(); ++i) {
        if (saved[i].what == Saved::What::unchanged) {
            continue;
        }
        const auto& [document, is_new, merged_references] = written[i];
        const std::set<std::int64_t> targets = resolver.resolve(is_new ? records[i].references : merged_references);
        if (!is_new && resolver.missing().empty()) {
            save_references(database, document, change.sequence(), targets);
        }
        for (const std::int64_t target : targets) {
            if (is_new) {
                references.add({document, target, change.sequence(), kCurrent});
            }
        }
        if (references.cells.size() >= references.columns * kMaxRowsPerStatement && resolver.missing().empty()) {
            Rows(database, kAddReferences, references).run();
            references.cells.clear();
        }
    }
    if (resolver.missing().empty()) {
        Rows(database, kAddReferences, references).run();
    }
    return {resolver.missing().begin(), resolver.missing().end()};
}

} // namespace

std::variant<std::vector<Saved>, MissingReferences> save_records(Database& database, Change& change,
                                                                 std::span<const Record> records, const SaveOptions& options) {
    std::vector<Saved> saved;
    saved.reserve(records.size());
    std::vector<Written> written(records.size());
    const std::vector<bool> is_known = find_names(database, records);
    BulkInsert bulk_insert(database, change);
    for (std::size_t i = 0; i < records.size(); ++i) {
        if (is_known[i]) {
            Stored current = find_stored(database, records[i].key, kNow).value();
            saved.push_back(save_next(database, change, current, records[i], options.merge, written[i]));
        } else {
            written[i] = {bulk_insert.add(records[i]), true, {}};
            static_cast<void>(change.sequence());
            saved.push_back({1, change.recorded_at_text(), change.author(), Saved::What::added});
        }
        if (options.progress) {
            options.progress(i + 1);
        }
    }
    bulk_insert.write();
    for (std::size_t i = 0; i < records.size(); ++i) {
        if (records[i].webhook) { // of an unchanged document too: a secret is no content
            save_webhook(database, change, written[i].document, *records[i].webhook);
        }
    }
    const std::set<DocumentKey> missing = save_all_references(database, change, records, saved, written);
    if (!missing.empty()) {
        return MissingReferences{{missing.begin(), missing.end()}};
    }
    return saved;
}

RemoveOutcome remove_document(Database& database, Change& change, const Stored& current) {
    InUse in_use = users_of(database, current.document);
    if (in_use.count > 0) {
        return in_use;
    }
    add_revision(database, change, current, current.revision.record, std::nullopt, {});
    save_references(database, current.document, change.sequence(), {});
    if (current.revision.record.key.kind == Kind::webhook) {
        remove_webhook(database, current.document);
    }
    return Removed{current.revision.revision + 1};
}

} // namespace costcurve::storage::sqlite
