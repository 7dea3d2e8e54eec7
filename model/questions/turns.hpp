// Detects outputs that both rise and fall along an input. If replicas fail or stand by, their number changes in whole steps, and
// with it the work lost and the capacity held and paid for.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "model/compile.hpp"

namespace costcurve::model {

/// An output at one value of the input.
struct Seen {
    double at = 0.0;
    double value = 0.0;
};

/// The input's value at which the output first changes direction by more than rounding, with values ascending; empty if it never
/// does.
[[nodiscard]] std::optional<double> first_turn(std::vector<Seen> seen);

/// Whether any inference workload's replicas fail, are not always available, or have spares.
[[nodiscard]] bool has_outages(const Compiled& compiled);

/// The end of a sentence that explains why an output changes direction.
inline constexpr std::string_view kWhyOutagesTurn =
    "replicas that fail or stand by come and go whole, and with them what is lost to outages, held and paid";

} // namespace costcurve::model
