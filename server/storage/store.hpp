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
    std::vector<std::int64_t> documents; ///< not deleted, by Kind
    std::int64_t revisions = 0;
    std::int64_t points = 0;
    std::int64_t bytes = 0; ///< of the database
};

/// All roles, and the store as a whole. Whole results cross this seam: a call costs nothing beside what it reads or writes.
/// `open_store` gives one.
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

    /// Whether a migration left something of that name to do with stored documents, once, and nobody has done it yet.
    [[nodiscard]] virtual bool is_upgrade_due(std::string_view name) const = 0;
    virtual void end_upgrade(std::string_view name) = 0;
    /// Waits for a change that another process of the store makes. True where there may be one: it was heard of, or the time is
    /// over; false where waiting was stopped, or other processes don't make themselves heard here. Never the only way to notice a
    /// change.
    [[nodiscard]] virtual bool wait_for_others(std::chrono::milliseconds timeout, const std::stop_token& stop) = 0;
    [[nodiscard]] virtual StoreCounts counts() const = 0;
    /// Throws StoreError where a write would fail now (locked, read-only, disk full).
    virtual void check_writable() = 0;
    /// How often a call waited for a lock or a free reader, since the start.
    [[nodiscard]] virtual std::int64_t busy_count() const = 0;
    /// Copies the whole store to a new file while it is in use: consistent. Throws where the file exists.
    virtual void backup(const std::string& path) const = 0;
};

} // namespace costcurve::storage
