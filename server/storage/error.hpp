// Failures of the store, and the limit of its waiting. The bottom of this room: it includes no other file of it.
#pragma once

#include <atomic>
#include <cstdint>
#include <stdexcept>
#include <string>

namespace costcurve::storage {

/// A failure of the store. The text tells the operator what to do; it may name paths and never reaches a client.
class StoreError : public std::runtime_error {
public:
    /// `unreadable` is of one document, named in the text; the others are of the whole store.
    enum class Cause {
        busy,
        full,
        read_only,
        corrupt,
        foreign_file,
        newer_version,
        changed_migration,
        unavailable,
        unreadable,
        moved,         ///< another file, or none, is at the path where the database was opened
        no_such_change ///< as_of names a change after the last one: an error of the caller, who may see the text
    };
    StoreError(Cause cause, const std::string& what) : std::runtime_error(what), cause_(cause) {}
    [[nodiscard]] Cause cause() const { return cause_; }

private:
    Cause cause_;
};

/// A run of a feed or an import is no longer as it was when what ends or reviews it was computed; nothing of that is stored. The
/// text may reach a client.
class RunConflict : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

/// How long a call waits for a lock of another one, and where it counts that it waited.
struct BusyTimeout {
    int timeout_ms = 0;
    std::atomic<std::int64_t>* waits = nullptr; ///< outlives its users
};

} // namespace costcurve::storage
