// What matters: one input at a time from low to high, and whether another scenario becomes the cheapest on the way.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/questions/alternatives.hpp"

namespace costcurve::model {

/// An input and how far it is moved: to low and high, or by the fraction `change` of what the scenario states, down and up.
struct Moved {
    std::string pointer;
    std::string at; ///< where it stands in the request
    std::optional<double> low;
    std::optional<double> high;
    std::optional<double> change;
    bool needs_effect = false; ///< left out of the answer, and counted, where it moves nothing
};

/// An end of the move as it was set (whole inputs by whole steps), and the output there; empty where the scenario breaks a rule
/// there or nothing is served.
struct SwingEnd {
    double input = 0.0;
    std::optional<double> change; ///< from the base, as a fraction of it; empty where that is 0 or not stated
    std::optional<double> output;
};

/// The value nearest to the base at which its cheapest is the cheapest no more.
struct Flip {
    double value = 0.0;
    std::optional<std::size_t> cheapest; ///< there: its number among the scenarios; empty where none can do its work
    bool is_infeasible = false;          ///< because the base's cheapest breaks a rule or can't do its work there
};

struct Swing {
    std::string pointer;
    std::string unit;
    std::optional<double> base; ///< empty where the scenario states nothing
    SwingEnd low;
    SwingEnd high;
    std::optional<double> elasticity; ///< (change of output / base output) / (change of input / base input), low to high
    std::optional<Flip> flips_at;
    [[nodiscard]] double width() const;
};

struct Sensitivity {
    std::string output_unit;
    std::optional<double> base;                  ///< the first scenario's output
    std::optional<std::size_t> cheapest;         ///< at the base, by output, where there are several scenarios
    std::vector<Swing> swings;                   ///< widest first
    std::vector<ScenarioDifference> differences; ///< where there are some, nothing is the cheapest
    std::vector<std::string> without_effect;     ///< pointers to inputs that need an effect and have none
};

/// Of the first scenario; an input that others have too moves in them as well, and they can become the cheapest, where
/// all do the same work. All issues at once: pointers, ranges, a change of an input that states nothing, an output that is not
/// there.
[[nodiscard]] Result<Sensitivity> sensitivity(Alternatives& scenarios, const std::vector<Moved>& inputs, std::string_view output,
                                              const std::string& output_at);

/// What one chooses rather than meets with: numbers of servers and instances, and the horizon.
[[nodiscard]] bool is_decision(std::string_view pointer);

/// Every number that the scenario states and is not 0, to be moved by `change`: what sensitivity varies where no inputs are named.
/// Of decisions only `with_decisions`.
[[nodiscard]] std::vector<Moved> every_input(const ScenarioDocument& scenario, double change, bool with_decisions);

} // namespace costcurve::model
