// Implements cancellation with one thread-local pointer.
#include "model/stop.hpp"

namespace costcurve::model {

namespace {

thread_local const std::function<bool()>* goes_on_here = nullptr;

} // namespace

Stoppable::Stoppable(const std::function<bool()>& goes_on) { goes_on_here = &goes_on; }

Stoppable::~Stoppable() { goes_on_here = nullptr; }

bool goes_on() { return goes_on_here == nullptr || (*goes_on_here)(); }

void stop_where_unwanted() {
    if (!goes_on()) {
        throw Stopped();
    }
}

} // namespace costcurve::model
