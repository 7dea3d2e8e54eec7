// A landing merges for seconds and holds every daemon's writes for one: only what was found is written under the lock.
#include "server/storage/postgres/save.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "server/storage/postgres/bulk_insert.hpp"
#include "server/storage/postgres/daemons/feeds.hpp"
#include "server/storage/postgres/daemons/outbox.hpp"
#include "server/storage/postgres/references.hpp"

namespace costcurve::storage::postgres {

namespace {

constexpr std::size_t kMaxKeysPerStatement = 2000;

constexpr const char* kHeads = R"(
    SELECT k.place, n.since FROM unnest($1::text[], $2::text[]) WITH ORDINALITY AS k (kind, id, place)
    CROSS JOIN LATERAL (SELECT since FROM revision
        WHERE kind = k.kind AND id = k.id AND until = 9223372036854775807 LIMIT 1) AS n)";

} // namespace

RecordSave::RecordSave(std::span<const Record> records, const SaveOptions& options) : records_(records), options_(options) {
    keys_.reserve(records.size());
    for (const Record& record : records) {
        keys_.push_back(record.key);
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
        next.merged = options_.merge(stored.record, records_[place]);
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
        std::vector<std::string_view> kinds;
        std::vector<std::string_view> ids;
        for (const DocumentKey& key : keys) {
            kinds.push_back(name_of(key.kind));
            ids.emplace_back(key.id);
        }
        std::vector<std::int64_t> heads(keys.size(), 0);
        Rows rows(connection, kHeads, kinds, ids);
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
    if (options_.merge) { // what it counted is of all records
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

std::vector<Saved> RecordSave::write_revisions(Connection& connection, Change& change) {
    std::vector<Saved> saved;
    saved.reserve(next_.size());
    std::vector<NewRevision> revisions;
    std::vector<std::size_t> places;
    for (std::size_t i = 0; i < next_.size(); ++i) {
        Next& next = next_[i];
        const bool is_first = !next.current;
        if (!is_first && next.revision.what == Saved::What::unchanged) {
            const Revision& stored = next.current->revision;
            saved.push_back({stored.revision, stored.recorded_at, stored.recorded_by, Saved::What::unchanged});
            continue;
        }
        NewRevision revision;
        revision.record = &record(i);
        revision.is_first = is_first;
        revision.document = next.document;
        if (!is_first) {
            revision.revision = next.current->revision.revision + 1;
            revision.curves = next.revision.curves;
        } else {
            revision.curves = rows_of(revision.record->series);
        }
        if (!is_first && next.revision.keeps_body) {
            revision.body = next.current->body;
            revision.body_hash = *next.current->body_hash;
        }
        static_cast<void>(change.sequence()); // recorded from here on
        saved.push_back(
            {revision.revision, change.recorded_at_text(), change.author(), is_first ? Saved::What::added : next.revision.what});
        revisions.push_back(std::move(revision));
        places.push_back(i);
    }
    if (revisions.empty()) {
        return saved;
    }
    number_documents(connection, revisions);
    for (std::size_t i = 0; i < revisions.size(); ++i) {
        next_[places[i]].document = revisions[i].document;
    }
    if (!options_.dry_run) {
        insert_revisions(connection, change, revisions);
    }
    return saved;
}

// Those to documents that aren't stored are returned, and then the change is not to be kept.
MissingReferences RecordSave::write_references(Connection& connection, Change& change, const std::vector<Saved>& saved) {
    std::map<DocumentKey, std::int64_t> known; // what is saved is there, whatever was before
    for (std::size_t i = 0; i < keys_.size(); ++i) {
        const bool is_gone = saved[i].what == Saved::What::unchanged && next_[i].current && next_[i].current->revision.deleted;
        if (!is_gone) {
            known.emplace(keys_[i], next_[i].document);
        }
    }
    std::vector<std::pair<std::size_t, std::vector<DocumentKey>>> changed;
    std::set<DocumentKey> unknown;
    for (std::size_t i = 0; i < keys_.size(); ++i) {
        if (saved[i].what == Saved::What::unchanged) {
            continue;
        }
        std::vector<DocumentKey> references = as_set(record(i).references);
        const std::optional<Stored>& current = next_[i].current;
        if (current && !current->revision.deleted && references == current->revision.record.references) {
            continue;
        }
        std::ranges::copy_if(references, std::inserter(unknown, unknown.end()),
                             [&](const DocumentKey& key) { return !known.contains(key); });
        changed.emplace_back(i, std::move(references));
    }
    known.merge(find_documents(connection, unknown));
    MissingReferences missing;
    std::ranges::copy_if(unknown, std::back_inserter(missing.missing),
                         [&](const DocumentKey& key) { return !known.contains(key); });
    if (!missing.missing.empty() || options_.dry_run || changed.empty()) {
        return missing;
    }
    TargetsBySource replaced;
    std::vector<std::pair<std::int64_t, std::int64_t>> added;
    for (const auto& [place, references] : changed) {
        const std::int64_t source = next_[place].document;
        std::set<std::int64_t>* targets = next_[place].current ? &replaced[source] : nullptr;
        for (const DocumentKey& key : references) {
            if (targets != nullptr) {
                targets->insert(known.at(key));
            } else {
                added.emplace_back(source, known.at(key));
            }
        }
    }
    insert_references(connection, change.sequence(), added);
    save_references(connection, change.sequence(), replaced);
    return missing;
}

void RecordSave::write_facts(Connection& connection, Change& change) {
    for (std::size_t i = 0; i < records_.size(); ++i) {
        if (records_[i].webhook) { // of an unchanged document too: a secret is no content
            save_webhook(connection, change, next_[i].document, *records_[i].webhook);
        }
        if (records_[i].feed) {
            save_feed(connection, change, next_[i].document, *records_[i].feed);
        }
    }
}

std::variant<std::vector<Saved>, MissingReferences> RecordSave::write(Connection& connection, Change& change) {
    if (!is_locked_) {
        if (const std::vector<std::size_t> stale = find_stale(connection); !stale.empty()) {
            prepare_again(connection, stale);
        }
    }
    std::vector<Saved> saved = write_revisions(connection, change);
    if (!options_.dry_run) {
        write_facts(connection, change);
    }
    MissingReferences missing = write_references(connection, change, saved);
    if (!missing.missing.empty()) {
        return missing;
    }
    return saved;
}

RemoveOutcome remove_document(Connection& connection, Change& change, const Stored& current) {
    InUse in_use = users_of(connection, current.document);
    if (in_use.count > 0) {
        return in_use;
    }
    const Record& record = current.revision.record;
    insert_deletion(connection, change, record, current.document, current.revision.revision + 1);
    save_references(connection, change.sequence(), {{current.document, {}}});
    if (record.key.kind == Kind::webhook) {
        remove_webhook(connection, current.document);
    }
    if (record.key.kind == Kind::feed) {
        remove_feed(connection, current.document);
    }
    return Removed{current.revision.revision + 1};
}

} // namespace costcurve::storage::postgres
