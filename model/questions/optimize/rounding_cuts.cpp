// Makes a cut for each hour and averages the cuts over a block.
#include "model/questions/optimize/rounding_cuts.hpp"

#include <algorithm>
#include <cmath>

#include "model/stop.hpp"

namespace costcurve::model {

namespace {

/// Smallest fractional part of a right-hand side that is worth a cut: ceilings forgive 1e-9 of a replica, and s / frac(b) would
/// grow huge.
constexpr double kMinFraction = 1e-3;

// Greatest units/s of a workload that a unit of the pool serves, or whose prompts it processes in a pair. 0 if it has no entry
// there.
double capacity(const Compiled& compiled, std::size_t w, std::size_t p, bool is_of_prompts) {
    const CompiledWorkload& workload = compiled.workloads[w];
    double most = 0.0;
    const std::size_t first = is_of_prompts ? workload.first_entry : workload.first_answer;
    for (std::size_t e = first; e < (is_of_prompts ? workload.first_answer : workload.end_entry); ++e) {
        const CompiledEntry& entry = compiled.entries[e];
        if (entry.pool == p && entry.usable_rate > 0.0) {
            most = std::max(most, entry.usable_rate / entry.held * compiled.pools[p].devices_per_unit);
        }
    }
    return most;
}

struct Covered {
    const BlockWorkload* work;
    double per_unit; ///< units of the reference pool per unit/s of demand
    bool is_of_prompts = false;
};

RoundingCut cut_of(const Compiled& compiled, const MonthColumns& columns, const BlockDemand& demand,
                   const std::vector<Covered>& covered) {
    std::vector<double> units(compiled.pools.size(), 0.0);
    for (const Covered& one : covered) {
        for (std::size_t p = 0; p < units.size(); ++p) {
            units[p] = std::max(units[p], one.per_unit * capacity(compiled, one.work->workload, p, one.is_of_prompts));
        }
    }
    std::vector<double> factors(units.size(), 0.0);
    double continuous = 1.0;
    RoundingCut cut;
    for (std::size_t i = 0; i < demand.members.size(); ++i) {
        double b = 0.0;
        for (const Covered& one : covered) {
            b += one.per_unit * one.work->hourly[i];
        }
        const double fraction = b - std::floor(b);
        const bool rounds = fraction >= kMinFraction;
        for (std::size_t p = 0; p < units.size(); ++p) {
            const double whole = std::floor(units[p] + 1e-12);
            const double factor = rounds ? whole + std::clamp((units[p] - whole) / fraction, 0.0, 1.0) : units[p];
            factors[p] = std::max(factors[p], factor);
        }
        continuous = std::max(continuous, rounds ? 1.0 / fraction : 1.0);
        cut.least += demand.weights[demand.members[i]] / demand.hours * (rounds ? std::ceil(b) : b);
    }
    for (std::size_t p = 0; p < units.size(); ++p) {
        if (columns.units[p] && factors[p] > 0.0) {
            cut.terms.push_back({*columns.units[p], factors[p]});
        }
    }
    for (const Covered& one : covered) {
        for (const LinearTerm& term : one.work->continuous) {
            cut.terms.push_back({term.column, continuous * one.per_unit * one.work->mean * term.factor});
        }
    }
    return cut;
}

} // namespace

std::vector<RoundingCut> rounding_cuts(const Compiled& compiled, const MonthColumns& columns, const BlockDemand& demand) {
    std::vector<RoundingCut> cuts;
    for (std::size_t p = 0; p < compiled.pools.size(); ++p) {
        stop_where_unwanted();
        if (!compiled.pools[p].follows_demand || !columns.units[p]) {
            continue;
        }
        std::vector<Covered> together;
        for (const BlockWorkload& work : demand.workloads) {
            if (const double read = capacity(compiled, work.workload, p, true); read > 0.0) {
                cuts.push_back(cut_of(compiled, columns, demand, {{&work, 1.0 / read, true}}));
            }
            if (const double served = capacity(compiled, work.workload, p, false); served > 0.0) {
                together.push_back({&work, 1.0 / served});
                cuts.push_back(cut_of(compiled, columns, demand, {together.back()}));
            }
        }
        if (together.size() > 1) {
            cuts.push_back(cut_of(compiled, columns, demand, together));
        }
    }
    return cuts;
}

} // namespace costcurve::model
