// What ends evaluations that nobody waits for any more.
#pragma once

#include <exception>
#include <functional>

namespace costcurve::model {

/// Ends an evaluation, and with it the question that asked for it.
class Stopped : public std::exception {
public:
    [[nodiscard]] const char* what() const noexcept override { return "nobody waits for this evaluation any more"; }
};

/// While it lives, evaluations of its thread ask `goes_on` before each month, and throw Stopped where it says no. Without one
/// they run to their end. One a thread at a time.
class Stoppable {
public:
    explicit Stoppable(const std::function<bool()>& goes_on);
    ~Stoppable();
    Stoppable(const Stoppable&) = delete;
    Stoppable& operator=(const Stoppable&) = delete;
};

/// Whether the thread's Stoppable goes on; true where there is none.
[[nodiscard]] bool goes_on();
/// Throws Stopped where the thread's Stoppable does not go on.
void stop_where_unwanted();

} // namespace costcurve::model
