// Table of the monthly operating costs of owned servers and sites: a volume times stated prices, one row each. Both the ledger and
// the explanations are made from it.
#pragma once

#include <algorithm>
#include <array>
#include <string_view>
#include <vector>

#include "model/categories/category.hpp"
#include "model/documents/documents.hpp"

namespace costcurve::model {

/// A field of the pool (at pointer `at`) that the volume is multiplied by, and its name in explanations.
struct StatedFactor {
    std::string_view name, at;
};

/// A cost of each month in which its volume is above 0; it grows at its category's rate.
struct OperatingCost {
    /// Servers in service, or sites with servers in service (allocated by the pools' nameplate kW).
    enum class Volume { servers, sites };
    Category category;
    Volume volume;
    double months; ///< months that the price covers: 12 for a yearly price
    std::string_view name, formula;
    double (*of_month)(const Server& server, const Site& site, double volume); ///< at today's prices
    std::array<StatedFactor, 2> factors;                                       ///< an unused second one is ""
};
inline constexpr auto kOperatingCosts = std::to_array<OperatingCost>({
    {Category::software,
     OperatingCost::Volume::servers,
     12,
     "licences",
     "server-years × devices × software_per_device_year",
     [](const Server& server, const Site&, double servers) {
         return servers * server.devices * server.software_per_device_year / 12;
     },
     {{{"devices in a server", "server/devices"}, {"price of a device", "server/software_per_device_year"}}}},
    {Category::staff,
     OperatingCost::Volume::sites,
     12,
     "fixed",
     "years × fte × salary_per_year",
     [](const Server&, const Site& site, double sites) { return site.fte * site.salary_per_year / 12 * sites; },
     {{{"people", "site/fte"}, {"salary", "site/salary_per_year"}}}},
    {Category::staff,
     OperatingCost::Volume::servers,
     12,
     "by server",
     "server-years × fte_per_server × salary_per_year",
     [](const Server&, const Site& site, double servers) { return site.fte_per_server * servers * site.salary_per_year / 12; },
     {{{"people by server", "site/fte_per_server"}, {"salary", "site/salary_per_year"}}}},
    {Category::network,
     OperatingCost::Volume::sites,
     1,
     "monthly price",
     "months × network_per_month",
     [](const Server&, const Site& site, double sites) { return site.network_per_month * sites; },
     {{{"price of a month", "site/network_per_month"}, {}}}},
    {Category::storage,
     OperatingCost::Volume::sites,
     1,
     "monthly price",
     "months × storage_per_month",
     [](const Server&, const Site& site, double sites) { return site.storage_per_month * sites; },
     {{{"price of a month", "site/storage_per_month"}, {}}}},
});

static_assert(std::all_of(kOperatingCosts.begin(), kOperatingCosts.end(),
                          [](const OperatingCost& cost) { return !cost.factors.front().at.empty(); }),
              "what is fixed in the code can't be explained: give it an input");

/// The exchange index of the document that states the cost's price.
[[nodiscard]] inline const std::vector<double>& exchange_index_of(const OperatingCost& cost, const Server& server,
                                                                  const Site& site) {
    return cost.factors.front().at.starts_with("site/") ? site.stored.exchange_index : server.stored.exchange_index;
}

/// Whether the category has operating costs.
constexpr bool has_operating_costs(Category category) {
    return std::any_of(kOperatingCosts.begin(), kOperatingCosts.end(),
                       [&](const OperatingCost& cost) { return cost.category == category; });
}

} // namespace costcurve::model
