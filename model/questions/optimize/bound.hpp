// Lower bound on the objective of any plan: a linear programme that relaxes the model (docs/decisions/0013). Knows no search.
#pragma once

#include <memory>
#include <vector>

#include "model/questions/optimize/box.hpp"
#include "model/questions/optimize/least_power.hpp"
#include "model/questions/optimize/linear_program.hpp"
#include "model/scenario.hpp"

namespace costcurve::model {

/// Lower bound on the objective over a box of plans.
struct Bound {
    LinearProgram::Status status = LinearProgram::Status::gave_up; ///< infeasible: no plan of the box keeps the limits
    double value = 0.0;
    std::vector<double> plan; ///< solution of the relaxed problem, with fractional servers and instances: a start for the search
};

/// Built once per scenario, then solved for one box after another, each from the last basis. One thread at a time.
/// Relaxed: servers and instances may be fractions, work goes where it is cheapest whatever the routing, similar hours are merged,
/// and power is a line under its curve. Each relaxation lowers the objective or keeps it, so `value` is a lower bound for every
/// plan of the box. For units that follow demand, mixed-integer rounding cuts of each hour (Nemhauser and Wolsey, 1990) tighten the
/// bound.
class LinearBound {
public:
    /// `blocks` is the approximate number of hour blocks over the whole horizon.
    LinearBound(const Scenario& scenario, const std::vector<Decision>& decisions, Goal goal, const Limits& limits,
                std::size_t blocks);
    ~LinearBound();
    LinearBound(const LinearBound&) = delete;
    LinearBound& operator=(const LinearBound&) = delete;

    [[nodiscard]] Bound solve(const Box& box);
    /// The part of the bound for costs that a site or pool bears once it has any capacity. Only capacity in every plan of the box
    /// counts.
    [[nodiscard]] double fixed_lines(const Box& box) const;

private:
    class Relaxation;
    std::unique_ptr<Relaxation> relaxation_;
};

/// The bound of an objective. Cash is bounded as net present value at a discount rate of 0. Without a tax, NPV after tax is bounded
/// as NPV. Null if no bound is known: for energy, and for NPV after tax if there is a tax.
[[nodiscard]] std::unique_ptr<LinearBound> bound_of(const Scenario& scenario, const std::vector<Decision>& decisions,
                                                    Objective objective, const Limits& limits, std::size_t blocks);

} // namespace costcurve::model
