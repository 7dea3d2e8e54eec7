// Sums over pools, and sentences by fixed rules.
#include "model/questions/drivers.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include <fmt/format.h>

namespace costcurve::model {

namespace {

constexpr auto kDeviceCategories =
    std::to_array<Category>({Category::compute, Category::commitment, Category::lease, Category::hardware, Category::facility,
                             Category::maintenance, Category::software, Category::financing, Category::disposal});

struct Ratio {
    std::string text;
    double size = 0.0; ///< |logarithm|, millionths
};

// Rounded, so that equal ones stay in the order of the table.
Ratio ratio(double a, double b, std::string text) { return {std::move(text), std::round(std::abs(std::log(a / b)) * 1e6)}; }

// Four digits, as a price is read.
std::string amount(double value) { return value < 1000 ? fmt::format("{:.4g}", value) : fmt::format("{:.0f}", value); }

std::vector<Ratio> ratios_of_devices(const Drivers& a, const Drivers& b, std::string_view currency) {
    return {
        ratio(a.device_hour(), b.device_hour(),
              fmt::format("its device-hour costs {} against {} {}", amount(a.device_hour()), amount(b.device_hour()), currency)),
        ratio(a.throughput(), b.throughput(),
              fmt::format("a busy device does {} units/s against {}", amount(a.throughput()), amount(b.throughput()))),
        ratio(a.utilization(), b.utilization(),
              fmt::format("it is busy {:.0f} % of the time against {:.0f} %", 100 * a.utilization(), 100 * b.utilization())),
    };
}

} // namespace

Drivers drivers_of(const ScenarioDocument& scenario, const Summary& summary) {
    Drivers drivers;
    double units = 0.0;
    for (const WorkloadSummary& workload : summary.workloads) {
        units += workload.units_served;
    }
    for (std::size_t p = 0; p < scenario.pools.size(); ++p) {
        const PoolSummary& pool = summary.pools[p];
        if (scenario.pools[p].kind == PoolKind::api) {
            drivers.hosted_cost += pool.by_category[static_cast<std::size_t>(Category::usage)].cost;
            continue;
        }
        drivers.busy_hours += pool.busy_device_hours;
        drivers.paid_hours += pool.available_device_hours;
        for (const Category category : kDeviceCategories) {
            drivers.device_cost += pool.by_category[static_cast<std::size_t>(category)].cost;
        }
    }
    const bool is_hosted = drivers.hosted_cost > 0.0 && drivers.busy_hours == 0.0;
    drivers.hosted_units = is_hosted ? units : 0.0;
    drivers.units = is_hosted ? 0.0 : units;
    drivers.cost_per_million = units > 0.0 ? summary.total.cost / units * 1e6 : 0.0;
    return drivers;
}

std::string why(const Drivers& drivers, const Drivers& other, double figure, double other_figure, std::string_view currency) {
    constexpr double kEqual = 0.01;
    std::string sentence = std::abs(figure - other_figure) < kEqual * std::abs(other_figure) ? "equal to 1 %; " : "";
    if (drivers.has_devices() && other.has_devices()) {
        std::vector<Ratio> ratios = ratios_of_devices(drivers, other, currency);
        std::stable_sort(ratios.begin(), ratios.end(), [](const Ratio& a, const Ratio& b) { return a.size > b.size; });
        constexpr double kDiffers = 5000; // half a per cent
        return sentence + ratios[0].text + (ratios[1].size > kDiffers ? "; " + ratios[1].text : "");
    }
    sentence += fmt::format("a million units cost {} against {} {}", amount(drivers.cost_per_million),
                            amount(other.cost_per_million), currency);
    if (drivers.has_devices() != other.has_devices()) {
        sentence += fmt::format("; {} devices are busy {:.0f} % of the time", drivers.has_devices() ? "its" : "the other's",
                                100 * (drivers.has_devices() ? drivers : other).utilization());
    }
    return sentence;
}

} // namespace costcurve::model
