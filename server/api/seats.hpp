// Whose long questions are worked on: a few at once, and where more clients ask, each in its turn. Knows no question.
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

/// Seats of long questions, by client. The last is for clients that have none. A client that has none waits for one: it is given
/// the newest of a client that has several, at once, else that which has been worked on longest, once it has had its slice of time.
/// Who gave his up goes on in his turn. So no client keeps others out, however long its questions are. Thread-safe.
class Seats {
public:
    using Clock = std::chrono::steady_clock;
    static constexpr double kWaitS = 20.0; ///< less than clients do for an answer
    static constexpr double kSliceS = 3.0;

    /// A question that has been given a seat.
    class Seat {
    public:
        Seat(Seats& seats, std::string client) : seats_(seats), client_(std::move(client)) {}
        ~Seat() { seats_.leave(*this); }
        Seat(const Seat&) = delete;
        Seat& operator=(const Seat&) = delete;
        /// Whether it is to be worked on now; to be asked some times a second.
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
    /// Held as long as the question takes; null where none is free for this client. The seats outlive it.
    [[nodiscard]] std::shared_ptr<Seat> take(const std::string& client);
    /// The same, of a client that has none once it is its turn, if within wait_s. Null at once where as many wait as there are
    /// seats, as each takes a worker, or `is_gone`.
    [[nodiscard]] std::shared_ptr<Seat> take_in_turn(const std::string& client, const std::function<bool()>& is_gone);
    /// Sets how long calls that come from then on wait.
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
    std::list<Seat*> seats_; ///< all that are worked on or wait, in the order of their turns
};

} // namespace costcurve::api
