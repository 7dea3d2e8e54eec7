// The bound's rows for work: in each block of hours, demand is served by units or APIs, or left unserved.
#include <algorithm>
#include <cmath>
#include <numeric>

#include "model/assets.hpp"
#include "model/categories/seller_tiers.hpp"
#include "model/commitment.hpp"
#include "model/dispatch/dispatch.hpp"
#include "model/documents/units.hpp"
#include "model/performance/goodput.hpp"
#include "model/questions/optimize/relaxation.hpp"
#include "model/stop.hpp"

namespace costcurve::model {

namespace {

constexpr std::size_t kMinBlocks = 3; // in each month

// Lower bound on a replica's availability. If failures depend on server age, a month's mean depends on the plan, so the
// availability at the worst age is taken.
double least_up(const ScenarioDocument& document, const CompiledEntry& entry) {
    if (entry.aged_up.empty()) {
        return entry.replicas_up.up();
    }
    const Pool& pool = document.pools[entry.pool];
    double most = 0.0; // failures per hour
    for (int age = 0; age < pool.server->life_months; ++age) {
        most = std::max(most, failures_per_hour(*pool.server, age));
    }
    return interruptions_at(most, document.workloads[entry.workload], pool, entry.devices).up;
}

// Upper bound on a gang's rate in the month, reached if no server fails.
double greatest_rate(const CompiledEntry& entry, const CompiledPool& pool, std::size_t m) {
    const double goodput = entry.aged_rate.empty() || entry.goodput <= 0.0 ? 1.0 : entry.goodput;
    return entry.rate / goodput * learned(pool, m);
}

} // namespace

bool LinearBound::Relaxation::serves(std::size_t p, std::size_t m) const {
    const Pool& pool = document_.pools[p];
    return is_there(p, m) && static_cast<int>(m) >= (pool.kind == PoolKind::cloud ? pool.from_month : 0) + pool.ramp_months;
}

double LinearBound::Relaxation::usage_price(const CompiledEntry& entry, std::size_t m) const {
    return entry.price_per_unit[m] * least_volume_factor(compiled_, entry.pool) * bill_factor(entry.pool, m);
}

bool LinearBound::Relaxation::is_there(std::size_t p, std::size_t m) const {
    return document_.pools[p].kind != PoolKind::cloud || window_of(document_.pools[p], document_).holds(m);
}

void LinearBound::Relaxation::add_month(std::size_t m, std::size_t most_blocks) {
    const std::size_t pools = compiled_.pools.size();
    Month month{m, {}, std::vector<EnergyValues>(pools), {}, {}, {}, {}};
    month.columns.units.resize(pools);
    month.relieved.resize(compiled_.workloads.size());
    month.deferrable.resize(compiled_.workloads.size());
    for (std::size_t p = 0; p < pools; ++p) {
        const CompiledPool& pool = compiled_.pools[p];
        if (pool.metered) {
            month.energy[p] = energy_values(compiled_, document_.pools[p], p, m, goal_);
        }
        if (pool.kind == PoolKind::owned) {
            month.columns.units[p] = add_serving(p, m);
        } else if (pool.kind == PoolKind::cloud && serves(p, m) && !pool.follows_demand) {
            month.columns.units[p] = instances_[p].most;
        }
    }
    for (std::size_t s = 0; s < compiled_.sites.size(); ++s) {
        const CompiledBill& bill = compiled_.sites[s].bill;
        double per_kw = bill.per_kw[m]; // all-hours charges; charges in some hours, means and the minimum only add cost
        for (const CompiledCharge& charge : compiled_.sites[s].charges) {
            per_kw += charge.has_hours || charge.is_mean ? 0.0 : least_per_kw(charge.prices, m);
        }
        per_kw *= 1 + bill.fraction[m];
        if (per_kw > 0.0 && goal_ != Goal::carbon) {
            month.peak[s] = add_column({weight(m) * per_kw, 0.0, 0.0}, 0.0, HUGE_VAL);
        }
    }
    for (const HourBlock& block : block_hours(compiled_, m, std::max(kMinBlocks, most_blocks))) {
        add_block(block, month);
    }
    add_burst(month);
    for (std::size_t w = 0; w < compiled_.workloads.size(); ++w) {
        if (compiled_.workloads[w].is_deferrable()) {
            balance_month(w, m, std::move(month.deferrable[w]));
        }
    }
}

// Upper bound on the units of a pool that is always there, over all boxes of plans.
int LinearBound::Relaxation::max_units(std::size_t p) const {
    if (document_.pools[p].kind == PoolKind::owned) {
        double most = 0.0;
        for (const Purchased& purchased : purchased_[p]) {
            most += purchased.most;
        }
        return static_cast<int>(std::min(most, 1e6));
    }
    const Decision* const instances = decided(p, Lever::instances);
    return instances != nullptr ? instances->max : document_.pools[p].max_instances;
}

void LinearBound::Relaxation::add_burst(const Month& month) {
    const std::size_t pools = compiled_.pools.size();
    MonthPools there{std::vector<bool>(pools, false), std::vector<std::optional<int>>(pools)};
    for (std::size_t p = 0; p < pools; ++p) {
        there.follows[p] = compiled_.pools[p].follows_demand && month.columns.units[p];
        there.most[p] = !compiled_.pools[p].follows_demand && month.columns.units[p] ? std::optional(max_units(p)) : std::nullopt;
    }
    const BurstCuts cuts = burst_cuts(compiled_, month.m, there);
    for (const BurstLine& line : cuts.lines) {
        std::vector<LinearTerm> terms = month.burst;
        for (std::size_t p = 0; p < pools; ++p) {
            if (there.most[p]) {
                const double slope = cuts.first == p ? line.first_slope : line.slope;
                terms.push_back({*month.columns.units[p], -slope * compiled_.pools[p].devices_per_unit});
            }
        }
        for (std::size_t w = 0; w < cuts.relief.size(); ++w) {
            for (const LinearTerm& term : month.relieved[w]) {
                terms.push_back({term.column, cuts.relief[w] * term.factor});
            }
        }
        program_.add_row(line.least, HUGE_VAL, terms);
    }
}

// Balances a month's work: the previous backlog plus the month's own work is done, carried over or left unserved. In shares of the
// work of all months.
void LinearBound::Relaxation::balance_month(std::size_t w, std::size_t m, std::vector<LinearTerm> done) {
    const CompiledWorkload& workload = compiled_.workloads[w];
    const double work = workload.carries_over ? std::accumulate(workload.work.begin(), workload.work.end(), 0.0) : workload.work[m];
    if (work <= 0.0) {
        return;
    }
    std::for_each(done.begin(), done.end(), [work](LinearTerm& term) { term.factor /= work; });
    if (carried_[w]) {
        done.push_back({*carried_[w], -1.0});
    }
    const bool carries = workload.carries_over && m + 1 < compiled_.months;
    const std::size_t left = carries ? add_column({}, 0.0, 1.0) : add_unserved(w, m, work);
    carried_[w] = carries ? std::optional(left) : std::nullopt;
    done.push_back({left, 1.0});
    program_.add_row(workload.work[m] / work, workload.work[m] / work, done);
}

// Adds a column for the pool's servers that serve in the month.
std::size_t LinearBound::Relaxation::add_serving(std::size_t p, std::size_t m) {
    const std::size_t column = add_column({}, 0.0, HUGE_VAL);
    std::vector<LinearTerm> terms = {{column, -1.0}};
    for (const Purchased& purchased : purchased_[p]) {
        for (const Option& option : purchased.options) {
            if (option.server.active[m] > 0.0) {
                terms.push_back({option.column, option.server.active[m]});
            }
        }
    }
    program_.add_row(0.0, 0.0, terms);
    return column;
}

void LinearBound::Relaxation::add_block(const HourBlock& block, Month& month) {
    stop_where_unwanted();
    std::vector<Load> loads(compiled_.pools.size());
    for (std::size_t p = 0; p < loads.size(); ++p) {
        if (compiled_.pools[p].follows_demand && serves(p, month.m)) {
            month.columns.units[p] = add_running(p, block, month);
            month.burst.push_back({*month.columns.units[p], block.hours / view_month(compiled_, month.m).hours});
        }
        loads[p].busy_hour = least_hour(p, block, month, &HourlyEnergy::busy);
    }
    BlockDemand demand{{}, block.members, view_month(compiled_, month.m).weights, block.hours};
    for (std::size_t w = 0; w < compiled_.workloads.size(); ++w) {
        if (compiled_.workloads[w].is_deferrable()) {
            add_deferrable(w, block, month, loads);
        } else if (BlockWorkload work = add_inference(w, block, month, loads); work.mean > 0.0) {
            for (const LinearTerm& term : work.continuous) {
                const double hours = block.hours / view_month(compiled_, month.m).hours;
                month.relieved[w].push_back({term.column, hours * work.mean * term.factor});
            }
            demand.workloads.push_back(std::move(work));
        }
    }
    for (std::size_t p = 0; p < loads.size(); ++p) {
        hold(p, block, month, std::move(loads[p].taken));
    }
    for (const auto& [s, column] : month.peak) {
        add_peak(s, column, block, month, loads);
    }
    for (const RoundingCut& cut : rounding_cuts(compiled_, month.columns, demand)) {
        program_.add_row(cut.least, HUGE_VAL, cut.terms);
    }
}

// Lower bound on an hourly measure over the hours of a block.
Measures LinearBound::Relaxation::least_hour(std::size_t p, const HourBlock& block, const Month& month,
                                             Measures HourlyEnergy::*of) const {
    Measures found;
    for (std::size_t i = 0; compiled_.pools[p].metered && i < block.members.size(); ++i) {
        const Measures hour = least_energy(lines_[p], month.energy[p].value[block.members[i]]).*of;
        found = i == 0 ? hour : least(found, hour);
    }
    return found;
}

// Adds a column for the running instances of a demand-following pool.
std::size_t LinearBound::Relaxation::add_running(std::size_t p, const HourBlock& block, const Month& month) {
    Measures hour = least_hour(p, block, month, &HourlyEnergy::unit);
    hour.goal += weight(month.m) * hourly_price(p, month.m);
    const Decision* const most = decided(p, Lever::max_instances);
    const std::size_t column = add_column(block.hours * compiled_.pools[p].there * hour, 0.0,
                                          most != nullptr ? most->max : document_.pools[p].max_instances);
    program_.add_row(0.0, HUGE_VAL, std::vector<LinearTerm>{{column, 1.0}, {instances_[p].least, -1.0}});
    return column;
}

// Adds columns for a deferrable workload: running gangs for each entry, or units/s for an API.
void LinearBound::Relaxation::add_deferrable(std::size_t w, const HourBlock& block, Month& month, std::vector<Load>& loads) {
    for (std::size_t e = compiled_.workloads[w].first_entry; e < compiled_.workloads[w].end_entry; ++e) {
        const CompiledEntry& entry = compiled_.entries[e];
        const CompiledPool& pool = compiled_.pools[entry.pool];
        Load& load = loads[entry.pool];
        if (pool.kind == PoolKind::api) {
            const double units = kSecondsPerHour * block.hours;
            const double price = usage_price(entry, month.m);
            const std::size_t column = add_column({weight(month.m) * price * units, 0.0, 0.0}, 0.0, HUGE_VAL);
            load.taken.push_back({column, 1.0});
            month.deferrable[w].push_back({column, units});
            continue;
        }
        if (!month.columns.units[entry.pool] || entry.rate <= 0.0) {
            continue;
        }
        const double hours = pool.there * block.hours;
        const double units = greatest_rate(entry, pool, month.m) * kSecondsPerHour * hours;
        Measures measures = hours * entry.devices * load.busy_hour;
        measures.goal += weight(month.m) * egress_price(e, month.m) * units;
        const std::size_t column = add_column(measures, 0.0, HUGE_VAL);
        load.busy.push_back({column, pool.there * entry.devices});
        load.taken.push_back({column, pool.kind == PoolKind::cloud ? entry.instances * pool.devices_per_unit : entry.held});
        month.deferrable[w].push_back({column, units});
    }
}

namespace {

// Units/s that a held device serves; for an API, the workload's whole mean demand.
double units_per_device(const CompiledEntry& entry, bool is_api, double learned_part, double mean) {
    return is_api ? mean : entry.usable_rate * learned_part / entry.held;
}

// Adds an entry's share to the balance. Decode entries do the work; in a pair they can't serve more than the prefill entries do.
void add_part(LinearTerm part, bool is_pair, bool is_prefill, std::vector<LinearTerm>& balance, std::vector<LinearTerm>& read) {
    if (!is_prefill) {
        balance.push_back(part);
    }
    if (is_pair) {
        read.push_back({part.column, is_prefill ? part.factor : -part.factor});
    }
}

} // namespace

// Adds an inference workload's columns: devices held by each entry (for an API, its share of the demand), and unserved work. A
// replica's energy, egress and usage count only for its least availability, since outages stop work on replicas that are held.
BlockWorkload LinearBound::Relaxation::add_inference(std::size_t w, const HourBlock& block, const Month& month,
                                                     std::vector<Load>& loads) {
    BlockWorkload work = demand_of(w, month.m, block);
    if (work.mean <= 0.0) {
        return work;
    }
    std::vector<LinearTerm> balance;
    std::vector<LinearTerm> read; // for a pair: prefill capacity less decode capacity
    double unread = 1.0;          // for a pair: availability of a prefill replica
    const bool is_pair = compiled_.workloads[w].is_pair;
    for (std::size_t e = compiled_.workloads[w].first_entry; e < compiled_.workloads[w].end_entry; ++e) {
        const CompiledEntry& entry = compiled_.entries[e];
        const bool is_api = compiled_.pools[entry.pool].kind == PoolKind::api;
        if (!is_api && (!month.columns.units[entry.pool] || entry.usable_rate <= 0.0)) {
            continue;
        }
        Load& load = loads[entry.pool];
        const double learned_part = learned(compiled_.pools[entry.pool], month.m);
        const double units_per_s = units_per_device(entry, is_api, learned_part, work.mean);
        const bool is_prefill = e < compiled_.workloads[w].first_answer;
        const double up = least_up(document_, entry) * compiled_.pools[entry.pool].there * unread;
        unread = is_prefill ? up : unread;
        const double busy = is_api ? 0.0 : up * entry.usable_rate / entry.rate * entry.devices / entry.held;
        const double bill = is_api ? usage_price(entry, month.m) : 0.0;
        const double price = up * (egress_price(e, month.m) + bill);
        Measures measures = block.hours * busy * load.busy_hour;
        measures.goal += weight(month.m) * price * units_per_s * kSecondsPerHour * block.hours;
        const std::size_t column = add_column(measures, 0.0, is_api ? 1.0 : HUGE_VAL);
        add_part({column, units_per_s / work.mean}, is_pair, is_prefill, balance, read);
        load.taken.push_back({column, is_api ? units_per_s : 1.0});
        if (is_api) {
            work.continuous.push_back({column, 1.0});
        } else {
            load.busy.push_back({column, busy});
        }
    }
    const std::size_t unserved = add_unserved(w, month.m, work.mean * kSecondsPerHour * block.hours);
    balance.push_back({unserved, 1.0});
    work.continuous.push_back({unserved, 1.0});
    program_.add_row(1.0, 1.0, balance);
    if (is_pair) {
        program_.add_row(0.0, HUGE_VAL, read);
    }
    return work;
}

BlockWorkload LinearBound::Relaxation::demand_of(std::size_t w, std::size_t m, const HourBlock& block) const {
    const MonthView month = view_month(compiled_, m);
    const Signal& signal = compiled_.workloads[w].demand;
    const double* const values = month.values(signal);
    BlockWorkload work{w, 0.0, {}, {}};
    work.hourly.reserve(block.members.size());
    for (const std::uint32_t h : block.members) {
        work.hourly.push_back(signal.monthly[m] * (values == nullptr ? 1.0 : values[h]));
        work.mean += month.weights[h] * work.hourly.back() / block.hours;
    }
    return work;
}

// Adds a column for the unserved share of `units`.
std::size_t LinearBound::Relaxation::add_unserved(std::size_t w, std::size_t m, double units) {
    const std::size_t column = add_column({weight(m) * compiled_.workloads[w].unserved_cost_per_unit * units, 0.0, 0.0}, 0.0, 1.0);
    unserved_[w].terms.push_back({column, units});
    unserved_[w].demanded += units;
    return column;
}

// Adds rows that limit the load of a pool to its capacity.
void LinearBound::Relaxation::hold(std::size_t p, const HourBlock& block, const Month& month, std::vector<LinearTerm> taken) {
    const CompiledPool& pool = compiled_.pools[p];
    if (pool.units_per_s_of_unit > 0.0 && !taken.empty()) {
        taken.push_back({instances_[p].most, -pool.units_per_s_of_unit});
        program_.add_row(-HUGE_VAL, 0.0, taken);
        return;
    }
    if (taken.empty() || (pool.kind == PoolKind::api && !std::isfinite(pool.max_units_per_s[month.m]))) {
        return;
    }
    if (pool.kind == PoolKind::api) {
        program_.add_row(-HUGE_VAL, pool.max_units_per_s[month.m], taken);
        return;
    }
    if (pool.follows_demand) {
        std::vector<LinearTerm> at_most = taken;
        at_most.push_back({instances_[p].most, -pool.devices_per_unit});
        program_.add_row(-HUGE_VAL, 0.0, at_most);
    }
    taken.push_back({*month.columns.units[p], -pool.devices_per_unit * part_there(p, block, month.m)});
    program_.add_row(-HUGE_VAL, 0.0, taken);
}

// Fraction of a block's hours in which a pool rented by days is there.
double LinearBound::Relaxation::part_there(std::size_t p, const HourBlock& block, std::size_t m) const {
    const MonthView month = view_month(compiled_, m);
    const double* const window = month.values(compiled_.pools[p].window);
    double hours = 0.0;
    for (const std::uint32_t h : block.members) {
        hours += month.weights[h] * (window == nullptr ? 0.0 : window[h]);
    }
    return window == nullptr ? 1.0 : hours / block.hours;
}

// Adds a row: a site's peak in the month is at least the mean power of each block. Servers in their ramp are left out.
void LinearBound::Relaxation::add_peak(std::size_t s, std::size_t column, const HourBlock& block, const Month& month,
                                       const std::vector<Load>& loads) {
    std::vector<LinearTerm> terms = {{column, 1.0}};
    for (const std::size_t p : compiled_.sites[s].pools) {
        double pue = HUGE_VAL;
        for (const std::uint32_t h : block.members) {
            pue = std::min(pue, month.energy[p].pue[h]);
        }
        terms.push_back({*month.columns.units[p], -lines_[p].idle_w * pue / 1000});
        for (const LinearTerm& term : loads[p].busy) {
            terms.push_back({term.column, -term.factor * lines_[p].busy_w * pue / 1000});
        }
    }
    program_.add_row(0.0, HUGE_VAL, terms);
}

} // namespace costcurve::model
