// Gangs of training and batch work in the cheapest of the hours that inference leaves.
#include <algorithm>
#include <cmath>

#include "model/dispatch/parts.hpp"
#include "model/documents/units.hpp"
#include "model/kernels.hpp"

namespace costcurve::model {

namespace {

constexpr double kNegligibleWork = 1e-12; // of the month's work, or of the month
constexpr double kPriceDecimals = 1e9;    // prices are equal where they agree to 9 decimals

double rounded(double price) { return std::round(price * kPriceDecimals); }

// Runs gangs in `hours` at the given fraction of those that fit.
struct GangShare {
    double devices;   ///< of a gang
    double held;      ///< of its hosts
    double instances; ///< of a gang on a cloud pool, 0 on an owned one
    double fraction;
};
GangShare gang_share(const CompiledEntry& entry, const CompiledPool& pool) {
    return {entry.devices, entry.held, pool.kind == PoolKind::cloud ? entry.instances : 0.0, 0.0};
}
void run_gangs(const GangShare& share, std::size_t h, double gangs, Workspace::PoolHours& pool) {
    const double run = share.fraction * gangs;
    pool.reserved[h] += run * share.held;
    pool.busy[h] += run * share.devices;
    pool.gangs[h] += run * share.devices;
    pool.training[h] += run * share.instances;
}

// Fills `wanted` gang-hours into the hours by ascending energy price, of what can't wait into all alike; returns those that ran.
double fill_gangs(const Compiled& compiled, const CompiledEntry& entry, double wanted, std::size_t m, const MonthView& month,
                  Workspace& work) {
    const CompiledPool& pool = compiled.pools[entry.pool];
    Workspace::PoolHours& hours = work.pools[entry.pool];
    const CompiledWorkload& workload = compiled.workloads[entry.workload];
    const double* const prices = pool.kind == PoolKind::cloud || !workload.waits ? nullptr : month.values(pool.energy_price);
    GangShare share = gang_share(entry, pool);
    if (prices == nullptr) {
        const double room = pool.there * kernels::dot(month.size, month.weights, work.gangs.data());
        if (room <= 0.0) {
            return 0.0;
        }
        share.fraction = std::min(workload.share_of_day, wanted / room);
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

// Fills work.gangs: those that fit beside what inference and earlier work left.
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

void book_gangs(const CompiledEntry& entry, double gang_hours, std::size_t m, Workspace& work) {
    work.ledger.reserved_hours(m, entry.pool, entry.workload) += gang_hours * entry.held;
    work.ledger.used_hours(m, entry.pool, entry.workload) += gang_hours * entry.devices;
}

double units_per_gang_hour(const Compiled& compiled, const CompiledEntry& entry, std::size_t m) {
    return entry.rate * learned(compiled.pools[entry.pool], m) * kSecondsPerHour;
}

// Units that gangs do of `units`.
double run_on_devices(const Compiled& compiled, std::size_t e, double units, std::size_t m, const MonthView& month,
                      Workspace& work) {
    const CompiledEntry& entry = compiled.entries[e];
    find_gangs(compiled, entry, m, month, work);
    const double of_gang_hour = units_per_gang_hour(compiled, entry, m);
    const double ran = fill_gangs(compiled, entry, units / of_gang_hour, m, month, work);
    book_gangs(entry, ran, m, work);
    return done_of(units, ran * of_gang_hour);
}

// Units of training or batch work done of `units`.
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

// The route of deferrable work in a month: by mean marginal price, where that is asked for.
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

// Units that an entry has room for in the month.
double room_of(const Compiled& compiled, std::size_t e, std::size_t m, const MonthView& month, Workspace& work) {
    const CompiledEntry& entry = compiled.entries[e];
    const CompiledPool& pool = compiled.pools[entry.pool];
    const double share_of_day = compiled.workloads[entry.workload].share_of_day;
    if (pool.kind == PoolKind::api) {
        const std::vector<double>& left = work.pools[entry.pool].free;
        return std::isfinite(left[0])
                   ? share_of_day * pool.there * kernels::dot(month.size, month.weights, left.data()) * kSecondsPerHour
                   : HUGE_VAL;
    }
    if (entry.rate <= 0.0) {
        return 0.0;
    }
    find_gangs(compiled, entry, m, month, work);
    return share_of_day * pool.there * kernels::dot(month.size, month.weights, work.gangs.data()) * entry.rate * learned(pool, m) *
           kSecondsPerHour;
}

// Fills work.parts, `served` of each entry: of its share what it has room for, and in list order of what the others could not do.
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

// The places in the route of a month, [first, end), on which a run may be in the part of it from `before` on, `most` long.
struct RunWindow {
    std::size_t first;
    std::size_t end;
    double before;
    double most;
};

// The part of the month that a run has one gang on the entry, were it on no other; fills work.gangs with that gang.
double part_with_room(const Compiled& compiled, const CompiledEntry& entry, std::size_t m, const MonthView& month,
                      Workspace& work) {
    if (entry.rate <= 0.0) {
        return 0.0;
    }
    find_gangs(compiled, entry, m, month, work);
    std::for_each_n(work.gangs.begin(), month.size, [](double& gangs) { gangs = std::min(gangs, 1.0); });
    return compiled.pools[entry.pool].there * kernels::dot(month.size, month.weights, work.gangs.data()) / month.hours;
}

// Units of `units` that a run does in the window: at each moment on the first entry that is to be had, each by itself.
double run_in(const Compiled& compiled, const CompiledWorkload& workload, std::size_t w, const RunWindow& window, double units,
              std::size_t m, const MonthView& month, Workspace& work) {
    double in_all = 0.0; // units that all of a month would do
    double absent = 1.0; // the part of the time in which none before is to be had
    for (std::size_t place = window.first; place < window.end; ++place) {
        const CompiledEntry& entry = compiled.entries[workload.first_entry + work.order[place]];
        const double part = part_with_room(compiled, entry, m, month, work);
        in_all += absent * part * month.hours * units_per_gang_hour(compiled, entry, m);
        absent *= 1.0 - part;
    }
    if (in_all <= 0.0 || window.most <= kNegligibleWork || units <= 0.0) {
        return 0.0;
    }
    const double lasts = std::min(window.most, units / in_all);
    const double done = done_of(units, lasts * in_all);
    absent = 1.0;
    for (std::size_t place = window.first; place < window.end; ++place) {
        const std::size_t e = workload.first_entry + work.order[place];
        const CompiledEntry& entry = compiled.entries[e];
        const CompiledPool& pool = compiled.pools[entry.pool];
        const double part = part_with_room(compiled, entry, m, month, work); // no pool stands in a route twice
        GangShare share = gang_share(entry, pool);
        share.fraction = absent * lasts;
        for (std::size_t h = 0; part > 0.0 && h < month.size; ++h) {
            run_gangs(share, h, work.gangs[h], work.pools[entry.pool]);
        }
        const double gang_hours = share.fraction * part * month.hours;
        book_gangs(entry, gang_hours, m, work);
        work.ledger.served(m, e) = done * (absent * part * month.hours * units_per_gang_hour(compiled, entry, m) / in_all);
        absent *= 1.0 - part;
    }
    work.ledger.run_days(m, w) = (window.before + lasts) * month.hours / kHoursPerDay;
    return done;
}

// One month of a run; gives what is left of its units.
double dispatch_run(const Compiled& compiled, const CompiledWorkload& workload, std::size_t w, double units, std::size_t m,
                    const MonthView& month, Workspace& work) {
    const std::size_t n = workload.end_entry - workload.first_entry;
    const double open = m == 0 ? workload.first_share : 1.0;
    double left = units;
    if (workload.before_fall_back.empty()) {
        left -= run_in(compiled, workload, w, {0, n, 0.0, open}, left, m, month, work);
    } else {
        const double before = workload.before_fall_back[m];
        left -= run_in(compiled, workload, w, {0, n - 1, 0.0, before}, left, m, month, work);
        left -= run_in(compiled, workload, w, {n - 1, n, before, open - before}, left, m, month, work);
    }
    if (left > 0.0) { // goes on to the month's end, or waits for room
        work.ledger.run_days(m, w) = open * month.hours / kHoursPerDay;
    }
    return left;
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
    if (workload.by_share && left <= kNegligibleWork * units) { // shares add up to all of it but for rounding
        left = 0.0;
    }
    ledger.backlog(m, w) = workload.carries_over ? std::max(0.0, left) : 0.0;
}

} // namespace costcurve::model
