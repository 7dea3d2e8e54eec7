// Items of recalculation runs, and their outcomes.
#pragma once

#include <cstdint>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "server/storage/run.hpp"
#include "server/storage/sqlite/engine/database.hpp"

namespace costcurve::storage::sqlite {

/// The ids that name no stored scenario.
[[nodiscard]] std::vector<std::string> missing_scenarios(Database& database, std::span<const std::string> ids);
/// Adds the existing ones of these scenarios to a run.
void add_scenarios(Database& database, std::int64_t run, std::span<const std::string> ids);

/// Open items that aren't in `taken`, in order.
[[nodiscard]] std::vector<RunItem> find_items(Database& database, std::int64_t run, std::string_view model_version,
                                              const std::set<std::int64_t>& taken, std::size_t limit);
/// Stores the outcomes and results of items that are still open; each item once, whichever process finishes it. False if the run
/// has ended.
[[nodiscard]] bool finish_items(Database& database, std::int64_t run, std::span<const RunOutcome> outcomes, std::int64_t now);

} // namespace costcurve::storage::sqlite
