// Saves and removes documents: what is saved is compared with what is stored before the lock of all changes is taken, and written
// under it.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "server/storage/next_revision.hpp"
#include "server/storage/postgres/change.hpp"
#include "server/storage/postgres/content.hpp"
#include "server/storage/save_outcome.hpp"

namespace costcurve::storage::postgres {

/// Checked records on their way into the store. Records and options outlive it.
class RecordSave {
public:
    RecordSave(std::span<const Record> records, const SaveOptions& options);

    /// Reads what is stored as of `sequence` and merges: outside of a transaction, or under the lock with kNow. Records that were
    /// prepared are prepared anew.
    void prepare(Connection& connection, std::int64_t sequence);
    /// Writes, in a transaction that has the lock. Where a document changed since it was read, all is prepared anew. Of missing
    /// references nothing is written; of a dry run neither.
    [[nodiscard]] std::variant<std::vector<Saved>, MissingReferences> write(Connection& connection, Change& change);

private:
    struct Next {
        std::optional<Stored> current; // a deletion too; nothing of one that was never stored
        std::optional<Record> merged;
        NextRevision revision;
        std::int64_t document = 0; // once it is known
    };
    [[nodiscard]] const Record& record(std::size_t place) const {
        return next_[place].merged ? *next_[place].merged : records_[place];
    }
    void decide();
    void decide(std::size_t place);
    [[nodiscard]] std::vector<std::size_t> find_stale(Connection& connection) const;
    void prepare_again(Connection& connection, const std::vector<std::size_t>& stale);
    [[nodiscard]] std::vector<Saved> write_revisions(Connection& connection, Change& change);
    [[nodiscard]] MissingReferences write_references(Connection& connection, Change& change, const std::vector<Saved>& saved);
    void write_facts(Connection& connection, Change& change);

    std::span<const Record> records_;
    const SaveOptions& options_;
    std::vector<DocumentKey> keys_;
    std::vector<Next> next_;
    bool is_locked_ = false; // what was read can't change any more
};

/// Deletes a current document, unless others refer to it.
[[nodiscard]] RemoveOutcome remove_document(Connection& connection, Change& change, const Stored& current);

} // namespace costcurve::storage::postgres
