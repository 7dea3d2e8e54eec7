// Compiles pools, workloads and entries: every power, curve read and schedule happens here, once.
#include "model/compile.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "model/assets.hpp"
#include "model/calendar.hpp"
#include "model/finance.hpp"
#include "model/goodput.hpp"
#include "model/performance.hpp"

namespace costcurve::model {

namespace {

constexpr double kSecondsPerHour = 3600;

std::size_t index(Category category) { return static_cast<std::size_t>(category); }
std::size_t direct_index(Category category) {
    return static_cast<std::size_t>(std::find(kDirect.begin(), kDirect.end(), category) - kDirect.begin());
}

// The months of a horizon, and the hourly curves found while its documents are compiled.
class Sampler {
public:
    explicit Sampler(const ScenarioDocument& scenario) : months_(static_cast<std::size_t>(scenario.months)) {
        for (int m = 0; m < scenario.months; ++m) {
            const YearMonth month = add_months(scenario.start, m);
            first_days_.push_back(days_since_epoch(month.year, month.month, 1));
        }
    }

    /// The rate in each month, times `scale` and compound growth by year. A date curve is read at the first day.
    [[nodiscard]] std::vector<double> monthly(const Rate& rate, double growth_per_year = 0.0, double scale = 1.0) const {
        std::vector<double> values(months_);
        for (std::size_t m = 0; m < months_; ++m) {
            const double value = rate.curve ? read(*rate.curve, first_days_[m]) : rate.number;
            values[m] = value * growth_factor(growth_per_year, static_cast<double>(m)) * scale;
        }
        return values;
    }

    /// The rate as a signal; periodic curves join the hour table.
    Signal signal(const Rate& rate, const std::string& zone, double growth_per_year = 0.0) {
        if (!rate.curve || period_of(rate.curve->axis) == 0) {
            return {Signal::kFlat, monthly(rate, growth_per_year)};
        }
        HourlyCurve curve{rate.curve->axis, sample_period(*rate.curve), zone};
        const auto same = [&](const HourlyCurve& other) {
            return other.axis == curve.axis && other.time_zone == zone && other.values == curve.values;
        };
        const auto found = std::find_if(curves.begin(), curves.end(), same);
        const auto at = static_cast<int>(found - curves.begin());
        if (found == curves.end()) {
            curves.push_back(std::move(curve));
        }
        return {at, monthly({1.0, std::nullopt}, growth_per_year)};
    }

