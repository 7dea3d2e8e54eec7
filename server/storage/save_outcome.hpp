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

/// Condition on the stored document for a write (HTTP's If-Match and If-None-Match: *).
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
    std::int64_t current = 0; ///< 0 if there is no document
};
struct MissingReferences {
    std::vector<DocumentKey> missing;
};
struct InUse {
    std::vector<DocumentKey> users; ///< at most 100
    std::int64_t count = 0;         ///< number of all users, listed or not
};
using SaveOutcome = std::variant<Saved, ConditionFailed, MissingReferences>;
using RemoveOutcome = std::variant<Removed, NotFound, ConditionFailed, InUse>;

/// Computes the record to store if the document already exists, from the stored record and the record passed to `save_all`; both
/// have the same key. Must not read from the store.
using Merge = std::function<Record(const Record& stored, const Record& given)>;

/// Computes the end of a feed run from the documents that it saved. Called inside the write, so that both are recorded or neither
/// is.
using EndFeed = std::function<FeedEnd(const std::vector<Saved>& saved)>;

/// A document to delete if its revision is still this one and nothing refers to it.
struct Removal {
    DocumentKey key;
    std::int64_t revision = 0;
};

/// Options for saving many documents.
struct SaveOptions {
    Merge merge = {}; ///< if empty, the given record replaces the stored one
    /// On PostgreSQL, called before records are merged, and again if another write came between: all records are then merged anew,
    /// and counts of the earlier merges are void. May be empty if merging has no side effects.
    std::function<void()> restart = {};
    bool dry_run = false; ///< computes the outcome, and writes nothing
    /// Called with the number of documents done so far; may be empty.
    std::function<void(std::size_t done)> progress = {};
    std::string_view action = "save_all"; ///< action in the audit
    std::string subject = {};             ///< subject in the audit; "" for the number of documents
    EndFeed end_feed = {};                ///< for the documents of a feed run; otherwise empty
    std::vector<Removal> removals = {};   ///< documents to delete in the same change, after saving
    std::function<void(const DocumentKey& key)> on_kept =
        {};                                      ///< called for each document of `removals` that stays; before `end_feed`
    std::vector<std::int64_t> undone_bills = {}; ///< changes whose bill lines this change undoes
    std::function<void(const UndoneBill& undone)> on_bills_undone = {}; ///< called before `end_feed`
};

} // namespace costcurve::storage
