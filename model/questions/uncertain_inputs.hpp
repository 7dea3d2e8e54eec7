// The uncertain inputs of a simulation: bound in the scenarios they drive, and checked against the ranges of their fields.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "model/questions/alternatives.hpp"
#include "model/questions/distribution.hpp"
#include "model/questions/draws.hpp"

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

/// By the inputs' numbers; issues where a pointer names no input, or several, and where a pair stands twice.
[[nodiscard]] std::vector<RankCorrelation> rank_correlations(const std::vector<UncertainInput>& inputs,
                                                             const std::vector<CorrelatedInputs>& correlations, Failure& issues);

} // namespace costcurve::model
