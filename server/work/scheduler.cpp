// Schedules are read again when the store has changed; between that a look compares numbers.
#include "server/work/scheduler.hpp"

#include <algorithm>
#include <chrono>
#include <limits>
#include <mutex>
#include <stop_token>

#include "server/storage/timestamp.hpp"

namespace costcurve::work {

namespace {

constexpr std::int64_t kPerSecond = 1000000; // microseconds
constexpr std::chrono::seconds kBetweenLooks{1};

} // namespace

bool queue_run(storage::Store& store, const model::Schedule& schedule, const std::string& model_version) {
    constexpr std::size_t kNewest = 1000; // runs are done one after another: one that is further back has ended
    const std::vector<storage::Run> runs = store.runs(0, kNewest);
    const bool goes_on = std::any_of(runs.begin(), runs.end(), [&](const storage::Run& run) {
        return run.schedule == schedule.id && !storage::has_ended(run.state);
    });
    if (!goes_on) { // what it names is there: the store keeps what is referred to
        static_cast<void>(
            store.begin_run({"schedule", ""}, {static_cast<storage::Scope>(schedule.scenarios.coverage), schedule.scenarios.ids,
                                               schedule.id, model_version, schedule.webhook}));
    }
    return !goes_on;
}

void Scheduler::set_next(Entry& entry, std::int64_t after) {
    entry.next = next_tick(entry.cron, entry.schedule.time_zone, after).value_or(std::numeric_limits<std::int64_t>::max());
}

void Scheduler::read() {
    const std::int64_t sequence = store_.sequence();
    if (sequence == sequence_) {
        return;
    }
    std::vector<Entry> entries;
    {
        const storage::Snapshot snapshot = store_.snapshot();
        storage::ListQuery query;
        query.kind = storage::Kind::schedule;
        storage::Page page;
        do {
            page = snapshot.list(query);
            for (const storage::Revision& revision : page.items) {
                auto schedule = std::get<model::Schedule>(settings_.decode(revision));
                if (!schedule.enabled) {
                    continue;
                }
                const std::int64_t stored = storage::parse_time(revision.recorded_at).value_or(0);
                const std::int64_t since = std::max(stored, store_.ticked(schedule.id).value_or(0));
                Entry& entry = entries.emplace_back(Entry{schedule, parse_cron(schedule.cron).value(), 0});
                set_next(entry, since / kPerSecond);
            }
            query.after = page.items.empty() ? "" : page.items.back().record.key.id;
        } while (page.more);
    }
    entries_ = std::move(entries);
    sequence_ = sequence;
}

void Scheduler::look() {
    read();
    const std::int64_t now = store_.now();
    for (Entry& entry : entries_) {
        if (entry.next <= now / kPerSecond && settings_.start(entry.schedule)) {
            set_next(entry, now / kPerSecond);
        }
    }
}

void Scheduler::begin() {
    thread_ = std::jthread([this](const std::stop_token& stop) {
        std::mutex mutex;
        std::condition_variable_any never;
        while (!stop.stop_requested()) {
            try {
                look();
            } catch (const storage::StoreError& error) {
                if (settings_.log) {
                    settings_.log(error.what());
                }
            }
            std::unique_lock lock(mutex);
            never.wait_for(lock, stop, kBetweenLooks, [] { return false; });
        }
    });
}

} // namespace costcurve::work
