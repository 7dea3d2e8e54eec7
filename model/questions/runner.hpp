// How a question runs the same task many times: on threads that the caller owns. The model itself starts no threads.
#pragma once

#include <cstddef>
#include <functional>

namespace costcurve::model {

/// A task takes the worker's number, below `workers`, which indexes per-worker state, and its own number. Its output must depend
/// only on the task's number, so that any number of workers gives the same bits.
using Task = std::function<void(std::size_t worker, std::size_t task)>;

struct Runner {
    std::size_t workers = 1;
    /// Runs tasks 0 to count - 1, each once, in any order. False if stopped early, because the client left or the deadline passed;
    /// the results are then incomplete and must be discarded.
    std::function<bool(std::size_t count, const Task& task)> run;
};

/// A Runner that runs all tasks one after another in the calling thread.
[[nodiscard]] inline Runner one_by_one() {
    return {1, [](std::size_t count, const Task& task) {
                for (std::size_t i = 0; i < count; ++i) {
                    task(0, i);
                }
                return true;
            }};
}

} // namespace costcurve::model