    std::vector<HourlyCurve> curves;

private:
    std::size_t months_;
    std::vector<double> first_days_;
};

void compile_site(const Site& site, Sampler& sampler, CompiledPool& pool) {
    pool.metered = true;
    pool.energy_price = sampler.signal(site.energy_price, site.time_zone, site.energy_price_growth_rate);
    pool.carbon_g_per_kwh = sampler.signal(site.carbon_g_per_kwh, site.time_zone);
    pool.demand_charge_per_kw = site.demand_charge_per_kw_month;
    if (site.pue.curve && site.pue.curve->axis == Axis::load) {
        pool.pue_by_load = piecewise_linear(*site.pue.curve);
        pool.pue = sampler.signal({1.0, std::nullopt}, site.time_zone);
    } else {
        pool.pue = sampler.signal(site.pue, site.time_zone);
    }
}

CompiledPool compile_cloud(const Pool& pool, std::size_t months, Sampler& sampler) {
    const Offer& offer = *pool.offer;
    CompiledPool compiled;
    compiled.follows_demand = offer.purchase == Purchase::on_demand || offer.purchase == Purchase::spot;
    compiled.costs_by_hour = compiled.follows_demand;
    compiled.devices_per_unit = offer.devices;
    compiled.units_paid.assign(months, pool.min_instances);
    compiled.units_serving.assign(months, pool.max_instances);
    std::fill_n(compiled.units_serving.begin(), std::min(months, static_cast<std::size_t>(pool.ramp_months)), 0.0);
    compiled.hourly_price = sampler.monthly(offer.hourly_price, offer.price_growth_rate);
    compiled.power.device = device_power(offer.device);
    compiled.power.nameplate_w = offer.devices * offer.device.tdp_w;
    if (offer.site) {
        compile_site(*offer.site, sampler, compiled);
    }
    return compiled;
}

CompiledPool compile_owned(const Pool& pool, const OwnedSchedule& schedule, Sampler& sampler) {
    const Server& server = *pool.server;
    CompiledPool compiled;
    compiled.kind = PoolKind::owned;
    compiled.devices_per_unit = server.devices;
    compiled.units_paid = schedule.servers_in_service;
    compiled.units_serving = schedule.servers_active;
    compiled.embodied_kg = schedule.embodied_kg;
    compiled.power = {device_power(server.device), server.host_idle_w, server.host_max_w, server_nameplate_w(server),
                      pool.load_balancing == LoadBalancing::pack};
    compile_site(*pool.site, sampler, compiled);
    if (const double per_rack = servers_per_rack(server, *pool.site); per_rack > 0) {
        for (const double servers : schedule.servers_in_service) {
            compiled.racks.push_back(std::ceil(servers / per_rack));
        }
    }
    return compiled;
}

// Price of a unit of this workload, from prices a million units.
std::vector<double> unit_prices(const Pool& pool, const UnitsPerRequest& units, const Sampler& sampler) {
    const UnitPrice& price = pool.price_per_million_units;
    if (!price.split) {
        return sampler.monthly(price.total, 0.0, 1e-6);
    }
    const double total = units.input + units.output;
    std::vector<double> prices = sampler.monthly(price.input, 0.0, units.input / total * 1e-6);
    const std::vector<double> output = sampler.monthly(price.output, 0.0, units.output / total * 1e-6);
    for (std::size_t m = 0; m < prices.size(); ++m) {
        prices[m] += output[m];
    }
    return prices;
}

double interruptions_per_hour(const Pool& pool) {
    return pool.offer ? pool.offer->interruptions_per_hour : pool.server->failures_per_hour;
}

double goodput(const Workload& workload, const Pool& pool, double devices) {
    const double units_hit = std::ceil(devices / devices_per_unit(pool));
    const EventsPerHour rate{interruptions_per_hour(pool) * units_hit};
    const auto hours = [](double seconds) { return Hours{seconds / kSecondsPerHour}; };
    const Checkpoint& checkpoint = workload.checkpoint;
    if (workload.kind == WorkloadKind::inference) {
        return inference_goodput(rate, hours(checkpoint.restart_s));
    }
    CheckpointTimes times{hours(checkpoint.write_s), hours(checkpoint.restart_s), std::nullopt};
    if (checkpoint.interval_s) {
        times.interval = hours(*checkpoint.interval_s);
    }
    return training_goodput(rate, times);
}

// What one unit costs at the margin: energy above idle for owned devices, the instance-hour for rented ones.
void compile_marginal(const Pool& pool, const CompiledPool& compiled_pool, CompiledEntry& entry) {
    const double units_per_hour = entry.rate * kSecondsPerHour;
    if (pool.kind == PoolKind::api) {
        entry.marginal_price = entry.price_per_unit;
    } else if (compiled_pool.costs_by_hour && units_per_hour > 0) {
        for (const double price : compiled_pool.hourly_price) {
            entry.marginal_price.push_back(price * entry.devices / compiled_pool.devices_per_unit / units_per_hour);
        }
    } else if (pool.kind == PoolKind::owned && units_per_hour > 0) {
        const PowerDraw& power = compiled_pool.power;
        const double watts = entry.devices * (power.device.at_one - power.device.at_zero) +
                             entry.devices / compiled_pool.devices_per_unit * (power.host_max_w - power.host_idle_w);
        entry.marginal_kwh = watts / 1000 / units_per_hour;
        entry.pue_at_full_load = compiled_pool.pue_by_load ? compiled_pool.pue_by_load->at_one : 1.0;
    }
}

CompiledEntry compile_entry(const Workload& workload, const RunsOn& runs_on, const Pool& pool, const CompiledPool& compiled_pool,
                            const Sampler& sampler) {
    CompiledEntry entry;
    if (pool.kind == PoolKind::api) {
        entry.price_per_unit = unit_prices(pool, workload.units_per_request, sampler);
    } else {
        const Performance& performance = *runs_on.performance;
        const BatchChoice choice = choose_batch(performance, workload.latency_objective_s);
        const ReplicaRate rate = replica_rate(performance, *device_of(pool), workload.precision, choice.batch);
        entry.devices = performance.devices;
        entry.goodput = goodput(workload, pool, entry.devices);
        entry.rate = rate.units_per_s * entry.goodput;
        entry.usable_rate = entry.rate * workload.peak_utilization;
        entry.evidence = rate.evidence;
        entry.batch = rate.batch;
        const double per_instance = devices_per_unit(pool);
        entry.instances = entry.devices <= per_instance ? 1.0 / std::floor(per_instance / entry.devices)
                                                        : std::ceil(entry.devices / per_instance);
    }
    if (pool.offer) {
        entry.egress_per_unit = workload.egress_gb_per_unit * pool.offer->egress_per_gb;
    }
    compile_marginal(pool, compiled_pool, entry);
    return entry;
}

// Demand in units/s; its growth is by month, not by year.
Signal compile_demand(const Workload& workload, Sampler& sampler) {
    const Demand& demand = workload.demand;
    const UnitsPerRequest& units = workload.units_per_request;
    const double units_per_request = units.split ? units.input + units.output : units.total;
    const Rate flat{1.0, std::nullopt};
    Signal signal = demand.utilization ? sampler.signal(*demand.utilization, demand.time_zone)
                                       : sampler.signal(demand.shape.value_or(flat), demand.time_zone);
    const double level =
        demand.utilization ? *demand.reference_devices * *demand.units_per_s_per_device : *demand.mean_per_s * units_per_request;
    for (std::size_t m = 0; m < signal.monthly.size(); ++m) {
        signal.monthly[m] *= level * std::pow(1 + demand.growth_per_month, static_cast<double>(m));
    }
    return signal;
}

// Costs that come whatever the load, into the ledger they start from.
class FixedCosts {
public:
    FixedCosts(const Scenario& scenario, Compiled& compiled) : scenario_(scenario.document()), compiled_(compiled) {}

