// Saves and removes documents. Records are compared with stored documents before the lock of all changes is taken, and written
// under it.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <variant>
#include <vector>

#include "server/storage/postgres/content.hpp"
#include "server/storage/save_outcome.hpp"
#include "server/storage/sql/change.hpp"
#include "server/storage/writes/next_revision.hpp"
#include "server/storage/writes/save_queue.hpp"

namespace costcurve::storage::postgres {

using sql::Change;

/// Checked records to save, each of a different document. Records and options must outlive it.
class RecordSave {
public:
    RecordSave(std::vector<const Record*> records, const SaveOptions& options);

    /// Reads the stored documents as of `sequence` and merges the records: outside of a transaction, or under the lock with kNow.
    /// May be called again.
    void prepare(Connection& connection, std::int64_t sequence);
    /// Writes all records as one change, in a transaction that has the lock. If a document changed since it was read, everything is
    /// prepared again. If references are missing, nothing is written. For a dry run the caller rolls back.
    [[nodiscard]] std::variant<std::vector<Saved>, MissingReferences> write(Connection& connection, Change& change);
    /// Writes each record as its own change if its condition holds and its references are stored, in the transaction that prepared
    /// them. A record that refers to another, not yet stored record of the batch gets no outcome.
    [[nodiscard]] std::vector<std::optional<SaveOutcome>> write_each(Connection& connection, std::span<const WaitingSave> saves,
                                                                     std::span<Change> changes);

private:
    struct Next {
        std::optional<Stored> current; // current revision, which may be a deletion; empty if never stored
        std::optional<Record> merged;
        NextRevision revision;
        std::int64_t document = 0; // once it is known
        Change* change = nullptr;
        bool is_refused = false;
        std::optional<std::vector<DocumentKey>> references; // set if they differ from the previous revision

        [[nodiscard]] bool is_written() const { return !is_refused && (!current || revision.what != Saved::What::unchanged); }
    };
    [[nodiscard]] const Record& record(std::size_t place) const {
        return next_[place].merged ? *next_[place].merged : *records_[place];
    }
    void decide();
    void decide(std::size_t place);
    [[nodiscard]] std::vector<std::size_t> find_stale(Connection& connection) const;
    void prepare_again(Connection& connection, const std::vector<std::size_t>& stale);
    void find_references(Connection& connection);
    [[nodiscard]] std::vector<DocumentKey> missing_of(const Next& next) const;
    [[nodiscard]] std::vector<Saved> write_revisions(Connection& connection);
    void write_references(Connection& connection);
    void write_facts(Connection& connection);

    std::vector<const Record*> records_;
    const SaveOptions& options_;
    std::vector<DocumentKey> keys_;
    std::vector<Next> next_;
    std::map<DocumentKey, std::int64_t> known_; // documents that may be referred to; 0 if not yet numbered
    bool is_locked_ = false;                    // the documents read can no longer change
};

/// Adds a deletion as the next revision of a document, and ends the current revision and its references.
void add_deletion(Connection& connection, Change& change, const Stored& current);

} // namespace costcurve::storage::postgres
