// Hears what other processes change in the store, and wakes the loops of this one.
#pragma once

#include <functional>
#include <thread>

#include "server/failure/guard.hpp"
#include "server/storage/store.hpp"

namespace costcurve::jobs {

/// Calls `heard` within some tens of milliseconds of a change by another daemon, at most about a hundred times a second, and every
/// few seconds without one: a change may go unheard. Never where nobody else works on the store. `heard` may throw.
class ChangeListener {
public:
    ChangeListener(storage::Store& store, std::function<void()> heard, failure::LogFailure log);

private:
    std::jthread thread_;
};

} // namespace costcurve::jobs
