// Starts the runs of schedules and feeds when they are due, on its own thread. A callback starts the run.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "model/documents/automation.hpp"
#include "server/documents/cron.hpp"
#include "server/documents/records.hpp"
#include "server/failure/guard.hpp"
#include "server/storage/store.hpp"

namespace costcurve::jobs {

struct SchedulerSettings {
    /// Queues a run for a tick (microseconds since 1970) and returns. False if the previous run is still in progress or another
    /// daemon was first: it is called again until it returns true or the tick is done. Ticks that come meanwhile are merged. May
    /// throw StoreError.
    std::function<bool(const documents::AnyDocument& document, std::int64_t tick)> start;
    failure::LogFailure log = nullptr;                    ///< also hears of a clock that was set
    std::function<std::int64_t()> steady_clock = nullptr; ///< microseconds of a clock that is never set; empty: the system's
};

/// Queues a schedule's recalculation, the usual `start`. False if one of this schedule is queued or running, or the tick is done.
[[nodiscard]] bool queue_run(storage::Store& store, const model::Schedule& schedule, const std::string& model_version,
                             std::int64_t tick);

/// Ticks are counted from when a schedule was stored as it is now, or from its last one, whichever is later: several that were
/// missed while the daemon was down are one run, at the first look; a schedule that is new or changed runs at its next tick. A tick
/// is done by the run that it queues, in one transaction: it is neither lost nor done twice where the process ends, whatever number
/// of daemons look. Moments more
/// than a minute ahead of the clock are of a clock that was wrong: ticks are then counted from when that was noticed, so that
/// nothing waits for the clock to catch up. Where the clock was set back by more than that, ticks between may come a second time.
class Scheduler {
public:
    Scheduler(storage::Store& store, SchedulerSettings settings)
        : store_(store), settings_(std::move(settings)), guard_(settings_.log) {}

    /// Starts everything that is due by the store's clock. Cost: a few reads if nothing is due. A schedule that can't be read or
    /// started is logged without affecting others; a failed start is retried at growing intervals. May throw StoreError.
    void look();
    /// Calls look() every second until `stop` or the destructor.
    void begin();
    void stop() { thread_ = {}; }

private:
    struct Entry {
        storage::DocumentKey key;
        documents::AnyDocument document; ///< a schedule or a feed
        documents::Cron cron;
        std::string time_zone;
        std::int64_t next = 0; ///< Unix seconds
        int looks_left = 0;    ///< until it is tried again, where it failed
    };
    /// Times of a schedule or feed that are ahead of the clock, and when this was noticed, in microseconds.
    struct Ahead {
        std::int64_t stored = 0;
        std::int64_t ticked = 0;
        std::int64_t noticed = 0;
    };
    struct Clocks {
        std::int64_t wall = 0;
        std::int64_t steady = 0;
    };
    void notice_step(std::int64_t now);
    void read(std::int64_t now);
    [[nodiscard]] std::int64_t counted_from(const storage::DocumentKey& key, std::int64_t stored, std::int64_t now,
                                            std::map<storage::DocumentKey, Ahead>& ahead) const;
    struct Reading {
        std::int64_t now = 0;
        std::vector<Entry> entries;
        std::map<storage::DocumentKey, Ahead> ahead;
    };
    void add(const storage::Revision& revision, Reading& reading);
    void set_next(Entry& entry, std::int64_t after);
    void skip_done_ticks(Entry& entry, std::int64_t now);

    storage::Store& store_;
    SchedulerSettings settings_;
    failure::Guard guard_;
    std::int64_t sequence_ = -1; ///< number of the last change when the entries were read
    std::vector<Entry> entries_; ///< those that are enabled
    std::map<storage::DocumentKey, Ahead> ahead_;
    std::optional<Clocks> last_look_;
    std::jthread thread_; ///< the last: it uses the others
};

} // namespace costcurve::jobs
