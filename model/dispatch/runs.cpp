// Dispatches training runs: one gang, which at each moment runs on the first available entry of its route.
#include <algorithm>
#include <vector>

#include "model/dispatch/gangs.hpp"
#include "model/documents/units.hpp"
#include "model/kernels.hpp"

namespace costcurve::model {

namespace {

// The entries [first, end) of its route that a run may use in a month, from the time `before` on and for at most `most`.
struct RunWindow {
    std::size_t first;
    std::size_t end;
    double before;
    double most;
    double opens = 0.0; ///< fraction of the month before the run may begin
};

// Fraction of the month in which the entry has room for a run's gang; fills work.gangs with 1 in hours that have room.
double part_with_room(const Compiled& compiled, const CompiledEntry& entry, std::size_t m, const MonthView& month,
                      Workspace& work) {
    if (entry.rate <= 0.0) {
        return 0.0;
    }
    find_gangs(compiled, entry, m, month, work);
    std::for_each_n(work.gangs.begin(), month.size, [](double& gangs) { gangs = std::min(gangs, 1.0); });
    const double part = compiled.pools[entry.pool].there * kernels::dot(month.size, month.weights, work.gangs.data()) / month.hours;
    return part > 1 - kNegligibleWork ? 1.0 : part; // a rest within rounding isn't passed to later entries
}

bool is_by_hours(const Compiled& compiled, const CompiledWorkload& workload, const RunWindow& window, const MonthView& month,
                 const Workspace& work) {
    for (std::size_t place = window.first; place < window.end; ++place) {
        if (month.values(compiled.pools[compiled.entries[workload.first_entry + work.order[place]].pool].window) != nullptr) {
            return true;
        }
    }
    return false;
}

// Work of a run in a month.
struct RunOfMonth {
    double units = 0.0;
    double ends = 0.0; ///< end of the work, hours after the month's start
};

// Runs hour by hour, at each hour's rate, until all units are done or the window ends; fills hours.ran.
RunOfMonth run_of_month(Workspace::RunHours& hours, const RunWindow& window, double units, const MonthView& month) {
    RunOfMonth run;
    std::fill_n(hours.ran.begin(), month.size, 0.0);
    const double begins = (window.opens + window.before) * month.hours;
    const double ends = begins + window.most * month.hours;
    double at = 0.0;
    for (std::size_t h = 0; h < month.size; at += month.weights[h++]) {
        const double from = std::max(at, begins);
        const double open = std::min(at + month.weights[h], ends) - from;
        if (open > 0.0 && hours.units[h] > 0.0 &&
            done_of(units, run.units) < units) { // a rest within rounding doesn't start another hour
            hours.ran[h] = std::min(open, (units - run.units) / hours.units[h]);
            run.units += hours.ran[h] * hours.units[h];
            run.ends = from + hours.ran[h];
        }
    }
    return run;
}

// run_in for pools that are available in some hours only: goes through the hours in order of time.
double run_by_hours(const Compiled& compiled, const CompiledWorkload& workload, std::size_t w, const RunWindow& window,
                    double units, std::size_t m, const MonthView& month, Workspace& work) {
    Workspace::RunHours& hours = work.run;
    std::fill_n(hours.units.begin(), month.size, 0.0);
    const auto for_each_entry = [&](const auto& visit) {
        std::fill_n(hours.absent.begin(), month.size, 1.0);
        for (std::size_t place = window.first; place < window.end; ++place) {
            const std::size_t e = workload.first_entry + work.order[place];
            const CompiledEntry& entry = compiled.entries[e];
            if (part_with_room(compiled, entry, m, month, work) > 0.0) { // also fills work.gangs
                visit(e);
                for (std::size_t h = 0; h < month.size; ++h) {
                    hours.absent[h] *= 1.0 - compiled.pools[entry.pool].there * work.gangs[h];
                }
            }
        }
    };
    for_each_entry([&](std::size_t e) {
        const CompiledEntry& entry = compiled.entries[e];
        const double whole = compiled.pools[entry.pool].there * units_per_gang_hour(compiled, entry, m);
        for (std::size_t h = 0; h < month.size; ++h) {
            hours.units[h] += hours.absent[h] * work.gangs[h] * whole;
        }
    });
    const RunOfMonth run = run_of_month(hours, window, units, month);
    if (run.units <= 0.0) {
        return 0.0;
    }
    const double done = done_of(units, run.units);
    for_each_entry([&](std::size_t e) {
        const CompiledEntry& entry = compiled.entries[e];
        const CompiledPool& pool = compiled.pools[entry.pool];
        GangShare share = gang_share(entry, pool);
        double gang_hours = 0.0;
        for (std::size_t h = 0; h < month.size; ++h) {
            const double part = month.weights[h] > 0.0 ? hours.ran[h] / month.weights[h] : 0.0;
            share.fraction = hours.absent[h] * part;
            gang_hours += hours.absent[h] * hours.ran[h] * pool.there * work.gangs[h];
            run_gangs(share, h, work.gangs[h], work.pools[entry.pool]);
        }
        book_gangs(entry, {gang_hours, gang_hours}, m, work);
        work.ledger.served(m, e) = done * (gang_hours * units_per_gang_hour(compiled, entry, m) / run.units);
    });
    work.ledger.run_days(m, w) = (run.ends - window.opens * month.hours) / kHoursPerDay;
    return done;
}

// Units (at most `units`) that a run does in the window, at each moment on the first available entry. Entries' availabilities are
// independent.
double run_in(const Compiled& compiled, const CompiledWorkload& workload, std::size_t w, const RunWindow& window, double units,
              std::size_t m, const MonthView& month, Workspace& work) {
    if (is_by_hours(compiled, workload, window, month, work)) {
        return run_by_hours(compiled, workload, w, window, units, m, month, work);
    }
    double in_all = 0.0; // units that a full month would do
    double absent = 1.0; // fraction of time in which no earlier entry is available
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
        const double part = part_with_room(compiled, entry, m, month, work); // a route lists each pool once
        GangShare share = gang_share(entry, pool);
        share.fraction = absent * lasts;
        for (std::size_t h = 0; part > 0.0 && h < month.size; ++h) {
            run_gangs(share, h, work.gangs[h], work.pools[entry.pool]);
        }
        const double gang_hours = share.fraction * part * month.hours;
        book_gangs(entry, {gang_hours, gang_hours}, m, work);
        work.ledger.served(m, e) = done * (absent * part * month.hours * units_per_gang_hour(compiled, entry, m) / in_all);
        absent *= 1.0 - part;
    }
    work.ledger.run_days(m, w) = (window.before + lasts) * month.hours / kHoursPerDay;
    return done;
}

} // namespace

double dispatch_run(const Compiled& compiled, const CompiledWorkload& workload, std::size_t w, double units, std::size_t m,
                    const MonthView& month, Workspace& work) {
    const std::size_t n = workload.end_entry - workload.first_entry;
    const double open = m == 0 ? workload.first_share : 1.0;
    const double opens = 1.0 - open;
    double left = units;
    if (workload.before_fall_back.empty()) {
        left -= run_in(compiled, workload, w, {0, n, 0.0, open, opens}, left, m, month, work);
    } else {
        const double before = workload.before_fall_back[m];
        left -= run_in(compiled, workload, w, {0, n - 1, 0.0, before, opens}, left, m, month, work);
        left -= run_in(compiled, workload, w, {n - 1, n, before, open - before, opens}, left, m, month, work);
    }
    if (left > 0.0) { // unfinished: it runs to the month's end, or waits for room
        work.ledger.run_days(m, w) = open * month.hours / kHoursPerDay;
    }
    return left;
}

} // namespace costcurve::model
