// Saves of single documents that come while others are written: they are written together, in one transaction.
#pragma once

#include <condition_variable>
#include <deque>
#include <exception>
#include <functional>
#include <mutex>
#include <optional>
#include <span>
#include <vector>

#include "server/storage/audit.hpp"
#include "server/storage/error.hpp"
#include "server/storage/record.hpp"
#include "server/storage/save_outcome.hpp"

namespace costcurve::storage {

/// A save whose record has been checked. What it refers to outlives it.
struct WaitingSave {
    const Author& author;
    const Record& record;
    const Condition& condition;
};

/// One flush to disk takes as long for many saves as for one: the first caller writes, those who come meanwhile wait, and one of
/// them writes all that wait. Each save has its change and its outcome, as if it had been alone. Any number of threads.
class SaveQueue {
public:
    /// Saves in order, in one transaction, documents that differ: an outcome for each. Nothing of one that is to be saved alone, as
    /// it refers to another of them; nothing of it is written then.
    using SaveTogether = std::function<std::vector<std::optional<SaveOutcome>>(std::span<const WaitingSave> saves)>;
    SaveQueue(BusyTimeout busy_timeout, SaveTogether save_together);

    /// Returns once it is on disk, or refused. Throws what SaveTogether throws; StoreError (busy) where its turn didn't come in
    /// time.
    [[nodiscard]] SaveOutcome save(const WaitingSave& save);

private:
    struct Place {
        explicit Place(const WaitingSave& save_of_place) : save(save_of_place) {}
        const WaitingSave& save;
        enum class State { waiting, taken, done } state = State::waiting;
        std::optional<SaveOutcome> outcome;
        std::exception_ptr error;
        std::condition_variable changed;
    };

    void wait(Place& place, std::unique_lock<std::mutex>& lock);
    void lead(Place& place, std::unique_lock<std::mutex>& lock);
    [[nodiscard]] std::vector<Place*> take();
    void save_places(std::span<Place* const> places) const;

    BusyTimeout busy_timeout_;
    SaveTogether save_together_;
    std::mutex mutex_;          // guards what follows, and the places
    std::deque<Place*> places_; // in the order of their coming
    bool is_led_ = false;
};

} // namespace costcurve::storage
