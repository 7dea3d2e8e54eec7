// Compiles pools, workloads and entries: every power, curve read and schedule happens here, once.
#include "model/compile.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <iterator>
#include <numeric>

#include "model/assets.hpp"
#include "model/categories/day_terms.hpp"
#include "model/categories/exchange.hpp"
#include "model/categories/fixed_costs.hpp"
#include "model/categories/seller_tiers.hpp"
#include "model/categories/spend_commitments.hpp"
#include "model/commitment.hpp"
#include "model/compile_work.hpp"
#include "model/dispatch/starts.hpp"
#include "model/documents/calendar.hpp"
#include "model/finance.hpp"
#include "model/hosted/provisioned.hpp"
#include "model/performance/goodput.hpp"
#include "model/sampler.hpp"
#include "model/sites.hpp"

namespace costcurve::model {

namespace {

void compile_site(const Site& site, Sampler& sampler, CompiledPool& pool) {
    pool.metered = true;
    pool.known = {true, site.carbon_g_per_kwh.has_value(), site.water_l_per_kwh.has_value()};
    pool.energy_price = sampler.signal(site.energy_price, site.time_zone, site.energy_price_growth_rate);
    pool.carbon_g_per_kwh = sampler.signal(site.carbon_g_per_kwh.value_or(Rate{}), site.time_zone);
    const auto index = [&](const std::optional<Curve>& curve, Signal& signal) {
        if (curve) {
            const std::vector<double> factors = sampler.monthly({0.0, curve});
            std::transform(factors.begin(), factors.end(), signal.monthly.begin(), signal.monthly.begin(), std::multiplies<>());
        }
    };
    index(site.energy_price_index, pool.energy_price);
    exchange_by_month(site.stored.exchange_index, pool.energy_price.monthly);
    index(site.carbon_index, pool.carbon_g_per_kwh);
    pool.water_l_per_kwh = site.water_l_per_kwh.value_or(0.0);
    if (site.pue.curve && site.pue.curve->axis == Axis::load) {
        pool.pue_by_load = piecewise_linear(*site.pue.curve);
        pool.pue = sampler.signal({1.0, std::nullopt}, site.time_zone);
    } else {
        pool.pue = sampler.signal(site.pue, site.time_zone);
    }
}

// Power draw of a device. Without inference it either computes or waits, so its mean power is linear in utilization.
PowerDraw device_draw(const Device& device, bool serves) {
    PowerDraw power;
    power.ramp_w = idle_power(device);
    power.gang_w = full_power(device);
    power.device = serves ? serving_power(device) : straight_line(power.ramp_w, power.gang_w);
    return power;
}

CompiledPool compile_cloud(const ScenarioDocument& document, const Pool& pool, bool serves, Sampler& sampler) {
    const Offer& offer = *pool.offer;
    CompiledPool compiled;
    compiled.serves = serves;
    compiled.follows_demand = offer.purchase == Purchase::on_demand || offer.purchase == Purchase::spot;
    compiled.costs_by_hour = compiled.follows_demand;
    compiled.devices_per_unit = offer.devices;
    compiled.there = availability_of(offer);
    compiled.hourly_price = sampler.monthly(offer.hourly_price, offer.price_growth_rate, 1 - pool.discount_fraction);
    if (const std::optional<Span> days = window_within_months(pool, document)) {
        compiled.window = sampler.window(days->from, days->to, document.time_zone);
    }
    exchange_by_month(offer.stored.exchange_index, compiled.hourly_price);
    const double host_max_w = offer.host_max_w.value_or(offer.host_idle_w.value_or(0.0));
    compiled.power = device_draw(offer.device, serves);
    compiled.power.host_idle_w = offer.host_idle_w.value_or(0.0);
    compiled.power.host_max_w = host_max_w;
    compiled.power.nameplate_w = host_max_w + offer.devices * offer.device.tdp_w;
    if (offer.site) {
        compile_site(*offer.site, sampler, compiled);
    }
    return compiled;
}

CompiledPool compile_owned(const Pool& pool, bool serves, Sampler& sampler) {
    const Server& server = *pool.server;
    CompiledPool compiled;
    compiled.kind = PoolKind::owned;
    compiled.serves = serves;
    compiled.devices_per_unit = server.devices;
    compiled.power = device_draw(server.device, serves);
    compiled.power.host_idle_w = server.host_idle_w;
    compiled.power.host_max_w = server.host_max_w;
    compiled.power.nameplate_w = server_nameplate_w(server);
    compiled.power.pack = pool.load_balancing == LoadBalancing::pack;
    compile_site(*pool.site, sampler, compiled);
    return compiled;
}

// Price and capacity of one provisioned unit, for the workload that it is bought for; size_pools sets the number of units.
void compile_provisioned(const ScenarioDocument& document, const Pool& pool, const Sampler& sampler, CompiledPool& compiled) {
    const Provisioned& provisioned = *hosted(pool).provisioned;
    const double kept = 1 - pool.discount_fraction;
    if (const ProvisionedTerm* const term = provisioned_term(pool)) {
        compiled.hourly_price = sampler.monthly({term->price_per_unit_hour.value_or(0.0), std::nullopt}, 0.0, kept);
        compiled.monthly_price = sampler.monthly({term->price_per_unit_month.value_or(0.0), std::nullopt}, 0.0, kept);
    } else {
        compiled.hourly_price =
            sampler.monthly(*provisioned.price_per_unit_hour, growth_rate(document.finance, Category::usage), kept);
        compiled.monthly_price.assign(compiled.hourly_price.size(), 0.0);
    }
    exchange_by_month(exchange_index_of(pool), compiled.hourly_price);
    exchange_by_month(exchange_index_of(pool), compiled.monthly_price);
    for (const Workload& workload : document.workloads) {
        if (std::ranges::find(workload.runs_on, pool.id, &RunsOn::pool) != workload.runs_on.end()) {
            compiled.units_per_s_of_unit = units_per_s_of_unit(provisioned, workload);
        }
    }
}

CompiledPool compile_api(const ScenarioDocument& document, const Pool& pool, const Sampler& sampler) {
    CompiledPool api;
    api.kind = PoolKind::api;
    const HostedModel& model = hosted(pool);
    api.max_units_per_s.assign(static_cast<std::size_t>(document.months), model.max_units_per_s.value_or(HUGE_VAL));
    api.known = {model.energy_wh_per_unit.has_value(), model.carbon_g_per_unit.has_value(), false};
    api.kwh_per_unit = model.energy_wh_per_unit.value_or(0.0) / 1000;
    api.carbon_kg_per_unit = model.carbon_g_per_unit.value_or(0.0) / 1000;
    if (is_provisioned(pool)) {
        compile_provisioned(document, pool, sampler, api);
    }
    return api;
}

// Sets the units of each pool by month and all that scales with them. Returns the schedules of owned servers, by pool.
std::vector<OwnedSchedule> size_pools(const ScenarioDocument& document, Compiled& compiled) {
    std::vector<OwnedSchedule> schedules(document.pools.size());
    for (std::size_t p = 0; p < document.pools.size(); ++p) {
        const Pool& pool = document.pools[p];
        CompiledPool& target = compiled.pools[p];
        if (pool.kind == PoolKind::owned) {
            schedules[p] = schedule_owned(pool, document.finance, document.months);
            target.units_paid = schedules[p].servers_in_service;
            target.units_serving = schedules[p].servers_active;
            target.embodied_kg = schedules[p].embodied_kg;
        }
        if (pool.kind == PoolKind::cloud) {
            const Window window = window_of(pool, document);
            target.units_paid.assign(compiled.months, 0.0);
            target.units_serving.assign(compiled.months, 0.0);
            for (std::size_t m = 0; m < compiled.months; ++m) {
                const bool serves = window.holds(m) && static_cast<int>(m) >= window.from + pool.ramp_months;
                target.units_paid[m] = window.holds(m) ? pool.min_instances : 0;
                target.units_serving[m] = serves ? pool.max_instances : 0;
            }
        }
        if (is_provisioned(pool)) {
            target.units_paid.assign(compiled.months, *pool.provisioned_units);
            target.max_units_per_s.assign(compiled.months, *pool.provisioned_units * target.units_per_s_of_unit);
        }
        target.ramp = compile_ramp(pool, document);
    }
    return schedules;
}

// Price growth factors by category and month.
Cube growth_factors(const ScenarioDocument& document) {
    Cube factors(kCategories, static_cast<std::size_t>(document.months));
    for (std::size_t c = 0; c < kCategories; ++c) {
        const double rate = growth_rate(document.finance, static_cast<Category>(c));
        for (int m = 0; m < document.months; ++m) {
            factors(c, static_cast<std::size_t>(m)) = growth_factor(rate, m);
        }
    }
    return factors;
}

CompiledCharge compile_charge(const DemandCharge& charge, const Site& site, const ScenarioDocument& document, const Cube& growth,
                              Sampler& sampler) {
    CompiledCharge compiled;
    compiled.prices = compile_prices(charge, site, document, growth);
    for (std::size_t m = 0; m < static_cast<std::size_t>(document.months); ++m) {
        compiled.is_peak_month.push_back(is_listed(charge.ratchet_peak_months, document, m) ? 1 : 0);
    }
    compiled.has_hours = charge.hours.has_value();
    compiled.hours = sampler.signal({1.0, charge.hours}, site.time_zone);
    compiled.is_mean = charge.coincident;
    compiled.ratchet_fraction = charge.ratchet_fraction;
    compiled.ratchet_months = static_cast<std::size_t>(charge.ratchet_months);
    return compiled;
}

// Rounds up the racks of a site's pools with the same server together, and divides them by the pools' servers.
void share_racks(const ScenarioDocument& document, const std::vector<std::size_t>& pools, Compiled& compiled) {
    const auto same_server = [&](std::size_t a, std::size_t b) {
        return a == b || first_difference(*document.pools[a].server, *document.pools[b].server).empty();
    };
    for (const std::size_t p : pools) {
        compiled.pools[p].racks.clear();
        const double per_rack = servers_per_rack(*document.pools[p].server, *document.pools[p].site);
        std::vector<std::size_t> alike;
        if (per_rack > 0) {
            std::copy_if(pools.begin(), pools.end(), std::back_inserter(alike), [&](std::size_t o) { return same_server(p, o); });
        }
        for (std::size_t m = 0; m < compiled.months && per_rack > 0; ++m) {
            const double own = compiled.pools[p].units_paid[m];
            double all = 0.0;
            for (const std::size_t other : alike) {
                all += compiled.pools[other].units_paid[m];
            }
            compiled.pools[p].racks.push_back(own > 0 ? std::ceil(all / per_rack) * own / all : 0.0);
        }
    }
}

// Sets the racks and the nameplate power of a site from the servers of its pools.
void size_site(const ScenarioDocument& document, CompiledSite& site, Compiled& compiled) {
    share_racks(document, site.pools, compiled);
    site.nameplate_kw.assign(compiled.months, 0.0);
    for (const std::size_t p : site.pools) {
        const CompiledPool& pool = compiled.pools[p];
        for (std::size_t m = 0; m < compiled.months; ++m) {
            site.nameplate_kw[m] += pool.units_paid[m] * pool.power.nameplate_w / 1000;
        }
    }
}

// Groups owned pools by site, and numbers the demand charges over all sites.
std::vector<CompiledSite> compile_sites(const ScenarioDocument& document, Compiled& compiled, Sampler& sampler) {
    std::vector<CompiledSite> sites;
    std::size_t charges = 0;
    for (const std::vector<std::size_t>& pools : pools_by_site(document)) {
        const Site& site = *document.pools[pools.front()].site;
        CompiledSite& target = sites.emplace_back();
        target.pools = pools;
        size_site(document, target, compiled);
        for (const DemandCharge& charge : demand_charges_of(site)) {
            target.charges.push_back(compile_charge(charge, site, document, compiled.growth, sampler));
            target.needs_hours = target.needs_hours || charge.hours || charge.coincident;
        }
        target.first_charge = charges;
        charges += target.charges.size();
        target.bill = compile_bill(site, document, compiled.growth);
        target.max_kw = site.max_kw;
        target.needs_hours = target.needs_hours || pools.size() > 1;
    }
    return sites;
}

// Sorts each set's hours by the curves (ascending) that order deferrable work on owned pools.
std::vector<std::vector<std::vector<std::uint32_t>>> order_hours(const Compiled& compiled) {
    std::vector<std::vector<std::vector<std::uint32_t>>> ordered;
    for (const CompiledEntry& entry : compiled.entries) {
        const CompiledPool& pool = compiled.pools[entry.pool];
        const int curve = pool.energy_price.curve;
        if (!compiled.workloads[entry.workload].is_deferrable() || pool.kind != PoolKind::owned || curve == Signal::kFlat) {
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

// Rows of the hour table for demands with bursts; they follow the rows of the curves.
std::vector<DemandBurst> compile_bursts(const ScenarioDocument& document, std::size_t curves, Compiled& compiled) {
    std::vector<DemandBurst> bursts;
    for (std::size_t w = 0; w < document.workloads.size(); ++w) {
        const Workload& workload = document.workloads[w];
        if (workload.kind == WorkloadKind::inference && workload.demand.has_bursts()) {
            Signal& demand = compiled.workloads[w].demand;
            bursts.push_back({demand.curve, workload.demand.burst->factor, std::min(1.0, workload.demand.burst->share())});
            demand.curve = static_cast<int>(curves + bursts.size() - 1);
        }
    }
    return bursts;
}

// Folds hours with the same demand for inference that is routed in list order: its load doesn't depend on energy prices.
void fold_load(Compiled& compiled) {
    std::vector<std::size_t> curves;
    for (const CompiledWorkload& workload : compiled.workloads) {
        if (workload.is_deferrable() || workload.cheapest || workload.by_share) {
            compiled.hours.folds.clear();
            return;
        }
        if (workload.demand.curve != Signal::kFlat) {
            curves.push_back(static_cast<std::size_t>(workload.demand.curve));
        }
    }
    std::sort(curves.begin(), curves.end());
    fold_hours(std::move(curves), compiled.hours);
}

// For each pool, whether an inference workload lists it in runs_on.
std::vector<char> serving_pools(const Scenario& scenario) {
    std::vector<char> serves(scenario.document().pools.size(), 0);
    for (const Workload& workload : scenario.document().workloads) {
        for (const RunsOn& runs_on : workload.runs_on) {
            serves[scenario.pool_index(runs_on.pool)] |= workload.kind == WorkloadKind::inference ? 1 : 0;
        }
    }
    return serves;
}

} // namespace

Compiled compile(const Scenario& scenario) { return compile(scenario, {}); }

Compiled compile(const Scenario& scenario, HourTable&& hours, const std::vector<HourlyCurve>& also) {
    const ScenarioDocument& document = scenario.document();
    Sampler sampler(document);
    Compiled compiled;
    compiled.months = static_cast<std::size_t>(document.months);
    compiled.carbon_price_per_kg = document.finance.carbon_price_per_tonne / 1000;
    compiled.tax_rate = document.finance.tax_rate;
    compiled.taxable_income_per_year = document.finance.taxable_income_per_year;
    compiled.loss_offset_fraction = document.finance.loss_offset_fraction;
    for (std::size_t m = 0; m <= compiled.months; ++m) {
        compiled.discount.push_back(discount_factor(document.finance.discount_rate, static_cast<double>(m)));
    }
    compiled.growth = growth_factors(document);
    const std::vector<char> serves = serving_pools(scenario);
    for (std::size_t p = 0; p < document.pools.size(); ++p) {
        const Pool& pool = document.pools[p];
        if (pool.kind == PoolKind::cloud) {
            compiled.pools.push_back(compile_cloud(document, pool, serves[p] != 0, sampler));
        }
        if (pool.kind == PoolKind::owned) {
            compiled.pools.push_back(compile_owned(pool, serves[p] != 0, sampler));
        }
        if (pool.kind == PoolKind::api) {
            compiled.pools.push_back(compile_api(document, pool, sampler));
        }
    }
    const std::vector<OwnedSchedule> schedules = size_pools(document, compiled);
    compiled.sites = compile_sites(document, compiled, sampler);
    compiled.spend = compile_spend(document);
    for (std::size_t w = 0; w < document.workloads.size(); ++w) {
        const Workload& workload = document.workloads[w];
        CompiledWorkload& target = compiled.workloads.emplace_back(compile_workload(workload, sampler));
        target.first_entry = compiled.entries.size();
        target.first_answer = target.first_entry + (target.is_pair ? 1 : 0);
        for (std::size_t place = 0; place < workload.runs_on.size(); ++place) {
            const std::size_t p = scenario.pool_index(workload.runs_on[place].pool);
            CompiledEntry& entry = compiled.entries.emplace_back(
                compile_entry(document, workload, place, document.pools[p], compiled.pools[p], sampler));
            entry.workload = w;
            entry.pool = p;
            compiled.pools[p].defers = compiled.pools[p].defers || target.is_deferrable();
            compiled.pools[p].holds_whole = compiled.pools[p].holds_whole && entry.held == std::floor(entry.held);
        }
        target.end_entry = compiled.entries.size();
        keep_spares(workload, target, compiled);
    }
    age_entries(document, schedules, compiled);
    compile_starts(document, compiled);
    sampler.curves.insert(sampler.curves.end(), also.begin(), also.end());
    std::vector<DemandBurst> bursts = compile_bursts(document, sampler.curves.size(), compiled);
    compile_seller_tiers(scenario, compiled);
    compiled.hours = group_hours(
        {document.start, document.months, document.time_zone, std::move(sampler.curves), std::move(bursts)}, std::move(hours));
    fold_load(compiled);
    compiled.ascending_hours = order_hours(compiled);
    add_fixed_costs(scenario, schedules, compiled);
    return compiled;
}

void compile_sizes(const Scenario& scenario, Compiled& compiled) {
    const ScenarioDocument& document = scenario.document();
    const std::vector<OwnedSchedule> schedules = size_pools(document, compiled);
    for (CompiledSite& site : compiled.sites) {
        size_site(document, site, compiled);
    }
    for (CompiledEntry& entry : compiled.entries) {
        entry.replicas_up =
            ReplicasUp(entry.replicas_up.up(), most_hosts(compiled.pools[entry.pool]), entry.replicas_up.per_host());
    }
    for (std::size_t w = 0; w < compiled.workloads.size(); ++w) {
        keep_spares(document.workloads[w], compiled.workloads[w], compiled);
    }
    age_entries(document, schedules, compiled);
    add_fixed_costs(scenario, schedules, compiled);
}

} // namespace costcurve::model
