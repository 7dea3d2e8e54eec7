// Starts due schedules and feeds. They are read again when the store has changed.
#include "server/jobs/scheduler.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdlib>
#include <limits>
#include <mutex>
#include <stop_token>

#include <fmt/format.h>

#include "server/documents/automation_rules.hpp"
#include "server/storage/change_number.hpp"
#include "server/storage/timestamp.hpp"

namespace costcurve::jobs {

namespace {

constexpr std::int64_t kMicrosecondsPerSecond = 1000000;
constexpr std::chrono::seconds kBetweenLooks{1};
constexpr std::int64_t kMinStep = 2 * kMicrosecondsPerSecond; // smallest step of a clock that is detected

std::int64_t system_steady() {
    const auto now = std::chrono::steady_clock::now().time_since_epoch();
    return std::chrono::duration_cast<std::chrono::microseconds>(now).count();
}

constexpr auto kTimedKinds = std::to_array<storage::Kind>({storage::Kind::schedule, storage::Kind::feed});

std::string id_of(const storage::DocumentKey& key) { return fmt::format("{}/{}", storage::name_of(key.kind), key.id); }

documents::Timing timing_of_any(const documents::AnyDocument& document) {
    const auto* const feed = std::get_if<model::Feed>(&document);
    return feed != nullptr ? documents::timing_of(*feed) : documents::timing_of(std::get<model::Schedule>(document));
}

} // namespace

bool queue_run(storage::Store& store, const model::Schedule& schedule, const std::string& model_version, std::int64_t tick) {
    constexpr std::size_t kNewest = 1000; // runs further back are taken to have ended
    const std::vector<storage::Run> runs = store.runs(0, kNewest);
    const bool goes_on = std::any_of(runs.begin(), runs.end(), [&](const storage::Run& run) {
        return run.schedule == schedule.id && !storage::has_ended(run.state);
    });
    return !goes_on && store
                           .begin_tick({"schedule", ""},
                                       {static_cast<storage::Scope>(schedule.scenarios.coverage), schedule.scenarios.ids,
                                        schedule.id, model_version, schedule.webhook},
                                       tick)
                           .has_value();
}

void Scheduler::set_next(Entry& entry, std::int64_t after) {
    entry.next = documents::next_tick(entry.cron, entry.time_zone, after).value_or(std::numeric_limits<std::int64_t>::max());
}

// A tick that is done, by another daemon, is not to be started: the next one comes after it.
void Scheduler::skip_done_ticks(Entry& entry, std::int64_t now) {
    const std::optional<std::int64_t> ticked = store_.ticked(entry.key);
    if (ticked && *ticked >= entry.next * kMicrosecondsPerSecond && *ticked <= now + storage::kMaxClockAhead) {
        set_next(entry, *ticked / kMicrosecondsPerSecond);
    }
}

// A machine that slept looks like a clock that was set ahead.
void Scheduler::notice_step(std::int64_t now) {
    const Clocks clocks{now, settings_.steady_clock ? settings_.steady_clock() : system_steady()};
    const Clocks before = last_look_.value_or(clocks);
    last_look_ = clocks;
    const std::int64_t step = (clocks.wall - before.wall) - (clocks.steady - before.steady);
    if (std::abs(step) >= kMinStep) {
        failure::log_failure(settings_.log,
                             fmt::format("the clock was set {} by {} s, to {}; schedules go by the new time",
                                         step > 0 ? "ahead" : "back", std::abs(step) / kMicrosecondsPerSecond,
                                         storage::format_time(now)),
                             "");
    }
    if (clocks.wall < before.wall) { // next ticks were counted from a time that has yet to come
        sequence_ = -1;
    }
}

// Time after which ticks are counted, in microseconds.
std::int64_t Scheduler::counted_from(const storage::DocumentKey& key, std::int64_t stored, std::int64_t now,
                                     std::map<storage::DocumentKey, Ahead>& ahead) const {
    const std::int64_t ticked = store_.ticked(key).value_or(0);
    const std::int64_t last = now + storage::kMaxClockAhead;
    if (stored <= last && ticked <= last) {
        return std::max(stored, ticked);
    }
    const auto known = ahead_.find(key);
    const bool is_same = known != ahead_.end() && known->second.noticed <= last &&
                         (stored <= last || known->second.stored == stored) && (ticked <= last || known->second.ticked == ticked);
    const Ahead& noted = ahead[key] = is_same ? known->second : Ahead{stored, ticked, now};
    return std::max({stored <= last ? stored : 0, ticked <= last ? ticked : 0, noted.noticed});
}

// Adds a schedule or feed; unreadable documents and cron expressions are skipped.
void Scheduler::add(const storage::Revision& revision, Reading& reading) {
    documents::AnyDocument document = documents::decode_revision(revision);
    const documents::Timing timing = timing_of_any(document);
    if (!timing.enabled) {
        return;
    }
    const storage::DocumentKey& key = revision.record.key;
    const model::Result<documents::Cron> cron = documents::parse_cron(timing.cron);
    if (!cron) {
        throw storage::StoreError(
            storage::StoreError::Cause::unreadable,
            fmt::format("{} revision {} can't be read: {}", id_of(key), revision.revision, cron.error().front().message));
    }
    const std::int64_t stored = storage::parse_time(revision.recorded_at).value_or(0);
    const std::int64_t since = counted_from(key, stored, reading.now, reading.ahead);
    Entry& entry = reading.entries.emplace_back(Entry{key, std::move(document), *cron, timing.time_zone, 0});
    set_next(entry, since / kMicrosecondsPerSecond);
}

void Scheduler::read(std::int64_t now) {
    const std::int64_t sequence = store_.sequence();
    if (sequence == sequence_) {
        return;
    }
    Reading reading;
    reading.now = now;
    {
        const auto snapshot = store_.snapshot();
        for (const storage::Kind kind : kTimedKinds) {
            storage::ListQuery query;
            query.kind = kind;
            storage::Page page;
            do {
                page = snapshot->list(query);
                for (const storage::Revision& revision : page.items) {
                    static_cast<void>(guard_.run(id_of(revision.record.key), [&] { add(revision, reading); }));
                }
                query.after = page.items.empty() ? "" : page.items.back().record.key.id;
            } while (page.more);
        }
    }
    entries_ = std::move(reading.entries);
    ahead_ = std::move(reading.ahead);
    sequence_ = sequence;
}

void Scheduler::look() {
    const std::int64_t now = store_.now();
    notice_step(now);
    read(now);
    for (Entry& entry : entries_) {
        if (entry.next > now / kMicrosecondsPerSecond || --entry.looks_left > 0) {
            continue;
        }
        const std::string id = id_of(entry.key);
        const auto thrown = guard_.run(id, [&] {
            skip_done_ticks(entry, now);
            if (entry.next <= now / kMicrosecondsPerSecond &&
                settings_.start(entry.document, entry.next * kMicrosecondsPerSecond)) {
                set_next(entry, now / kMicrosecondsPerSecond);
            }
        });
        entry.looks_left = thrown ? static_cast<int>(guard_.pause(id) / kBetweenLooks) : 0;
    }
}

void Scheduler::begin() {
    thread_ = std::jthread([this](const std::stop_token& stop) {
        std::mutex mutex;
        std::condition_variable_any never;
        constexpr std::string_view kLoop = "schedules";
        while (!stop.stop_requested()) {
            static_cast<void>(guard_.run(kLoop, [this] { look(); }));
            std::unique_lock lock(mutex);
            never.wait_for(lock, stop, std::max(kBetweenLooks, guard_.pause(kLoop)), [] { return false; });
        }
    });
}

} // namespace costcurve::jobs
