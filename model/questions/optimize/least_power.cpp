// Lines under power curves, and the cost of energy by the hour.
#include "model/questions/optimize/least_power.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "model/dispatch/dispatch.hpp"

namespace costcurve::model {

namespace {

struct Line {
    double at_zero = 0.0;
    double slope = 0.0;
};

using Points = std::vector<std::array<double, 2>>;

// Corner points of a piecewise linear curve over [0, 1].
Points corners(const PiecewiseLinear& curve) {
    Points points = {{0.0, curve.at_zero}};
    for (const kernels::Bend& bend : curve.bends) {
        if (bend.x <= 0.0 || bend.x >= 1.0) {
            continue;
        }
        double y = curve.base;
        for (const kernels::Bend& other : curve.bends) {
            y += other.slope_change * std::max(0.0, bend.x - other.x);
        }
        points.push_back({bend.x, y});
    }
    points.push_back({1.0, curve.at_one});
    return points;
}

// A line through two corners, one on either side of 1/2, that is above no corner: among these, the highest at 1/2.
Line line_under(const Points& points) {
    Line best{-HUGE_VAL, 0.0};
    for (const auto& [x0, y0] : points) {
        for (const auto& [x1, y1] : points) {
            if (x0 > 0.5 || x1 <= 0.5) {
                continue;
            }
            Line line{0.0, (y1 - y0) / (x1 - x0)};
            line.at_zero = y0 - line.slope * x0;
            double above = 0.0;
            for (const auto& [x, y] : points) {
                above = std::max(above, line.at_zero + line.slope * x - y);
            }
            line.at_zero -= above; // lowered until it is under all corners
            if (line.at_zero + 0.5 * line.slope > best.at_zero + 0.5 * best.slope) {
                best = line;
            }
        }
    }
    return best;
}

struct Range {
    double low, high;
};
// Charges per kWh beside the energy price, and the factor on their sum. For a lower bound, tiers that raise the price are left out,
// and tiers that lower it apply to every kWh.
struct BillOfKwh {
    double added = 0.0;
    double times = 1.0;
};
BillOfKwh bill_of_kwh(const Compiled& compiled, std::size_t p, std::size_t m) {
    const auto site = std::find_if(compiled.sites.begin(), compiled.sites.end(), [&](const CompiledSite& candidate) {
        return std::find(candidate.pools.begin(), candidate.pools.end(), p) != candidate.pools.end();
    });
    if (site == compiled.sites.end()) {
        return {};
    }
    const CompiledBill& bill = site->bill;
    BillOfKwh of_kwh{bill.per_kwh[m] + bill.reactive_per_kwh[m], 1 + bill.fraction[m]};
    for (std::size_t t = 0; t < bill.tiers.size(); ++t) {
        of_kwh.added += std::min(0.0, tier_price(bill, t, m));
    }
    return of_kwh;
}

Range range_of(const std::vector<double>& y) {
    const auto [low, high] = std::minmax_element(y.begin(), y.end());
    return {*low, *high};
}

} // namespace

Measures& Measures::operator+=(const Measures& more) {
    goal += more.goal;
    carbon_kg += more.carbon_kg;
    capital += more.capital;
    return *this;
}

Measures operator+(Measures a, const Measures& b) { return a += b; }

Measures operator*(double factor, const Measures& measures) {
    return {factor * measures.goal, factor * measures.carbon_kg, factor * measures.capital};
}

Measures operator-(const Measures& a, const Measures& b) {
    return {a.goal - b.goal, a.carbon_kg - b.carbon_kg, a.capital - b.capital};
}

Measures least(const Measures& a, const Measures& b) {
    return {std::min(a.goal, b.goal), std::min(a.carbon_kg, b.carbon_kg), std::min(a.capital, b.capital)};
}

PowerLines power_lines(const CompiledPool& pool) {
    const PowerDraw& power = pool.power;
    const double devices = pool.devices_per_unit;
    const bool has_both = pool.serves && pool.defers && power.gang_w != power.device.at_one;
    const bool packs = power.pack && pool.kind != PoolKind::cloud;
    Line under{power.device.at_zero, power.device.at_one - power.device.at_zero};
    Line over = under;
    if (!packs || has_both) {
        if (!packs && power.device.searched) { // between two points, power is within the range of their values
            const Range range = range_of(power.device.searched->y);
            under = {has_both ? std::min(range.low, power.gang_w) : range.low, 0.0};
            over = {has_both ? std::max(range.high, power.gang_w) : range.high, 0.0};
        } else {
            Points points = packs ? Points{{0.0, power.device.at_zero}, {1.0, power.device.at_one}} : corners(power.device);
            if (has_both) {
                points.push_back({1.0, power.gang_w}); // devices of gangs
            }
            under = line_under(points);
            over = {(*std::max_element(points.begin(), points.end(), [](const auto& a, const auto& b) { return a[1] < b[1]; }))[1],
                    0.0};
        }
    }
    const double host_by_busy = (power.host_max_w - power.host_idle_w) / devices;
    return {power.host_idle_w + devices * under.at_zero, host_by_busy + under.slope, power.host_idle_w + devices * over.at_zero,
            host_by_busy + over.slope, power.host_idle_w + devices * power.ramp_w};
}

double money_weight(const Compiled& compiled, std::size_t m, Goal goal) {
    return goal == Goal::npv ? compiled.discount[m + 1] : goal == Goal::carbon ? 0.0 : 1.0;
}

EnergyValues energy_values(const Compiled& compiled, const Pool& pool, std::size_t p, std::size_t m, Goal goal) {
    const CompiledPool& target = compiled.pools[p];
    const MonthView month = view_month(compiled, m);
    const auto read = [&](const Signal& signal, std::size_t h) {
        const double* const values = month.values(signal);
        return signal.monthly[m] * (values == nullptr ? 1.0 : values[h]);
    };
    Range by_load{1.0, 1.0};
    if (target.pue_by_load) {
        by_load = range_of((pool.site ? *pool.site : *pool.offer->site).pue.curve->y);
    }
    const BillOfKwh bill = target.kind == PoolKind::owned ? bill_of_kwh(compiled, p, m) : BillOfKwh{};
    const double money = money_weight(compiled, m, goal);
    EnergyValues values;
    values.value.reserve(month.distinct);
    values.pue.reserve(month.distinct);
    for (std::size_t h = 0; h < month.distinct; ++h) {
        const double kg = read(target.carbon_g_per_kwh, h) / 1000;
        const double price = target.kind == PoolKind::owned ? (read(target.energy_price, h) + bill.added) * bill.times : 0.0;
        const double goal_per_kwh = goal == Goal::carbon ? kg : money * (price + kg * compiled.carbon_price_per_kg);
        const double pue = read(target.pue, h);
        const double dear = pue * (goal_per_kwh < 0.0 ? by_load.high : by_load.low);
        values.value.push_back({goal_per_kwh * dear / 1000, kg * pue * by_load.low / 1000, 0.0});
        values.pue.push_back(pue * by_load.low);
    }
    return values;
}

HourlyEnergy least_energy(const PowerLines& lines, const Measures& value) {
    const auto times = [&](double low_w, double most_w) {
        return Measures{value.goal * (value.goal < 0.0 ? most_w : low_w), value.carbon_kg * low_w, 0.0};
    };
    return {times(lines.idle_w, lines.most_idle_w), times(lines.busy_w, lines.most_busy_w),
            times(lines.ramping_w, lines.ramping_w)};
}

} // namespace costcurve::model
