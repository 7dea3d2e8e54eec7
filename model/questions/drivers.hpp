// What makes one scenario dearer than another, in the ratios that people reason by (model.md, section 9, compare).
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>

#include "model/summary.hpp"

namespace costcurve::model {

/// What device pools did, and what hosted models were paid, over the horizon.
struct Drivers {
    double units = 0.0;            ///< served by device pools
    double busy_hours = 0.0;       ///< device-hours
    double paid_hours = 0.0;       ///< device-hours in service
    double device_cost = 0.0;      ///< of compute, commitment, hardware, facility, maintenance, software and their like
    double hosted_cost = 0.0;      ///< usage of API pools
    double hosted_units = 0.0;     ///< served by API pools
    double cost_per_million = 0.0; ///< all costs over all units served

    [[nodiscard]] bool has_devices() const { return units > 0.0 && busy_hours > 0.0 && paid_hours > 0.0 && device_cost > 0.0; }
    [[nodiscard]] double throughput() const { return units / busy_hours / 3600; } ///< units/s of a busy device
    [[nodiscard]] double utilization() const { return busy_hours / paid_hours; }  ///< of 1
    [[nodiscard]] double device_hour() const { return device_cost / paid_hours; } ///< currency
};
[[nodiscard]] Drivers drivers_of(const ScenarioDocument& scenario, const Summary& summary);

/// One sentence of why `scenario` costs more or less than `other`: the two largest drivers, both values each. Where what decides,
/// `figure` and `other_figure`, is equal to 1 %, it begins with that.
[[nodiscard]] std::string why(const Drivers& drivers, const Drivers& other, double figure, double other_figure,
                              std::string_view currency);

} // namespace costcurve::model
