// What makes one scenario more expensive than another, as ratios such as throughput and utilization (model.md, section 9, compare).
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/questions/variant.hpp"

namespace costcurve::model {

/// Work and cost of device pools over the horizon, and all other cost, in one figure.
struct Drivers {
    Objective figure = Objective::cost; ///< for energy and carbon, device_cost and rest are kWh and kg, and all of rest is in usage
    double units = 0.0;                 ///< units served by device pools
    double busy_hours = 0.0;            ///< device-hours that were busy
    double paid_hours = 0.0;            ///< device-hours in service
    double device_cost = 0.0;           ///< cost of device pools: compute, commitment, hardware, facility and the like
    std::array<double, kCategories> rest{}; ///< all cost except device_cost, by category
    double tax = 0.0;                       ///< for npv_after_tax: the excess over npv; otherwise 0
    std::string unit;                       ///< the workloads' unit; "" if they differ

    static constexpr double kIdle = 1e-12; ///< busy share of paid hours below which the devices count as idle
    [[nodiscard]] bool has_work() const { return units > 0.0 && busy_hours > kIdle * paid_hours; }
    [[nodiscard]] double total() const;
};

/// Drivers of the cost, cash, npv or npv_after_tax; of the cost if the objective is not money.
[[nodiscard]] Drivers drivers_of(const Evaluation& evaluation, Objective objective);

/// One step from `a` to `b`: the change of the figure that a driver makes, and the driver's value in both.
struct DriverStep {
    std::string driver; ///< "throughput", "utilization", a category …
    std::string unit;   ///< the text `currency` stands for the scenarios' currency
    double a = 0.0;
    double b = 0.0;
    double amount = 0.0;
};

/// Device cost = work x 1/throughput x 1/utilization x price of a device-hour, with each factor of `a` replaced by that of `b` in
/// turn. API usage and the other categories follow; those that move less than 2 % of the difference share one step. If only one
/// scenario has devices, the steps are its idle device-hours, then its work against the API usage. The steps add up to the
/// difference.
struct Bridge {
    Objective figure = Objective::cost;
    std::string why; ///< phrases of the two largest steps; opens with "equal to 1 %" if the totals differ by at most 1 % of a's
    std::vector<DriverStep> steps;
};
[[nodiscard]] Bridge bridge(const Drivers& a, const Drivers& b, std::string_view currency);

/// The two largest steps as changes of one scenario over time, from a (before) to b (now): "the price of a device-hour of rented
/// fell from 3.99 to 2.99 USD". The second is included if it is at least a tenth of the first. "" if nothing changed.
[[nodiscard]] std::string change_in_words(const Bridge& bridge, std::string_view scenario, std::string_view currency);

} // namespace costcurve::model