    void add_commitment(std::size_t p, const Pool& pool) {
        const Offer& offer = *pool.offer;
        if (offer.upfront == 0) {
            return;
        }
        const std::size_t months = compiled_.months;
        const auto term = static_cast<std::size_t>(offer.term_months.value_or(1));
        const double upfront = offer.upfront * pool.max_instances;
        for (std::size_t m = 0; m < months; ++m) {
            compiled_.fixed.cost(m, p, index(Category::commitment)) += upfront / static_cast<double>(term);
            if (m % term == 0) {
                pay(m, p, Category::commitment, upfront, 0.0);
            }
        }
        const std::size_t unspent = (term - months % term) % term;
        pay(months - 1, p, Category::commitment, 0.0, -upfront * static_cast<double>(unspent) / static_cast<double>(term));
    }

    void add_owned(std::size_t p, const Pool& pool, const OwnedSchedule& schedule) {
        const Server& server = *pool.server;
        const Site& site = *pool.site;
        const std::vector<double>& racks = compiled_.pools[p].racks;
        for (std::size_t m = 0; m < compiled_.months; ++m) {
            const double servers = schedule.servers_in_service[m];
            add_capital(m, p, Category::hardware, schedule.hardware);
            add_capital(m, p, Category::facility, schedule.facility);
            const double space = site.space_per_kw_month * servers * server_nameplate_w(server) / 1000 +
                                 (racks.empty() ? 0.0 : site.space_per_rack_month * racks[m]);
            bear(m, p, Category::facility, space);
            bear(m, p, Category::maintenance, schedule.price_in_service[m] * server.maintenance_rate / 12);
            bear(m, p, Category::software, servers * server.devices * server.software_per_device_year / 12);
            bear(m, p, Category::staff, (site.fte + site.fte_per_server * servers) * site.salary_per_year / 12);
            bear(m, p, Category::network, site.network_per_month);
            bear(m, p, Category::storage, site.storage_per_month);
            const double start = schedule.hardware.cash_start[m] + schedule.facility.cash_start[m];
            const double end = schedule.hardware.cash_end[m] + schedule.facility.cash_end[m];
            compiled_.npv_capital += start * compiled_.discount[m] + end * compiled_.discount[m + 1];
            compiled_.npv_tax_credit += schedule.tax_credit[m] * compiled_.discount[m + 1];
        }
    }

    void add_engineering(std::size_t p, std::size_t w, const Porting& porting) {
        const double cost = porting.engineer_weeks * scenario_.finance.engineer_week_cost;
        for (std::size_t m = 0; m < compiled_.months; ++m) {
            const double monthly = cost / static_cast<double>(compiled_.months);
            compiled_.fixed.cost(m, p, index(Category::engineering)) += monthly;
            compiled_.fixed.direct(m, p, w, direct_index(Category::engineering)) += monthly;
        }
        compiled_.fixed.cash(0, p, index(Category::engineering)) += cost;
    }

private:
    // Cost and cash alike, at month end.
    void bear(std::size_t m, std::size_t p, Category category, double amount) {
        compiled_.fixed.cost(m, p, index(category)) += amount;
        pay(m, p, category, 0.0, amount);
    }
    void pay(std::size_t m, std::size_t p, Category category, double start, double end) {
        compiled_.fixed.cash(m, p, index(category)) += start + end;
        compiled_.fixed.cash_start(m, p) += start;
        compiled_.fixed.cash_end(m, p) += end;
    }
    void add_capital(std::size_t m, std::size_t p, Category category, const CapitalFlow& flow) {
        compiled_.fixed.cost(m, p, index(category)) += flow.cost[m];
        pay(m, p, category, flow.cash_start[m], flow.cash_end[m]);
    }

