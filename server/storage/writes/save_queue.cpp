// Group commit: the first waiting thread writes all waiting saves, until its own is done.
#include "server/storage/writes/save_queue.hpp"

#include <chrono>
#include <set>
#include <stdexcept>
#include <utility>

#include <fmt/format.h>

namespace costcurve::storage {

namespace {

constexpr std::size_t kMaxTogether =
    64;                         // beyond this the flush's share per save is negligible, and the first save waits for the last
constexpr int kMaxFailures = 2; // failures of single saves after which the store itself is taken to have failed

std::optional<StoreError::Cause> cause_of(const std::exception_ptr& error) {
    try {
        std::rethrow_exception(error);
    } catch (const StoreError& failed) { return failed.cause(); } catch (...) {
        return std::nullopt;
    }
}

bool is_of_one(const std::exception_ptr& error) {
    const std::optional<StoreError::Cause> cause = cause_of(error);
    return !cause || *cause == StoreError::Cause::corrupt || *cause == StoreError::Cause::unreadable;
}

} // namespace

SaveQueue::SaveQueue(BusyTimeout busy_timeout, SaveTogether save_together)
    : busy_timeout_(busy_timeout), save_together_(std::move(save_together)) {}

SaveOutcome SaveQueue::save(const WaitingSave& save) {
    Place place(save);
    std::unique_lock lock(mutex_);
    places_.push_back(&place);
    if (is_led_) {
        wait(place, lock);
    }
    if (place.state != Place::State::done) {
        lead(place, lock);
    }
    if (place.error) {
        std::rethrow_exception(place.error);
    }
    return std::move(*place.outcome);
}

// Waits until the save is done, or no thread leads.
void SaveQueue::wait(Place& place, std::unique_lock<std::mutex>& lock) {
    busy_timeout_.waits->fetch_add(1, std::memory_order_relaxed);
    const auto is_over = [&] { return place.state == Place::State::done || !is_led_; };
    const bool came = place.changed.wait_for(lock, std::chrono::milliseconds(busy_timeout_.timeout_ms), is_over);
    if (!came && place.state == Place::State::waiting) {
        std::erase(places_, &place);
        throw StoreError(StoreError::Cause::busy,
                         fmt::format("other saves took longer than {} ms; try again", busy_timeout_.timeout_ms));
    }
    place.changed.wait(lock, is_over); // a save in progress will have its outcome soon
}

void SaveQueue::lead(Place& place, std::unique_lock<std::mutex>& lock) {
    is_led_ = true;
    while (place.state != Place::State::done) {
        std::vector<Place*> taken;
        try {
            taken = take();
        } catch (...) { // out of memory: another thread leads
            std::erase(places_, &place);
            place.error = std::current_exception();
            break;
        }
        lock.unlock();
        save_places(taken);
        lock.lock();
        for (Place* each : taken) {
            each->state = Place::State::done;
            each->changed.notify_one(); // under the lock, because the place is destroyed once its thread continues
        }
    }
    is_led_ = false;
    if (!places_.empty()) {
        places_.front()->changed.notify_one();
    }
}

// The next waiting saves, each of a different document.
std::vector<SaveQueue::Place*> SaveQueue::take() {
    std::vector<Place*> taken;
    std::set<DocumentKey> keys;
    for (Place* place : places_) {
        if (taken.size() < kMaxTogether && keys.insert(place->save.record.key).second) {
            taken.push_back(place);
        }
    }
    for (Place* place : taken) {
        place->state = Place::State::taken;
    }
    std::erase_if(places_, [](const Place* place) { return place->state == Place::State::taken; });
    return taken;
}

// If not all saves succeed, each is retried alone, so that one failure doesn't affect the others.
void SaveQueue::save_places(std::span<Place* const> places) const {
    std::exception_ptr error;
    try {
        std::vector<WaitingSave> saves;
        for (const Place* place : places) {
            saves.push_back(place->save);
        }
        std::vector<std::optional<SaveOutcome>> outcomes = save_together_(saves);
        for (std::size_t i = 0; i < places.size(); ++i) {
            places[i]->outcome = std::move(outcomes.at(i));
        }
        if (places.size() == 1 && !places.front()->outcome) {
            throw std::logic_error("a save that is alone has an outcome");
        }
    } catch (...) { error = std::current_exception(); }
    const bool is_over =
        places.size() == 1 ||
        (error && cause_of(error) == StoreError::Cause::busy); // saves that have waited for the lock don't wait again
    int failures = 0;
    for (Place* place : places) {
        if (place->outcome) {
            continue;
        }
        if (is_over || failures == kMaxFailures) {
            place->error = error;
            continue;
        }
        save_places(std::span(&place, 1));
        if (place->error && !is_of_one(place->error)) {
            error = place->error;
            ++failures;
        }
    }
}

} // namespace costcurve::storage
