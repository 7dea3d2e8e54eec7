// The uncertain inputs of a simulation: bound in the scenarios they drive, and checked against the ranges of their fields.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "model/questions/alternatives.hpp"
#include "model/questions/chance/distribution.hpp"
#include "model/questions/chance/draws.hpp"
#include "model/questions/runner.hpp"

namespace costcurve::model {

struct UncertainInput {
    std::string pointer;
    std::string at; ///< where it stands in the question
    Distribution distribution;
    std::optional<std::size_t> scenario; ///< only there; else in every scenario that has it
};

struct CorrelatedInputs {
    std::string a; ///< pointers of inputs
    std::string b;
    double rho; ///< Spearman's, -1 to 1
    std::string at;
};

/// What is drawn, and how. Pointers of issues begin with `at`.
struct Uncertainty {
    std::vector<UncertainInput> inputs;
    std::vector<CorrelatedInputs> correlations;
    std::size_t samples = 10'000; ///< at least 2
    std::uint64_t seed = 0;
    Sampling sampling = Sampling::random;
    std::string at;
};

/// A scenario that an input drives.
struct Driven {
    std::size_t scenario;
    std::size_t bound; ///< the input's number among those bound
    double multiplier; ///< of a draw: what the scenario states, where the distribution is relative
};

/// The scenarios with their inputs bound. One thread at a time.
struct Uncertain {
    Uncertain(const std::vector<Placed>& scenarios, const std::vector<UncertainInput>& inputs, Failure& issues);

    /// Sets a draw of an input in every scenario that it drives; an issue where it leaves the range of one.
    [[nodiscard]] std::optional<Issue> set(std::size_t input, double draw, const std::string& at);

    Alternatives alternatives;
    std::vector<std::vector<Driven>> inputs; ///< by input
};

/// An issue where a value of the input's distribution, which `what` names, leaves the range of its field; says what to do.
[[nodiscard]] std::optional<Issue> leaves_range(Uncertain& scenarios, const UncertainInput& input, std::size_t number, double draw,
                                                const std::string& what);

/// Impossible distributions, bounded ones that leave the range, and inputs that would set the same number.
[[nodiscard]] Failure check_inputs(Uncertain& scenarios, const std::vector<UncertainInput>& inputs);

/// The correlations' triangle (see correlate). Issues where a pointer names no input, or several, where a pair stands twice, and
/// where the correlations are impossible together.
[[nodiscard]] std::vector<double> correlate_inputs(const Uncertainty& uncertainty, Failure& issues);

/// Draws of all inputs: [input][sample]. Empty where the runner was told to stop.
[[nodiscard]] std::vector<std::vector<double>> draw_inputs(const Uncertainty& uncertainty, std::vector<double> triangle,
                                                           const Runner& runner);

/// Issues of draws that leave the range of a field.
[[nodiscard]] Failure check_draws(Uncertain& scenarios, const Uncertainty& uncertainty,
                                  const std::vector<std::vector<double>>& draws);

} // namespace costcurve::model
