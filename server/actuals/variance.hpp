// Cost variance of actual against plan, split as in cost accounting. Arithmetic only.
#pragma once

#include <optional>
#include <string>

namespace costcurve::actuals {

/// Cost of a period, paid device-hours, and units of work done; empty if unknown.
struct Performed {
    std::optional<double> cost;
    std::optional<double> device_hours;
    std::optional<double> units;
};

/// Parts of the cost difference, actual minus planned; positive is worse. The known parts sum to the total.
struct CostVariance {
    std::optional<double> total;
    std::optional<double> price;      ///< hours cost more or less than planned
    std::optional<double> volume;     ///< more or less work; of unknown work, more or fewer hours
    std::optional<double> efficiency; ///< more or fewer hours for the work that was done
    std::string missing;              ///< why a part is not known; "" where all are
};

/// With planned cost C, hours H, work W and actual c, h, w, in the currency:
///   price = c - (C/H)·h;  efficiency = (h - (H/W)·w)·(C/H);  volume = (w - W)·(H/W)·(C/H)
/// and their sum is c - C. Without work: volume = (h - H)·(C/H). (C. T. Horngren, S. M. Datar & M. V. Rajan, Cost Accounting: A
/// Managerial Emphasis, 14th ed. 2012, chapter 7: the price and efficiency variances of the flexible budget, and the sales-volume
/// variance between it and the static one.) A planned price an hour needs planned hours.
[[nodiscard]] CostVariance cost_variance(const Performed& planned, const Performed& actual);

} // namespace costcurve::actuals
