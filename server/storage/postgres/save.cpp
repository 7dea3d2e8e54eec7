// Saves and removes documents. Merging takes seconds and happens before the lock: under it only the rows are written.
#include "server/storage/postgres/save.hpp"

#include <algorithm>
#include <set>
#include <utility>

#include "model/documents/text.hpp"
#include "server/storage/postgres/bulk_insert.hpp"
#include "server/storage/postgres/references.hpp"
#include "server/storage/sql/feeds.hpp"
#include "server/storage/sql/outbox.hpp"

namespace costcurve::storage::postgres {

namespace {

constexpr std::size_t kMaxKeysPerStatement = 2000;

constexpr const char* kHeads = R"(
    SELECT k.place, n.since FROM unnest($1::text[], $2::text[]) WITH ORDINALITY AS k (kind, id, place)
    CROSS JOIN LATERAL (SELECT since FROM revision
        WHERE kind = k.kind AND id = k.id AND until = 9223372036854775807 LIMIT 1) AS n)";
constexpr const char* kAddDeletion = R"(
    INSERT INTO revision (document, since, until, revision, deleted, kind, id, title, search, hash)
    VALUES ($1, $2, 9223372036854775807, $3, 1, $4, $5, $6, $7, $8))";

} // namespace

RecordSave::RecordSave(std::vector<const Record*> records, const SaveOptions& options)
    : records_(std::move(records)), options_(options) {
    keys_.reserve(records_.size());
    for (const Record* record : records_) {
        keys_.push_back(record->key);
    }
}

void RecordSave::decide(std::size_t place) {
    Next& next = next_[place];
    next.merged.reset();
    next.revision = {};
    if (!next.current) {
        return;
    }
    const Revision& stored = next.current->revision;
    next.document = next.current->document;
    if (options_.merge && !stored.deleted) {
        next.merged = options_.merge(stored.record, *records_[place]);
        check_record(*next.merged);
    }
    next.revision = next_revision(stored, record(place));
    if (next.revision.keeps_body && !next.current->body_hash) {
        throw StoreError(StoreError::Cause::corrupt, "a body has no hash; restore a backup");
    }
}

void RecordSave::decide() {
    for (std::size_t i = 0; i < records_.size(); ++i) {
        decide(i);
        if (options_.progress) {
            options_.progress(i + 1);
        }
    }
}

void RecordSave::prepare(Connection& connection, std::int64_t sequence) {
    is_locked_ = sequence == kNow;
    next_.clear();
    next_.resize(records_.size());
    for (std::size_t first = 0; first < keys_.size(); first += kMaxKeysPerStatement) {
        const auto keys = std::span(keys_).subspan(first, std::min(kMaxKeysPerStatement, keys_.size() - first));
        std::vector<std::optional<Stored>> found = load_stored(connection, keys, sequence);
        for (std::size_t i = 0; i < found.size(); ++i) {
            next_[first + i].current = std::move(found[i]);
        }
    }
    decide();
}

std::vector<std::size_t> RecordSave::find_stale(Connection& connection) const {
    std::vector<std::size_t> stale;
    for (std::size_t first = 0; first < keys_.size(); first += kMaxKeysPerStatement) {
        const auto keys = std::span(keys_).subspan(first, std::min(kMaxKeysPerStatement, keys_.size() - first));
        std::vector<std::int64_t> heads(keys.size(), 0);
        Rows rows(connection, kHeads, column_of(keys, kind_of_key), column_of(keys, &DocumentKey::id));
        while (rows.next()) {
            heads[static_cast<std::size_t>(rows.integer(0) - 1)] = rows.integer(1);
        }
        for (std::size_t i = 0; i < heads.size(); ++i) {
            const std::optional<Stored>& current = next_[first + i].current;
            if (heads[i] != (current ? current->revision.sequence : 0)) {
                stale.push_back(first + i);
            }
        }
    }
    return stale;
}

