// Conditions, options and outcomes of writes of documents, as values.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "server/storage/feed.hpp"
#include "server/storage/measurement.hpp"
#include "server/storage/record.hpp"

namespace costcurve::storage {

/// What must hold of the stored document for a write to be done (HTTP's If-Match and If-None-Match: *).
struct Condition {
    enum class Kind { none, absent, present, revision } kind = Kind::none;
    std::int64_t revision = 0;
};

struct Saved {
    std::int64_t revision = 0;
    std::string recorded_at;
    std::string recorded_by;
    enum class What { added, changed, unchanged } what = What::added; ///< unchanged: the same content, no new revision
};
struct Removed {
    std::int64_t revision = 0;
};
struct NotFound {};
struct ConditionFailed {
    std::int64_t current = 0; ///< 0 where there is no document
};
struct MissingReferences {
    std::vector<DocumentKey> missing;
};
struct InUse {
    std::vector<DocumentKey> users; ///< at most 100
    std::int64_t count = 0;         ///< of all
};
using SaveOutcome = std::variant<Saved, ConditionFailed, MissingReferences>;
using RemoveOutcome = std::variant<Removed, NotFound, ConditionFailed, InUse>;

/// What to store where a document is there already, made of what is stored and what is given, which is the record itself that was
/// passed to `save_all`; of the same key. It may read nothing of the store.
using Merge = std::function<Record(const Record& stored, const Record& given)>;

/// How the run of a feed ended, of what it saved; asked for inside of the write, so that both are recorded or neither.
using EndFeed = std::function<FeedEnd(const std::vector<Saved>& saved)>;

/// A document to be deleted, where this is its revision and nothing refers to it.
struct Removal {
    DocumentKey key;
    std::int64_t revision = 0;
};

/// How many are saved.
struct SaveOptions {
    Merge merge = {}; ///< without one, what is given replaces what is stored
    /// With PostgreSQL called before records are merged, and again where another write came between: all are merged anew then, and
    /// what the merges before it counted is void. May be empty where merging has no effects.
    std::function<void()> restart = {};
    bool dry_run = false; ///< computes the outcome, and writes nothing
    /// Called as they go, with how many are done; may be empty.
    std::function<void(std::size_t done)> progress = {};
    std::string_view action = "save_all";                               ///< in the audit
    std::string subject = {};                                           ///< in the audit; "" for how many documents
    EndFeed end_feed = {};                                              ///< of what a feed's run saves; else empty
    std::vector<Removal> removals = {};                                 ///< in the same change, after what is saved
    std::function<void(const DocumentKey& key)> on_kept = {};           ///< of those of `removals` that stay; before `end_feed`
    std::vector<std::int64_t> undone_bills = {};                        ///< changes whose lines of bills are taken back in this one
    std::function<void(const UndoneBill& undone)> on_bills_undone = {}; ///< before `end_feed`
};

} // namespace costcurve::storage
