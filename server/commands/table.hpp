// The comparison that people read on a terminal.
#pragma once

#include <span>
#include <string>

#include "server/api/encode.hpp"

namespace costcurve::commands {

/// Unit costs, cost stack, utilization, energy, carbon and warnings of the scenarios, side by side, as plain text.
[[nodiscard]] std::string comparison_table(std::span<const api::Evaluated> answers);

/// The text without control characters but line feeds: what a document says can't write to the terminal's state.
[[nodiscard]] std::string printable(std::string text);

} // namespace costcurve::commands
