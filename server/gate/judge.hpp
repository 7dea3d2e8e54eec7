// Judges evaluated scenarios by the rules of a gate.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "model/questions/runner.hpp"
#include "server/answers/encode_result.hpp"
#include "server/gate/report.hpp"

namespace costcurve::gate {

/// The base that a scenario is compared with.
struct Base {
    double cost_per_month = 0.0;
    std::string currency;
    std::vector<std::string> open;         ///< unknown parts of a deployment that affect its cost
    std::string problem;                   ///< why it can't be compared; "" if it can
    std::vector<std::string> differs = {}; ///< differences of its work from the scenario's, in words
};

/// A scenario to judge.
struct Candidate {
    std::string file;
    std::string name;
    answers::Evaluated evaluated;
    std::optional<Base> base;
    std::vector<std::string> open; ///< unknown parts of a deployment that affect its cost
};

/// Cost a month over the horizon.
[[nodiscard]] double cost_per_month(const answers::Evaluated& evaluated);

/// Every rule on every scenario, in this order, and those on its work and on what is known of it, which need not be stated: a
/// scenario that leaves work undone, and a deployment that is not known as a whole, keep no gate. `today` is in days since 1970.
/// A rule on a part that no scenario has is unknown; of one that some have the others have no finding. Findings of a rule for a
/// part are one each.
[[nodiscard]] Report judge(const GateFile& file, const std::vector<Candidate>& candidates, double today,
                           const model::Runner& runner);

} // namespace costcurve::gate
