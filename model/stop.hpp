// Cancels evaluations that nobody waits for any more.
#pragma once

#include <exception>
#include <functional>

namespace costcurve::model {

/// Thrown to cancel an evaluation, and with it the question that needed it.
class Stopped : public std::exception {
public:
    [[nodiscard]] const char* what() const noexcept override { return "nobody waits for this evaluation any more"; }
};

/// During its lifetime, evaluations on its thread call `goes_on` before each month and throw Stopped if it returns false. Without a
/// Stoppable they run to their end. At most one for each thread at a time.
class Stoppable {
public:
    explicit Stoppable(const std::function<bool()>& goes_on);
    ~Stoppable();
    Stoppable(const Stoppable&) = delete;
    Stoppable& operator=(const Stoppable&) = delete;
};

/// What `goes_on` of the thread's Stoppable returns; true without a Stoppable.
[[nodiscard]] bool goes_on();
/// Throws Stopped if goes_on() is false.
void stop_where_unwanted();

} // namespace costcurve::model
