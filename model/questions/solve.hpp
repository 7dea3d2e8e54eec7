// Solves for the value of an input that gives a target output.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/questions/alternatives.hpp"
#include "model/questions/roots.hpp"

namespace costcurve::model {

/// The request, and the JSON Pointer of each of its parts.
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

/// A value of the input that gives the target output; the first and the last value if a whole stretch does.
struct Solution {
    double value = 0.0;   ///< value of the input, in its unit
    double output = 0.0;  ///< output at that value
    bool is_exact = true; ///< false if the output jumps over the target there (whole instances, a capacity that fills)
};

struct Solved {
    std::vector<Solution> solutions; ///< ascending, at least one
    std::string unit;                ///< unit of the input
    std::string output_unit;
    int iterations = 0; ///< evaluations of the scenario
    /// For a scenario with outages, the value at which the output first changes direction; more solutions may exist than were
    /// found.
    std::optional<double> turns_at = std::nullopt;
};

/// Solves for the first scenario. Issues: an unknown input or output, ends outside the input's range, a target that the output
/// doesn't reach (with the output's range).
[[nodiscard]] Result<Solved> solve(Alternatives& scenario, const SolveQuestion& question);

} // namespace costcurve::model
