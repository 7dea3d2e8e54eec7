// Where two scenarios cost the same: the time at which their sums cross, or the value of an input at which their totals do. Only
// of what can do its work, and both the same (model.md, section 9).
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/questions/alternatives.hpp"
#include "model/questions/investment.hpp"

namespace costcurve::model {

/// Of scenarios a and b, in this order, over the horizon or over the range that was searched; none: nowhere can both do their work
/// and is it the same.
enum class Relation { crosses, a_always_cheaper, b_always_cheaper, equal, none };
template <>
inline constexpr auto enum_names<Relation> = std::to_array<std::string_view>({"crosses", "a_always_cheaper", "b_always_cheaper",
                                                                              "equal", "none"});

/// Where the difference a - b changes its sign.
struct Crossing {
    double at = 0.0;           ///< months from the horizon's start, or the input's value
    bool a_is_cheaper = false; ///< beyond it
    bool is_jump = false;      ///< the difference jumps over zero there
};

struct Crossings {
    std::vector<Crossing> crossings; ///< ascending
    Relation relation = Relation::equal;
    std::vector<double> difference; ///< over the horizon: sum of a less that of b at each month's end, terminal values left out
    std::optional<double> at_end;   ///< over a horizon of the same months: the same once the end is settled
};

/// Why nothing is the cheaper over some values of an input.
enum class StretchCause { a_infeasible, b_infeasible, both_infeasible, not_comparable, invalid };
template <>
inline constexpr auto enum_names<StretchCause> = std::to_array<std::string_view>({"a_infeasible", "b_infeasible", "both_infeasible",
                                                                                  "not_comparable", "invalid"});
/// Both ends are in it.
struct Stretch {
    double from = 0.0;
    double to = 0.0;
    StretchCause because = StretchCause::invalid;
};

/// Over an input, what is said of the pair is said of the range: `differences` are empty where the work is the same at some value,
/// and who is feasible at any is.
struct BreakEven {
    Crossings cost;
    Crossings cash;
    std::vector<ScenarioDifference> differences;
    std::array<bool, 2> feasible{};
    std::array<bool, 2> eligible{}; ///< may be called the cheaper: feasible, or what it lacks is ignored
    std::optional<double> low;      ///< of the input: the range that was searched
    std::optional<double> high;
    std::vector<Stretch> stretches; ///< of it, ascending: without a cheaper side
    int evaluations = 2;
};

/// Where the cumulative amount of `a` less that of `b` changes its sign, in exact time: at a step, or on the line between two.
/// Terminal values stand in `at_end` alone. Sums that differ by less than 1e-9 of the larger are equal; at time 0 nothing crosses.
[[nodiscard]] Crossings crossings_of(const TimedCash& a, const TimedCash& b);

/// The same of the cumulative cash of two evaluations.
[[nodiscard]] Crossings cash_crossings(const Evaluation& a, const Evaluation& b);
/// The time in months from which a is first the cheaper: 0 where it is from the start, or both are equal throughout; nothing where
/// it never is.
[[nodiscard]] std::optional<double> cheaper_from(const Crossings& found);

/// Cumulative cost, which grows evenly over each month, and cumulative cash. Where a side is not eligible, or they do not do the
/// same work, the relation is none and the differences are there to be looked at.
[[nodiscard]] Result<BreakEven> break_even_over_horizon(Alternatives& pair);

/// Total cost and cash of both as functions of one input between low and high, which is set in each scenario that has it. Where
/// the cheaper side behind a stretch is another than before it, the crossing is the first value behind it, a jump. Stretches
/// between two of 33 even points are seen only where a crossing is sought there.
/// Issues at `input_at`: a pointer that names no input, an end outside its range, no value that breaks no rule.
[[nodiscard]] Result<BreakEven> break_even_over_input(Alternatives& pair, std::string_view input, const std::string& input_at,
                                                      double low, double high);

/// In what the work of the pair differs; break-even goes by cost and cash as they are paid, not discounted.
[[nodiscard]] std::vector<ScenarioDifference> differences_of(const Alternatives& pair, const Summary& a, const Summary& b);

[[nodiscard]] Relation relation_of(const std::vector<Crossing>& crossings, double sign);

} // namespace costcurve::model
