// Which value of an input gives a wanted output.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/questions/alternatives.hpp"
#include "model/questions/roots.hpp"

namespace costcurve::model {

/// The request, and the pointer of each of its parts.
struct SolveQuestion {
    std::string input;
    std::string input_at;
    double low = 0.0;
    double high = 0.0;
    std::string output;
    std::string output_at;
    double target = 0.0;
    std::string target_at;
};

/// Of a stretch of values that all give the output, its first and its last.
struct Solution {
    double value = 0.0;   ///< of the input, in its unit
    double output = 0.0;  ///< there
    bool is_exact = true; ///< false: the output jumps over the target there (whole instances, a capacity that fills)
};

struct Solved {
    std::vector<Solution> solutions; ///< ascending, at least one
    std::string unit;                ///< of the input
    std::string output_unit;
    int iterations = 0; ///< evaluations of the scenario
    /// Where the output first rises after it fell, or falls after it rose, of a scenario with outages: there may be more solutions
    /// than were found.
    std::optional<double> turns_at = std::nullopt;
};

/// Of the first scenario. Issues: an input or output that is not there, ends outside the input's range, a target that the output
/// doesn't reach between them (with what it runs from and to).
[[nodiscard]] Result<Solved> solve(Alternatives& scenario, const SolveQuestion& question);

} // namespace costcurve::model
