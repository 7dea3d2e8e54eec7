// What all calls of a store need: its settings, its queue of saves, and transactions of the engine.
#pragma once

#include <atomic>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "server/storage/sql/change.hpp"
#include "server/storage/store.hpp"
#include "server/storage/store_settings.hpp"
#include "server/storage/timestamp.hpp"
#include "server/storage/writes/next_revision.hpp"
#include "server/storage/writes/save_queue.hpp"

namespace costcurve::storage::sql {

/// What a write comes to, and whether it is to be kept: else it is undone.
template <class T> struct Outcome {
    T value;
    bool is_kept = true;
};

/// `Engine` is the store that derives from this. It has connections of type `Engine::Connection`, and gives them to calls:
/// `read(call)`, in a transaction of one moment; `read_once(call)`, of a single short statement, or of what stays as it is;
/// `read_many(call)`, the same of what reads much; `write_marked(call)`, whose `call(connection, mark)` gives an Outcome, and may
/// be done again where the engine finds that nothing of it was kept. And `open_snapshot`, `wait_for_writes`, `save_together`;
/// `holder`, what its leases are known by, and `note_lease`, that it has one.
template <class Engine> class StoreBase : public Store {
public:
    [[nodiscard]] std::int64_t now() const override { return settings_.clock ? settings_.clock() : system_microseconds(); }
    [[nodiscard]] std::int64_t busy_count() const override { return waits_.load(std::memory_order_relaxed); }

    [[nodiscard]] SaveOutcome save(const Author& author, const Record& record, const Condition& condition) override {
        check_records(std::span(&record, 1));
        return saves_.save({author, record, condition});
    }

protected:
    explicit StoreBase(StoreSettings settings)
        : settings_(std::move(settings)), busy_timeout_{settings_.busy_timeout_ms, &waits_},
          saves_(busy_timeout_, [this](std::span<const WaitingSave> saves) { return engine().save_together(saves); }) {}

    /// The value of `call(connection, change)`, an Outcome, under the lock of all changes.
    template <class Call> auto write_change(const Author& author, std::string_view action, std::string subject, const Call& call) {
        return engine().write_marked([&](auto& connection, ChangeMark& mark) {
            lock_changes(connection);
            LastChange last;
            Change change(connection, last, author, action, subject, now());
            auto outcome = call(connection, change);
            if (outcome.is_kept) {
                mark = change.finish();
            }
            return outcome;
        });
    }
    /// Does `call(connection)` and keeps what it wrote.
    template <class Call> void write(const Call& call) {
        engine().write_marked([&](auto& connection, ChangeMark&) {
            call(connection);
            return Outcome<bool>{true};
        });
    }
    [[nodiscard]] Engine& engine() { return static_cast<Engine&>(*this); }
    [[nodiscard]] const Engine& engine() const { return static_cast<const Engine&>(*this); }

    StoreSettings settings_;
    mutable std::atomic<std::int64_t> waits_ = 0;
    BusyTimeout busy_timeout_;

private:
    SaveQueue saves_;
};

} // namespace costcurve::storage::sql
