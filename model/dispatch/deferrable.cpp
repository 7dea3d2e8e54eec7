// Places gangs of training and batch work in the cheapest hours with free devices after inference.
#include <algorithm>
#include <cmath>

#include "model/dispatch/gangs.hpp"
#include "model/dispatch/parts.hpp"
#include "model/documents/units.hpp"
#include "model/kernels.hpp"

namespace costcurve::model {

void find_gangs(const Compiled& compiled, const CompiledEntry& entry, std::size_t m, const MonthView& month, Workspace& work) {
    const CompiledPool& pool = compiled.pools[entry.pool];
    const Workspace::PoolHours& hours = work.pools[entry.pool];
    if (pool.kind == PoolKind::cloud) {
        kernels::add(month.size, hours.inference.data(), hours.training.data(), work.scratch.data());
        kernels::whole_gangs(month.size, pool.units_serving[m], work.scratch.data(), entry.instances, work.gangs.data());
    } else {
        kernels::whole_gangs(month.size, serving_devices(pool, m), hours.reserved.data(), entry.held, work.gangs.data());
    }
}

void book_gangs(const CompiledEntry& entry, const GangHours& run, std::size_t m, Workspace& work) {
    work.ledger.reserved_hours(m, entry.pool, entry.workload) += run.held * entry.held;
    work.ledger.used_hours(m, entry.pool, entry.workload) += run.worked * entry.devices;
}

double units_per_gang_hour(const Compiled& compiled, const CompiledEntry& entry, std::size_t m) {
    return rate_in(entry, compiled.pools[entry.pool], m) * kSecondsPerHour;
}

namespace {

constexpr double kPriceDecimals = 1e9; // prices that agree to 9 decimals are equal

double rounded(double price) { return std::round(price * kPriceDecimals); }

bool starts(const CompiledWorkload& workload, const CompiledPool& pool) {
    return workload.start_hours > 0.0 && pool.follows_demand;
}

// Fraction of a day that batch work can use, less the start of a gang that stops each day.
double usable_share(const CompiledWorkload& workload, const CompiledPool& pool) {
    return starts(workload, pool) && workload.share_of_day < 1.0
               ? std::max(0.0, workload.share_of_day - workload.start_hours / kHoursPerDay)
               : workload.share_of_day;
}

// Gang-hours held for `worked` gang-hours of batch work on rented instances (model.md, section 6, "Starts of batch work"). Each
// day, or month without a deadline, work beyond the instances that are paid anyway runs on whole instances. Those that don't run
// through add their start time.
double held_hours(const CompiledWorkload& workload, const CompiledEntry& entry, double units_paid, double worked,
                  double month_hours) {
    const double windows = workload.starts_daily ? month_hours / kHoursPerDay : 1.0;
    const double length = month_hours / windows;
    const double open = workload.share_of_day * length;
    const double rented = std::max(1.0, entry.instances); // instances rented at once: a gang's, or one that several gangs share
    const double gangs = rented / entry.instances;
    const double each = worked / windows / gangs; // hours of each such group of instances
    const double on_paid = std::min(each, std::floor(units_paid / rented + kernels::kForgiven) * open);
    const double rest = each - on_paid;
    const double through = workload.share_of_day < 1.0 ? 0.0 : std::floor(rest / length + kernels::kForgiven);
    const double left = rest - through * length;
    const double room = open - workload.start_hours; // working hours of an instance that starts
    const bool has_left = left > kernels::kForgiven * length;
    const double started = room > 0.0 ? std::max(0.0, std::ceil(left / room - kernels::kForgiven)) : 0.0;
    double starting = started * workload.start_hours;
    if (workload.share_of_day == 1.0 && has_left && (room <= 0.0 || starting > length - left)) {
        starting = length - left; // running one more through costs less
    }
    return windows * gangs * (each + starting);
}

// Places `wanted` gang-hours in hours of ascending energy price; work that can't wait is spread evenly.
GangHours fill_gangs(const Compiled& compiled, const CompiledEntry& entry, double wanted, std::size_t m, const MonthView& month,
                     Workspace& work) {
    const CompiledPool& pool = compiled.pools[entry.pool];
    Workspace::PoolHours& hours = work.pools[entry.pool];
    const CompiledWorkload& workload = compiled.workloads[entry.workload];
    const double* const prices = pool.kind == PoolKind::cloud || !workload.waits ? nullptr : month.values(pool.energy_price);
    GangShare share = gang_share(entry, pool);
    if (prices == nullptr) {
        const double room = pool.there * kernels::dot(month.size, month.weights, work.gangs.data());
        const double most = room * usable_share(workload, pool);
        if (most <= 0.0) {
            return {};
        }
        GangHours run{std::min(most, wanted), std::min(most, wanted)};
        if (starts(workload, pool)) {
            run.held = std::min(room, held_hours(workload, entry, pool.units_paid[m], run.worked, month.hours));
        }
        share.fraction = run.held / room;
        share.working = run.held > 0.0 ? run.worked / run.held : 1.0;
        for (std::size_t h = 0; h < month.size; ++h) {
            run_gangs(share, h, work.gangs[h], hours);
        }
        return run;
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
    ran = std::min(ran, wanted);
    return {ran, ran};
}

// Units (at most `units`) that an API pool serves within the rest of its rate limit, spread evenly over the hours.
double batch_on_api(std::size_t pool, double there, double units, double share_of_day, const MonthView& month, Workspace& work) {
    std::vector<double>& left = work.pools[pool].free;
    if (!std::isfinite(left[0])) {
        return units;
    }
    const double room = there * kernels::dot(month.size, month.weights, left.data()) * kSecondsPerHour;
    if (room <= 0.0) {
        return 0.0;
    }
    const double fraction = std::min(share_of_day, units / room);
    kernels::scale(month.size, 1 - fraction, left.data(), work.scratch.data());
    std::copy_n(work.scratch.begin(), month.size, left.begin());
    return done_of(units, fraction * room);
}

// Units (at most `units`) that gangs on devices do.
double run_on_devices(const Compiled& compiled, std::size_t e, double units, std::size_t m, const MonthView& month,
                      Workspace& work) {
    const CompiledEntry& entry = compiled.entries[e];
    find_gangs(compiled, entry, m, month, work);
    const double of_gang_hour = units_per_gang_hour(compiled, entry, m);
    const GangHours run = fill_gangs(compiled, entry, units / of_gang_hour, m, month, work);
    book_gangs(entry, run, m, work);
    return done_of(units, run.worked * of_gang_hour);
}

// Units (at most `units`) of training or batch work that an entry does.
double run_on(const Compiled& compiled, std::size_t e, double units, std::size_t m, const MonthView& month, Workspace& work) {
    const CompiledEntry& entry = compiled.entries[e];
    const bool is_api = compiled.pools[entry.pool].kind == PoolKind::api;
    if (units <= 0.0 || (!is_api && entry.rate <= 0.0)) {
        return 0.0;
    }
    const double done = is_api ? batch_on_api(entry.pool, compiled.pools[entry.pool].there, units,
                                              compiled.workloads[entry.workload].share_of_day, month, work)
                               : run_on_devices(compiled, e, units, m, month, work);
    if (is_api) {
        work.ledger.reserved_hours(m, entry.pool, entry.workload) += done;
        work.ledger.used_hours(m, entry.pool, entry.workload) += done;
    }
    work.ledger.served(m, e) = done;
    return done;
}

// Orders the route of deferrable work in a month: by mean marginal price if it routes to the cheapest, else in list order.
void order_deferrable(const Compiled& compiled, const CompiledWorkload& workload, std::size_t m, const MonthView& month,
                      Workspace& work) {
    const std::size_t n = workload.end_entry - workload.first_entry;
    for (std::size_t place = 0; place < n; ++place) {
        double mean = 0.0;
        if (workload.cheapest) {
            const CompiledEntry& entry = compiled.entries[workload.first_entry + place];
            price_entry(compiled, entry, entry.marginal_price[m], m, month, work, work.marginal[place].data());
            mean = kernels::dot(month.size, month.weights, work.marginal[place].data()) / month.hours;
        }
        work.marginal[place][0] = mean;
    }
    sort_route(workload, 0, work);
}

// Capacity left on an entry in the month, in units.
double room_of(const Compiled& compiled, std::size_t e, std::size_t m, const MonthView& month, Workspace& work) {
    const CompiledEntry& entry = compiled.entries[e];
    const CompiledPool& pool = compiled.pools[entry.pool];
    if (pool.kind == PoolKind::api) {
        const std::vector<double>& left = work.pools[entry.pool].free;
        return std::isfinite(left[0]) ? compiled.workloads[entry.workload].share_of_day * pool.there *
                                            kernels::dot(month.size, month.weights, left.data()) * kSecondsPerHour
                                      : HUGE_VAL;
    }
    if (entry.rate <= 0.0) {
        return 0.0;
    }
    find_gangs(compiled, entry, m, month, work);
    return usable_share(compiled.workloads[entry.workload], pool) * pool.there *
           kernels::dot(month.size, month.weights, work.gangs.data()) * units_per_gang_hour(compiled, entry, m);
}

// Sets `served` in work.parts: each entry's share up to its room, then the rest in list order up to the room left.
void share_work(const Compiled& compiled, const CompiledWorkload& workload, double units, std::size_t m, const MonthView& month,
                Workspace& work) {
    const std::size_t n = workload.end_entry - workload.first_entry;
    double rest = units;
    for (std::size_t place = 0; place < n; ++place) {
        const std::size_t e = workload.first_entry + place;
        Workspace::Part& part = work.parts[place];
        part.planned = place + 1 < n ? std::min(rest, compiled.entries[e].share * units) : rest;
        part.planned = part.planned > kNegligibleWork * units ? part.planned : 0.0;
        part.room = room_of(compiled, e, m, month, work);
        part.served = std::min(part.planned, part.room);
        part.left = part.planned - part.served;
        rest -= part.planned;
    }
    for (std::size_t place = 0; place < n; ++place) {
        Workspace::Part& own = work.parts[place];
        for (std::size_t other = 0; other < n; ++other) {
            double& left = work.parts[other].left;
            const double more = other == place ? 0.0 : std::min(left, own.room - own.served);
            own.served += more;
            left -= more;
        }
    }
}

} // namespace

void dispatch_deferrable(const Compiled& compiled, const CompiledWorkload& workload, std::size_t w, std::size_t m,
                         const MonthView& month, Workspace& work) {
    Ledger& ledger = work.ledger;
    const double carried = m > 0 && workload.carries_over ? ledger.backlog(m - 1, w) : 0.0;
    double left = workload.work[m] + carried;
    ledger.demanded(m, w) = workload.work[m];
    const double units = left;
    order_deferrable(compiled, workload, m, month, work);
    if (workload.by_share) {
        share_work(compiled, workload, units, m, month, work);
    }
    if (workload.is_run) {
        left = dispatch_run(compiled, workload, w, left, m, month, work);
    }
    for (std::size_t i = 0; !workload.is_run && i < workload.end_entry - workload.first_entry; ++i) {
        const double most = workload.by_share ? work.parts[i].served : left;
        left -= run_on(compiled, workload.first_entry + work.order[i], most, m, month, work);
    }
    if (workload.by_share && left <= kNegligibleWork * units) { // shares add up to 1 only within rounding
        left = 0.0;
    }
    ledger.backlog(m, w) = workload.carries_over ? std::max(0.0, left) : 0.0;
}

} // namespace costcurve::model
