// Items of recalculations and what they came to.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "server/storage/postgres/engine/connection.hpp"
#include "server/storage/run.hpp"

namespace costcurve::storage::postgres {

/// Those that aren't there.
[[nodiscard]] std::vector<std::string> missing_scenarios(Connection& connection, std::span<const std::string> ids);
/// Adds scenarios that are there to a run.
void add_scenarios(Connection& connection, std::int64_t run, std::span<const std::string> ids);

/// Locks items to do that no other transaction has locked, in order, until the transaction's end, whatever that is.
[[nodiscard]] std::vector<RunItem> lock_items(Connection& connection, std::int64_t run, std::string_view model_version,
                                              std::size_t limit);
/// Keeps what was found of items that are still to do, results too. False where the run has ended: then it must not be committed.
[[nodiscard]] bool finish_items(Connection& connection, std::int64_t run, std::span<const RunOutcome> outcomes, std::int64_t now);

/// Forgets how often the items of a run that has ended were begun.
void remove_attempts(Connection& connection, std::int64_t run);

} // namespace costcurve::storage::postgres
