// Varies one input at a time from low to high, and finds whether another scenario becomes the cheapest on the way.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/questions/alternatives.hpp"

namespace costcurve::model {

/// An input and its range: from low to high, or the fraction `change` of the scenario's value in both directions.
struct Moved {
    std::string pointer;
    std::string at; ///< JSON Pointer of the input in the request
    std::optional<double> low;
    std::optional<double> high;
    std::optional<double> change;
    bool needs_effect = false; ///< if the output doesn't change, the input is only counted, not listed
};

/// An end of the input's range as it was set (whole inputs to whole numbers), and the output there. The output is empty if the
/// scenario breaks a rule there or serves nothing.
struct SwingEnd {
    double input = 0.0;
    std::optional<double> change; ///< change from the base, as a fraction of the base; empty if the base is 0 or not stated
    std::optional<double> output;
};

/// The value nearest to the base at which the base's cheapest scenario stops being the cheapest.
struct Flip {
    double value = 0.0;
    std::optional<std::size_t> cheapest; ///< index of the new cheapest scenario; empty if none can do its work
    bool is_infeasible = false;          ///< the base's cheapest breaks a rule or can't do its work there
};

struct Swing {
    std::string pointer;
    std::string unit;
    std::optional<double> base; ///< empty if the scenario doesn't state the input
    SwingEnd low;
    SwingEnd high;
    std::optional<double> elasticity; ///< (change of output / base output) / (change of input / base input), from low to high
    std::optional<Flip> flips_at;
    [[nodiscard]] double width() const;
};

struct Sensitivity {
    std::string output_unit;
    std::optional<double> base;                  ///< the first scenario's output
    std::optional<std::size_t> cheapest;         ///< index of the cheapest at the base, by output, if there are several scenarios
    std::vector<Swing> swings;                   ///< the widest first
    std::vector<ScenarioDifference> differences; ///< if there are any, no scenario is the cheapest
    std::vector<std::string> without_effect;     ///< pointers of the needs_effect inputs that have no effect
};

/// Sensitivity of the first scenario's output. An input that other scenarios share moves in them too, and if all do the same work,
/// another can become the cheapest. Reports all issues at once: pointers, ranges, a relative change of an input that the scenario
/// doesn't state, an unknown output.
[[nodiscard]] Result<Sensitivity> sensitivity(Alternatives& scenarios, const std::vector<Moved>& inputs, std::string_view output,
                                              const std::string& output_at);

/// Whether the input is a decision (number of servers or instances, horizon) rather than an external condition.
[[nodiscard]] bool is_decision(std::string_view pointer);

/// Every nonzero number that the scenario states, varied by `change`: the default if the request names no inputs. Decisions are
/// included only if `with_decisions`.
[[nodiscard]] std::vector<Moved> every_input(const ScenarioDocument& scenario, double change, bool with_decisions);

} // namespace costcurve::model
