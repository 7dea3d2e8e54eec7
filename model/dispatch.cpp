// Routing in order or by marginal cost, replicas for inference, gangs for training in the cheapest hours.
#include "model/dispatch.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "model/kernels.hpp"

namespace costcurve::model {

namespace {

constexpr double kSecondsPerHour = 3600;
constexpr double kNegligible = 1e-12;  // of the month's work
constexpr double kPriceDecimals = 1e9; // prices are equal where they agree to 9 decimals

double rounded(double price) { return std::round(price * kPriceDecimals); }

double serving_devices(const CompiledPool& pool, std::size_t m) { return pool.units_serving[m] * pool.devices_per_unit; }

// Serves one entry in the hours [first, first + n) and books it. Returns the most that is left in one of them.
double serve_entry(const Compiled& compiled, std::size_t e, std::size_t m, const MonthView& month, std::size_t first, std::size_t n,
                   Workspace& work) {
    const CompiledEntry& entry = compiled.entries[e];
    touch(compiled, entry.pool, m, month, work);
    Workspace::PoolHours& pool = work.pools[entry.pool];
    const double* const weights = month.weights + first;
    kernels::Served served{0.0, 0.0, HUGE_VAL};
    if (compiled.pools[entry.pool].kind == PoolKind::api) {
        served = kernels::serve_bounded(n, weights, &work.left[first], &pool.free[first]);
    } else if (entry.usable_rate > 0) {
        served = kernels::serve(n, {entry.usable_rate, entry.rate, entry.devices}, weights, &work.left[first], &pool.free[first],
                                &pool.busy[first]);
    }
    work.ledger.served(m, e) += served.units * kSecondsPerHour;
    work.ledger.reserved_hours(m, entry.pool, entry.workload) += served.devices;
    return served.left;
}

// Marginal price a unit by hour for the entry at `place` of the route; hours in work.marginal[place].
void price_entry(const Compiled& compiled, const CompiledEntry& entry, std::size_t place, std::size_t m, const MonthView& month,
                 Workspace& work) {
    double* const prices = work.marginal[place].data();
    if (!entry.marginal_price.empty()) {
        std::fill_n(prices, month.size, entry.marginal_price[m]);
        return;
    }
    if (entry.marginal_kwh == 0.0) {
        std::fill_n(prices, month.size, 0.0);
        return;
    }
    const CompiledPool& pool = compiled.pools[entry.pool];
    const double flat = entry.marginal_kwh * entry.pue_at_full_load * pool.pue.monthly[m] * pool.energy_price.monthly[m];
    kernels::scale(month.size, flat, month.values(pool.energy_price), prices);
    if (const double* const pue = month.values(pool.pue)) {
        for (std::size_t h = 0; h < month.size; ++h) {
            prices[h] *= pue[h];
        }
    }
}

// Prices of a unit are equal where they agree to 9 digits: a token costs 1e-8, and 9 decimals would be one digit of it
// (docs/decisions/0003).
bool is_cheaper(double a, double b) {
    constexpr double kDigits = 1e-9;
    return b - a > kDigits * std::max(std::fabs(a), std::fabs(b));
}

void sort_route(const CompiledWorkload& workload, std::size_t hour, Workspace& work) {
    const std::size_t n = workload.end_entry - workload.first_entry;
    std::iota(work.order.begin(), work.order.begin() + static_cast<std::ptrdiff_t>(n), std::size_t{0});
    for (std::size_t i = 1; i < n; ++i) { // insertion sort: stable, and routes are short
        for (std::size_t k = i; k > 0; --k) {
            const double dearer = work.marginal[work.order[k - 1]][hour];
            if (!is_cheaper(work.marginal[work.order[k]][hour], dearer)) {
                break;
            }
            std::swap(work.order[k], work.order[k - 1]);
        }
    }
}

void route_cheapest(const Compiled& compiled, const CompiledWorkload& workload, std::size_t m, const MonthView& month,
                    Workspace& work) {
    const std::size_t n = workload.end_entry - workload.first_entry;
    for (std::size_t place = 0; place < n; ++place) {
        price_entry(compiled, compiled.entries[workload.first_entry + place], place, m, month, work);
    }
    const auto same_prices = [&](std::size_t a, std::size_t b) {
        return std::all_of(work.marginal.begin(), work.marginal.begin() + static_cast<std::ptrdiff_t>(n),
                           [&](const std::vector<double>& prices) { return prices[a] == prices[b]; });
    };
    for (std::size_t first = 0; first < month.distinct;) {
        std::size_t end = first + 1;
        while (end < month.distinct && same_prices(first, end)) {
            ++end;
        }
        if (end == month.distinct) {
            end = month.size;
        }
        sort_route(workload, first, work);
        for (std::size_t i = 0; i < n; ++i) {
            serve_entry(compiled, workload.first_entry + work.order[i], m, month, first, end - first, work);
        }
        first = end;
    }
}

void dispatch_inference(const Compiled& compiled, const CompiledWorkload& workload, std::size_t w, std::size_t m,
                        const MonthView& month, Workspace& work) {
    kernels::scale(month.size, workload.demand.monthly[m], month.values(workload.demand), work.left.data());
    work.ledger.demanded(m, w) = kernels::dot(month.size, month.weights, work.left.data()) * kSecondsPerHour;
    if (workload.cheapest) {
        route_cheapest(compiled, workload, m, month, work);
        return;
    }
    for (std::size_t e = workload.first_entry; e < workload.end_entry; ++e) {
        if (serve_entry(compiled, e, m, month, 0, month.size, work) == 0.0) {
            return;
        }
    }
}

// Runs gangs in `hours` at the given fraction of those that fit.
struct GangShare {
    double devices;   ///< of a gang
    double instances; ///< of a gang on a cloud pool, 0 on an owned one
    double fraction;
};
void run_gangs(const GangShare& share, std::size_t h, double gangs, Workspace::PoolHours& pool) {
    const double run = share.fraction * gangs;
    pool.reserved[h] += run * share.devices;
    pool.busy[h] += run * share.devices;
    pool.training[h] += run * share.instances;
}

// Fills `wanted` gang-hours into the hours by ascending energy price; returns those that ran.
double fill_gangs(const Compiled& compiled, const CompiledEntry& entry, double wanted, std::size_t m, const MonthView& month,
                  Workspace& work) {
    const CompiledPool& pool = compiled.pools[entry.pool];
    Workspace::PoolHours& hours = work.pools[entry.pool];
    const bool cloud = pool.kind == PoolKind::cloud;
    const double* const prices = cloud ? nullptr : month.values(pool.energy_price);
    GangShare share{entry.devices, cloud ? entry.instances : 0.0, 0.0};
    if (prices == nullptr) {
        const double room = kernels::dot(month.size, month.weights, work.gangs.data());
        if (room <= 0.0) {
            return 0.0;
        }
        share.fraction = std::min(1.0, wanted / room);
        for (std::size_t h = 0; h < month.size; ++h) {
            run_gangs(share, h, work.gangs[h], hours);
        }
        return share.fraction * room;
    }
    const auto& ascending = compiled.ascending_hours[static_cast<std::size_t>(pool.energy_price.curve)][month.set];
    const double level = pool.energy_price.monthly[m];
    double ran = 0.0;
    for (std::size_t first = 0; first < ascending.size() && ran < wanted;) {
        const double price = rounded(level * prices[ascending[first]]);
        double room = 0.0;
        std::size_t end = first;
        for (; end < ascending.size() && rounded(level * prices[ascending[end]]) == price; ++end) {
            room += month.weights[ascending[end]] * work.gangs[ascending[end]];
        }
        if (room > 0.0) {
            share.fraction = std::min(1.0, (wanted - ran) / room);
            for (std::size_t i = first; i < end; ++i) {
                run_gangs(share, ascending[i], work.gangs[ascending[i]], hours);
            }
            ran += share.fraction * room;
        }
        first = end;
    }
    return std::min(ran, wanted);
}

// Units done of `units`; the pool's free units are those that inference and earlier training left.
double train_on(const Compiled& compiled, std::size_t e, double units, std::size_t m, const MonthView& month, Workspace& work) {
    const CompiledEntry& entry = compiled.entries[e];
    const CompiledPool& pool = compiled.pools[entry.pool];
    Workspace::PoolHours& hours = work.pools[entry.pool];
    if (entry.rate <= 0.0 || units <= 0.0) {
        return 0.0;
    }
    if (pool.kind == PoolKind::cloud) {
        kernels::add(month.size, hours.inference.data(), hours.training.data(), work.x.data());
        kernels::whole_gangs(month.size, pool.units_serving[m], work.x.data(), entry.instances, work.gangs.data());
    } else {
        kernels::whole_gangs(month.size, serving_devices(pool, m), hours.reserved.data(), entry.devices, work.gangs.data());
    }
    const double units_per_gang_hour = entry.rate * kSecondsPerHour;
    const double ran = fill_gangs(compiled, entry, units / units_per_gang_hour, m, month, work);
    work.ledger.reserved_hours(m, entry.pool, entry.workload) += ran * entry.devices;
    // Work that fits is done to the last unit: what rounding leaves must not start a gang elsewhere.
    const bool all = ran * units_per_gang_hour >= units * (1 - kNegligible);
    const double done = all ? units : ran * units_per_gang_hour;
    work.ledger.served(m, e) = done;
    return done;
}

// The route of a training workload in a month: by mean marginal price, where that is asked for.
void order_training(const Compiled& compiled, const CompiledWorkload& workload, std::size_t m, const MonthView& month,
                    Workspace& work) {
    const std::size_t n = workload.end_entry - workload.first_entry;
    for (std::size_t place = 0; place < n; ++place) {
        double mean = 0.0;
        if (workload.cheapest) {
            price_entry(compiled, compiled.entries[workload.first_entry + place], place, m, month, work);
            mean = kernels::dot(month.size, month.weights, work.marginal[place].data()) / month.hours;
        }
        work.marginal[place][0] = mean;
    }
    sort_route(workload, 0, work);
}

void dispatch_training(const Compiled& compiled, const CompiledWorkload& workload, std::size_t w, std::size_t m,
                       const MonthView& month, Workspace& work) {
    double left = workload.work[m];
    work.ledger.demanded(m, w) = left;
    order_training(compiled, workload, m, month, work);
    for (std::size_t i = 0; i < workload.end_entry - workload.first_entry; ++i) {
        left -= train_on(compiled, workload.first_entry + work.order[i], left, m, month, work);
    }
}

// What inference leaves on the pool, as training and the cost of instances read it.
void close_inference(const CompiledPool& pool, std::size_t m, const MonthView& month, Workspace::PoolHours& hours) {
    const double devices = serving_devices(pool, m);
    if (pool.kind == PoolKind::cloud) {
        kernels::whole_instances(month.size, devices, pool.devices_per_unit, hours.free.data(), hours.inference.data());
    }
    if (pool.trains) {
        kernels::subtract_from(month.size, devices, hours.free.data(), hours.reserved.data());
        std::fill_n(hours.training.begin(), month.size, 0.0);
    }
}

} // namespace

MonthView view_month(const Compiled& compiled, std::size_t month) {
    const MonthHours& hours = compiled.hours.months[month];
    const HourSet& set = compiled.hours.sets[hours.set];
    return {set.size, set.distinct, hours.set, compiled.hours.weights_of(month), &compiled.hours, hours.total};
}

void touch(const Compiled& compiled, std::size_t p, std::size_t m, const MonthView& month, Workspace& work) {
    Workspace::PoolHours& hours = work.pools[p];
    if (hours.touched) {
        return;
    }
    const CompiledPool& pool = compiled.pools[p];
    hours.touched = true;
    std::fill_n(hours.free.begin(), month.size, pool.kind == PoolKind::api ? pool.max_units_per_s[m] : serving_devices(pool, m));
    std::fill_n(hours.busy.begin(), month.size, 0.0);
}

void dispatch_month(const Compiled& compiled, std::size_t m, const MonthView& month, Workspace& work) {
    for (Workspace::PoolHours& pool : work.pools) {
        pool.touched = false;
    }
    for (std::size_t w = 0; w < compiled.workloads.size(); ++w) {
        if (compiled.workloads[w].kind == WorkloadKind::inference) {
            dispatch_inference(compiled, compiled.workloads[w], w, m, month, work);
        }
    }
    for (std::size_t p = 0; p < compiled.pools.size(); ++p) {
        const CompiledPool& pool = compiled.pools[p];
        if (pool.trains) {
            touch(compiled, p, m, month, work);
        }
        if (work.pools[p].touched && (pool.trains || pool.follows_demand)) {
            close_inference(pool, m, month, work.pools[p]);
        }
    }
    for (std::size_t w = 0; w < compiled.workloads.size(); ++w) {
        if (compiled.workloads[w].kind == WorkloadKind::training) {
            dispatch_training(compiled, compiled.workloads[w], w, m, month, work);
        }
    }
}

} // namespace costcurve::model
