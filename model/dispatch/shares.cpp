// Serves an hour of inference that is divided among entries; work that an entry can't serve moves to the others.
#include <algorithm>
#include <cmath>

#include "model/dispatch/outages.hpp"
#include "model/dispatch/parts.hpp"
#include "model/documents/units.hpp"
#include "model/kernels.hpp"

namespace costcurve::model {

namespace {

using Part = Workspace::Part;

// One hour of a workload with its phases (a single phase without bursts).
struct PartedHour {
    const Compiled& compiled;
    const CompiledWorkload& workload;
    std::size_t first; ///< index of the hour's first phase
    std::size_t phases;
    Workspace& work;

    [[nodiscard]] std::size_t size() const { return workload.end_entry - workload.first_entry; }
    [[nodiscard]] Part& part(std::size_t place, std::size_t phase) const { return work.parts[place * phases + phase]; }
    [[nodiscard]] double kept(std::size_t phase, double left) const {
        return left > kNoWork * work.demand[first + phase] ? left : 0.0;
    }
};

// Serves `asked` units/s by an entry in a phase. The replicas needed for `most`, the phases' largest rate, include those held.
void serve(const PartedHour& hour, std::size_t place, std::size_t phase, double asked, double most) {
    Part& part = hour.part(place, phase);
    const double there = hour.compiled.pools[part.pool].there;
    Workspace::PoolHours& hours = hour.work.pools[part.pool];
    double& free = hours.free[hour.first + phase];
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
    const double needed = std::ceil(most / part.capacity - kernels::kForgiven);
    const double fit = whole_replicas(free + part.running * part.held, part);
    const double held = needed > 0.0 ? std::min(needed + hour.workload.spare_replicas, fit) : 0.0;
    const double serving = !part.follows_demand && held > 0.0 ? fit : held;
    const double served = part.up->served(asked, part.capacity, serving);
    free -= (held - part.running) * part.held;
    hours.busy[hour.first + phase] += (served - part.served / there) * part.busy_per_unit;
    part.running = held;
    part.room = std::min(asked, serving * part.capacity);
    part.served = there * served;
    part.held_mean = held;
    part.chance = 1 - there + there * part.up->short_of(asked, part.capacity, serving);
}

// Serves an entry's work so far plus `more`, which outages of other entries leave in the fraction `chance` of the hour.
void serve_in_part(const PartedHour& hour, std::size_t place, std::size_t phase, double most, double chance) {
    Part& part = hour.part(place, phase);
    const Part alone = part;
    serve(hour, place, phase, alone.asked + alone.more / chance, most);
    part.chance = alone.chance;
    part.asked = alone.asked + alone.more;
    if (part.is_api || part.capacity <= 0.0 || chance >= 1.0) {
        return;
    }
    const std::size_t h = hour.first + phase;
    const double there = hour.compiled.pools[part.pool].there;
    Workspace::PoolHours& hours = hour.work.pools[part.pool];
    if (!hours.standby.empty() && part.running > alone.running) {
        hours.standby[h] += (part.running - alone.running) * part.held;
        hours.asked[h] = std::max(hours.asked[h], chance);
    }
    hours.busy[h] -= (1 - chance) * (part.served - alone.served) / there * part.busy_per_unit;
    part.served = (1 - chance) * alone.served + chance * part.served;
    part.room = (1 - chance) * alone.room + chance * part.room;
    part.held_mean = (1 - chance) * alone.running + chance * part.running;
}

// Subtracts what an entry has served additionally (`more`): from the rests of the other entries in list order, then from the
// unplanned rest, then from its own rest.
void settle(const PartedHour& hour, std::size_t place, std::size_t phase, double more, double& unplanned) {
    const auto take = [&](double& left) {
        const double taken = std::min(more, left);
        more -= taken;
        left = hour.kept(phase, left - taken);
    };
    for (std::size_t other = 0; other < hour.size(); ++other) {
        if (other != place) {
            take(hour.part(other, phase).left);
        }
    }
    take(unplanned);
    take(hour.part(place, phase).left);
}

// Assigns to an entry the work that the other entries left, and the unplanned rest.
void serve_again(const PartedHour& hour, std::size_t place, double& unplanned) {
    double chance = hour.kept(0, unplanned) > 0.0 ? 1.0 : 0.0; // largest fraction of a phase in which such work arrives
    bool is_asked = false;
    for (std::size_t phase = 0; phase < hour.phases; ++phase) {
        double& more = hour.part(place, phase).more;
        more = unplanned;
        for (std::size_t other = 0; other < hour.size(); ++other) {
            const Part& part = hour.part(other, phase);
            more += other != place ? part.left : 0.0;
            chance = other != place && part.left > 0.0 ? std::max(chance, part.is_api ? 1.0 : part.chance) : chance;
        }
        more = hour.kept(phase, more);
        is_asked = is_asked || more > 0.0;
    }
    if (!is_asked) {
        return;
    }
    chance = hour.part(place, 0).is_api ? 1.0 : chance;
    double most = 0.0;
    for (std::size_t phase = 0; phase < hour.phases; ++phase) {
        const Part& part = hour.part(place, phase);
        most = std::max(most, part.asked + part.more / chance);
    }
    for (std::size_t phase = 0; phase < hour.phases; ++phase) {
        const double before = hour.part(place, phase).served;
        serve_in_part(hour, place, phase, most, chance);
        settle(hour, place, phase, std::max(0.0, hour.part(place, phase).served - before), unplanned);
    }
}

// Serves an entry's planned work, and stores the rest.
void serve_planned(const PartedHour& hour, std::size_t place) {
    double most = 0.0;
    for (std::size_t phase = 0; phase < hour.phases; ++phase) {
        Part& part = hour.part(place, phase);
        part.asked = part.served = part.running = part.room = part.held_mean = part.chance = 0.0;
        part.planned = hour.kept(phase, part.planned);
        most = std::max(most, part.planned);
    }
    for (std::size_t phase = 0; phase < hour.phases; ++phase) {
        Part& part = hour.part(place, phase);
        if (most > 0.0) {
            serve(hour, place, phase, part.planned, most);
        }
        part.left = hour.kept(phase, part.planned - part.served);
        const double chance = hour.workload.has_outages ? part_waited_for(std::max(part.chance, part.left / part.planned)) : 1.0;
        part.chance = part.left > 0.0 ? chance : 0.0;
    }
}

} // namespace

void begin_parts(const Compiled& compiled, const CompiledWorkload& workload, std::size_t m, Workspace& work) {
    const std::size_t phases = compiled.hours.per_hour();
    for (std::size_t e = workload.first_entry; e < workload.end_entry; ++e) {
        const CompiledEntry& entry = compiled.entries[e];
        const CompiledPool& pool = compiled.pools[entry.pool];
        Part part;
        part.pool = entry.pool;
        part.is_api = pool.kind == PoolKind::api;
        part.follows_demand = pool.follows_demand;
        if (!part.is_api && entry.usable_rate > 0.0) {
            part.capacity = entry.usable_rate * learned(pool, m);
            part.up = &up_in(entry, m);
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
        std::fill_n(work.parts.begin() + static_cast<std::ptrdiff_t>((e - workload.first_entry) * phases), phases, part);
    }
}

void serve_parts(const Compiled& compiled, const CompiledWorkload& workload, std::size_t first, double unplanned, Workspace& work) {
    const PartedHour hour{compiled, workload, first, compiled.hours.per_hour(), work};
    for (std::size_t place = 0; place < hour.size(); ++place) {
        serve_planned(hour, place);
    }
    for (std::size_t place = 0; place < hour.size(); ++place) {
        serve_again(hour, place, unplanned);
    }
    for (std::size_t phase = 0; phase < hour.phases; ++phase) {
        double left = unplanned;
        for (std::size_t place = 0; place < hour.size(); ++place) {
            work.room[first + phase] += hour.part(place, phase).room;
            left += hour.part(place, phase).left;
        }
        work.unserved[first + phase] = hour.kept(phase, left);
    }
}

void share_hour(const Compiled& compiled, const CompiledWorkload& workload, std::size_t first, Workspace& work) {
    const std::size_t phases = compiled.hours.per_hour();
    const std::size_t last = workload.end_entry - 1;
    for (std::size_t phase = 0; phase < phases; ++phase) {
        const double demand = work.demand[first + phase];
        double rest = demand;
        for (std::size_t e = workload.first_entry; e < workload.end_entry; ++e) {
            const double planned = e < last ? std::min(rest, compiled.entries[e].share * demand) : rest;
            work.parts[(e - workload.first_entry) * phases + phase].planned = planned;
            rest -= planned;
        }
    }
    serve_parts(compiled, workload, first, 0.0, work);
}

void dispatch_by_share(const Compiled& compiled, const CompiledWorkload& workload, std::size_t m, const MonthView& month,
                       Workspace& work) {
    const std::size_t phases = compiled.hours.per_hour();
    for (std::size_t e = workload.first_entry; e < workload.end_entry; ++e) {
        touch(compiled, compiled.entries[e].pool, m, month, work);
    }
    begin_parts(compiled, workload, m, work);
    for (std::size_t first = 0; first < month.distinct; first += phases) {
        share_hour(compiled, workload, first, work);
        for (std::size_t i = 0; i < (workload.end_entry - workload.first_entry) * phases; ++i) {
            Part& part = work.parts[i];
            part.units += month.weights[first + i % phases] * part.served;
            part.devices_held += month.weights[first + i % phases] * part.held_mean * part.held;
        }
    }
    for (std::size_t e = workload.first_entry; e < workload.end_entry; ++e) {
        double units = 0.0;
        double devices = 0.0;
        for (std::size_t phase = 0; phase < phases; ++phase) {
            const Part& part = work.parts[(e - workload.first_entry) * phases + phase];
            units += part.units;
            devices += part.devices_held;
        }
        book_entry(compiled, e, m, units, compiled.pools[compiled.entries[e].pool].there * devices, work.ledger);
    }
}

} // namespace costcurve::model
