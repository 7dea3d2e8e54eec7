// A batch is taken, evaluated on all threads and stored in one transaction; then the next.
#include "server/jobs/recalculate.hpp"

#include <algorithm>
#include <chrono>
#include <exception>
#include <span>
#include <thread>

#include "server/jobs/threads.hpp"
#include "server/storage/timestamp.hpp"

namespace costcurve::jobs {

namespace {

constexpr std::size_t kOfATask = 8;                       // scenarios that see one snapshot
constexpr std::size_t kFirstBatch = 32;                   // scenarios of a transaction, before it is known how long one takes
constexpr std::size_t kMaxBatch = 256;                    // a few megabytes
constexpr std::chrono::duration<double> kBatchTime{0.25}; // others get their share, and no transaction is old
constexpr std::chrono::milliseconds kWhileOthersWork{100};

std::string_view obstacle_of(const Thrown& thrown) {
    if (!thrown.store) {
        return "an error of the service; the run is tried again";
    }
    return thrown.store == storage::StoreError::Cause::full ? "the disk is full; the run goes on when there is space"
                                                            : "the store can't be used at the moment; the run goes on when it can";
}

// Evaluates items [from, to) of a batch.
void recalculate_some(const storage::Store& store, const storage::Run& run, const RunSettings& settings,
                      std::span<const storage::RunItem> items, std::vector<storage::RunOutcome>& outcomes, std::size_t task) {
    documents::Source source(store, storage::format_sequence(run.sequence));
    for (std::size_t i = task * kOfATask; i < std::min(items.size(), (task + 1) * kOfATask); ++i) {
        outcomes[i] = settings.recalculate(items[i], source);
        outcomes[i].document = items[i].document;
    }
}

// How many scenarios the next batch has, after one of so many that took so long.
std::size_t next_batch(std::size_t items, std::chrono::duration<double> took) {
    const double fitting = static_cast<double>(items) * (kBatchTime / std::max(took, std::chrono::duration<double>(1e-6)));
    return static_cast<std::size_t>(std::clamp(fitting, static_cast<double>(kOfATask), static_cast<double>(kMaxBatch)));
}

bool pause(const RunSettings& settings) {
    if (settings.pause) {
        return settings.pause(kWhileOthersWork);
    }
    std::this_thread::sleep_for(kWhileOthersWork);
    return true;
}

// Ends a run of which nothing is left to take; false where others work on the rest.
bool end_run(storage::Store& store, std::int64_t id, const RunSettings& settings) {
    const bool ended = store.set_run_state(id, storage::RunState::done, settings.model_version, settings.at_end);
    if (ended && settings.ended) {
        settings.ended();
    }
    return ended;
}

} // namespace

void execute_run(storage::Store& store, std::int64_t id, const RunSettings& settings) {
    store.set_run_state(id, storage::RunState::running);
    std::optional<storage::Run> run = store.run(id);
    const auto report = [&](std::size_t of_batch) {
        return !settings.progress || settings.progress(*run, static_cast<std::size_t>(run->done()) + of_batch);
    };
    bool goes_on = true;
    Watch watch;
    watch.low_priority = settings.low_priority;
    watch.progress = [&](std::size_t done, std::size_t /*total*/) { goes_on = report(done * kOfATask) && goes_on; };
    watch.is_unwanted = [&] { return !goes_on; };
    Threads threads(settings.threads, watch);
    std::size_t batch = kFirstBatch;
    while (run && !has_ended(run->state)) {
        const auto start = std::chrono::steady_clock::now();
        auto share = store.take_items(id, settings.model_version, batch);
        const std::span<const storage::RunItem> items = share->items();
        if (items.empty()) {
            share.reset();
            const bool works_on = end_run(store, id, settings) || pause(settings);
            run = store.run(id);
            if (!works_on || (run && !has_ended(run->state) && !report(0))) {
                return;
            }
            continue;
        }
        std::vector<storage::RunOutcome> outcomes(items.size());
        const bool whole = threads.runner().run((items.size() + kOfATask - 1) / kOfATask, [&](std::size_t, std::size_t task) {
            recalculate_some(store, *run, settings, items, outcomes, task);
        });
        if (!whole || !share->finish(outcomes)) {
            return;
        }
        batch = next_batch(items.size(), std::chrono::steady_clock::now() - start);
        share.reset();
        run = store.run(id);
        if (!report(0)) {
            return;
        }
    }
    static_cast<void>(run && report(0));
}

Recalculator::Recalculator(storage::Store& store, RunSettings settings, LogFailure log)
    : store_(store), settings_(std::move(settings)), loop_("recalculations", std::move(log)) {
    settings_.progress = [this](const storage::Run& run, std::size_t done) {
        const std::lock_guard lock(mutex_);
        run_ = run.id;
        done_ = std::min(static_cast<std::int64_t>(done), run.total);
        obstacle_.clear();
        return !loop_.is_stopping();
    };
    settings_.pause = [this](std::chrono::milliseconds time) { return loop_.pause(time); };
    const auto turn = [this] {
        const auto run = store_.run_to_do();
        if (run) {
            execute_run(store_, run->id, settings_);
        }
        return run.has_value();
    };
    loop_.start(turn, [this](const std::optional<Thrown>& thrown) {
        const std::lock_guard lock(mutex_);
        obstacle_ = thrown ? obstacle_of(*thrown) : "";
    });
}

std::int64_t Recalculator::done_of(const storage::Run& run) const {
    const std::lock_guard lock(mutex_);
    return run_ == run.id ? std::max(done_, run.done()) : run.done();
}

std::string Recalculator::obstacle() const {
    const std::lock_guard lock(mutex_);
    return obstacle_;
}

} // namespace costcurve::jobs
