// Items of recalculations and what they came to.
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

/// Those that aren't there.
[[nodiscard]] std::vector<std::string> missing_scenarios(Database& database, std::span<const std::string> ids);
/// Adds scenarios that are there to a run.
void add_scenarios(Database& database, std::int64_t run, std::span<const std::string> ids);

/// Items to do that are not among those taken, in order.
[[nodiscard]] std::vector<RunItem> find_items(Database& database, std::int64_t run, std::string_view model_version,
                                              const std::set<std::int64_t>& taken, std::size_t limit);
/// Keeps what was found of items that are still to do, results too; each item once, whoever comes. False where the run has ended.
[[nodiscard]] bool finish_items(Database& database, std::int64_t run, std::span<const RunOutcome> outcomes, std::int64_t now);

} // namespace costcurve::storage::sqlite
