// Where two scenarios cost the same: the month in which their sums cross, or the value of an input at which their totals do.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "model/questions/alternatives.hpp"
#include "model/questions/roots.hpp"

namespace costcurve::model {

/// Of scenarios a and b, in this order.
enum class Relation { crosses, a_always_cheaper, b_always_cheaper, equal };
template <>
inline constexpr auto enum_names<Relation> = std::to_array<std::string_view>({"crosses", "a_always_cheaper", "b_always_cheaper",
                                                                              "equal"});

/// Where the difference a - b changes its sign.
struct Crossing {
    double at = 0.0;           ///< months from the horizon's start, within the month by straight line; or the input's value
    bool a_is_cheaper = false; ///< beyond it
    bool is_jump = false;      ///< over an input: the difference jumps over zero there
};

struct Crossings {
    std::vector<Crossing> crossings; ///< ascending
    Relation relation = Relation::equal;
    std::vector<double> difference; ///< over the horizon: sum of a less that of b at each month's end, currency
};

struct BreakEven {
    Crossings cost;
    Crossings cash;
    int evaluations = 2;
};

/// Where the running sum of `a` less `b` changes its sign, by months; both are amounts a month. The longer one counts as far as the
/// shorter. Sums that differ by less than 1e-9 of the larger are equal.
[[nodiscard]] Crossings crossings_of_sums(const std::vector<double>& a, const std::vector<double>& b);

/// Cumulative cost and cash over the horizon. Cash of the last month holds what assets are worth then (model.md, section 8).
[[nodiscard]] Result<BreakEven> break_even_over_horizon(Alternatives& pair);

/// Total cost and cash of both as functions of one input between low and high, which is set in each scenario that has it.
/// Issues at `input_at`: a pointer that names no input, an end outside its range.
[[nodiscard]] Result<BreakEven> break_even_over_input(Alternatives& pair, std::string_view input, const std::string& input_at,
                                                      double low, double high);

} // namespace costcurve::model
