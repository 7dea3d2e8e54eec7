// Who serves what by month, and what a month's hours of the week look like: demand, busy devices, power, tariff.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <vector>

#include "model/scenario.hpp"

namespace costcurve::model {

inline constexpr std::size_t kHoursOfWeek = 168;
/// Means by hour of the week, from Monday 0:00 in the scenario's time zone.
using Week = std::array<double, kHoursOfWeek>;

struct Profile {
    struct Served {
        std::size_t workload = 0;
        std::size_t pool = 0;
        std::vector<double> units; ///< [month]
    };
    struct PoolWeek {
        std::optional<Week> busy_devices; ///< none of an API pool
        std::optional<Week> available_devices;
        std::optional<Week> power_kw;     ///< of the facility; where the pool has a site
        std::optional<Week> energy_price; ///< currency/kWh; of owned pools
    };
    std::vector<Served> served;              ///< by workload, in the order of runs_on
    Week hours{};                            ///< how many of the month's hours each hour of the week is
    std::vector<std::optional<Week>> demand; ///< [workload] units/s; none of training
    std::vector<PoolWeek> pools;
};

/// The profile of a scenario; its weeks are of `month` (0-based, below the horizon). Means over the week weighted with `hours` are
/// those of the ledger: busy devices x hours are busy device-hours. Cost: an evaluation in which each hour of the week is one.
[[nodiscard]] Profile profile(const Scenario& scenario, std::size_t month);

} // namespace costcurve::model
