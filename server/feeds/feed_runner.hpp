// The daemon's thread that runs feeds, one after another. What goes on when the daemon is stopped or killed is begun again at its
// next start.
#pragma once

#include <functional>

#include "server/feeds/run_feed.hpp"
#include "server/jobs/loop.hpp"

namespace costcurve::feeds {

class FeedRunner {
public:
    /// `ended` is called after each run: there may be events, and a recalculation. May be empty.
    FeedRunner(storage::Store& store, FeedSettings settings, std::function<void()> ended, jobs::LogFailure log);

    /// Looks for runs now: one was begun.
    void wake() { loop_.wake(); }

private:
    bool step();

    storage::Store& store_;
    FeedSettings settings_;
    std::function<void()> ended_;
    jobs::Loop loop_; ///< last: it uses the others
};

} // namespace costcurve::feeds
