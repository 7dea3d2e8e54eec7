// Recalculations and the results they leave, as values.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace costcurve::storage {

/// Which scenarios a run looks at: all that there are, those that a change since the last such run can reach, or some by id. Its
/// words are stored: do not rename.
enum class Scope { all, changed, some };
inline constexpr auto scope_names = std::to_array<std::string_view>({"all", "changed", "some"});
[[nodiscard]] constexpr std::string_view name_of(Scope scope) { return scope_names[static_cast<std::size_t>(scope)]; }

/// Its words are stored: do not rename.
enum class RunState { queued, running, done, cancelled };
inline constexpr auto run_state_names = std::to_array<std::string_view>({"queued", "running", "done", "cancelled"});
[[nodiscard]] constexpr std::string_view name_of(RunState state) { return run_state_names[static_cast<std::size_t>(state)]; }
[[nodiscard]] constexpr bool has_ended(RunState state) { return state == RunState::done || state == RunState::cancelled; }

struct RunRequest {
    Scope scope = Scope::changed;
    std::vector<std::string> scenarios; ///< of Scope::some
    std::string schedule;               ///< "" where nobody's
    std::string model_version;          ///< by other formulas, every result is out of date
    std::string webhook = {};           ///< the id of a webhook notified at its end; "" for none
};

struct Run {
    std::int64_t id = 0;
    RunState state = RunState::queued;
    Scope scope = Scope::changed;
    std::string schedule;
    std::string webhook; ///< notified at its end, whatever its filter of events
    std::string author;
    std::int64_t sequence = 0; ///< of the change that every scenario is evaluated as of; 0 where nothing was stored
    std::string as_of;         ///< when that was recorded; "" where nothing was stored
    std::string created_at;
    std::string started_at; ///< "" where it hasn't
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
    std::string inputs_hash; ///< of its newest result by this version of the model; "" where there is none
    int lost_attempts = 0;   ///< how many workers ended while they had it, where the engine counts them
};

/// A scenario that ended so many workers is given up: it would end all of them in turn.
inline constexpr int kMaxLostAttempts = 3;

struct Headline {
    std::string currency;
    double cost = 0.0;
    double cash = 0.0;
    double npv = 0.0;
    double npv_after_tax = 0.0;
    std::optional<double> energy_kwh; ///< nothing where it is not known, as the next
    std::optional<double> carbon_kg;
    std::optional<bool> feasible; ///< nothing of results that did not say
    std::string decide_by;        ///< the figure by which it is ranked; "" likewise
};

/// A result to be kept.
struct NewResult {
    std::string inputs_hash;
    std::string model_version;
    Headline headline;
    std::string packed; ///< by `pack`
};

/// A run's outcome for a scenario: a new result, an error, or neither if the stored result holds.
struct RunOutcome {
    std::int64_t document = 0;
    std::optional<NewResult> result;
    std::string problem; ///< issues as JSON
};

/// How far a run is with a scenario. Stored: do not renumber.
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
    std::int64_t number = 0; ///< of the scenario's results, from 1
    std::int64_t run = 0;
    std::string recorded_at;
    std::string inputs_hash;
    std::string model_version;
    Headline headline;
    std::int64_t body = 0; ///< where `result_body` finds it
};

/// Text deflated (the format of zlib; a result to a fifth), and back.
[[nodiscard]] std::string pack(std::string_view text);
[[nodiscard]] std::string unpack(std::string_view packed);

} // namespace costcurve::storage
