// The store: append-only revisions of documents, as they were known at any time, whatever engine keeps them. No formulas, no JSON,
// no SQL.
#pragma once

#include <chrono>
#include <cstdint>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "server/storage/roles.hpp"

namespace costcurve::storage {

struct StoreCounts {
    std::vector<std::int64_t> documents; ///< number of documents that aren't deleted, by Kind
    std::int64_t revisions = 0;
    std::int64_t points = 0;
    std::int64_t bytes = 0; ///< size of the database
};

/// All roles, and operations on the whole store. Calls return complete results and cost only what they read or write. Created by
/// `open_store`.
class Store : public DocumentStore,
              public Keys,
              public Telemetry,
              public Bills,
              public Outbox,
              public Runs,
              public Jobs,
              public Feeds {
public:
    virtual ~Store() = default;

    /// Whether a migration left a one-time task of this name on stored documents that hasn't been done yet.
    [[nodiscard]] virtual bool is_upgrade_due(std::string_view name) const = 0;
    virtual void end_upgrade(std::string_view name) = 0;
    /// Waits for a change made by another process. True if there may be one: a notification or the timeout. False if stopped, or if
    /// this engine has no notifications. Notifications may be lost, so poll as well.
    [[nodiscard]] virtual bool wait_for_others(std::chrono::milliseconds timeout, const std::stop_token& stop) = 0;
    [[nodiscard]] virtual StoreCounts counts() const = 0;
    /// Throws StoreError if a write would fail now (locked, read-only, disk full).
    virtual void check_writable() = 0;
    /// How often a call waited for a lock or a free reader, since the start.
    [[nodiscard]] virtual std::int64_t busy_count() const = 0;
    /// Copies a consistent snapshot of the whole store to a new file, while it is in use. Throws if the file exists.
    virtual void backup(const std::string& path) const = 0;
};

} // namespace costcurve::storage
