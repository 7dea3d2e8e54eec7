// A thread that waits for changes of the store.
#include "server/jobs/change_listener.hpp"

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <stop_token>
#include <string_view>
#include <utility>

namespace costcurve::jobs {

namespace {

constexpr std::chrono::milliseconds kMaxSilence{5000};
constexpr std::chrono::milliseconds kBetweenCalls{10}; // changes that come meanwhile are heard together

void listen(storage::Store& store, const std::function<void()>& heard, failure::Guard& guard, const std::stop_token& stop) {
    constexpr std::string_view kLoop = "changes of other daemons";
    std::mutex mutex;
    std::condition_variable_any never;
    while (!stop.stop_requested()) {
        bool has_heard = false;
        const auto thrown = guard.run(kLoop, [&] {
            has_heard = store.wait_for_others(kMaxSilence, stop);
            if (has_heard) {
                heard();
            }
        });
        if (thrown || has_heard) {
            std::unique_lock lock(mutex);
            never.wait_for(lock, stop, std::max<std::chrono::milliseconds>(kBetweenCalls, guard.pause(kLoop)),
                           [] { return false; });
        }
    }
}

} // namespace

ChangeListener::ChangeListener(storage::Store& store, std::function<void()> heard, failure::LogFailure log)
    : thread_([&store, heard = std::move(heard), log = std::move(log)](const std::stop_token& stop) {
          failure::Guard guard(log);
          listen(store, heard, guard, stop);
      }) {}

} // namespace costcurve::jobs
