// The one policy for exceptions in threads: what an item throws ends that item alone. It is logged once, and the loop goes on.
// Every loop that must outlive its items (requests, runs, deliveries, schedules, streams) catches here and nowhere else.
#pragma once

#include <chrono>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "server/storage/store.hpp"

namespace costcurve::failure {

/// Writes a line for the operator: what failed, and the id of the request, run, delivery or schedule that it was. Thread-safe.
using LogFailure = std::function<void(std::string_view what, std::string_view id)>;

/// Description of an exception thrown by an item.
struct Thrown {
    std::string what;                                ///< for the operator
    std::optional<storage::StoreError::Cause> store; ///< of a StoreError
    bool is_memory = false;                          ///< an allocation failed, or a thread could not be started
    [[nodiscard]] bool is_unreadable() const { return store == storage::StoreError::Cause::unreadable; }
};

/// Describes the exception that is being handled; only within a catch block. Never throws.
[[nodiscard]] Thrown current_exception() noexcept;

/// Runs `item`; gives what it threw, or nothing.
template <class Item> [[nodiscard]] std::optional<Thrown> guarded(const Item& item) noexcept {
    try {
        item();
        return std::nullopt;
    } catch (...) { return current_exception(); }
}

/// Calls a log that may be empty. Never throws: a line that can't be written is lost.
void log_failure(const LogFailure& log, std::string_view what, std::string_view id) noexcept;

/// The failures of a loop's items: each is logged when it first occurs, when it changes and when it ends, not at every turn. One
/// thread.
class Guard {
public:
    explicit Guard(LogFailure log) : log_(std::move(log)) {}

    /// Runs an item; gives what it threw, or nothing. The same item failing the same way again is not logged again.
    template <class Item> std::optional<Thrown> run(std::string_view id, const Item& item) noexcept {
        std::optional<Thrown> thrown = guarded(item);
        note(id, thrown);
        return thrown;
    }
    /// Pause before retrying a failed item: 1 s, doubled with each consecutive failure up to a minute; 0 if the last try succeeded.
    [[nodiscard]] std::chrono::seconds pause(std::string_view id) const;

private:
    struct Failing {
        std::string what;
        int times = 0;
    };
    void note(std::string_view id, const std::optional<Thrown>& thrown) noexcept;

    LogFailure log_;
    std::map<std::string, Failing, std::less<>> failing_;
};

} // namespace costcurve::failure
