// Recalculation runs and their results, as values.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace costcurve::storage {

/// Scenarios that a run covers: all, those affected by changes since the last such run, or some by id. The names are stored in the
/// database: do not rename them.
enum class Scope { all, changed, some };
inline constexpr auto scope_names = std::to_array<std::string_view>({"all", "changed", "some"});
[[nodiscard]] constexpr std::string_view name_of(Scope scope) { return scope_names[static_cast<std::size_t>(scope)]; }

/// The names are stored in the database: do not rename them.
enum class RunState { queued, running, done, cancelled };
inline constexpr auto run_state_names = std::to_array<std::string_view>({"queued", "running", "done", "cancelled"});
[[nodiscard]] constexpr std::string_view name_of(RunState state) { return run_state_names[static_cast<std::size_t>(state)]; }
[[nodiscard]] constexpr bool has_ended(RunState state) { return state == RunState::done || state == RunState::cancelled; }

struct RunRequest {
    Scope scope = Scope::changed;
    std::vector<std::string> scenarios; ///< of Scope::some
    std::string schedule;               ///< "" if no schedule started it
    std::string model_version;          ///< results of another model version are all out of date
    std::string webhook = {};           ///< the id of a webhook notified at its end; "" for none
};

struct Run {
    std::int64_t id = 0;
    RunState state = RunState::queued;
    Scope scope = Scope::changed;
    std::string schedule;
    std::string webhook; ///< webhook notified at the end, regardless of its event filter
    std::string author;
    std::int64_t sequence = 0; ///< the change as of which every scenario is evaluated; 0 if nothing was stored
    std::string as_of;         ///< when that change was recorded; "" if nothing was stored
    std::string created_at;
    std::string started_at; ///< "" before the start
    std::string ended_at;
    std::int64_t total = 0;
    std::int64_t evaluated = 0;
    std::int64_t unchanged = 0;
    std::int64_t failed = 0;
    [[nodiscard]] std::int64_t done() const { return evaluated + unchanged + failed; }
};

/// A scenario that a run has still to process.
struct RunItem {
    std::int64_t document = 0;
    std::string scenario;    ///< its id
    std::string inputs_hash; ///< inputs hash of its newest result by this model version; "" if none
    int lost_attempts = 0;   ///< number of workers that died on it, if the engine counts them
};

/// A scenario on which this many workers died is given up, because it would end every worker in turn.
inline constexpr int kMaxLostAttempts = 3;

struct Headline {
    std::string currency;
    double cost = 0.0;
    double cash = 0.0;
    double npv = 0.0;
    double npv_after_tax = 0.0;
    std::optional<double> energy_kwh; ///< empty if unknown, as the next
    std::optional<double> carbon_kg;
    std::optional<bool> feasible; ///< empty if the result doesn't state it
    std::string decide_by;        ///< the figure that ranks options; "" if not stated
};

/// A result to store.
struct NewResult {
    std::string inputs_hash;
    std::string model_version;
    Headline headline;
    std::string packed; ///< result compressed by `pack`
};

/// A run's outcome for a scenario: a new result, an error, or neither if the stored result holds.
struct RunOutcome {
    std::int64_t document = 0;
    std::optional<NewResult> result;
    std::string problem; ///< issues as JSON
};

/// State of a scenario in a run. Stored: do not renumber.
enum class ItemState { to_do = 0, evaluated = 1, unchanged = 2, failed = 3 };
[[nodiscard]] inline ItemState item_state_of(const RunOutcome& outcome) {
    return outcome.result ? ItemState::evaluated : outcome.problem.empty() ? ItemState::unchanged : ItemState::failed;
}

struct RunFailure {
    std::string scenario;
    std::string problem;
};

/// A stored result; its body is read separately.
struct StoredResult {
    std::int64_t number = 0; ///< number among the scenario's results, from 1
    std::int64_t run = 0;
    std::string recorded_at;
    std::string inputs_hash;
    std::string model_version;
    Headline headline;
    std::int64_t body = 0; ///< number of the row that `result_body` reads
};

/// Compresses text (zlib format; a result shrinks to a fifth). `unpack` restores it.
[[nodiscard]] std::string pack(std::string_view text);
[[nodiscard]] std::string unpack(std::string_view packed);

} // namespace costcurve::storage
