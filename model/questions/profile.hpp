// Which pool serves which workload by month, and a month's mean week by hour: demand, busy devices, power, tariff.
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
        std::optional<Week> busy_devices; ///< empty for an API pool
        std::optional<Week> available_devices;
        std::optional<Week> power_kw;     ///< power of the facility; empty for a pool without a site
        std::optional<Week> energy_price; ///< currency/kWh; owned pools only
    };
    std::vector<Served> served;              ///< by workload, in the order of runs_on
    Week hours{};                            ///< how often each hour of the week occurs in the month
    std::vector<std::optional<Week>> demand; ///< [workload] units/s; empty for training
    std::vector<PoolWeek> pools;
};

/// The profile of a scenario, with the weeks of `month` (0-based, below the horizon). Means weighted with `hours` match the ledger:
/// busy devices x hours = busy device-hours. Costs one evaluation in which no hours of the week are merged.
[[nodiscard]] Profile profile(const Scenario& scenario, std::size_t month);

} // namespace costcurve::model
