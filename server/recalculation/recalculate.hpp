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

/// What a thread keeps from one scenario of a run to the next: documents that many of them name, and the hours of the last one.
struct Worker {
    documents::Source source;
    model::HourTable hours;
};

/// Evaluates a stored scenario as the worker's source knows it, unless its inputs hash as the item says already. From the floor
/// above: the inputs are JSON. From several threads at once. A scenario that breaks a rule is an outcome with a problem.
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
    /// Asked between batches; true ends the work, not the run: another run has its turn. Empty: none has.
    std::function<bool()> yields = {};
    storage::OnRunCompleted at_end = {}; ///< in the transaction that ends the run as done
    std::function<void()> ended = {};    ///< after it
};

/// Does what is left of a queued or running run, with other daemons that do so too, and ends it as done; or until it is cancelled,
/// or progress stops it, or it yields. What is stored is stored with the scenarios it is of: cut anywhere, the run goes on from
/// there. Throws StoreError.
void execute_run(storage::Store& store, std::int64_t run, const RunSettings& settings);

/// The daemon's thread that does runs. Authors take turns of a second, and of one author the oldest run goes first. A disk that is
/// full, or any other failure of the store, makes it wait and try again.
class Recalculator {
public:
    Recalculator(storage::Store& store, RunSettings settings, failure::LogFailure log);

    /// Looks for runs now: one was queued, or cancelled.
    void wake() { loop_.wake(); }

    /// How many scenarios of a run are done, those of the batch at hand too, where the run is at hand.
    [[nodiscard]] std::int64_t done_of(const storage::Run& run) const;
    /// Why the run at hand stands still, for its client; "" where it doesn't.
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
