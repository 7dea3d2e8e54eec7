// Outputs that rise and fall along an input, where replicas fail or stand by: whole replicas come and go, and with them what is
// lost, held and paid.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "model/compile.hpp"

namespace costcurve::model {

/// An output at a value of an input.
struct Seen {
    double at = 0.0;
    double value = 0.0;
};

/// The value of the input, ascending, where the output first turns back from where it went, beyond rounding; nothing where it never
/// does.
[[nodiscard]] std::optional<double> first_turn(std::vector<Seen> seen);

/// Whether an inference workload's replicas fail, are not always to be had, or have spares beside them.
[[nodiscard]] bool has_outages(const Compiled& compiled);

/// Why such an output turns: the end of a sentence.
inline constexpr std::string_view kWhyOutagesTurn =
    "replicas that fail or stand by come and go whole, and with them what is lost to outages, held and paid";

} // namespace costcurve::model
