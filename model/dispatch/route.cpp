// Sorts entries by the marginal price of a unit.
#include <algorithm>
#include <cmath>
#include <numeric>

#include "model/dispatch/parts.hpp"
#include "model/documents/units.hpp"

namespace costcurve::model {

// Unit prices that agree to 9 significant digits are equal. A token may cost 1e-8, so 9 decimals would be a single digit
// (docs/decisions/0003).
bool costs_less(double a, double b) {
    constexpr double kDigits = 1e-9;
    return b - a > kDigits * std::max(std::fabs(a), std::fabs(b));
}

void price_entry(const Compiled& compiled, const CompiledEntry& entry, double fixed, std::size_t m, const MonthView& month,
                 const Workspace& work, double* prices) {
    std::fill_n(prices, month.size, fixed);
    if (entry.marginal_kwh == 0.0) {
        return;
    }
    const CompiledPool& pool = compiled.pools[entry.pool];
    const double kwh = entry.marginal_kwh * entry.pue_at_full_load * pool.pue.monthly[m] / part_of_rate(entry, pool, m);
    const double energy = pool.kind == PoolKind::owned ? kwh * pool.energy_price.monthly[m] : 0.0;
    const double carbon = kwh / 1000 * compiled.carbon_price_per_kg * pool.carbon_g_per_kwh.monthly[m];
    const double* const pue = hourly(pool.pue, month, work);
    const double* const tariff = hourly(pool.energy_price, month, work);
    const double* const intensity = hourly(pool.carbon_g_per_kwh, month, work);
    for (std::size_t h = 0; h < month.size; ++h) {
        prices[h] += pue[h] * (energy * tariff[h] + carbon * intensity[h]);
    }
}

void sort_route(const CompiledWorkload& workload, std::size_t hour, Workspace& work) {
    const auto first = work.order.begin();
    const auto end = first + static_cast<std::ptrdiff_t>(workload.end_entry - workload.first_entry);
    const auto price = [&](std::size_t place) { return work.marginal[place][hour]; };
    std::iota(first, end, std::size_t{0});
    for (auto next = first; next != end; ++next) {
        const auto least = std::min_element(next, end, [&](std::size_t a, std::size_t b) { return price(a) < price(b); });
        const double lowest = price(*least);
        const auto equal = std::find_if(next, end, [&](std::size_t place) { return !costs_less(lowest, price(place)); });
        std::rotate(next, equal, equal + 1);
    }
}

} // namespace costcurve::model
