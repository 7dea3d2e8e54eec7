// Recalculation of stored scenarios: runs that the store queues, a batch of scenarios at a time.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>

#include "model/hours/hours.hpp"
#include "server/documents/references.hpp"
#include "server/jobs/loop.hpp"
#include "server/storage/store.hpp"

namespace costcurve::recalculation {

/// Cache of a thread between scenarios of a run: shared documents, and the last scenario's hours.
struct Worker {
    documents::Source source;
    model::HourTable hours;
};

/// Evaluates a stored scenario from the worker's source, unless its inputs hash is unchanged. Implemented by the room above, as
/// inputs are JSON. Called from several threads. A scenario that breaks a rule gives an outcome with a problem.
using Recalculate = std::function<storage::RunOutcome(const storage::RunItem& item, Worker& worker)>;

struct RunSettings {
    std::string model_version;
    Recalculate recalculate;
    std::size_t threads = 0;   ///< 0 is one a core
    bool low_priority = false; ///< behind the requests of the same daemon
    /// Called about twenty times a second while the run goes on, and at its end; false ends the work, not the run.
    std::function<bool(const storage::Run& run, std::size_t done)> progress = {};
    /// Waits while other daemons do the last scenarios of a run; false ends the work. Empty: a plain wait.
    std::function<bool(std::chrono::milliseconds time)> pause = {};
    /// Called between batches; true stops the work, not the run, so that another run gets its turn. Empty: never.
    std::function<bool()> yields = {};
    storage::OnRunCompleted at_end = {}; ///< in the transaction that ends the run as done
    std::function<void()> ended = {};    ///< after it
};

/// Processes the open scenarios of a run, together with other daemons, and ends the run as done; stops early if it is cancelled,
/// progress returns false, or it yields. Results are stored with their items, so an interrupted run resumes. Throws StoreError.
void execute_run(storage::Store& store, std::int64_t run, const RunSettings& settings);

/// The daemon's thread for recalculation runs. Authors take turns of a second; an author's oldest run goes first. Store failures,
/// such as a full disk, are retried.
class Recalculator {
public:
    Recalculator(storage::Store& store, RunSettings settings, failure::LogFailure log);

    /// Looks for runs now: one was queued, or cancelled.
    void wake() { loop_.wake(); }

    /// Number of done scenarios of a run, including the current batch if the run is being processed here.
    [[nodiscard]] std::int64_t done_of(const storage::Run& run) const;
    /// Why the current run is stalled, for its client; "" if it isn't.
    [[nodiscard]] std::string obstacle() const;

private:
    bool take_turn();

    storage::Store& store_;
    RunSettings settings_;
    std::map<std::string, std::uint64_t> last_turns_; ///< by author; of the thread alone, as the next two
    std::uint64_t turns_ = 0;
    std::chrono::steady_clock::time_point turn_ends_;
    mutable std::mutex mutex_; ///< guards what follows
    std::int64_t run_ = 0;
    std::int64_t done_ = 0;
    std::string obstacle_;
    jobs::Loop loop_; ///< last: it uses the others
};

} // namespace costcurve::recalculation
