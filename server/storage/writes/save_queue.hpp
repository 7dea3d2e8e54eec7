// Queue of single-document saves: concurrent saves are written together in one transaction.
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

/// A save whose record has been checked. The data that it points to must outlive it.
struct WaitingSave {
    const Author& author;
    const Record& record;
    const Condition& condition;
};

/// Group commit, because one flush serves many saves: the first caller writes, later callers wait, and one of them then writes all
/// that wait. Each save has its own change and outcome. Thread-safe.
class SaveQueue {
public:
    /// Saves different documents in order, in one transaction; returns an outcome for each. A save that refers to another one of
    /// the batch must be saved alone: it has no outcome and writes nothing.
    using SaveTogether = std::function<std::vector<std::optional<SaveOutcome>>(std::span<const WaitingSave> saves)>;
    SaveQueue(BusyTimeout busy_timeout, SaveTogether save_together);

    /// Returns once the save is on disk or refused. Throws what SaveTogether throws; StoreError (busy) if its turn didn't come in
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
    std::deque<Place*> places_; // in order of arrival
    bool is_led_ = false;
};

} // namespace costcurve::storage
