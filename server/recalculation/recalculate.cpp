// Recalculates stored scenarios in batches: one is stored in a transaction while the next is evaluated.
#include "server/recalculation/recalculate.hpp"

#include <algorithm>
#include <chrono>
#include <exception>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "server/jobs/threads.hpp"
#include "server/storage/timestamp.hpp"

namespace costcurve::recalculation {

namespace {

constexpr std::size_t kOfATask = 8;                       // scenarios that see one snapshot
constexpr std::size_t kFirstBatch = 32;                   // scenarios of a transaction, before it is known how long one takes
constexpr std::size_t kMaxBatch = 1024;                   // some ten megabytes
constexpr std::chrono::duration<double> kBatchTime{0.25}; // others get their share, and no transaction is old
constexpr std::chrono::milliseconds kWhileOthersWork{100};
constexpr std::chrono::seconds kTurn{1}; // of an author, where others wait

std::string_view obstacle_of(const failure::Thrown& thrown) {
    if (!thrown.store) {
        return "an error of the service; the run is tried again";
    }
    return thrown.store == storage::StoreError::Cause::full ? "the disk is full; the run goes on when there is space"
                                                            : "the store can't be used at the moment; the run goes on when it can";
}

// A batch of a run's items and their outcomes.
struct Batch {
    std::unique_ptr<storage::Share> share;
    std::vector<storage::RunOutcome> outcomes;
};

// Stores what was evaluated, once; false where its run has ended meanwhile.
bool store_batch(std::optional<Batch>& batch) {
    const std::optional<Batch> taken = std::exchange(batch, std::nullopt);
    return !taken || taken->share->finish(taken->outcomes);
}

// Whether an item may have killed a worker: other evaluated items must be stored before it is tried.
bool is_suspect(std::span<const storage::RunItem> items) {
    return std::any_of(items.begin(), items.end(), [](const storage::RunItem& item) { return item.lost_attempts > 0; });
}

// Evaluates the items of a task.
void recalculate_some(const RunSettings& settings, std::size_t task, Worker& worker, Batch& batch) {
    const std::span<const storage::RunItem> items = batch.share->items();
    for (std::size_t i = task * kOfATask; i < std::min(items.size(), (task + 1) * kOfATask); ++i) {
        batch.outcomes[i] = settings.recalculate(items[i], worker);
        batch.outcomes[i].document = items[i].document;
    }
}

// Evaluates a batch on all threads, and stores the one before meanwhile; at once where an item may end the worker. False where
// not all was evaluated, or where the run has ended: `goes_on` is false then, too.
bool evaluate_batch(const RunSettings& settings, jobs::Threads& threads, std::vector<Worker>& workers, Batch& batch,
                    std::optional<Batch>& before, bool& goes_on) {
    bool stored = true;
    const auto store_before = [&] {
        stored = stored && store_batch(before);
        goes_on = goes_on && stored;
    };
    if (is_suspect(batch.share->items())) {
        store_before();
    }
    batch.outcomes.resize(batch.share->items().size());
    const bool whole = threads.run(
        (batch.outcomes.size() + kOfATask - 1) / kOfATask,
        [&](std::size_t worker, std::size_t task) { recalculate_some(settings, task, workers[worker], batch); }, store_before);
    return stored && whole;
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

bool yields(const RunSettings& settings) { return settings.yields && settings.yields(); }

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
    std::optional<Batch> evaluated; // is stored while the next is
    std::size_t ahead = 0;          // scenarios evaluated of which `run` does not know
    const auto report = [&](std::size_t of_batch) {
        return !settings.progress || settings.progress(*run, static_cast<std::size_t>(run->done()) + ahead + of_batch);
    };
    bool goes_on = true;
    jobs::Watch watch;
    watch.low_priority = settings.low_priority;
    watch.progress = [&](std::size_t done, std::size_t /*total*/) { goes_on = report(done * kOfATask) && goes_on; };
    watch.is_unwanted = [&] { return !goes_on; };
    jobs::Threads threads(settings.threads, watch);
    std::vector<Worker> workers(threads.runner().workers);
    for (Worker& worker : workers) {
        worker.source = documents::Source(store, storage::format_sequence(run ? run->sequence : 0));
    }
    std::size_t size = kFirstBatch;
    while (run && !has_ended(run->state)) {
        const auto start = std::chrono::steady_clock::now();
        Batch batch{store.take_items(id, settings.model_version, size), {}};
        const std::size_t items = batch.share->items().size();
        if (items == 0) {
            batch.share.reset();
            if (!store_batch(evaluated)) {
                return;
            }
            const bool works_on = end_run(store, id, settings) || pause(settings);
            run = store.run(id);
            ahead = 0;
            if (!works_on || (run && !has_ended(run->state) && (!report(0) || yields(settings)))) {
                return;
            }
            continue;
        }
        if (!evaluate_batch(settings, threads, workers, batch, evaluated, goes_on)) {
            return;
        }
        size = next_batch(items, std::chrono::steady_clock::now() - start);
        run = store.run(id);
        ahead = items;
        evaluated = std::move(batch);
        if (!report(0) || yields(settings)) {
            static_cast<void>(store_batch(evaluated));
            return;
        }
    }
    ahead = 0; // of a run that was ended meanwhile, nothing more is stored
    static_cast<void>(run && report(0));
}

Recalculator::Recalculator(storage::Store& store, RunSettings settings, failure::LogFailure log)
    : store_(store), settings_(std::move(settings)), loop_("recalculations", std::move(log)) {
    settings_.progress = [this](const storage::Run& run, std::size_t done) {
        const std::lock_guard lock(mutex_);
        run_ = run.id;
        done_ = std::min(static_cast<std::int64_t>(done), run.total);
        obstacle_.clear();
        return !loop_.is_stopping();
    };
    settings_.pause = [this](std::chrono::milliseconds time) { return loop_.pause(time); };
    settings_.yields = [this] { return std::chrono::steady_clock::now() >= turn_ends_ && store_.runs_to_do().size() > 1; };
    loop_.start([this] { return take_turn(); },
                [this](const std::optional<failure::Thrown>& thrown) {
                    const std::lock_guard lock(mutex_);
                    obstacle_ = thrown ? obstacle_of(*thrown) : "";
                    done_ = 0; // what was evaluated is stored by now, or lost
                });
}

// Continues the current run; after another author's turn, from its stored state.
bool Recalculator::take_turn() {
    const std::vector<storage::Run> runs = store_.runs_to_do();
    if (runs.empty()) {
        last_turns_.clear();
        return false;
    }
    const auto next = std::min_element(runs.begin(), runs.end(), [this](const storage::Run& a, const storage::Run& b) {
        return last_turns_[a.author] < last_turns_[b.author];
    });
    last_turns_[next->author] = ++turns_;
    turn_ends_ = std::chrono::steady_clock::now() + kTurn;
    execute_run(store_, next->id, settings_);
    return true;
}

std::int64_t Recalculator::done_of(const storage::Run& run) const {
    const std::lock_guard lock(mutex_);
    return run_ == run.id && !has_ended(run.state) ? std::max(done_, run.done()) : run.done();
}

std::string Recalculator::obstacle() const {
    const std::lock_guard lock(mutex_);
    return obstacle_;
}

} // namespace costcurve::recalculation
