// The engine-independent parts of a check, which read rows page by page.
#pragma once

#include <cstdint>
#include <limits>
#include <vector>

#include "server/storage/checker.hpp"
#include "server/storage/sql/content.hpp"
#include "server/storage/sql/engine.hpp"

namespace costcurve::storage::sql {

/// Maximum rows per statement; no limit if the engine streams rows.
struct CheckPages {
    std::int64_t rows = std::numeric_limits<std::int64_t>::max();
    std::int64_t results = std::numeric_limits<std::int64_t>::max();
};

/// Runs in the caller's transaction, part by part. A part that damage makes unreadable counts as one problem, and the check goes on
/// with the next part.
class StoreChecker : protected Checker {
protected:
    StoreChecker(Connection& connection, const CheckOptions& options, CheckPages pages)
        : Checker(options), connection_(connection), pages_(pages) {}
    ~StoreChecker() = default;

    /// Reports rows that refer to missing rows.
    virtual void check_references() = 0;
    virtual void check_revisions() = 0;
    /// Current documents of one kind, ascending by id: at most limit + 1.
    virtual std::vector<Stored> find_documents(const ListQuery& query) = 0;
    /// Loads the documents' content and calls `check_document` for each.
    virtual void check_contents(std::vector<Stored>& documents) = 0;

    [[nodiscard]] CheckReport check_parts();

    Connection& connection_;

private:
    void check_bodies();

    void check_results();

    void check_standings();

    // Reports keys that no change made, and keys whose original secret is gone.
    void check_keys();

    // Checks that delivery addresses match the webhooks' documents.
    void check_webhooks();

    void check_seals();

    void add_hashes_of_secrets();

    // Checks chain links from change `first` on. Its previous link is taken as stored unless it is the first change of all.
    void check_changes(std::int64_t first);

    void check_names();

    void check_documents();

    CheckPages pages_;
};

} // namespace costcurve::storage::sql
