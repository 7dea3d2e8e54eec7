// The daemon's threads that run feeds: several fetch beside each other, of one publisher a few, and one lands at a time. What goes
// on when the daemon is stopped or killed is begun again at its next start.
#pragma once

#include <atomic>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "server/ingest/run_feed.hpp"
#include "server/jobs/loop.hpp"
#include "server/storage/store.hpp"

namespace costcurve::ingest {

class FeedRunner {
public:
    /// `ended` is called after each run: there may be events, and a recalculation. May be empty.
    FeedRunner(storage::Store& store, FeedSettings settings, std::function<void()> ended, const failure::LogFailure& log);
    ~FeedRunner();

    /// Looks for runs now: one was begun.
    void wake();

private:
    class UnderWay;
    bool step(jobs::Loop& loop);
    [[nodiscard]] std::optional<storage::FeedRun> start();
    [[nodiscard]] std::int64_t next_run(const std::map<std::string, std::size_t>& counts) const;

    storage::Store& store_;
    FeedSettings settings_;
    std::function<void()> ended_;
    std::atomic<bool> stopping_ = false;
    std::mutex landing_;                            ///< one at a time: what it takes in memory is a multiple of its file
    std::mutex under_way_mutex_;                    ///< guards what follows
    std::map<std::int64_t, std::string> under_way_; ///< runs, and whom they ask
    std::deque<jobs::Loop> loops_;                  ///< last: they use the others
};

} // namespace costcurve::ingest
