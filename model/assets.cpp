// Vintages become assets; assets become monthly cost, cash and tax credits.
#include "model/assets.hpp"

#include <algorithm>
#include <climits>
#include <cmath>

#include "model/finance.hpp"

namespace costcurve::model {

namespace {

constexpr double kRounding = 1e-9; // floors forgive this much

struct Horizon {
    int months;
    const Finance& finance;
};

// An asset owned already enters at its book value as bought at the start; the end of service is a sale.
void add_tax(const Asset& asset, const Horizon& horizon, int from, int to, std::vector<double>& credit) {
    const double basis = book_value(asset, from);
    const std::vector<double> depreciation =
        tax_depreciation(horizon.finance.tax_depreciation, horizon.finance.tax_depreciation_rate.value_or(0.0), Money{basis},
                         Months{static_cast<double>(asset.life)}, to - from);
    double tax_book = basis;
    for (int m = from; m < to; ++m) {
        const double amount = depreciation[static_cast<std::size_t>(m - from)];
        credit[static_cast<std::size_t>(m)] += amount;
        tax_book -= amount;
    }
    credit[static_cast<std::size_t>(to - 1)] += tax_book - book_value(asset, to);
}

void add_asset(const Asset& asset, const Horizon& horizon, CapitalFlow& flow, std::vector<double>& tax_credit) {
    const int from = std::max(asset.start, 0);
    const int to = std::min(asset.retirement, horizon.months);
    if (from >= to) {
        return;
    }
    const double monthly = monthly_cost(asset, horizon.finance);
    flow.cash_start[static_cast<std::size_t>(from)] += book_value(asset, from);
    flow.cash_end[static_cast<std::size_t>(to - 1)] -= book_value(asset, to);
    for (int m = from; m < to; ++m) {
        flow.cost[static_cast<std::size_t>(m)] += monthly;
    }
    if (horizon.finance.tax_rate > 0) {
        add_tax(asset, horizon, from, to, tax_credit);
    }
}

// The month in whose beginning the servers of a purchase leave the pool.
int retirement_of(const Pool& pool, const ServerPurchase& purchase) {
    return pool.refresh ? INT_MAX / 2 : purchase.month + pool.server->life_months;
}

// The first of the generations, each of `life` months from the purchase on, that reaches into the horizon.
int first_start(int purchased, int life) { return purchased < 0 ? purchased + (-purchased / life) * life : purchased; }

void add_vintage(const Pool& pool, const ServerPurchase& purchase, const Horizon& horizon, OwnedSchedule& schedule) {
    const Server& server = *pool.server;
    const int retirement = retirement_of(pool, purchase);
    for (const Asset& asset : hardware_assets(pool, purchase, horizon.months)) {
        add_asset(asset, horizon, schedule.hardware, schedule.tax_credit);
        for (int m = std::max(asset.start, 0); m < std::min(asset.retirement, horizon.months); ++m) {
            schedule.price_in_service[static_cast<std::size_t>(m)] += asset.price;
        }
    }
    for (const Asset& asset : facility_assets(pool, purchase, horizon.months)) {
        add_asset(asset, horizon, schedule.facility, schedule.tax_credit);
    }
    const double embodied = purchase.servers * server.embodied_kg / server.life_months;
    for (int m = std::max(purchase.month, 0); m < std::min(retirement, horizon.months); ++m) {
        const auto at = static_cast<std::size_t>(m);
        schedule.servers_in_service[at] += purchase.servers;
        schedule.embodied_kg[at] += embodied;
        if (m >= purchase.month + pool.ramp_months) {
            schedule.servers_active[at] += purchase.servers;
        }
    }
}

} // namespace

double book_value(const Asset& asset, int month) {
    return book_value(Money{asset.price}, Money{asset.residual}, Months{static_cast<double>(asset.life)},
                      Months{static_cast<double>(month - asset.start)})
        .value;
}

double monthly_cost(const Asset& asset, const Finance& finance) {
    return monthly_capital_cost(finance.capital, finance.discount_rate, Money{asset.price}, Money{asset.residual},
                                Months{static_cast<double>(asset.life)})
        .value;
}

double residual_fraction(const Server& server) {
    const Rate& fraction = server.residual_fraction;
    return fraction.curve ? read(*fraction.curve, server.life_months) : fraction.number;
}

double server_price(const Server& server, const ServerPurchase& purchase, int month) {
    const double since_start = growth_factor(server.price_change_rate, month);
    const double price = purchase.price ? *purchase.price * growth_factor(server.price_change_rate, month - purchase.month)
                                        : server.price * since_start;
    return price + (server.network_price + server.storage_price) * since_start;
}

std::vector<Asset> hardware_assets(const Pool& pool, const ServerPurchase& purchase, int months) {
    const Server& server = *pool.server;
    const int life = server.life_months;
    const int end = std::min(retirement_of(pool, purchase), months);
    std::vector<Asset> assets;
    for (int start = first_start(purchase.month, life); start < end; start += life) {
        const double price = purchase.servers * server_price(server, purchase, start);
        assets.push_back({price, price * residual_fraction(server), life, start, start + life});
    }
    return assets;
}

std::vector<Asset> facility_assets(const Pool& pool, const ServerPurchase& purchase, int months) {
    const Site& site = *pool.site;
    std::vector<Asset> assets;
    const int retirement = retirement_of(pool, purchase);
    if (site.facility_price_per_w == 0.0 || retirement <= 0) {
        return assets;
    }
    const int life = *site.facility_life_months;
    const double price = site.facility_price_per_w * server_nameplate_w(*pool.server) * purchase.servers;
    for (int start = first_start(purchase.month, life); start < std::min(retirement, months); start += life) {
        assets.push_back({price, 0.0, life, start, std::min(start + life, retirement)});
    }
    return assets;
}

double server_nameplate_w(const Server& server) { return server.host_max_w + server.devices * server.device.tdp_w; }

double servers_per_rack(const Server& server, const Site& site) {
    if (site.rack_kw) {
        return std::floor(*site.rack_kw * 1000 / server_nameplate_w(server) + kRounding);
    }
    if (server.rack_units) {
        return std::floor(site.rack_units_per_rack / *server.rack_units + kRounding);
    }
    return 0.0;
}

OwnedSchedule schedule_owned(const Pool& pool, const Finance& finance, int months) {
    const std::vector<double> zero(static_cast<std::size_t>(months), 0.0);
    const CapitalFlow none{zero, zero, zero};
    OwnedSchedule schedule{zero, zero, zero, zero, none, none, zero};
    const Horizon horizon{months, finance};
    for (const ServerPurchase& purchase : pool.purchases) {
        add_vintage(pool, purchase, horizon, schedule);
    }
    return schedule;
}

} // namespace costcurve::model
