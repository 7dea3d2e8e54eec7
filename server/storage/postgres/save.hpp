// Saves and removes documents: what is saved is compared with what is stored before the lock of all changes is taken, and written
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

/// Checked records on their way into the store, each of another document. Records and options outlive it.
class RecordSave {
public:
    RecordSave(std::vector<const Record*> records, const SaveOptions& options);

    /// Reads what is stored as of `sequence` and merges: outside of a transaction, or under the lock with kNow. Records that were
    /// prepared are prepared anew.
    void prepare(Connection& connection, std::int64_t sequence);
    /// Writes all as one change, in a transaction that has the lock. Where a document changed since it was read, all is prepared
    /// anew. Of missing references nothing is written. A dry run is the same, which the caller doesn't commit.
    [[nodiscard]] std::variant<std::vector<Saved>, MissingReferences> write(Connection& connection, Change& change);
    /// Writes each as a change of its own, where its condition holds and what it refers to is stored, in the transaction that
    /// prepared them. No outcome of one that refers to another of them, which isn't stored yet.
    [[nodiscard]] std::vector<std::optional<SaveOutcome>> write_each(Connection& connection, std::span<const WaitingSave> saves,
                                                                     std::span<Change> changes);

private:
    struct Next {
        std::optional<Stored> current; // a deletion too; nothing of one that was never stored
        std::optional<Record> merged;
        NextRevision revision;
        std::int64_t document = 0; // once it is known
        Change* change = nullptr;
        bool is_refused = false;
        std::optional<std::vector<DocumentKey>> references; // where they differ from those before

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
    std::map<DocumentKey, std::int64_t> known_; // what may be referred to; 0: a number that has yet to be given
    bool is_locked_ = false;                    // what was read can't change any more
};

/// Adds the revision behind the current one of a document that deletes it, and ends that and its references.
void add_deletion(Connection& connection, Change& change, const Stored& current);

} // namespace costcurve::storage::postgres
