// The least that any plan can come to: a linear programme that relaxes the model (docs/decisions/0013). Knows no search.
#pragma once

#include <memory>
#include <vector>

#include "model/questions/optimize/box.hpp"
#include "model/questions/optimize/least_power.hpp"
#include "model/questions/optimize/linear_program.hpp"
#include "model/scenario.hpp"

namespace costcurve::model {

/// What a box of plans comes to at least.
struct Bound {
    LinearProgram::Status status = LinearProgram::Status::gave_up; ///< infeasible: no plan of the box keeps the limits
    double value = 0.0;
    std::vector<double> plan; ///< of the relaxed problem: where to look first; fractions of servers and instances
};

/// Made once for a scenario, then asked for one box after another; each begins where the last ended. One thread at a time.
///
/// Relaxed: servers and instances may be fractions, work goes where it is cheapest whatever the routing, hours that are alike are
/// one, power is a line under its curve. All of it lowers the goal or leaves it, so that `value` is under every plan of the box.
/// Units are whole again where they follow demand: by mixed-integer rounding cuts (Nemhauser and Wolsey, 1990) an hour at a time.
class LinearBound {
public:
    /// About `blocks` blocks of hours in all.
    LinearBound(const Scenario& scenario, const std::vector<Decision>& decisions, Goal goal, const Limits& limits,
                std::size_t blocks);
    ~LinearBound();
    LinearBound(const LinearBound&) = delete;
    LinearBound& operator=(const LinearBound&) = delete;

    [[nodiscard]] Bound solve(const Box& box);
    /// The part of the bound that is borne once where there is capacity: only what the box has at least bears it.
    [[nodiscard]] double fixed_lines(const Box& box) const;

private:
    class Relaxation;
    std::unique_ptr<Relaxation> relaxation_;
};

/// The bound of an objective: cash is the net present value at no discount rate, and without a tax that after tax is the one
/// before it. Null where none is known: of energy, and after tax.
[[nodiscard]] std::unique_ptr<LinearBound> bound_of(const Scenario& scenario, const std::vector<Decision>& decisions,
                                                    Objective objective, const Limits& limits, std::size_t blocks);

} // namespace costcurve::model
