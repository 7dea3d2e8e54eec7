// Limits how many long questions run at a time; clients take turns.
#include "server/api/seats.hpp"

#include <algorithm>

namespace costcurve::api {

namespace {

std::chrono::duration<double> seconds_of(double seconds) { return std::chrono::duration<double>(seconds); }

} // namespace

std::size_t Seats::count_of(const std::string& client, bool only_working) const {
    return static_cast<std::size_t>(std::ranges::count_if(
        seats_, [&](const Seat* seat) { return seat->client_ == client && (seat->works_ || !only_working); }));
}

std::size_t Seats::working() const {
    return static_cast<std::size_t>(std::ranges::count_if(seats_, [](const Seat* seat) { return seat->works_; }));
}

// Whether a client may take a seat at once. A client's second question leaves one seat to others, and takes none for which somebody
// waits.
bool Seats::may_take(const std::string& client) const {
    const std::size_t left_for_others = std::max<std::size_t>(count_of(client, false) > 0 ? 1 : 0, seats_.size() - working());
    return working() + left_for_others < most_;
}

// The next waiting question to get a seat: the first whose client has no seat; otherwise, if a seat is free, the first.
Seats::Seat* Seats::next() const {
    Seat* second = nullptr;
    for (Seat* const seat : seats_) {
        if (!seat->works_ && count_of(seat->client_, true) == 0) {
            return seat;
        }
        second = second == nullptr && !seat->works_ ? seat : second;
    }
    return working() < most_ ? second : nullptr;
}

// The seat to give up: the newest extra seat of a client, otherwise the seat whose time slice ended first; null if all are within
// their slices.
Seats::Seat* Seats::to_give_up() const {
    Seat* longest = nullptr;
    Seat* newest = nullptr;
    for (Seat* const seat : seats_) {
        if (!seat->works_) {
            continue;
        }
        longest = longest == nullptr || seat->since_ < longest->since_ ? seat : longest;
        const bool is_second = count_of(seat->client_, true) > 1;
        newest = is_second && (newest == nullptr || seat->since_ >= newest->since_) ? seat : newest;
    }
    const bool has_had_slice = longest != nullptr && Clock::now() - longest->since_ >= seconds_of(slice_s_);
    return newest != nullptr ? newest : has_had_slice ? longest : nullptr;
}

// Assigns seats to waiting questions: free seats, and one that is given up.
void Seats::settle() {
    bool is_given_up = false;
    for (Seat* waiting = next(); waiting != nullptr; waiting = next()) {
        if (working() >= most_) {
            Seat* const left = is_given_up ? nullptr : to_give_up();
            if (left == nullptr) {
                return;
            }
            is_given_up = true;
            left->works_ = false;
            seats_.splice(seats_.end(), seats_, std::ranges::find(seats_, left));
        }
        waiting->works_ = true;
        waiting->since_ = Clock::now();
    }
}

void Seats::leave(Seat& seat) {
    const std::lock_guard lock(mutex_);
    seats_.remove(&seat);
    settle();
    freed_.notify_all();
}

bool Seats::has_turn(Seat& seat) {
    const std::lock_guard lock(mutex_);
    const bool had_turn = seat.works_; // a seat that is given up now counts as worked until here
    settle();
    freed_.notify_all();
    return had_turn || seat.works_;
}

std::shared_ptr<Seats::Seat> Seats::take(const std::string& client) {
    auto seat = std::make_shared<Seat>(*this, client); // its destructor takes the mutex, too
    const std::lock_guard lock(mutex_);
    if (!may_take(client)) {
        return nullptr;
    }
    seat->works_ = true;
    seat->since_ = Clock::now();
    seats_.push_back(seat.get());
    return seat;
}

std::shared_ptr<Seats::Seat> Seats::take_in_turn(const std::string& client, const std::function<bool()>& is_gone) {
    constexpr auto kLook =
        std::chrono::milliseconds(100); // interval of checks whether the client has left or a time slice has ended
    if (std::shared_ptr<Seat> seat = take(client)) {
        return seat;
    }
    auto seat = std::make_shared<Seat>(*this, client);
    std::unique_lock lock(mutex_);
    if (count_of(client, false) > 0 || seats_.size() >= 2 * most_) {
        return nullptr;
    }
    const Clock::time_point until = Clock::now() + std::chrono::duration_cast<Clock::duration>(seconds_of(wait_s_));
    seats_.push_back(seat.get());
    settle();
    while (!seat->works_ && Clock::now() < until && !(is_gone && is_gone())) {
        freed_.wait_for(lock, kLook, [&] { return seat->works_; });
        settle();
    }
    const bool has_seat = seat->works_;
    lock.unlock();
    return has_seat ? seat : nullptr;
}

} // namespace costcurve::api
