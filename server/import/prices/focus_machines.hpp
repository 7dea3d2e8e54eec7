// Which machine a row of a bill is about, by the texts that providers put into it: instance types, units of time, ways to pay.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "server/import/identity/aliases.hpp"

namespace costcurve::imports {

/// An instance with accelerators that a text names.
struct NamedInstance {
    Machine machine;
    std::string type; ///< as the provider spells it
};
/// The first text that names one: "USW2-BoxUsage:p4d.24xlarge", "$3.06 per On Demand Linux p3.2xlarge Instance Hour",
/// "Virtual Machines NCads A100 v4 Series - NC24ads A100 v4 Spot - US East". Nothing where none does.
[[nodiscard]] std::optional<NamedInstance> find_instance(std::span<const std::string_view> texts);

/// Hours in one of a unit: 1 of "Hours", 1/3600 of "seconds", 100 of "100 Hours"; nothing of what is no time.
[[nodiscard]] std::optional<double> hours_in(std::string_view unit);

/// Tokens in one of a unit: 1 of "Tokens", 1000 of "1K tokens" or "Thousand input tokens", 1000000 of "1M Tokens"; nothing of what
/// does not end in tokens.
[[nodiscard]] std::optional<double> tokens_in(std::string_view unit);

/// True of a text that says the machine can be taken away: spot, low priority, preemptible.
[[nodiscard]] bool says_spot(std::string_view text);

/// True of a charge beside the machine, although it names its type: a disk's throughput.
[[nodiscard]] bool is_beside_the_machine(std::string_view text);

} // namespace costcurve::imports