void RecordSave::prepare_again(Connection& connection, const std::vector<std::size_t>& stale) {
    for (std::size_t first = 0; first < stale.size(); first += kMaxKeysPerStatement) {
        const auto places = std::span(stale).subspan(first, std::min(kMaxKeysPerStatement, stale.size() - first));
        std::vector<DocumentKey> keys;
        for (const std::size_t place : places) {
            keys.push_back(keys_[place]);
        }
        std::vector<std::optional<Stored>> found = load_stored(connection, keys, kNow);
        for (std::size_t i = 0; i < found.size(); ++i) {
            next_[places[i]].current = std::move(found[i]);
        }
    }
    if (options_.merge) { // its counts cover all records
        if (options_.restart) {
            options_.restart();
        }
        decide();
        return;
    }
    for (const std::size_t place : stale) {
        decide(place);
    }
}

void RecordSave::find_references(Connection& connection) {
    std::set<DocumentKey> unknown;
    for (std::size_t i = 0; i < next_.size(); ++i) {
        Next& next = next_[i];
        next.references.reset();
        if (!next.is_written()) {
            continue;
        }
        std::vector<DocumentKey> references = as_set(record(i).references);
        if (next.current && !next.current->revision.deleted && references == next.current->revision.record.references) {
            continue;
        }
        std::ranges::copy_if(references, std::inserter(unknown, unknown.end()),
                             [&](const DocumentKey& key) { return !known_.contains(key); });
        next.references = std::move(references);
    }
    known_.merge(find_documents(connection, unknown));
}

std::vector<DocumentKey> RecordSave::missing_of(const Next& next) const {
    std::vector<DocumentKey> missing;
    if (next.references) {
        std::ranges::copy_if(*next.references, std::back_inserter(missing),
                             [&](const DocumentKey& key) { return !known_.contains(key); });
    }
    return missing;
}

std::vector<Saved> RecordSave::write_revisions(Connection& connection) {
    std::vector<Saved> saved(next_.size());
    std::vector<NewRevision> revisions;
    std::vector<std::size_t> places;
    for (std::size_t i = 0; i < next_.size(); ++i) {
        Next& next = next_[i];
        if (!next.is_written()) {
            if (next.current) {
                const Revision& stored = next.current->revision;
                saved[i] = {stored.revision, stored.recorded_at, stored.recorded_by, Saved::What::unchanged};
            }
            continue;
        }
        NewRevision revision;
        revision.record = &record(i);
        revision.change = next.change;
        revision.is_first = !next.current;
        revision.document = next.document;
        if (next.current) {
            revision.revision = next.current->revision.revision + 1;
            revision.curves = next.revision.curves;
        } else {
            revision.curves = rows_of(revision.record->series);
        }
        if (next.current && next.revision.keeps_body) {
            revision.keeps_body = true;
            revision.body = next.current->body.value_or(0);
            revision.body_hash = *next.current->body_hash;
        }
        next.change->record();
        saved[i] = {revision.revision, next.change->recorded_at_text(), next.change->author(),
                    next.current ? next.revision.what : Saved::What::added};
        revisions.push_back(std::move(revision));
        places.push_back(i);
    }
    if (revisions.empty()) {
        return saved;
    }
    number_rows(connection, revisions);
    for (std::size_t i = 0; i < revisions.size(); ++i) {
        next_[places[i]].document = revisions[i].document;
    }
    insert_revisions(connection, revisions);
    return saved;
}

void RecordSave::write_references(Connection& connection) {
    TargetsBySource replaced;
    std::vector<NewReference> added;
    for (std::size_t i = 0; i < next_.size(); ++i) {
        if (const auto known = known_.find(keys_[i]); known != known_.end()) {
            known->second = next_[i].document; // a new document gets its number only now
        }
    }
    for (const Next& next : next_) {
        if (!next.references || next.is_refused) {
            continue;
        }
        const std::int64_t since = next.change->sequence();
        Targets* targets = next.current ? &replaced[next.document] : nullptr;
        if (targets != nullptr) {
            targets->since = since;
        }
        for (const DocumentKey& key : *next.references) {
            if (targets != nullptr) {
                targets->targets.insert(known_.at(key));
            } else {
                added.push_back({next.document, known_.at(key), since});
            }
        }
    }
    insert_references(connection, added);
    save_references(connection, replaced);
}

