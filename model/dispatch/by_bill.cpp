// Routes inference by the lowest bill: tries three routings for each hour, and keeps the cheapest of those that leave the least
// work unserved.
#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include "model/dispatch/outages.hpp"
#include "model/dispatch/parts.hpp"
#include "model/documents/units.hpp"
#include "model/kernels.hpp"

namespace costcurve::model {

namespace {

// The three routings. Chunks need one price for the hour. If hours have phases, kInChunks is replaced by marginal costs that count
// the instances of a burst for the whole hour.
enum Way : std::size_t { kInOrder, kByMarginalCost, kInChunks };
static_assert(kInChunks + 1 == kRoutings);

constexpr double kSameUndone = 1e-9; // tolerance for equal unserved fractions of demand

// Computes marginal prices of a workload's entries; the instance-hour's part of the price is multiplied by `instances`.
void price_route(const Compiled& compiled, const CompiledWorkload& workload, std::size_t m, const MonthView& month,
                 double instances, Workspace& work) {
    constexpr auto kEgress = static_cast<std::size_t>(Category::egress);
    for (std::size_t e = workload.first_entry; e < workload.end_entry; ++e) {
        const CompiledEntry& entry = compiled.entries[e];
        double fixed = entry.marginal_price[m];
        if (instances != 1.0 && compiled.pools[entry.pool].costs_by_hour) {
            const double egress = entry.egress_per_unit * compiled.growth(kEgress, m);
            fixed = egress + instances * (fixed - egress);
        }
        price_entry(compiled, entry, fixed, m, month, work, work.marginal[e - workload.first_entry].data());
    }
}

// Whether the route's prices ascend in list order in all hours.
bool are_in_order(const CompiledWorkload& workload, const MonthView& month, const Workspace& work) {
    const std::size_t n = workload.end_entry - workload.first_entry;
    for (std::size_t h = 0; h < month.distinct; ++h) {
        double least = work.marginal[n - 1][h];
        for (std::size_t place = n - 1; place-- > 0;) {
            if (costs_less(least, work.marginal[place][h])) {
                return false;
            }
            least = std::min(least, work.marginal[place][h]);
        }
    }
    return true;
}

void take_in_order(const Compiled& compiled, const CompiledWorkload& workload, std::size_t m, const MonthView& month,
                   Workspace& work, Workspace::Routing& routing) {
    for (std::size_t e = workload.first_entry; e < workload.end_entry; ++e) {
        take_hours(compiled, e, m, 0, month.size, e + 1 == workload.end_entry, work, routing.served[e].data(),
                   routing.held[e].data());
    }
}

// Serves entries in order of price, one stretch of hours with equal prices at a time.
void take_by_price(const Compiled& compiled, const CompiledWorkload& workload, std::size_t m, const MonthView& month,
                   Workspace& work, Workspace::Routing& routing) {
    const std::size_t n = workload.end_entry - workload.first_entry;
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
            const std::size_t e = workload.first_entry + work.order[i];
            take_hours(compiled, e, m, first, end - first, i + 1 == n, work, routing.served[e].data(), routing.held[e].data());
        }
        first = end;
    }
}

// Copies an hour's served units and held devices from work.parts to the routing.
void keep_parts(const CompiledWorkload& workload, std::size_t first, std::size_t phases, const Workspace& work,
                Workspace::Routing& routing) {
    for (std::size_t i = 0; i < (workload.end_entry - workload.first_entry) * phases; ++i) {
        const std::size_t e = workload.first_entry + i / phases;
        routing.served[e][first + i % phases] = work.parts[i].served;
        routing.held[e][first + i % phases] = work.parts[i].held_mean * work.parts[i].held;
    }
}

// Prepares work.parts, and zeroes the routing's arrays so that padding hours stay 0.
void begin_to_keep_parts(const Compiled& compiled, const CompiledWorkload& workload, std::size_t m, const MonthView& month,
                         Workspace& work, Workspace::Routing& routing) {
    begin_parts(compiled, workload, m, work);
    for (std::size_t e = workload.first_entry; e < workload.end_entry; ++e) {
        std::fill_n(routing.served[e].begin(), month.size, 0.0);
        std::fill_n(routing.held[e].begin(), month.size, 0.0);
    }
}

