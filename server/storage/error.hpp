// Failures of the store, and its busy timeout. Includes no other file of server/storage.
#pragma once

#include <atomic>
#include <cstdint>
#include <stdexcept>
#include <string>

namespace costcurve::storage {

/// A failure of the store. The text tells the operator what to do; it may name paths and never reaches a client.
class StoreError : public std::runtime_error {
public:
    /// `unreadable` concerns one document, named in the text; the other causes concern the whole store.
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
        moved,         ///< the path of the opened database now holds another file or none
        no_such_change ///< as_of names a change after the last one: the caller's error, and the caller may see the text
    };
    StoreError(Cause cause, const std::string& what) : std::runtime_error(what), cause_(cause) {}
    [[nodiscard]] Cause cause() const { return cause_; }

private:
    Cause cause_;
};

/// A run of a feed or import changed after the result that should end or review it was computed. Nothing of that result is stored.
/// The text may reach a client.
class RunConflict : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

/// How long a call waits for a lock that another call holds, and a counter of such waits.
struct BusyTimeout {
    int timeout_ms = 0;
    std::atomic<std::int64_t>* waits = nullptr; ///< outlives its users
};

} // namespace costcurve::storage
