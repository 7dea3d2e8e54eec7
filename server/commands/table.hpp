// The comparison that people read on a terminal.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "server/api/encode.hpp"

namespace costcurve::commands {

/// Unit costs, cost stack, utilization, energy, carbon and warnings of the scenarios, side by side, as plain text.
[[nodiscard]] std::string comparison_table(std::span<const api::Evaluated> answers);

/// With thousands separated: 1,234.50.
[[nodiscard]] std::string grouped(double value, int decimals);

/// Columns that UTF-8 text takes on a terminal, a character each: continuation bytes take none.
[[nodiscard]] std::size_t width(std::string_view text);

/// The text without control characters but line feeds: what a document says can't write to the terminal's state.
[[nodiscard]] std::string printable(std::string text);

} // namespace costcurve::commands