void take_by_share(const Compiled& compiled, const CompiledWorkload& workload, std::size_t m, const MonthView& month,
                   Workspace& work, Workspace::Routing& routing) {
    begin_to_keep_parts(compiled, workload, m, month, work, routing);
    const std::size_t phases = compiled.hours.per_hour();
    for (std::size_t first = 0; first < month.distinct; first += phases) {
        share_hour(compiled, workload, first, work);
        keep_parts(workload, first, phases, work, routing);
    }
}

void take_in_chunks(const Compiled& compiled, const CompiledWorkload& workload, std::size_t m, const MonthView& month,
                    Workspace& work, Workspace::Routing& routing) {
    price_route(compiled, workload, m, month, 0.0, work);
    begin_to_keep_parts(compiled, workload, m, month, work, routing);
    for (std::size_t h = 0; h < month.distinct; ++h) {
        fill_hour(compiled, workload, h, work);
        keep_parts(workload, h, 1, work, routing);
    }
}

// Mean over an hour of values by phase.
double mean_of_phases(const std::vector<double>& phases, const double* values) {
    return std::inner_product(phases.begin(), phases.end(), values, 0.0);
}

// Adds a workload's unserved fraction to the routing, and stores its losses to outages.
void close_workload(const CompiledWorkload& workload, const MonthView& month, const Workspace& work, Workspace::Routing& routing,
                    std::vector<double>& lost) {
    const std::vector<double>& phases = month.table->phases;
    for (std::size_t h = 0; h < month.size; ++h) {
        const double demand = work.demand[h];
        double undone = demand > 0.0 ? work.unserved[h] / demand : 0.0;
        if (!phases.empty()) { // the fraction of the whole hour
            const std::size_t first = h - h % phases.size();
            const double of_hour = mean_of_phases(phases, &work.demand[first]);
            undone = of_hour > 0.0 ? mean_of_phases(phases, &work.unserved[first]) / of_hour : 0.0;
        }
        routing.undone[h] += undone;
        lost[h] = workload.has_outages ? lost_in_hour(demand, work.unserved[h], work.room[h]) : 0.0;
    }
}

// Resets the pools that inference may use, and all other pools of their sites, to idle.
void empty_pools(const Compiled& compiled, std::size_t m, const MonthView& month, Workspace& work) {
    for (const CompiledEntry& entry : compiled.entries) {
        work.pools[entry.pool].touched = false;
    }
    for (const CompiledSite& site : compiled.sites) {
        std::for_each(site.pools.begin(), site.pools.end(), [&](std::size_t p) { work.pools[p].touched = false; });
    }
    for (const CompiledEntry& entry : compiled.entries) {
        if (!compiled.workloads[entry.workload].is_deferrable()) {
            touch(compiled, entry.pool, m, month, work);
        }
    }
    for (const CompiledSite& site : compiled.sites) {
        std::for_each(site.pools.begin(), site.pools.end(), [&](std::size_t p) { touch(compiled, p, m, month, work); });
    }
}

void swap_pools(Workspace::Routing& routing, Workspace& work) {
    for (std::size_t p = 0; p < work.pools.size(); ++p) {
        std::swap(routing.free[p], work.pools[p].free);
        std::swap(routing.busy[p], work.pools[p].busy);
        std::swap(routing.standby[p], work.pools[p].standby);
        std::swap(routing.asked[p], work.pools[p].asked);
        std::swap(routing.started[p], work.pools[p].started);
    }
}

void try_way(const Compiled& compiled, Way way, std::size_t m, const MonthView& month, Workspace& work) {
    Workspace::Routing& routing = work.routings[way];
    empty_pools(compiled, m, month, work);
    std::fill_n(routing.undone.begin(), month.size, 0.0);
    for (std::size_t w = 0; w < compiled.workloads.size(); ++w) {
        const CompiledWorkload& workload = compiled.workloads[w];
        if (workload.is_deferrable()) {
            continue;
        }
        begin_inference(workload, w, m, month, work);
        std::copy_n(work.unserved.begin(), month.size, work.demand.begin());
        std::fill_n(work.room.begin(), month.size, 0.0);
        if (workload.by_share) {
            take_by_share(compiled, workload, m, month, work, routing);
        } else if (way == kInOrder || !has_choice(workload)) {
            take_in_order(compiled, workload, m, month, work, routing);
        } else if (way == kByMarginalCost) {
            price_route(compiled, workload, m, month, 1.0, work);
            take_by_price(compiled, workload, m, month, work, routing);
        } else if (!compiled.hours.phases.empty()) {
            price_route(compiled, workload, m, month, workload.burst_factor, work);
            take_by_price(compiled, workload, m, month, work, routing);
        } else {
            take_in_chunks(compiled, workload, m, month, work, routing);
        }
        close_workload(workload, month, work, routing, routing.lost[w]);
    }
    bill_hours(compiled, m, month, work, routing);
    const std::vector<double>& phases = compiled.hours.phases;
    for (std::size_t first = 0; !phases.empty() && first < month.size;
         first += phases.size()) { // all phases of an hour get one routing
        double* const bill = &routing.bill[first];
        std::fill_n(bill, phases.size(), mean_of_phases(phases, bill));
    }
    swap_pools(routing, work);
}

