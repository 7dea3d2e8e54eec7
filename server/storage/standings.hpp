// Rows of the table `standing`, which are only added to and read.
#pragma once

#include "server/storage/database.hpp"
#include "server/storage/standing.hpp"

namespace costcurve::storage {

/// Newest first, below number `before` (0: from the newest). Nothing where there never was such a comparison.
[[nodiscard]] std::optional<std::vector<Standing>> find_standings(Database& database, std::string_view comparison,
                                                                  std::int64_t before, std::size_t limit);

} // namespace costcurve::storage
