// The parts of a check that read the same rows in every engine, a page of them at a time.
#pragma once

#include <cstdint>
#include <limits>
#include <vector>

#include "server/storage/checker.hpp"
#include "server/storage/sql/content.hpp"
#include "server/storage/sql/engine.hpp"

namespace costcurve::storage::sql {

/// How many rows a statement gives at once. Without a limit where rows come as they are read.
struct CheckPages {
    std::int64_t rows = std::numeric_limits<std::int64_t>::max();
    std::int64_t results = std::numeric_limits<std::int64_t>::max();
};

/// In a transaction of the caller. Works part by part: one that can't be read because of damage is one problem, and the next part
/// is checked.
class StoreChecker : protected Checker {
protected:
    StoreChecker(Connection& connection, const CheckOptions& options, CheckPages pages)
        : Checker(options), connection_(connection), pages_(pages) {}
    ~StoreChecker() = default;

    /// Rows that refer to others that aren't there.
    virtual void check_references() = 0;
    virtual void check_revisions() = 0;
    /// Current documents of one kind, ascending by id: at most limit + 1.
    virtual std::vector<Stored> find_documents(const ListQuery& query) = 0;
    /// Adds their content, and calls `check_document` of each.
    virtual void check_contents(std::vector<Stored>& documents) = 0;

    [[nodiscard]] CheckReport check_parts();

    Connection& connection_;

private:
    void check_bodies();

    void check_results();

    void check_standings();

    // A key that no change made, or whose secret of then is gone.
    void check_keys();

    // Deliveries go where the document says.
    void check_webhooks();

    void check_seals();

    void add_hashes_of_secrets();

    // The links from a change on; the first one's is taken as stored unless it is the first of all.
    void check_changes(std::int64_t first);

    void check_names();

    void check_documents();

    CheckPages pages_;
};

} // namespace costcurve::storage::sql
