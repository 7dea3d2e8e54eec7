// The ledger: what every pool costs and pays, by month and category, and the work behind it. Plain arrays;
// evaluate fills them, summary reads them.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "model/categories/category.hpp"

namespace costcurve::model {

/// One of each quantity that is metered.
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
    /// Those of the first two indices, side by side.
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

/// A part of a shared row that is borne by the use of the whole horizon, not of its month: what is bought, and what the horizon's
/// end settles.
struct HorizonRow {
    std::size_t month;
    std::size_t pool;
    std::size_t category;
    double cost;
    double cash;
    double start; ///< of the cash: paid at the month's first instant
};

/// Ways to route inference to the cheapest, of which the bill decides by the hour: in list order, by marginal cost, in chunks.
inline constexpr std::size_t kRoutings = 3;

/// Sizes: months M, pools P (index P is "no pool"), workloads W, runs_on entries E over all workloads, sites S where owned pools
/// stand, demand charges D of all of them.
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
    Cube direct;          ///< [m][p][w][kDirect], cost; cash is the same, but engineering is paid at the start
    Cube demanded;        ///< [m][w], units
    Cube backlog;         ///< [m][w], units that the next month takes; in the last those that are left undone
    Cube lost;            ///< [m][w], units of inference that had room and were lost to outages
    Cube run_days;        ///< [m][w], days that a run went on
    Cube served;          ///< [m][e], units
    Cube reserved_hours;  ///< [m][p][w], device-hours; of an API pool units served
    Cube used_hours;      ///< [m][p][w], device-hours busy; of an API pool units served
    Cube busy_hours;      ///< [m][p], device-hours
    Cube available_hours; ///< [m][p], device-hours paid
    Cube energy_kwh;      ///< [m][p], of what is known, as the next two
    Cube carbon_kg;       ///< [m][p], embodied included
    Cube peak_kw;         ///< [m][p], largest facility power of the month
    Cube water_l;         ///< [m][p]
    Cube site_peak_kw;    ///< [m][s], largest facility power of all pools there together
    std::vector<HorizonRow> over_horizon;
    Cube charge_kw;    ///< [m][d], the same in the hours of a demand charge
    Cube routed_hours; ///< [m][routing], in which inference was routed so; 0 where none is to the cheapest
};

/// Device-hours that all workloads reserved of a pool in a month; of an API pool the units that it served.
[[nodiscard]] inline double used_by_all(const Ledger& ledger, std::size_t month, std::size_t pool) {
    double used = 0.0;
    for (std::size_t w = 0; w < ledger.workloads; ++w) {
        used += ledger.reserved_hours(month, pool, w);
    }
    return used;
}

/// Cost of a pool's category that the horizon's end settles.
[[nodiscard]] inline double settled_cost(const Ledger& ledger, std::size_t pool, Category category) {
    double cost = 0.0;
    for (const HorizonRow& row : ledger.over_horizon) {
        cost += row.pool == pool && row.category == static_cast<std::size_t>(category) ? row.cost : 0.0;
    }
    return cost;
}

} // namespace costcurve::model
