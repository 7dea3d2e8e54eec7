// The loop of a background thread: waits until it is woken, and pauses after a failure.
#include "server/jobs/loop.hpp"

namespace costcurve::jobs {

void Loop::start(Turn turn, Rests rests) {
    thread_ = std::thread([this, turn = std::move(turn), rests = std::move(rests)] { run(turn, rests); });
}

void Loop::ask_to_stop() {
    stopping_ = true;
    wake();
}

void Loop::stop() {
    ask_to_stop();
    if (thread_.joinable()) {
        thread_.join();
    }
}

void Loop::wake() {
    const std::lock_guard lock(mutex_);
    is_woken_ = true;
    woken_.notify_all();
}

bool Loop::pause(std::chrono::milliseconds time) {
    std::unique_lock lock(mutex_);
    return !woken_.wait_for(lock, time, [this] { return stopping_.load(); });
}

void Loop::run(const Turn& turn, const Rests& rests) {
    while (!stopping_) {
        bool did = false;
        const auto thrown = guard_.run(name_, [&] { did = turn(); });
        if (did) {
            continue;
        }
        if (rests) {
            rests(thrown);
        }
        if (thrown) {
            static_cast<void>(pause(guard_.pause(name_)));
            continue;
        }
        std::unique_lock lock(mutex_);
        woken_.wait(lock, [this] { return is_woken_ || stopping_; });
        is_woken_ = false;
    }
}

} // namespace costcurve::jobs
