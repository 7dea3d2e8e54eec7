// Starts what schedules ask for when their time has come, on a thread of its own. Knows not what a run is: its maker says.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <functional>
#include <string_view>
#include <thread>
#include <vector>

#include "model/standing.hpp"
#include "server/storage/store.hpp"
#include "server/work/cron.hpp"
#include "server/work/resolve.hpp"

namespace costcurve::work {

struct SchedulerSettings {
    DecodeRevision decode = nullptr;
    /// Queues a run and returns; false where the schedule's last one is still under way: it is asked again until it is true. Ticks
    /// that come meanwhile are one. May throw StoreError.
    std::function<bool(const model::Schedule& schedule)> start;
    std::function<void(std::string_view what)> log = nullptr; ///< a store that failed
};

/// What `start` usually is: queues a recalculation; false where one of this schedule is queued or running.
[[nodiscard]] bool queue_run(storage::Store& store, const model::Schedule& schedule, const std::string& model_version);

/// Ticks are counted from when a schedule was stored as it is now, or from its last one, whichever is later: several that were
/// missed while the daemon was down are one run, at the first look; a schedule that is new or changed runs at its next tick. A tick
/// is done by the run that it queues, in one transaction: it is neither lost nor done twice where the process ends.
class Scheduler {
public:
    Scheduler(storage::Store& store, SchedulerSettings settings) : store_(store), settings_(std::move(settings)) {}

    /// Looks once, by the store's clock: starts what is due. Cost: a few reads where nothing is due.
    void look();
    /// Looks every second until it goes or `stop`.
    void begin();
    void stop() { thread_ = {}; }

private:
    struct Entry {
        model::Schedule schedule;
        Cron cron;
        std::int64_t next = 0; ///< Unix seconds
    };
    void read();
    void set_next(Entry& entry, std::int64_t after);

    storage::Store& store_;
    SchedulerSettings settings_;
    std::int64_t sequence_ = -1; ///< of the store's changes when the schedules were read
    std::vector<Entry> entries_; ///< those that are enabled
    std::jthread thread_;        ///< the last: it uses the others
};

} // namespace costcurve::work
