// Where two scenarios cost the same: the time at which their cumulative sums cross, or the value of an input at which their totals
// do. Only scenarios that can do their work, and do the same work, are compared (model.md, section 9).
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/questions/alternatives.hpp"
#include "model/questions/investment.hpp"

namespace costcurve::model {

/// How scenario a compares with scenario b over the horizon or the searched range. none: at no point can both do their work and is
/// that work the same.
enum class Relation { crosses, a_always_cheaper, b_always_cheaper, equal, none };
template <>
inline constexpr auto enum_names<Relation> = std::to_array<std::string_view>({"crosses", "a_always_cheaper", "b_always_cheaper",
                                                                              "equal", "none"});

/// A point where the difference a - b changes its sign.
struct Crossing {
    double at = 0.0;           ///< months from the horizon's start, or the input's value
    bool a_is_cheaper = false; ///< a is the cheaper one beyond `at`
    bool is_jump = false;      ///< the difference jumps over zero there
};

struct Crossings {
    std::vector<Crossing> crossings; ///< ascending
    Relation relation = Relation::equal;
    std::vector<double> difference; ///< cumulative sum of a less that of b at each month's end, without terminal values
    std::optional<double> at_end;   ///< the difference including terminal values, if both horizons have the same number of months
};

/// Why neither scenario is the cheaper one over some values of an input.
enum class StretchCause { a_infeasible, b_infeasible, both_infeasible, not_comparable, invalid };
template <>
inline constexpr auto enum_names<StretchCause> = std::to_array<std::string_view>({"a_infeasible", "b_infeasible", "both_infeasible",
                                                                                  "not_comparable", "invalid"});
/// A closed interval of the input's values.
struct Stretch {
    double from = 0.0;
    double to = 0.0;
    StretchCause because = StretchCause::invalid;
};

/// The answer for a horizon or for a range of an input. Over an input, `differences` is empty if the work is the same at any value
/// of the range, and a scenario is feasible if it is at any value.
struct BreakEven {
    Crossings cost;
    Crossings cash;
    std::vector<ScenarioDifference> differences;
    std::array<bool, 2> feasible{};
    std::array<bool, 2>
        eligible{};            ///< by scenario: may rank as the cheaper one, because it is feasible or its shortfall is ignored
    std::optional<double> low; ///< lower end of the input's searched range
    std::optional<double> high;
    std::vector<Stretch> stretches; ///< parts of the range without a cheaper side, ascending
    int evaluations = 2;
};

/// Points in exact time at which the cumulative amount of `a` less that of `b` changes its sign: at a step, or on the line between
/// two steps. Terminal values count only in `at_end`. Sums within 1e-9 of the larger are equal; nothing crosses at time 0.
[[nodiscard]] Crossings crossings_of(const TimedCash& a, const TimedCash& b);

/// Crossings of the cumulative cash of two evaluations.
[[nodiscard]] Crossings cash_crossings(const Evaluation& a, const Evaluation& b);
/// The month from which a is first the cheaper one: 0 if from the start or if both are equal throughout; empty if never.
[[nodiscard]] std::optional<double> cheaper_from(const Crossings& found);

/// Break-even of cumulative cost, which grows evenly over each month, and of cumulative cash. If a side is not eligible or the two
/// do different work, the relation is none and the differences are still returned.
[[nodiscard]] Result<BreakEven> break_even_over_horizon(Alternatives& pair);

/// Total cost and cash of both as functions of one input between low and high, which is set in each scenario that has it. If the
/// cheaper side changes across a stretch without a cheaper side, the crossing is the first value after the stretch, a jump. Such
/// stretches that lie between two of 33 even points are found only near a crossing. Issues at `input_at`: a pointer that names no
/// input, an end outside the input's range, no valid value in the range.
[[nodiscard]] Result<BreakEven> break_even_over_input(Alternatives& pair, std::string_view input, const std::string& input_at,
                                                      double low, double high);

/// How the work of the pair differs. Break-even compares undiscounted cost and cash.
[[nodiscard]] std::vector<ScenarioDifference> differences_of(const Alternatives& pair, const Summary& a, const Summary& b);

[[nodiscard]] Relation relation_of(const std::vector<Crossing>& crossings, double sign);

} // namespace costcurve::model
