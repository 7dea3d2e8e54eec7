// One dynamic programme for each hour, then one convex hull for each month.
#include "model/questions/optimize/burst_cuts.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "model/dispatch/dispatch.hpp"

namespace costcurve::model {

namespace {

constexpr double kForgivenReplica = 0.01; // part of a replica: smaller amounts served without devices relieve nothing
constexpr double kMaxSteps = 2e7;         // for the dynamic programmes of one month

// How a workload can be placed: the whole devices of a replica, and a replica's units/s.
struct Placement {
    std::size_t workload = 0;
    int held_always = 0; ///< 0 if the workload has no entry on a pool that is always there
    int held_burst = 0;
    double always = 0.0;
    double burst = 0.0;
};

bool is_whole(double value) { return value == std::floor(value) && value >= 1.0 && value <= 1e6; }

// Empty if the workload has no entry on a demand-following pool, or if its replicas hold fractions of devices.
std::optional<Placement> placement_of(const Compiled& compiled, std::size_t w, std::size_t m, const MonthPools& pools) {
    Placement placement{w, 0, 0, 0.0, 0.0};
    for (std::size_t e = compiled.workloads[w].first_answer; e < compiled.workloads[w].end_entry; ++e) {
        const CompiledEntry& entry = compiled.entries[e];
        const bool follows = pools.follows[entry.pool];
        if (entry.usable_rate <= 0.0 || (!follows && !pools.most[entry.pool])) {
            continue;
        }
        if (!is_whole(entry.held)) {
            return std::nullopt;
        }
        int& held = follows ? placement.held_burst : placement.held_always;
        double& rate = follows ? placement.burst : placement.always;
        held = held == 0 ? static_cast<int>(entry.held) : std::min(held, static_cast<int>(entry.held));
        rate = std::max(rate, entry.usable_rate * learned(compiled.pools[entry.pool], m));
    }
    return placement.burst > 0.0 ? std::optional(placement) : std::nullopt;
}

// Instance devices that a demand needs beyond n replicas that are always there.
int burst_devices(const Placement& placement, double demand, int n) {
    const double rest = demand - n * placement.always - kForgivenReplica * placement.burst;
    return rest <= 0.0 ? 0 : placement.held_burst * static_cast<int>(std::ceil(rest / placement.burst));
}

// Adds one workload to `least`, the fewest instance devices by number of always-there devices, in steps of `step` devices.
void place(const Placement& placement, double demand, int step, std::vector<int>& least) {
    const std::vector<int> before = least;
    const int alone = burst_devices(placement, demand, 0);
    std::transform(before.begin(), before.end(), least.begin(), [alone](int devices) { return devices + alone; });
    if (placement.held_always == 0) {
        return;
    }
    const auto stride = static_cast<std::size_t>(placement.held_always / step);
    int devices = alone;
    for (int n = 1; devices > 0 && static_cast<std::size_t>(n) * stride < least.size(); ++n) {
        devices = burst_devices(placement, demand, n);
        for (std::size_t d = static_cast<std::size_t>(n) * stride; d < least.size(); ++d) {
            least[d] = std::min(least[d], before[d - static_cast<std::size_t>(n) * stride] + devices);
        }
    }
}

struct Sizes {
    int step = 0;     ///< devices per step of the dynamic programmes: divides the devices of every replica and unit
    int unit = 0;     ///< common divisor of the devices of the units that are always there
    int most = 0;     ///< greatest number of devices that are always there
    int instance = 0; ///< devices of the largest instance
};
// A step of 0 means that some unit or replica holds a fraction of a device, or that there are too many devices.
Sizes sizes_of(const Compiled& compiled, const std::vector<Placement>& placements, const MonthPools& pools) {
    Sizes sizes;
    double most = 0.0;
    for (std::size_t p = 0; p < compiled.pools.size(); ++p) {
        const double devices = compiled.pools[p].devices_per_unit;
        if (!pools.follows[p] && !pools.most[p]) {
            continue;
        }
        if (!is_whole(devices)) {
            return {};
        }
        if (pools.follows[p]) {
            sizes.instance = std::max(sizes.instance, static_cast<int>(devices));
        } else {
            sizes.unit = std::gcd(sizes.unit, static_cast<int>(devices));
            most += *pools.most[p] * devices;
        }
    }
    sizes.step = std::max(1, sizes.unit);
    for (const Placement& placement : placements) {
        sizes.step = std::gcd(sizes.step, placement.held_always);
    }
    sizes.unit = std::max(sizes.unit, sizes.step);
    sizes.most = static_cast<int>(std::min(most, 1e6));
    return most > 1e6 ? Sizes{} : sizes;
}

// Instances needed, averaged over the month's hours, by the number of always-there devices in steps of `sizes.unit`.
std::vector<double> mean_instances(const Compiled& compiled, std::size_t m, const std::vector<Placement>& placements,
                                   const Sizes& sizes) {
    const MonthView month = view_month(compiled, m);
    std::vector<double> means(static_cast<std::size_t>(sizes.most / sizes.unit) + 1, 0.0);
    std::vector<int> least;
    for (std::size_t h = 0; h < month.distinct; ++h) {
        if (month.weights[h] <= 0.0) {
            continue;
        }
        least.assign(static_cast<std::size_t>(sizes.most / sizes.step) + 1, 0);
        for (const Placement& placement : placements) {
            const Signal& signal = compiled.workloads[placement.workload].demand;
            const double* const values = month.values(signal);
            place(placement, signal.monthly[m] * (values == nullptr ? 1.0 : values[h]), sizes.step, least);
        }
        for (std::size_t d = 0; d < means.size(); ++d) {
            const int devices = least[d * static_cast<std::size_t>(sizes.unit / sizes.step)];
            means[d] += month.weights[h] / month.hours * std::ceil(static_cast<double>(devices) / sizes.instance);
        }
    }
    return means;
}

// The always-there pool that comes first in the routes of all workloads that may run on it. Empty if there is none.
std::optional<std::size_t> first_pool(const Compiled& compiled, const std::vector<Placement>& placements, const MonthPools& pools) {
    for (std::size_t p = 0; p < pools.most.size(); ++p) {
        const bool is_used = std::any_of(placements.begin(), placements.end(), [&](const Placement& placement) {
            return compiled.entries[compiled.workloads[placement.workload].first_entry].pool == p;
        });
        if (pools.most[p] && is_used && is_first_in_routes(compiled, p)) {
            return p;
        }
    }
    return std::nullopt;
}

// Instances needed, averaged over the month's hours, by the units of `pool` if no other pool is always there.
std::vector<double> mean_in_order(const Compiled& compiled, std::size_t m, const std::vector<Placement>& placements,
                                  std::size_t pool, int most, int instance) {
    const MonthView month = view_month(compiled, m);
    std::vector<double> means(static_cast<std::size_t>(most) + 1, 0.0);
    for (std::size_t h = 0; h < month.distinct; ++h) {
        const std::vector<double> demand = hour_demand(compiled, m, h);
        for (std::size_t units = 0; units < means.size() && month.weights[h] > 0.0; ++units) {
            const double devices_there = static_cast<double>(units) * compiled.pools[pool].devices_per_unit;
            const OrderedHour hour = serve_in_order(compiled, pool, m, demand, devices_there);
            int devices = 0;
            for (const Placement& placement : placements) {
                devices += burst_devices(placement, hour.left[placement.workload], 0);
            }
            means[units] += month.weights[h] / month.hours * std::ceil(static_cast<double>(devices) / instance);
        }
    }
    return means;
}

// Slope by which each device of other pools must lower the first pool's line so that the line stays below `means`.
double lifted(const UnitLine& line, const std::vector<double>& means, int unit, int first_unit, int most_first, int other_unit) {
    double steepest = 0.0;
    for (int units = 0; units <= most_first; ++units) {
        const double at_line = line.least + line.slope * units;
        const int first_devices = units * first_unit;
        for (int other = other_unit; (first_devices + other) / unit < static_cast<int>(means.size()); other += other_unit) {
            steepest = std::max(steepest, (at_line - means[static_cast<std::size_t>((first_devices + other) / unit)]) / other);
        }
    }
    return steepest;
}

void add_lines_in_order(const Compiled& compiled, std::size_t m, const std::vector<Placement>& placements, const MonthPools& pools,
                        const Sizes& sizes, const std::vector<double>& means, BurstCuts& cuts) {
    cuts.first = first_pool(compiled, placements, pools);
    if (!cuts.first) {
        return;
    }
    int other_unit = 0;
    for (std::size_t p = 0; p < pools.most.size(); ++p) {
        if (pools.most[p] && p != *cuts.first) {
            other_unit = std::gcd(other_unit, static_cast<int>(compiled.pools[p].devices_per_unit));
        }
    }
    const int most = *pools.most[*cuts.first];
    const int first_unit = static_cast<int>(compiled.pools[*cuts.first].devices_per_unit);
    for (const UnitLine& line : hull_of(mean_in_order(compiled, m, placements, *cuts.first, most, sizes.instance))) {
        const double lift = other_unit == 0 ? 0.0 : lifted(line, means, sizes.unit, first_unit, most, other_unit);
        cuts.lines.push_back({line.least, line.slope / first_unit, -lift});
    }
}

} // namespace

BurstCuts burst_cuts(const Compiled& compiled, std::size_t m, const MonthPools& pools) {
    BurstCuts cuts{{}, std::vector<double>(compiled.workloads.size(), 0.0)};
    std::vector<Placement> placements;
    for (std::size_t w = 0; w < compiled.workloads.size(); ++w) {
        if (compiled.workloads[w].kind == WorkloadKind::inference) {
            if (const auto placement = placement_of(compiled, w, m, pools)) {
                placements.push_back(*placement);
            }
        }
    }
    const Sizes sizes = sizes_of(compiled, placements, pools);
    if (placements.empty() || sizes.step == 0 || sizes.instance == 0) {
        return cuts;
    }
    const double places = static_cast<double>(sizes.most) / sizes.step + 1;
    if (places * places * static_cast<double>(placements.size() * view_month(compiled, m).distinct) > kMaxSteps) {
        return cuts;
    }
    const std::vector<double> means = mean_instances(compiled, m, placements, sizes);
    for (const UnitLine& line : hull_of(means)) {
        cuts.lines.push_back({line.least, line.slope / sizes.unit, line.slope / sizes.unit});
    }
    add_lines_in_order(compiled, m, placements, pools, sizes, means, cuts);
    for (const Placement& placement : placements) {
        const double instances = static_cast<double>(placement.held_burst) / sizes.instance; // per replica
        cuts.relief[placement.workload] = (instances + (instances + 1) / kForgivenReplica) / placement.burst;
    }
    return cuts;
}

} // namespace costcurve::model
