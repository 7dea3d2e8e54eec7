// What makes one scenario dearer than another, in the ratios that people reason by (model.md, section 9, compare).
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/questions/variant.hpp"

namespace costcurve::model {

/// What device pools did over the horizon, and what they and all else came to in one figure.
struct Drivers {
    Objective figure = Objective::cost;     ///< of energy and carbon device_cost and rest are kWh and kg, all of rest in usage
    double units = 0.0;                     ///< served by device pools
    double busy_hours = 0.0;                ///< device-hours
    double paid_hours = 0.0;                ///< device-hours in service
    double device_cost = 0.0;               ///< of device pools: compute, commitment, hardware, facility and their like
    std::array<double, kCategories> rest{}; ///< all but device_cost, by category
    double tax = 0.0;                       ///< of npv_after_tax: what it is above npv
    std::string unit;                       ///< of all workloads; "" where they differ

    static constexpr double kIdle = 1e-12; ///< of what is paid: what is busy for less does next to nothing
    [[nodiscard]] bool has_work() const { return units > 0.0 && busy_hours > kIdle * paid_hours; }
    [[nodiscard]] double total() const;
};

/// By drivers, of cost, cash, npv or npv_after_tax; where the objective is no money, of cost.
[[nodiscard]] Drivers drivers_of(const Evaluation& evaluation, Objective objective);

/// One step from `a` to `b`: by how much a driver moves the figure, and what it is in both.
struct DriverStep {
    std::string driver; ///< "throughput", "utilization", a category …
    std::string unit;   ///< `currency` is that of the scenarios
    double a = 0.0;
    double b = 0.0;
    double amount = 0.0;
};

/// Device cost = work x 1/throughput x 1/utilization x price of a device-hour, those of `b` put in place of those of `a` one after
/// another; then API usage and the other categories, one step for all that move less than 2 % of the difference. Where one alone
/// has devices: its idle device-hours, then the work against the API usage. The steps add up to the difference.
struct Bridge {
    Objective figure = Objective::cost;
    std::string
        why; ///< one sentence of why b costs more or less: the two largest steps; it begins with it where both are equal to 1 %
    std::vector<DriverStep> steps;
};
[[nodiscard]] Bridge bridge(const Drivers& a, const Drivers& b, std::string_view currency);

/// The two largest steps as changes of one scenario in time, where `a` is before and `b` is now: "the price of a device-hour of
/// rented fell from 3.99 to 2.99 USD"; the second one where it is at least a tenth of the first. "" where nothing moved.
[[nodiscard]] std::string change_in_words(const Bridge& bridge, std::string_view scenario, std::string_view currency);

} // namespace costcurve::model
