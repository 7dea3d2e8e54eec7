// Owned servers through time: vintages, generations, ramp-up, and what they cost and pay by month
// (model.md, sections 5 and 8). Knows nothing of load, energy or workloads.
#pragma once

#include <vector>

#include "model/documents.hpp"

namespace costcurve::model {

/// One thing that is bought: cash at its start, a cost in every month of its service, its book value at its end.
struct Asset {
    double price = 0.0;
    double residual = 0.0;
    int life = 1;       ///< months over which it is capitalised
    int start = 0;      ///< month in which it is bought; negative: before the horizon
    int retirement = 0; ///< month in whose beginning it has left service, at most start + life
};

/// The straight line between price and residual at the beginning of a month, 0-based; also under the annuity rule.
[[nodiscard]] double book_value(const Asset& asset, int month);

/// What each month of service bears, by the scenario's capital rule.
[[nodiscard]] double monthly_cost(const Asset& asset, const Finance& finance);

/// What a server of a purchase costs in the generation that is bought in `month`, with its network and storage capital: a stated
/// price changes from its purchase on, list prices from the horizon's start.
[[nodiscard]] double server_price(const Server& server, const ServerPurchase& purchase, int month);

/// The fraction of its price that a server is sold for at the end of its life.
[[nodiscard]] double residual_fraction(const Server& server);

/// The generations of a purchase that serve within the horizon, and the own-build facilities that carry them.
[[nodiscard]] std::vector<Asset> hardware_assets(const Pool& pool, const ServerPurchase& purchase, int months);
[[nodiscard]] std::vector<Asset> facility_assets(const Pool& pool, const ServerPurchase& purchase, int months);

/// By month of the horizon: what assets of one category bear and pay. All vectors have one entry a month.
struct CapitalFlow {
    std::vector<double> cost;
    std::vector<double> cash_start; ///< paid at the month's first instant
    std::vector<double> cash_end;   ///< paid at its end; sales are negative
};

/// What an owned pool is, month by month.
struct OwnedSchedule {
    std::vector<double> servers_in_service; ///< paid and powered, ramping ones included
    std::vector<double> servers_active;     ///< past their ramp
    std::vector<double> price_in_service;   ///< purchase price of the generations in service; the base of maintenance
    std::vector<double> embodied_kg;        ///< straight line over the life
    CapitalFlow hardware;
    CapitalFlow facility;           ///< own build
    std::vector<double> tax_credit; ///< deductible at month end: depreciation, and tax book value less sale at disposal
};

/// Watts of one server with its devices, at full load.
[[nodiscard]] double server_nameplate_w(const Server& server);

/// Servers that a rack of the site holds: by power where the site states `rack_kw`, else by height.
/// 0 where neither is known.
[[nodiscard]] double servers_per_rack(const Server& server, const Site& site);

/// The schedule of an owned pool over `months`. A vintage whose life ended before the horizon is ignored.
/// Cost: O(purchases x months).
[[nodiscard]] OwnedSchedule schedule_owned(const Pool& pool, const Finance& finance, int months);

} // namespace costcurve::model