// Whether routing by marginal cost would give list order for all workloads with a choice.
bool is_list_by_marginal_cost(const Compiled& compiled, std::size_t m, const MonthView& month, Workspace& work) {
    return std::all_of(compiled.workloads.begin(), compiled.workloads.end(), [&](const CompiledWorkload& workload) {
        if (workload.is_deferrable() || !has_choice(workload)) {
            return true;
        }
        price_route(compiled, workload, m, month, 1.0, work);
        return are_in_order(workload, month, work);
    });
}

// Index of the routing with the lowest bill among those with the least unserved demand in hour h; the first of equal ones.
std::size_t choose(const std::vector<Workspace::Routing>& routings, const std::array<bool, kRoutings>& tried, std::size_t h) {
    double least_undone = HUGE_VAL;
    for (std::size_t way = 0; way < kRoutings; ++way) {
        least_undone = tried[way] ? std::min(least_undone, routings[way].undone[h]) : least_undone;
    }
    const auto is_kept = [&](std::size_t way) { return tried[way] && routings[way].undone[h] <= least_undone + kSameUndone; };
    double least = HUGE_VAL;
    for (std::size_t way = 0; way < kRoutings; ++way) {
        least = is_kept(way) ? std::min(least, routings[way].bill[h]) : least;
    }
    std::size_t way = 0;
    while (!is_kept(way) || costs_less(least, routings[way].bill[h])) {
        ++way;
    }
    return way;
}

// Copies hour h of a routing's results.
void copy_hour(const Workspace::Routing& from, std::size_t h, Workspace::Routing& to) {
    for (const auto array :
         {&Workspace::Routing::free, &Workspace::Routing::busy, &Workspace::Routing::standby, &Workspace::Routing::asked,
          &Workspace::Routing::started, &Workspace::Routing::served, &Workspace::Routing::held, &Workspace::Routing::lost}) {
        for (std::size_t i = 0; i < (to.*array).size(); ++i) {
            if (!(to.*array)[i].empty()) {
                (to.*array)[i][h] = (from.*array)[i][h];
            }
        }
    }
}

void book(const Compiled& compiled, std::size_t m, const MonthView& month, const Workspace::Routing& routing, Ledger& ledger) {
    for (std::size_t w = 0; w < compiled.workloads.size(); ++w) {
        const CompiledWorkload& workload = compiled.workloads[w];
        if (workload.is_deferrable()) {
            continue;
        }
        for (std::size_t e = workload.first_entry; e < workload.end_entry; ++e) {
            book_entry(compiled, e, m, sum_over_hours(month, routing.served[e].data()),
                       compiled.pools[compiled.entries[e].pool].there * sum_over_hours(month, routing.held[e].data()), ledger);
        }
        ledger.lost(m, w) = sum_over_hours(month, routing.lost[w].data()) * kSecondsPerHour;
    }
}

} // namespace

void dispatch_by_bill(const Compiled& compiled, std::size_t m, const MonthView& month, Workspace& work) {
    const std::array<bool, kRoutings> tried = {true, !is_list_by_marginal_cost(compiled, m, month, work), true};
    try_way(compiled, kInOrder, m, month, work);
    if (tried[kByMarginalCost]) {
        try_way(compiled, kByMarginalCost, m, month, work);
    }
    try_way(compiled, kInChunks, m, month, work);
    Workspace::Routing& kept = work.routings[kInOrder];
    for (std::size_t h = 0; h < month.distinct; ++h) {
        const std::size_t way = choose(work.routings, tried, h);
        if (way != kInOrder) {
            copy_hour(work.routings[way], h, kept);
        }
        work.ledger.routed_hours(m, way) += month.weights[h];
    }
    book(compiled, m, month, kept, work.ledger);
    swap_pools(kept, work);
}

} // namespace costcurve::model
