// Listens for changes that other processes make in the store, and wakes this process's loops.
#pragma once

#include <functional>
#include <thread>

#include "server/failure/guard.hpp"
#include "server/storage/store.hpp"

namespace costcurve::jobs {

/// Calls `heard` within tens of milliseconds after another daemon's change, at most about a hundred times a second, and also every
/// few seconds because notifications may be lost. Never if no other daemon uses the store. `heard` may throw.
class ChangeListener {
public:
    ChangeListener(storage::Store& store, std::function<void()> heard, failure::LogFailure log);

private:
    std::jthread thread_;
};

} // namespace costcurve::jobs
