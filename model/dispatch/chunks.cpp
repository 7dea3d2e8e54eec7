// An hour of inference in chunks, each where its units are cheapest, and then served in parts: what an entry can't serve of its
// part is asked of the others.
#include <algorithm>
#include <cmath>

#include "model/dispatch/outages.hpp"
#include "model/dispatch/parts.hpp"
#include "model/documents/units.hpp"
#include "model/kernels.hpp"

namespace costcurve::model {

namespace {

constexpr double kNoWork = 1e-12; // of the hour's demand

using Part = Workspace::Part;
using Chunk = Workspace::Chunk;

// A workload in an hour.
struct Hour {
    const Compiled& compiled;
    const CompiledWorkload& workload;
    std::size_t h;
    Workspace& work;
    double nothing; ///< units/s that are none

    [[nodiscard]] std::size_t size() const { return workload.end_entry - workload.first_entry; }
};

double whole(double free, const Part& part) { return std::max(0.0, std::floor(free * part.per_held + part.over)); }

// A chunk of a pool that follows demand: what its instances still hold, else as few further ones as a replica needs.
Chunk next_of_instances(const Hour& hour, const Part& part, double base, double free, double left) {
    const double taken = part.devices - free;
    const double running = std::max(part.least, std::ceil(taken * part.per_each - kernels::kForgiven));
    const double idle = std::min(free, running * part.each - taken);
    const double rest = part.replicas * part.capacity - part.planned;
    const double room = std::max(0.0, rest) + whole(idle, part) * part.capacity;
    if (room > hour.nothing) {
        return {std::min(left, room), base, 1.0};
    }
    const double further = std::ceil((part.held - idle) * part.per_each - kernels::kForgiven);
    if (further * part.each > free - idle + kernels::kForgiven * part.each) {
        return {};
    }
    const double replicas = whole(idle + further * part.each, part);
    const double full = replicas * part.capacity;
    const double units = std::min(left, full);
    const bool leaves_the_same = std::fabs(replicas * part.held - further * part.each) < kernels::kForgiven * part.each;
    const double times =
        leaves_the_same && left > full ? std::floor(std::min(left / full, (free - idle) / (further * part.each))) : 1.0;
    return {units, base + further * part.price / (units * kSecondsPerHour), std::max(1.0, times)};
}

Chunk next_chunk(const Hour& hour, const Part& part, double base, double left) {
    const double free = hour.work.planned_free[part.pool];
    if (part.is_api) {
        return {std::min(left, free), base, 1.0};
    }
    if (part.capacity <= 0.0) {
        return {};
    }
    if (part.follows_demand) {
        return next_of_instances(hour, part, base, free, left);
    }
    const double rest = part.replicas * part.capacity - part.planned;
    return {std::min(left, std::max(0.0, rest) + whole(free, part) * part.capacity), base, 1.0};
}

void plan(Workspace& work, Part& part, double units) {
    double& free = work.planned_free[part.pool];
    part.planned += units;
    if (part.is_api) {
        free -= units;
        return;
    }
    const double replicas = std::max(part.replicas, std::ceil(part.planned / part.capacity - kernels::kForgiven));
    free -= (replicas - part.replicas) * part.held;
    part.replicas = replicas;
}

// The entry whose next chunk is the cheapest, within 9 digits the first of the list; their number where none has one.
std::size_t cheapest_chunk(const Hour& hour) {
    const std::vector<Part>& parts = hour.work.parts;
    double least = HUGE_VAL;
    for (std::size_t place = 0; place < hour.size(); ++place) {
        least = parts[place].next.units > hour.nothing ? std::min(least, parts[place].next.price) : least;
    }
    std::size_t place = 0;
    while (place < hour.size() && !(parts[place].next.units > hour.nothing && !costs_less(least, parts[place].next.price))) {
        ++place;
    }
    return place;
}

// Plans the hour chunk by chunk; returns what no entry has room for.
double plan_hour(const Hour& hour, double demand) {
    Workspace& work = hour.work;
    const auto look = [&](std::size_t place, double left) {
        work.parts[place].next = next_chunk(hour, work.parts[place], work.marginal[place][hour.h], left);
    };
    double left = demand;
    for (std::size_t place = 0; place < hour.size(); ++place) {
        work.planned_free[work.parts[place].pool] = work.pools[work.parts[place].pool].free[hour.h];
    }
    for (std::size_t place = 0; place < hour.size(); ++place) {
        look(place, left);
    }
    while (left > hour.nothing) {
        const std::size_t at = cheapest_chunk(hour);
        if (at == hour.size()) {
            return left;
        }
        const double units = work.parts[at].next.units * work.parts[at].next.times;
        plan(work, work.parts[at], units);
        left -= units;
        for (std::size_t place = 0; place < hour.size() && left > hour.nothing; ++place) {
            if (work.parts[place].pool == work.parts[at].pool || work.parts[place].next.units > left ||
                work.parts[place].next.times > 1.0) {
                look(place, left);
            }
        }
    }
    return 0.0;
}

// Serves what an entry is asked for in all: replicas of the sum, those that it holds among them.
void serve(const Hour& hour, std::size_t place, double asked) {
    Part& part = hour.work.parts[place];
    const CompiledEntry& entry = hour.compiled.entries[hour.workload.first_entry + place];
    const double there = hour.compiled.pools[part.pool].there;
    Workspace::PoolHours& hours = hour.work.pools[part.pool];
    double& free = hours.free[hour.h];
    part.asked = asked;
    if (part.is_api) {
        free += part.room;
        part.room = std::min(asked, free);
        free -= part.room;
        part.served = there * part.room;
        return;
    }
    if (part.capacity <= 0.0) {
        return;
    }
    const double needed = std::ceil(asked / part.capacity - kernels::kForgiven);
    const double fit = whole(free + part.running * part.held, part);
    const double held = needed > 0.0 ? std::min(needed + hour.workload.spare_replicas, fit) : 0.0;
    const double serving = !part.follows_demand && held > 0.0 ? fit : held;
    const double served = entry.replicas_up.served(asked, part.capacity, serving);
    free -= (held - part.running) * part.held;
    hours.busy[hour.h] += (served - part.served / there) * part.busy_per_unit;
    part.running = held;
    part.room = std::min(asked, serving * part.capacity);
    part.served = there * served;
}

double kept(const Hour& hour, double left) { return left > hour.nothing ? left : 0.0; }

// What the others, and nobody, could serve is asked of each entry; the first one's is served first, what remains of it is its own.
void serve_again(const Hour& hour, std::size_t place, double& unplanned) {
    double others = unplanned;
    for (std::size_t other = 0; other < hour.size(); ++other) {
        others += other != place ? hour.work.parts[other].left : 0.0;
    }
    if (others <= hour.nothing) {
        return;
    }
    Part& own = hour.work.parts[place];
    const double before = own.served;
    serve(hour, place, own.asked + others);
    double more = std::max(0.0, own.served - before);
    const auto take = [&](double& left) {
        const double taken = std::min(more, left);
        more -= taken;
        left = kept(hour, left - taken);
    };
    for (std::size_t other = 0; other < hour.size(); ++other) {
        if (other != place) {
            take(hour.work.parts[other].left);
        }
    }
    take(unplanned);
    take(own.left);
}

} // namespace

void begin_parts(const Compiled& compiled, const CompiledWorkload& workload, std::size_t m, Workspace& work) {
    for (std::size_t e = workload.first_entry; e < workload.end_entry; ++e) {
        const CompiledEntry& entry = compiled.entries[e];
        const CompiledPool& pool = compiled.pools[entry.pool];
        Part& part = work.parts[e - workload.first_entry];
        part = Part();
        part.pool = entry.pool;
        part.is_api = pool.kind == PoolKind::api;
        part.follows_demand = pool.follows_demand;
        if (part.is_api || entry.usable_rate <= 0.0) {
            continue;
        }
        part.capacity = entry.usable_rate * learned(pool, m);
        part.held = entry.held;
        part.per_held = 1.0 / entry.held;
        part.over = kernels::nudge(part.per_held, pool.holds_whole);
        part.each = pool.devices_per_unit;
        part.per_each = 1.0 / part.each;
        part.devices = serving_devices(pool, m);
        part.least = pool.units_paid[m];
        part.price = pool.kind == PoolKind::cloud ? pool.hourly_price[m] : 0.0;
        part.busy_per_unit = entry.devices / (entry.rate * learned(pool, m));
    }
}

void fill_hour(const Compiled& compiled, const CompiledWorkload& workload, std::size_t h, Workspace& work,
               Workspace::Routing& routing) {
    const double demand = work.demand[h];
    const Hour hour{compiled, workload, h, work, kNoWork * demand};
    for (std::size_t place = 0; place < hour.size(); ++place) {
        Part& part = work.parts[place];
        part.planned = part.replicas = part.asked = part.served = part.left = part.running = part.room = 0.0;
    }
    double left = plan_hour(hour, demand);
    for (std::size_t place = 0; place < hour.size(); ++place) {
        Part& part = work.parts[place];
        if (part.planned > hour.nothing) {
            serve(hour, place, part.planned);
        }
        part.left = kept(hour, part.planned - part.served);
    }
    for (std::size_t place = 0; place < hour.size(); ++place) {
        serve_again(hour, place, left);
    }
    for (std::size_t place = 0; place < hour.size(); ++place) {
        const Part& part = work.parts[place];
        const std::size_t e = workload.first_entry + place;
        routing.served[e][h] = part.served;
        routing.held[e][h] = part.running * part.held;
        work.room[h] += part.room;
        left += part.left;
    }
    work.unserved[h] = kept(hour, left);
}

} // namespace costcurve::model
