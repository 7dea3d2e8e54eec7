// Routing in order or by marginal cost, replicas for inference, gangs for training and batch work in the cheapest hours.
#include "model/dispatch.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "model/documents/units.hpp"
#include "model/kernels.hpp"

namespace costcurve::model {

namespace {

constexpr double kNegligibleWork = 1e-12; // of the month's work
constexpr double kPriceDecimals = 1e9;    // prices are equal where they agree to 9 decimals

double rounded(double price) { return std::round(price * kPriceDecimals); }

double serving_devices(const CompiledPool& pool, std::size_t m) { return pool.units_serving[m] * pool.devices_per_unit; }

// Serves one entry in the hours [first, first + n) and books it. Returns the most that is left in one of them.
double serve_entry(const Compiled& compiled, std::size_t e, std::size_t m, const MonthView& month, std::size_t first, std::size_t n,
                   Workspace& work) {
    const CompiledEntry& entry = compiled.entries[e];
    touch(compiled, entry.pool, m, month, work);
    const CompiledPool& target = compiled.pools[entry.pool];
    Workspace::PoolHours& pool = work.pools[entry.pool];
    const double* const weights = month.weights + first;
    const double rate = entry.rate * learned(target, m);
    kernels::Served served{0.0, 0.0, HUGE_VAL};
    if (target.kind == PoolKind::api) {
        served = month.fold != nullptr ? kernels::serve_bounded_folded(month.fold->at, n, weights, work.unserved.data(),
                                                                       pool.free.data(), work.served.data())
                                       : kernels::serve_bounded(n, weights, &work.unserved[first], &pool.free[first]);
    } else if (entry.usable_rate > 0) {
        const kernels::Replicas replicas{entry.usable_rate * learned(target, m), rate, entry.devices, entry.held,
                                         target.holds_whole};
        served = month.fold != nullptr
                     ? kernels::serve_folded(month.fold->at, n, replicas, weights, work.unserved.data(), pool.free.data(),
                                             pool.busy.data(), work.served.data(), work.held.data())
                     : kernels::serve(n, replicas, weights, &work.unserved[first], &pool.free[first], &pool.busy[first]);
    }
    const bool is_api = target.kind == PoolKind::api;
    const double units = served.units * kSecondsPerHour;
    const double busy = rate > 0 ? served.units / rate * entry.devices : 0.0; // device-hours
    work.ledger.served(m, e) += units;
    work.ledger.reserved_hours(m, entry.pool, entry.workload) += is_api ? units : served.devices;
    work.ledger.used_hours(m, entry.pool, entry.workload) += is_api ? units : busy;
    return served.left;
}

// Marginal price a unit by hour for the entry at `place` of the route, its carbon's included; hours in work.marginal[place].
void price_entry(const Compiled& compiled, const CompiledEntry& entry, std::size_t place, std::size_t m, const MonthView& month,
                 Workspace& work) {
    double* const prices = work.marginal[place].data();
    const double fixed = entry.marginal_price[m];
    std::fill_n(prices, month.size, fixed);
    if (entry.marginal_kwh == 0.0) {
        return;
    }
    const CompiledPool& pool = compiled.pools[entry.pool];
    const double kwh = entry.marginal_kwh * entry.pue_at_full_load * pool.pue.monthly[m] / learned(pool, m);
    const double energy = pool.kind == PoolKind::owned ? kwh * pool.energy_price.monthly[m] : 0.0;
    const double carbon = kwh / 1000 * compiled.carbon_price_per_kg * pool.carbon_g_per_kwh.monthly[m];
    const double* const pue = hourly(pool.pue, month, work);
    const double* const tariff = hourly(pool.energy_price, month, work);
    const double* const intensity = hourly(pool.carbon_g_per_kwh, month, work);
    for (std::size_t h = 0; h < month.size; ++h) {
        prices[h] += pue[h] * (energy * tariff[h] + carbon * intensity[h]);
    }
}

// Prices of a unit are equal where they agree to 9 digits: a token costs 1e-8, and 9 decimals would be one digit of it
// (docs/decisions/0003).
bool is_cheaper(double a, double b) {
    constexpr double kDigits = 1e-9;
    return b - a > kDigits * std::max(std::fabs(a), std::fabs(b));
}

// The least price that is left decides; of those equal to it the first in the list comes next.
void sort_route(const CompiledWorkload& workload, std::size_t hour, Workspace& work) {
    const auto first = work.order.begin();
    const auto end = first + static_cast<std::ptrdiff_t>(workload.end_entry - workload.first_entry);
    const auto price = [&](std::size_t place) { return work.marginal[place][hour]; };
    std::iota(first, end, std::size_t{0});
    for (auto next = first; next != end; ++next) {
        const auto least = std::min_element(next, end, [&](std::size_t a, std::size_t b) { return price(a) < price(b); });
        const double lowest = price(*least);
        const auto equal = std::find_if(next, end, [&](std::size_t place) { return !is_cheaper(lowest, price(place)); });
        std::rotate(next, equal, equal + 1);
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
    const double* const shape = month.values(workload.demand);
    if (month.fold != nullptr && shape != nullptr) {
        kernels::scale_blocks(month.fold->from, workload.demand.monthly[m], shape, work.unserved.data());
    } else {
        kernels::scale(month.size, workload.demand.monthly[m], shape, work.unserved.data());
    }
    work.ledger.demanded(m, w) = sum_over_hours(month, work.unserved.data()) * kSecondsPerHour;
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
    double held;      ///< of its hosts
    double instances; ///< of a gang on a cloud pool, 0 on an owned one
    double fraction;
};
void run_gangs(const GangShare& share, std::size_t h, double gangs, Workspace::PoolHours& pool) {
    const double run = share.fraction * gangs;
    pool.reserved[h] += run * share.held;
    pool.busy[h] += run * share.devices;
    pool.gangs[h] += run * share.devices;
    pool.training[h] += run * share.instances;
}

// Fills `wanted` gang-hours into the hours by ascending energy price; returns those that ran.
double fill_gangs(const Compiled& compiled, const CompiledEntry& entry, double wanted, std::size_t m, const MonthView& month,
                  Workspace& work) {
    const CompiledPool& pool = compiled.pools[entry.pool];
    Workspace::PoolHours& hours = work.pools[entry.pool];
    const bool cloud = pool.kind == PoolKind::cloud;
    const double* const prices = cloud ? nullptr : month.values(pool.energy_price);
    GangShare share{entry.devices, entry.held, cloud ? entry.instances : 0.0, 0.0};
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

// Of `units` in as many or fewer: work that fits is done to the last unit, for what rounding leaves must not start a gang
// elsewhere.
double done_of(double units, double ran) { return ran >= units * (1 - kNegligibleWork) ? units : ran; }

// Units that a hosted model does of `units`, in what is left of its bound, all hours alike.
double batch_on_api(std::size_t pool, double units, const MonthView& month, Workspace& work) {
    std::vector<double>& left = work.pools[pool].free;
    if (!std::isfinite(left[0])) {
        return units;
    }
    const double room = kernels::dot(month.size, month.weights, left.data()) * kSecondsPerHour;
    if (room <= 0.0) {
        return 0.0;
    }
    const double fraction = std::min(1.0, units / room);
    kernels::scale(month.size, 1 - fraction, left.data(), work.scratch.data());
    std::copy_n(work.scratch.begin(), month.size, left.begin());
    return done_of(units, fraction * room);
}

// Units that gangs do of `units`; the pool's free units are those that inference and earlier work left.
double run_on_devices(const Compiled& compiled, std::size_t e, double units, std::size_t m, const MonthView& month,
                      Workspace& work) {
    const CompiledEntry& entry = compiled.entries[e];
    const CompiledPool& pool = compiled.pools[entry.pool];
    Workspace::PoolHours& hours = work.pools[entry.pool];
    if (pool.kind == PoolKind::cloud) {
        kernels::add(month.size, hours.inference.data(), hours.training.data(), work.scratch.data());
        kernels::whole_gangs(month.size, pool.units_serving[m], work.scratch.data(), entry.instances, work.gangs.data());
    } else {
        kernels::whole_gangs(month.size, serving_devices(pool, m), hours.reserved.data(), entry.held, work.gangs.data());
    }
    const double units_per_gang_hour = entry.rate * learned(pool, m) * kSecondsPerHour;
    const double ran = fill_gangs(compiled, entry, units / units_per_gang_hour, m, month, work);
    work.ledger.reserved_hours(m, entry.pool, entry.workload) += ran * entry.held;
    work.ledger.used_hours(m, entry.pool, entry.workload) += ran * entry.devices;
    return done_of(units, ran * units_per_gang_hour);
}

// Units of training or batch work done of `units`.
double run_on(const Compiled& compiled, std::size_t e, double units, std::size_t m, const MonthView& month, Workspace& work) {
    const CompiledEntry& entry = compiled.entries[e];
    const bool is_api = compiled.pools[entry.pool].kind == PoolKind::api;
    if (units <= 0.0 || (!is_api && entry.rate <= 0.0)) {
        return 0.0;
    }
    const double done = is_api ? batch_on_api(entry.pool, units, month, work) : run_on_devices(compiled, e, units, m, month, work);
    if (is_api) {
        work.ledger.reserved_hours(m, entry.pool, entry.workload) += done;
        work.ledger.used_hours(m, entry.pool, entry.workload) += done;
    }
    work.ledger.served(m, e) = done;
    return done;
}

// The route of deferrable work in a month: by mean marginal price, where that is asked for.
void order_deferrable(const Compiled& compiled, const CompiledWorkload& workload, std::size_t m, const MonthView& month,
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

void dispatch_deferrable(const Compiled& compiled, const CompiledWorkload& workload, std::size_t w, std::size_t m,
                         const MonthView& month, Workspace& work) {
    Ledger& ledger = work.ledger;
    const double carried = m > 0 && workload.carries_over ? ledger.backlog(m - 1, w) : 0.0;
    double left = workload.work[m] + carried;
    ledger.demanded(m, w) = workload.work[m];
    order_deferrable(compiled, workload, m, month, work);
    for (std::size_t i = 0; i < workload.end_entry - workload.first_entry; ++i) {
        left -= run_on(compiled, workload.first_entry + work.order[i], left, m, month, work);
    }
    ledger.backlog(m, w) = workload.carries_over ? std::max(0.0, left) : 0.0;
}

// What inference leaves on the pool, as deferrable work and the cost of instances read it.
void close_inference(const CompiledPool& pool, std::size_t m, const MonthView& month, Workspace::PoolHours& hours) {
    const double devices = serving_devices(pool, m);
    if (pool.kind == PoolKind::cloud) {
        kernels::whole_instances(month.size, devices, pool.devices_per_unit, pool.holds_whole, hours.free.data(),
                                 hours.inference.data());
    }
    if (pool.defers) {
        kernels::subtract_from(month.size, devices, hours.free.data(), hours.reserved.data());
        std::fill_n(hours.training.begin(), month.size, 0.0);
        std::fill_n(hours.gangs.begin(), month.size, 0.0);
    }
}

} // namespace

MonthView view_month(const Compiled& compiled, std::size_t month) {
    const MonthHours& hours = compiled.hours.months[month];
    const HourSet& set = compiled.hours.sets[hours.set];
    return {set.size,        set.distinct, hours.set, compiled.hours.weights_of(month), compiled.hours.firsts_of(month),
            &compiled.hours, hours.total,  set.size};
}

MonthView folded(MonthView month) {
    const std::vector<Fold>& folds = month.table->folds;
    if (!folds.empty() && !folds[month.set].from.empty()) {
        month.fold = &folds[month.set];
        month.size = month.fold->from.size() * kernels::kLanes;
    }
    return month;
}

void unfold(const MonthView& month, std::vector<double>& load, std::vector<double>& scratch) {
    if (month.fold != nullptr) {
        kernels::unfold(month.fold->at, load.data(), scratch.data());
        std::swap(load, scratch);
    }
}

double sum_over_hours(const MonthView& month, const double* load) {
    return month.fold != nullptr ? kernels::dot_folded(month.fold->at, month.weights, load)
                                 : kernels::dot(month.size, month.weights, load);
}

void touch(const Compiled& compiled, std::size_t p, std::size_t m, const MonthView& month, Workspace& work) {
    Workspace::PoolHours& hours = work.pools[p];
    if (hours.touched) {
        return;
    }
    const CompiledPool& pool = compiled.pools[p];
    hours.touched = true;
    const double free = pool.kind == PoolKind::api ? pool.max_units_per_s[m] : serving_devices(pool, m);
    kernels::scale(month.size, free, nullptr, hours.free.data());
    kernels::scale(month.size, 0.0, nullptr, hours.busy.data());
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
        if (pool.defers) {
            touch(compiled, p, m, month, work);
        }
        if (work.pools[p].touched && pool.kind != PoolKind::api && (pool.defers || pool.follows_demand)) {
            close_inference(pool, m, month, work.pools[p]);
        }
    }
    for (std::size_t w = 0; w < compiled.workloads.size(); ++w) {
        if (compiled.workloads[w].is_deferrable()) {
            dispatch_deferrable(compiled, compiled.workloads[w], w, m, month, work);
        }
    }
}

double units_unserved(const Compiled& compiled, const Ledger& ledger, std::size_t m, std::size_t w) {
    const CompiledWorkload& workload = compiled.workloads[w];
    if (workload.carries_over) {
        return m + 1 == ledger.months ? ledger.backlog(m, w) : 0.0;
    }
    double served = 0.0;
    for (std::size_t e = workload.first_entry; e < workload.end_entry; ++e) {
        served += ledger.served(m, e);
    }
    return std::max(0.0, ledger.demanded(m, w) - served);
}

} // namespace costcurve::model