void RecordSave::write_facts(Connection& connection) {
    for (std::size_t i = 0; i < next_.size(); ++i) {
        const Next& next = next_[i];
        if (records_[i]->webhook &&
            !next.is_refused) { // also for an unchanged document, because a secret isn't part of the content
            sql::save_webhook(connection, *next.change, next.document, *records_[i]->webhook);
        }
        if (records_[i]->feed && !next.is_refused) {
            sql::save_feed(connection, *next.change, next.document, *records_[i]->feed);
        }
    }
}

std::variant<std::vector<Saved>, MissingReferences> RecordSave::write(Connection& connection, Change& change) {
    if (!is_locked_) {
        if (const std::vector<std::size_t> stale = find_stale(connection); !stale.empty()) {
            prepare_again(connection, stale);
        }
    }
    known_.clear();
    for (std::size_t i = 0; i < next_.size(); ++i) { // they may refer to one another
        next_[i].change = &change;
        known_.emplace(keys_[i], next_[i].document);
    }
    find_references(connection);
    std::set<DocumentKey> missing;
    for (const Next& next : next_) {
        std::ranges::move(missing_of(next), std::inserter(missing, missing.end()));
    }
    if (!missing.empty()) {
        return MissingReferences{{missing.begin(), missing.end()}};
    }
    std::vector<Saved> saved = write_revisions(connection);
    write_facts(connection);
    write_references(connection);
    if (options_.dry_run) { // the caller rolls back; the database has checked everything by now
        connection.settle();
    }
    return saved;
}

std::vector<std::optional<SaveOutcome>> RecordSave::write_each(Connection& connection, std::span<const WaitingSave> saves,
                                                               std::span<Change> changes) {
    std::vector<std::optional<SaveOutcome>> outcomes(saves.size());
    for (std::size_t i = 0; i < saves.size(); ++i) {
        Next& next = next_[i];
        next.change = &changes[i];
        if (const auto failed = failing(saves[i].condition, next.current ? &next.current->revision : nullptr)) {
            next.is_refused = true;
            outcomes[i] = *failed;
        }
    }
    find_references(connection);
    const std::set<DocumentKey> together(keys_.begin(), keys_.end());
    std::set<DocumentKey> referring_to_themselves;
    for (std::size_t i = 0; i < saves.size(); ++i) {
        std::vector<DocumentKey> missing = missing_of(next_[i]);
        const bool refers_to_itself = std::erase(missing, keys_[i]) > 0;
        next_[i].is_refused = next_[i].is_refused || !missing.empty();
        if (missing.empty() && refers_to_itself) {
            referring_to_themselves.insert(keys_[i]);
        }
        if (!missing.empty() && std::ranges::none_of(missing, [&](const auto& key) { return together.contains(key); })) {
            outcomes[i] = MissingReferences{std::move(missing)};
        }
    }
    for (const DocumentKey& key : referring_to_themselves) {
        known_.emplace(key, 0);
    }
    std::vector<Saved> saved = write_revisions(connection);
    write_facts(connection);
    write_references(connection);
    for (std::size_t i = 0; i < saves.size(); ++i) {
        if (!next_[i].is_refused) {
            outcomes[i] = std::move(saved[i]);
        }
    }
    return outcomes;
}

void add_deletion(Connection& connection, Change& change, const Stored& current) {
    const Record& record = current.revision.record;
    const std::int64_t sequence = change.sequence();
    end_revisions(connection, sequence, {current.document});
    const RevisionRow row = row_of(record, current.document, sequence, current.revision.revision + 1, true);
    const Hash hash = hash_of_revision(row, Hash{}, {}, {});
    connection.post(kAddDeletion, row.document, sequence, row.revision, row.kind, row.id, row.title, model::lower(record.title),
                    Bytes{text_of(hash)});
    change.add_hash(row.document, hash);
    save_references(connection, {{current.document, {sequence, {}}}});
}

} // namespace costcurve::storage::postgres
