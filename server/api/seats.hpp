// Scheduling of long questions: a few run at once, and clients take turns. Knows no particular question.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <functional>
#include <list>
#include <memory>
#include <mutex>
#include <string>
#include <utility>

namespace costcurve::api {

/// Seats (run permits) of long questions, shared fairly by client. The last seat is reserved for clients without one. A client
/// without a seat waits and gets the newest seat of a client with several at once, otherwise the seat that was used longest, after
/// its time slice. The preempted question continues in its next turn. So no client blocks others, however long its questions are.
/// Thread-safe.
class Seats {
public:
    using Clock = std::chrono::steady_clock;
    static constexpr double kWaitS = 20.0; ///< shorter than clients' usual timeouts
    static constexpr double kSliceS = 3.0;

    /// A question that has a seat.
    class Seat {
    public:
        Seat(Seats& seats, std::string client) : seats_(seats), client_(std::move(client)) {}
        ~Seat() { seats_.leave(*this); }
        Seat(const Seat&) = delete;
        Seat& operator=(const Seat&) = delete;
        /// Whether the question may run now; poll it a few times a second.
        [[nodiscard]] bool has_turn() { return seats_.has_turn(*this); }

    private:
        friend class Seats;
        Seats& seats_;
        std::string client_;
        bool works_ = false;
        Clock::time_point since_{}; ///< when its slice began
    };

    explicit Seats(std::size_t most, double wait_s = kWaitS, double slice_s = kSliceS)
        : most_(most), wait_s_(wait_s), slice_s_(slice_s) {}
    /// Takes a seat, to be kept while the question runs; null if none is free for this client. The Seats object must outlive it.
    [[nodiscard]] std::shared_ptr<Seat> take(const std::string& client);
    /// Like take, but a client without another question, running or waiting, waits for its turn up to wait_s. Null at once if as
    /// many clients wait as there are seats (each waiter occupies a worker), or if `is_gone`.
    [[nodiscard]] std::shared_ptr<Seat> take_in_turn(const std::string& client, const std::function<bool()>& is_gone);
    /// Sets the waiting time of later calls.
    void wait_at_most(double seconds) {
        const std::lock_guard lock(mutex_);
        wait_s_ = seconds;
    }

private:
    // All with the mutex held.
    [[nodiscard]] std::size_t count_of(const std::string& client, bool only_working) const;
    [[nodiscard]] std::size_t working() const;
    [[nodiscard]] bool may_take(const std::string& client) const;
    [[nodiscard]] Seat* next() const;
    [[nodiscard]] Seat* to_give_up() const;
    void settle();

    void leave(Seat& seat);
    [[nodiscard]] bool has_turn(Seat& seat);

    std::size_t most_;
    std::mutex mutex_; ///< guards what follows
    std::condition_variable freed_;
    double wait_s_;
    double slice_s_;
    std::list<Seat*> seats_; ///< running and waiting questions, in the order of their turns
};

} // namespace costcurve::api
