// Items of recalculation runs, and their outcomes.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "server/storage/postgres/engine/connection.hpp"
#include "server/storage/run.hpp"

namespace costcurve::storage::postgres {

/// The ids that name no stored scenario.
[[nodiscard]] std::vector<std::string> missing_scenarios(Connection& connection, std::span<const std::string> ids);
/// Adds the existing ones of these scenarios to a run.
void add_scenarios(Connection& connection, std::int64_t run, std::span<const std::string> ids);

/// Locks open items that no other transaction has locked, in order, until the transaction ends in any way.
[[nodiscard]] std::vector<RunItem> lock_items(Connection& connection, std::int64_t run, std::string_view model_version,
                                              std::size_t limit);
/// Stores the outcomes and results of items that are still open. False if the run has ended: the caller must then not commit.
[[nodiscard]] bool finish_items(Connection& connection, std::int64_t run, std::span<const RunOutcome> outcomes, std::int64_t now);

/// Deletes the start counts of the items of an ended run.
void remove_attempts(Connection& connection, std::int64_t run);

} // namespace costcurve::storage::postgres
