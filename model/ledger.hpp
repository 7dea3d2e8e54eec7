// The ledger: cost and cash of every pool by month and category, and the work, energy and peaks behind them. Plain arrays that
// evaluate fills and summary reads.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "model/categories/category.hpp"

namespace costcurve::model {

/// One value for each metered quantity.
template <class T> struct Meters {
    T energy_kwh{};
    T carbon_kg{};
    T water_l{};
    friend bool operator==(const Meters&, const Meters&) = default;
};

/// A dense block of numbers with up to four indices, row-major.
class Cube {
public:
    Cube() = default;
    Cube(std::size_t a, std::size_t b, std::size_t c = 1, std::size_t d = 1) : b_(b), c_(c), d_(d), data_(a * b * c * d) {}
    double& operator()(std::size_t a, std::size_t b, std::size_t c = 0, std::size_t d = 0) {
        return data_[((a * b_ + b) * c_ + c) * d_ + d];
    }
    double operator()(std::size_t a, std::size_t b, std::size_t c = 0, std::size_t d = 0) const {
        return data_[((a * b_ + b) * c_ + c) * d_ + d];
    }
    /// All numbers with the first two indices a and b, contiguous.
    [[nodiscard]] std::span<const double> row(std::size_t a, std::size_t b) const {
        return std::span(data_).subspan((a * b_ + b) * c_ * d_, c_ * d_);
    }
    [[nodiscard]] std::span<const double> numbers() const { return data_; }
    [[nodiscard]] std::span<double> numbers() { return data_; }
    friend bool operator==(const Cube&, const Cube&) = default;

private:
    std::size_t b_ = 1;
    std::size_t c_ = 1;
    std::size_t d_ = 1;
    std::vector<double> data_;
};

/// The part of a shared row that is allocated by the use of the whole horizon instead of its month's: purchases, and the settlement
/// at the horizon's end.
struct HorizonRow {
    std::size_t month;
    std::size_t pool;
    std::size_t category;
    double cost;
    double cash;
    double start; ///< the part of the cash that is paid at the month's first instant
};

/// Number of routings tried for cheapest-first inference: list order, marginal cost, chunks. The lowest bill wins in each hour.
inline constexpr std::size_t kRoutings = 3;

/// Sizes: months M, pools P (index P is "no pool"), workloads W, runs_on entries E of all workloads, sites S of owned pools, demand
/// charges D of all sites.
struct Ledger {
    Ledger() = default;
    Ledger(std::size_t m, std::size_t p, std::size_t w, std::size_t e, std::size_t s, std::size_t d)
        : months(m), pools(p), workloads(w), cost(m, p + 1, kCategories), cash(m, p + 1, kCategories),
          direct(m, p + 1, w, kDirect.size()), demanded(m, w), backlog(m, w), lost(m, w), run_days(m, w), served(m, e),
          reserved_hours(m, p + 1, w), used_hours(m, p + 1, w), busy_hours(m, p + 1), available_hours(m, p + 1),
          energy_kwh(m, p + 1), carbon_kg(m, p + 1), peak_kw(m, p + 1), water_l(m, p + 1), site_peak_kw(m, s), charge_kw(m, d),
          routed_hours(m, kRoutings) {}

    std::size_t months = 0;
    std::size_t pools = 0;
    std::size_t workloads = 0;
    Cube cost;            ///< [m][p][category], currency
    Cube cash;            ///< [m][p][category], currency
    Cube direct;          ///< [m][p][w][kDirect], cost; cash is equal, except engineering, which is paid at the start
    Cube demanded;        ///< [m][w], units
    Cube backlog;         ///< [m][w], units moved to the next month; in the last month units left undone
    Cube lost;            ///< [m][w], units of inference that had capacity but were lost to outages
    Cube run_days;        ///< [m][w], days of a training run
    Cube served;          ///< [m][e], units
    Cube reserved_hours;  ///< [m][p][w], device-hours; API pool: units served
    Cube used_hours;      ///< [m][p][w], busy device-hours; API pool: units served
    Cube busy_hours;      ///< [m][p], device-hours
    Cube available_hours; ///< [m][p], device-hours paid
    Cube energy_kwh;      ///< [m][p], the known part only; so is carbon_kg
    Cube carbon_kg;       ///< [m][p], including embodied carbon
    Cube peak_kw;         ///< [m][p], largest facility power of the month
    Cube water_l;         ///< [m][p]
    Cube site_peak_kw;    ///< [m][s], largest facility power of all pools of the site together
    std::vector<HorizonRow> over_horizon;
    Cube charge_kw;    ///< [m][d], largest facility power of the site in the hours of a demand charge
    Cube routed_hours; ///< [m][routing], hours in which the routing was chosen; 0 without cheapest-first inference
};

/// Device-hours of a pool that all workloads reserved in a month; for an API pool the units that it served.
[[nodiscard]] inline double used_by_all(const Ledger& ledger, std::size_t month, std::size_t pool) {
    double used = 0.0;
    for (std::size_t w = 0; w < ledger.workloads; ++w) {
        used += ledger.reserved_hours(month, pool, w);
    }
    return used;
}

/// A pool's cost in a category that is settled at the horizon's end.
[[nodiscard]] inline double settled_cost(const Ledger& ledger, std::size_t pool, Category category) {
    double cost = 0.0;
    for (const HorizonRow& row : ledger.over_horizon) {
        cost += row.pool == pool && row.category == static_cast<std::size_t>(category) ? row.cost : 0.0;
    }
    return cost;
}

} // namespace costcurve::model