    const ScenarioDocument& scenario_;
    Compiled& compiled_;
};

// Hours of each set by ascending value of the curves that order training on owned pools.
std::vector<std::vector<std::vector<std::uint32_t>>> order_hours(const Compiled& compiled) {
    std::vector<std::vector<std::vector<std::uint32_t>>> ordered;
    for (const CompiledEntry& entry : compiled.entries) {
        const CompiledPool& pool = compiled.pools[entry.pool];
        const int curve = pool.energy_price.curve;
        const bool training = compiled.workloads[entry.workload].kind == WorkloadKind::training;
        if (!training || pool.kind != PoolKind::owned || curve == Signal::kFlat) {
            continue;
        }
        ordered.resize(std::max(ordered.size(), static_cast<std::size_t>(curve) + 1));
        auto& sets = ordered[static_cast<std::size_t>(curve)];
        if (!sets.empty()) {
            continue;
        }
        for (std::size_t set = 0; set < compiled.hours.sets.size(); ++set) {
            const double* const values = compiled.hours.values_of(set, static_cast<std::size_t>(curve));
            auto& hours = sets.emplace_back(compiled.hours.sets[set].distinct);
            std::iota(hours.begin(), hours.end(), 0U);
            std::stable_sort(hours.begin(), hours.end(), [&](std::uint32_t a, std::uint32_t b) { return values[a] < values[b]; });
        }
    }
    return ordered;
}

} // namespace

Compiled compile(const Scenario& scenario) { return compile(scenario, {}); }

Compiled compile(const Scenario& scenario, HourTable&& hours) {
    const ScenarioDocument& document = scenario.document();
    Sampler sampler(document);
    Compiled compiled;
    compiled.months = static_cast<std::size_t>(document.months);
    compiled.carbon_price_per_kg = document.finance.carbon_price_per_tonne / 1000;
    compiled.tax_rate = document.finance.tax_rate;
    for (std::size_t m = 0; m <= compiled.months; ++m) {
        compiled.discount.push_back(discount_factor(document.finance.discount_rate, static_cast<double>(m)));
    }
    std::vector<OwnedSchedule> schedules(document.pools.size());
    for (std::size_t p = 0; p < document.pools.size(); ++p) {
        const Pool& pool = document.pools[p];
        if (pool.kind == PoolKind::cloud) {
            compiled.pools.push_back(compile_cloud(pool, compiled.months, sampler));
        }
        if (pool.kind == PoolKind::owned) {
            schedules[p] = schedule_owned(pool, document.finance, document.months);
            compiled.pools.push_back(compile_owned(pool, schedules[p], sampler));
        }
        if (pool.kind == PoolKind::api) {
            CompiledPool& api = compiled.pools.emplace_back();
            api.kind = PoolKind::api;
            api.max_units_per_s.assign(compiled.months, pool.max_units_per_s.value_or(HUGE_VAL));
        }
    }
    for (std::size_t w = 0; w < document.workloads.size(); ++w) {
        const Workload& workload = document.workloads[w];
        CompiledWorkload& target = compiled.workloads.emplace_back();
        target.kind = workload.kind;
        target.cheapest = workload.routing == Routing::cheapest;
        target.unserved_cost_per_unit = workload.unserved_cost_per_unit;
        target.first_entry = compiled.entries.size();
        for (const RunsOn& runs_on : workload.runs_on) {
            const std::size_t p = scenario.pool_index(runs_on.pool);
            CompiledEntry& entry =
                compiled.entries.emplace_back(compile_entry(workload, runs_on, document.pools[p], compiled.pools[p], sampler));
            entry.workload = w;
            entry.pool = p;
            compiled.pools[p].trains = compiled.pools[p].trains || workload.kind == WorkloadKind::training;
        }
        target.end_entry = compiled.entries.size();
        if (workload.kind == WorkloadKind::inference) {
            target.demand = compile_demand(workload, sampler);
        } else {
            target.work = sampler.monthly(workload.epochs_per_month, 0.0, workload.units_per_epoch);
        }
    }
    compiled.hours =
        group_hours({document.start, document.months, document.time_zone, std::move(sampler.curves)}, std::move(hours));
    compiled.ascending_hours = order_hours(compiled);
    compiled.fixed = Ledger(compiled.months, document.pools.size(), document.workloads.size(), compiled.entries.size());
    FixedCosts fixed(scenario, compiled);
    for (std::size_t p = 0; p < document.pools.size(); ++p) {
        if (document.pools[p].kind == PoolKind::cloud) {
            fixed.add_commitment(p, document.pools[p]);
        }
        if (document.pools[p].kind == PoolKind::owned) {
            fixed.add_owned(p, document.pools[p], schedules[p]);
        }
    }
    for (std::size_t w = 0; w < document.workloads.size(); ++w) {
        for (const RunsOn& runs_on : document.workloads[w].runs_on) {
            fixed.add_engineering(scenario.pool_index(runs_on.pool), w, runs_on.porting);
        }
    }
    return compiled;
}

} // namespace costcurve::model
