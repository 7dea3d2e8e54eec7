// Who finds nobody writing leads: it writes all that wait, until its own save is done.
#include "server/storage/writes/save_queue.hpp"

#include <algorithm>
#include <chrono>
#include <set>
#include <stdexcept>
#include <utility>

#include <fmt/format.h>

namespace costcurve::storage {

namespace {

constexpr std::size_t kMaxTogether = 64; // beyond, a flush costs nothing beside them, and the first waits for the last

// Of the whole store: each save would fail of it, one after the other.
bool is_of_all(const std::exception_ptr& error) {
    try {
        std::rethrow_exception(error);
    } catch (const StoreError& failed) {
        return failed.cause() != StoreError::Cause::corrupt && failed.cause() != StoreError::Cause::unreadable;
    } catch (...) { return false; }
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

// Returns once it is done, or nobody leads.
void SaveQueue::wait(Place& place, std::unique_lock<std::mutex>& lock) {
    busy_timeout_.waits->fetch_add(1, std::memory_order_relaxed);
    const auto is_over = [&] { return place.state == Place::State::done || !is_led_; };
    const bool came = place.changed.wait_for(lock, std::chrono::milliseconds(busy_timeout_.timeout_ms), is_over);
    if (!came && place.state == Place::State::waiting) {
        std::erase(places_, &place);
        throw StoreError(StoreError::Cause::busy,
                         fmt::format("other saves took longer than {} ms; try again", busy_timeout_.timeout_ms));
    }
    place.changed.wait(lock, is_over); // one that is taken has its outcome soon
}

void SaveQueue::lead(Place& place, std::unique_lock<std::mutex>& lock) {
    is_led_ = true;
    while (place.state != Place::State::done) {
        const std::vector<Place*> taken = take();
        lock.unlock();
        save_places(taken);
        lock.lock();
        for (Place* each : taken) {
            each->state = Place::State::done;
            each->changed.notify_one(); // under the lock: it is gone once its thread goes on
        }
    }
    is_led_ = false;
    if (!places_.empty()) {
        places_.front()->changed.notify_one();
    }
}

// The next ones, each of another document.
std::vector<SaveQueue::Place*> SaveQueue::take() {
    std::vector<Place*> taken;
    std::set<DocumentKey> keys;
    std::erase_if(places_, [&](Place* place) {
        if (taken.size() == kMaxTogether || !keys.insert(place->save.record.key).second) {
            return false;
        }
        place->state = Place::State::taken;
        taken.push_back(place);
        return true;
    });
    return taken;
}

void SaveQueue::save_places(std::span<Place* const> places) const {
    std::vector<Place*> alone;
    try {
        std::vector<WaitingSave> saves;
        for (const Place* place : places) {
            saves.push_back(place->save);
        }
        std::vector<std::optional<SaveOutcome>> outcomes = save_together_(saves);
        for (std::size_t i = 0; i < places.size(); ++i) {
            places[i]->outcome = std::move(outcomes.at(i));
            if (!places[i]->outcome) {
                alone.push_back(places[i]);
            }
        }
        if (places.size() == 1 && !alone.empty()) {
            throw std::logic_error("a save that is alone has an outcome");
        }
    } catch (...) {
        const std::exception_ptr error = std::current_exception();
        alone.clear();
        if (places.size() > 1 && !is_of_all(error)) { // one's fault isn't the others'
            alone.assign(places.begin(), places.end());
        } else {
            std::ranges::for_each(places, [&](Place* place) { place->error = error; });
        }
    }
    for (Place* place : alone) {
        save_places(std::span(&place, 1));
    }
}

} // namespace costcurve::storage
