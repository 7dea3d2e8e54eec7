// Why a list of prices is held as a whole, by what is odd of all of them together.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "server/ingest/prices/price_history.hpp"

namespace costcurve::ingest {

/// Why most kinds of machines come to one price, and did not before; "" where they don't.
[[nodiscard]] std::string same_number(const std::vector<JudgedPrice>& prices, const std::vector<PriceHistory>& histories);

/// Why most prices moved so far, of those that moved and of how many were compared; "" where they didn't.
[[nodiscard]] std::string moved_list(const std::vector<double>& jumps, std::size_t compared);

} // namespace costcurve::ingest
