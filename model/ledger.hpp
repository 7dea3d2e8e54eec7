// The ledger: what every pool costs and pays, by month and category, and the work behind it. Plain arrays;
// evaluate fills them, summary reads them.
#pragma once

#include <array>
#include <cstddef>
#include <string_view>
#include <vector>

#include "model/enum_names.hpp"

namespace costcurve::model {

/// Everything that costs (model.md, section 8).
enum class Category {
    compute,
    usage,
    commitment,
    hardware,
    facility,
    energy,
    demand_charge,
    maintenance,
    software,
    staff,
    network,
    storage,
    egress,
    engineering,
    carbon,
    unserved,
    count_
};
template <>
inline constexpr auto enum_names<Category> = std::to_array<std::string_view>({"compute", "usage", "commitment", "hardware",
                                                                              "facility", "energy", "demand_charge", "maintenance",
                                                                              "software", "staff", "network", "storage", "egress",
                                                                              "engineering", "carbon", "unserved"});

inline constexpr std::size_t kCategories = static_cast<std::size_t>(Category::count_);

/// Categories that a workload causes by itself; all others are shared by device-hours.
inline constexpr std::array kDirect = {Category::usage, Category::egress, Category::engineering, Category::unserved};

constexpr bool is_direct(std::size_t category) {
    for (const Category direct : kDirect) {
        if (static_cast<std::size_t>(direct) == category) {
            return true;
        }
    }
    return false;
}

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

private:
    std::size_t b_ = 1;
    std::size_t c_ = 1;
    std::size_t d_ = 1;
    std::vector<double> data_;
};

/// Sizes: months M, pools P (index P is "no pool"), workloads W, runs_on entries E over all workloads.
struct Ledger {
    Ledger() = default;
    Ledger(std::size_t m, std::size_t p, std::size_t w, std::size_t e)
        : months(m), pools(p), workloads(w), cost(m, p + 1, kCategories), cash(m, p + 1, kCategories), cash_start(m, p + 1),
          cash_end(m, p + 1), direct(m, p + 1, w, kDirect.size()), demanded(m, w), served(m, e), reserved_hours(m, p + 1, w),
          busy_hours(m, p + 1), available_hours(m, p + 1), energy_kwh(m, p + 1), carbon_kg(m, p + 1), peak_kw(m, p + 1) {}

    std::size_t months = 0;
    std::size_t pools = 0;
    std::size_t workloads = 0;
    Cube cost;            ///< [m][p][category], currency
    Cube cash;            ///< [m][p][category], currency
    Cube cash_start;      ///< [m][p], shared cash that is paid at the month's first instant
    Cube cash_end;        ///< [m][p], shared cash that is paid at its end
    Cube direct;          ///< [m][p][w][kDirect], cost; cash is the same, but engineering is paid at the start
    Cube demanded;        ///< [m][w], units
    Cube served;          ///< [m][e], units
    Cube reserved_hours;  ///< [m][p][w], device-hours
    Cube busy_hours;      ///< [m][p], device-hours
    Cube available_hours; ///< [m][p], device-hours paid
    Cube energy_kwh;      ///< [m][p]
    Cube carbon_kg;       ///< [m][p], embodied included
    Cube peak_kw;         ///< [m][p], largest facility power of the month
};

} // namespace costcurve::model
