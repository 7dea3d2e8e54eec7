// How a question runs the same task many times over: on threads that its caller has. The model itself starts none.
#pragma once

#include <cstddef>
#include <functional>

namespace costcurve::model {

/// A task gets the number of the worker that runs it (below `workers`; what a worker keeps for itself stands at that number) and
/// its own. What it writes must depend on the task's number alone, so that any number of workers gives the same bits.
using Task = std::function<void(std::size_t worker, std::size_t task)>;

struct Runner {
    std::size_t workers = 1;
    /// Runs tasks 0 to count - 1, each once, in any order. False where it was told to stop before all had run: the client has
    /// gone or the time is up. The answer is then worth nothing.
    std::function<bool(std::size_t count, const Task& task)> run;
};

/// All tasks one after another in the calling thread.
[[nodiscard]] inline Runner one_by_one() {
    return {1, [](std::size_t count, const Task& task) {
                for (std::size_t i = 0; i < count; ++i) {
                    task(0, i);
                }
                return true;
            }};
}

} // namespace costcurve::model
