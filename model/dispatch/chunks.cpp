// Plans an hour of inference in chunks, each on the cheapest entry, then serves the plan.
#include <algorithm>
#include <cmath>

#include "model/dispatch/parts.hpp"
#include "model/documents/units.hpp"
#include "model/kernels.hpp"

namespace costcurve::model {

namespace {

using Part = Workspace::Part;
using Chunk = Workspace::Chunk;

// One hour of a workload.
struct Hour {
    const CompiledWorkload& workload;
    std::size_t h;
    Workspace& work;
    double nothing; ///< units/s that count as 0

    [[nodiscard]] std::size_t size() const { return workload.end_entry - workload.first_entry; }
};

// Next chunk of a pool that follows demand: free devices of its running instances, else the fewest new instances for a replica.
Chunk next_of_instances(const Hour& hour, const Part& part, double base, double free, double left) {
    const double taken = part.devices - free;
    const double running = std::max(part.least, std::ceil(taken * part.per_each - kernels::kForgiven));
    const double idle = std::min(free, running * part.each - taken);
    const double rest = part.replicas * part.capacity - part.planned;
    const double room = std::max(0.0, rest) + whole_replicas(idle, part) * part.capacity;
    if (room > hour.nothing) {
        return {std::min(left, room), base, 1.0};
    }
    const double further = std::ceil((part.held - idle) * part.per_each - kernels::kForgiven);
    if (further * part.each > free - idle + kernels::kForgiven * part.each) {
        return {};
    }
    const double replicas = whole_replicas(idle + further * part.each, part);
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
    return {std::min(left, std::max(0.0, rest) + whole_replicas(free, part) * part.capacity), base, 1.0};
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

// Index of the entry with the cheapest next chunk, to 9 digits (the first of equal ones); size() if no entry has a chunk.
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

// Plans the hour chunk by chunk; returns the demand (units/s) that no entry has room for.
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

} // namespace

void fill_hour(const Compiled& compiled, const CompiledWorkload& workload, std::size_t h, Workspace& work) {
    const double demand = work.demand[h];
    const Hour hour{workload, h, work, kNoWork * demand};
    for (std::size_t place = 0; place < hour.size(); ++place) {
        work.parts[place].planned = work.parts[place].replicas = 0.0;
    }
    serve_parts(compiled, workload, h, plan_hour(hour, demand), work);
}

} // namespace costcurve::model
