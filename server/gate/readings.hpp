// Figures of an evaluated scenario, as a rule of a gate reads them.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "server/gate/judge.hpp"

namespace costcurve::gate {

/// A rule on a scenario.
struct Context {
    const GateFile& file;
    const Rule& rule;
    const Candidate& candidate;
    double today;
    const model::Runner& runner;

    [[nodiscard]] const model::Summary& summary() const { return candidate.evaluated.summary; }
    [[nodiscard]] const model::ScenarioDocument& document() const { return candidate.evaluated.scenario.document(); }
    [[nodiscard]] double months() const { return document().months; }
};

/// A figure of a part, or why it is not known.
struct Reading {
    std::string part;
    std::optional<double> value;
    std::string why;
    bool is_at_least = false;
    std::optional<model::Evidence> evidence;
};
using Readings = std::vector<Reading>;

/// The rule's figure for each part it applies to; empty if the scenario has no such part.
[[nodiscard]] Readings read(const Context& context);
[[nodiscard]] Readings unknown(std::string why);

/// Why a scenario can't be compared with its base; "" where it can.
[[nodiscard]] std::string incomparable(const Candidate& candidate);
/// What the scenario costs a month above its base; nothing where they can't be compared.
[[nodiscard]] std::optional<double> increase_of(const Candidate& candidate);

} // namespace costcurve::gate
