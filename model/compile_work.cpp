// Compiles demand in units, prices per unit by class, and marginal costs per unit.
#include "model/compile_work.hpp"

#include <algorithm>
#include <cmath>
#include <functional>

#include "model/assets.hpp"
#include "model/categories/seller_tiers.hpp"
#include "model/commitment.hpp"
#include "model/documents/prices.hpp"
#include "model/documents/units.hpp"
#include "model/hosted/hosted_prices.hpp"
#include "model/hosted/provisioned.hpp"
#include "model/kernels.hpp"
#include "model/pairs/pair_work.hpp"
#include "model/performance/classes.hpp"
#include "model/performance/doubts.hpp"
#include "model/performance/goodput.hpp"
#include "model/queueing/under_load.hpp"

namespace costcurve::model {

namespace {

void add_price(const std::vector<double>& part, std::vector<double>& price) {
    std::transform(part.begin(), part.end(), price.begin(), price.begin(), std::plus<>());
}

// Monthly prices of the parts of a request, per unit of the mean request.
class RequestBill {
public:
    RequestBill(const HostedModel& model, const RequestPart& request, double per_request, double growth, double scale,
                const Sampler& sampler)
        : parts_(price_parts(model, request.units)), share_(request.share), per_request_(per_request), growth_(growth),
          scale_(scale), sampler_(sampler) {}

    [[nodiscard]] std::vector<double> nothing() const { return sampler_.monthly({0.0, std::nullopt}); }
    // Adds `units` of a class, at `factor` times their price, to `price` by month.
    void add(UnitClass unit_class, double units, std::vector<double>& price, double factor = 1.0) const {
        for (const PricePart& part : parts_) {
            if (const double of_part = part.share(unit_class) * share_; of_part > 0.0 && units > 0.0) {
                add_price(sampler_.monthly(*price_of(part.price, unit_class), growth_,
                                           of_part * units / per_request_ * (scale_ * factor)),
                          price);
            }
        }
    }
    // Monthly price of a prefix: that of the cheapest cache. Without a cache lifetime in the request, the price without a cache
    // is a candidate too.
    [[nodiscard]] std::vector<double> prefix(const Prefix& prefix, const std::vector<PrefixCache>& caches) const {
        std::vector<double> best;
        if (!prefix.lifetime_s || caches.empty()) {
            best = nothing();
            add(UnitClass::input, prefix.tokens, best);
        }
        for (const PrefixCache& cache : caches) {
            std::vector<double> price = nothing();
            add(UnitClass::cached_input, prefix.tokens, price, cache.hit_fraction);
            add(cache.price_factor ? UnitClass::input : UnitClass::cache_write, prefix.tokens, price,
                (1.0 - cache.hit_fraction) * cache.price_factor.value_or(1.0));
            if (best.empty()) {
                best = std::move(price);
                continue;
            }
            std::transform(price.begin(), price.end(), best.begin(), best.begin(),
                           [](double a, double b) { return std::min(a, b); });
        }
        return best;
    }

private:
    std::vector<PricePart> parts_;
    double share_;
    double per_request_;
    double growth_;
    double scale_;
    const Sampler& sampler_;
};

// Sets the price of the workload's unit from prices per million units and per request, with its parts by class and length.
void price_units(const HostedModel& listed, const Pool& pool, const Workload& workload, ServiceTier tier, double growth,
                 const Sampler& sampler, CompiledEntry& entry) {
    const std::optional<HostedModel> tiered = at_tier(listed, tier);
    const HostedModel& model = tiered ? *tiered : listed;
    const double kept = 1 - pool.discount_fraction;
    const double scale = 1e-6 * kept * tier_factor(model, tier);
    const ClassValues units = units_by_class(mean_request(workload));
    const double total = units_of_request(mean_request(workload));
    const std::vector<PrefixCache> caches = prefix_caches(model, workload);
    entry.price_per_unit = sampler.monthly({0.0, std::nullopt});
    std::vector<std::vector<double>> by_class(kUnitClasses, entry.price_per_unit);
    for (const RequestPart& request : request_parts(workload)) {
        const RequestBill bill(model, request, total, growth, scale, sampler);
        std::vector<double> of_length = bill.nothing();
        for (std::size_t c = 0; c < kUnitClasses; ++c) {
            const auto unit_class = static_cast<UnitClass>(c);
            const bool has_prefix = unit_class == UnitClass::input && !caches.empty();
            std::vector<double> of_class = bill.nothing();
            bill.add(unit_class, units_by_class(request.units)[c] - (has_prefix ? workload.prefix->tokens : 0.0), of_class);
            if (has_prefix) {
                add_price(bill.prefix(*workload.prefix, caches), of_class);
            }
            add_price(of_class, by_class[c]);
            add_price(of_class, of_length);
        }
        for (const FeePart& fee : fee_parts(model.fees, workload)) {
            if (fee.price != nullptr && fee.each > 0.0) {
                add_price(sampler.monthly(*fee.price, growth, request.share * fee.each * kept / total), of_length);
            }
        }
        add_price(of_length, entry.price_per_unit);
        if (workload.token_mix.size() > 1) {
            entry.by_length.push_back(std::move(of_length));
        }
    }
    for (std::size_t c = 0; c < kUnitClasses; ++c) {
        if (units[c] > 0.0 && has_classes(workload)) {
            entry.by_class.push_back({static_cast<UnitClass>(c), std::move(by_class[c])});
        }
    }
}

// Sets the marginal price of a unit (instance-hour, API price, egress) and its energy above idle, which is priced hour by hour.
// Owned pools pay for the energy of devices and hosts. A carbon price applies to both in owned pools, and to devices alone in
// rented pools.
void compile_marginal(const Pool& pool, const CompiledPool& compiled_pool, bool is_gang, const Finance& finance,
                      const Sampler& sampler, CompiledEntry& entry) {
    const double units_per_hour = entry.rate * kSecondsPerHour;
    if (pool.kind == PoolKind::api) {
        entry.marginal_price = entry.price_per_unit;
        for (double& price : entry.marginal_price) {
            price += compiled_pool.carbon_kg_per_unit * finance.carbon_price_per_tonne / 1000;
        }
        return;
    }
    entry.marginal_price = sampler.monthly({entry.egress_per_unit, std::nullopt}, growth_rate(finance, Category::egress));
    if (units_per_hour <= 0) {
        return;
    }
    if (compiled_pool.costs_by_hour) {
        for (std::size_t m = 0; m < entry.marginal_price.size(); ++m) {
            entry.marginal_price[m] += compiled_pool.hourly_price[m] * entry.held / compiled_pool.devices_per_unit /
                                       units_per_hour / learned(compiled_pool, m);
        }
    }
    const bool is_owned = pool.kind == PoolKind::owned;
    if (is_owned || (compiled_pool.metered && finance.carbon_price_per_tonne > 0)) {
        const PowerDraw& power = compiled_pool.power;
        const double host_w = is_owned ? power.host_max_w - power.host_idle_w : 0.0;
        const double busy_w = is_gang ? power.gang_w : power.device.at_one;
        const double watts =
            entry.devices * (busy_w - power.device.at_zero) + entry.devices / compiled_pool.devices_per_unit * host_w;
        entry.marginal_kwh = watts / 1000 / units_per_hour;
        entry.pue_at_full_load = compiled_pool.pue_by_load ? compiled_pool.pue_by_load->at_one : 1.0;
    }
}

// Demand in units/s; its growth rate is stated by month, not by year.
Signal compile_demand(const Workload& workload, Sampler& sampler) {
    const Demand& demand = workload.demand;
    const Rate flat{1.0, std::nullopt};
    Signal signal = demand.utilization ? sampler.signal(*demand.utilization, demand.time_zone)
                                       : sampler.signal(demand.shape.value_or(flat), demand.time_zone);
    const double level = demand.utilization ? *demand.reference_devices * *demand.units_per_s_per_device
                                            : *demand.mean_per_s * units_of_request(mean_request(workload));
    for (std::size_t m = 0; m < signal.monthly.size(); ++m) {
        signal.monthly[m] *= level * std::pow(1 + demand.growth_per_month, static_cast<double>(m));
    }
    return signal;
}

} // namespace

std::vector<double> compile_ramp(const Pool& pool, const ScenarioDocument& document) {
    std::vector<double> ramp;
    const int months = document.months;
    int first = (pool.ramp ? window_of(pool, document).from : 0) + pool.ramp_months;
    if (pool.kind == PoolKind::owned) {
        first = months;
        for (const ServerPurchase& purchase : pool.purchases) {
            const int serves = purchase.month + pool.ramp_months;
            const int retirement = retirement_of(pool, purchase);
            if (purchase.servers > 0 && retirement > 0 && serves < retirement) {
                first = std::min(first, serves);
            }
        }
    }
    for (int m = 0; pool.ramp && m < months; ++m) {
        ramp.push_back(read(*pool.ramp, std::max(0, m - first)));
    }
    return ramp;
}

namespace {

// Converts the prices of a hosted model at each month's exchange rate.
void exchange_prices(const std::vector<double>& exchange_index, CompiledEntry& entry) {
    exchange_by_month(exchange_index, entry.price_per_unit);
    if (!entry.token_price.empty()) {
        exchange_by_month(exchange_index, entry.token_price);
    }
    for (ClassPrice& part : entry.by_class) {
        exchange_by_month(exchange_index, part.price);
    }
    for (std::vector<double>& bucket : entry.by_length) {
        exchange_by_month(exchange_index, bucket);
    }
}

} // namespace

double most_hosts(const CompiledPool& pool) {
    const std::vector<double>& serving = pool.units_serving;
    return serving.empty() ? 1.0 : *std::max_element(serving.begin(), serving.end()) + 1;
}

bool has_capacity(const Compiled& compiled, const ScenarioDocument& scenario, std::size_t p) {
    const Pool& pool = scenario.pools[p];
    if (pool.kind == PoolKind::api) {
        return is_provisioned(pool) ? *pool.provisioned_units > 0 : hosted(pool).max_units_per_s.value_or(1.0) > 0.0;
    }
    if (pool.kind == PoolKind::cloud) {
        const Window window = window_of(pool, scenario);
        return pool.max_instances > 0 && window.from < scenario.months && window.to > 0;
    }
    const std::vector<double>& serving = compiled.pools[p].units_serving;
    return std::any_of(serving.begin(), serving.end(), [](double servers) { return servers > 0.0; });
}

CompiledEntry compile_entry(const ScenarioDocument& document, const Workload& workload, std::size_t place, const Pool& pool,
                            const CompiledPool& compiled_pool, const Sampler& sampler) {
    const Finance& finance = document.finance;
    const RunsOn& runs_on = workload.runs_on[place];
    CompiledEntry entry;
    entry.share = runs_on.share.value_or(0.0);
    if (pool.kind == PoolKind::api) {
        const ServiceTier tier = tier_of(workload, runs_on, pool);
        const double growth = growth_rate(finance, Category::usage);
        if (is_provisioned(pool)) {
            CompiledEntry by_token;
            price_units(hosted(pool), pool, workload, tier, growth, sampler, by_token);
            entry.token_price = by_token.price_per_unit;
            price_units(without_token_prices(hosted(pool)), pool, workload, tier, growth, sampler, entry);
            for (std::size_t m = 0; m < entry.token_price.size(); ++m) {
                entry.token_price[m] -= entry.price_per_unit[m]; // fees are paid with provisioned units too
            }
        } else {
            price_units(hosted(pool), pool, workload, tier, growth, sampler, entry);
        }
        exchange_prices(exchange_index_of(pool), entry);
        entry.evidence = price_doubts(hosted(pool), workload, tier).empty() ? Evidence::measured : Evidence::assumed;
    } else {
        const Performance& performance = *runs_on.performance;
        const Device& device = *device_of(pool);
        const double per_host = devices_per_unit(pool);
        const Workload work = work_of_entry(workload, place, document.pools);
        const BatchChoice choice = choose_batch(performance, device, work);
        const ReplicaRate rate = replica_rate(performance, device, work, choice.batch);
        const double units_per_s = rate.units_per_s * units_per_entry_unit(workload, work);
        entry.devices = replica_devices(performance, device);
        entry.held = devices_held(workload, entry.devices, per_host);
        const Interruptions interruptions = interruptions_of(workload, pool, entry.devices);
        const double on_a_host = std::max(1.0, std::floor(per_host / entry.held + kernels::kForgiven));
        entry.goodput = interruptions.goodput;
        entry.replicas_up = ReplicasUp(interruptions.up, most_hosts(compiled_pool), on_a_host);
        entry.rate = std::min(units_per_s, sent_units_per_s(workload, place, document.pools)) * entry.goodput;
        const double headroom = share_under_load(performance, work, rate.batch).value_or(1.0);
        entry.usable_rate = entry.rate * std::min(workload.peak_utilization, headroom);
        const bool is_unknown = pool.offer && pool.offer->purchase == Purchase::spot && !pool.offer->interruptions_per_hour;
        const bool is_doubtful = is_unknown || !doubts_of(performance, device, work, per_host).empty();
        entry.evidence = is_doubtful ? Evidence::assumed : rate.evidence;
        entry.batch = rate.batch;
        entry.instances = entry.held <= per_host ? 1.0 / on_a_host : std::ceil(entry.held / per_host);
    }
    if (has_unknown_currency(pool)) {
        entry.evidence = Evidence::assumed;
    }
    if (pool.offer) {
        const double gb = egress_gb_per_unit(workload, place, document.pools);
        entry.egress_per_unit = gb * egress_rates(*pool.offer, workload.egress_destination).highest();
        entry.egress_gb_per_unit = pool.offer->egress_tiers.empty() ? 0.0 : gb;
    }
    if (is_storage_unknown(pool, workload, runs_on)) {
        entry.evidence = Evidence::assumed;
    }
    compile_marginal(pool, compiled_pool, workload.kind != WorkloadKind::inference, finance, sampler, entry);
    return entry;
}

CompiledWorkload compile_workload(const Workload& workload, Sampler& sampler) {
    CompiledWorkload compiled;
    compiled.kind = workload.kind;
    compiled.cheapest = workload.routing == Routing::cheapest;
    compiled.is_pair = is_pair(workload);
    compiled.by_share = !workload.runs_on.empty() && workload.runs_on.front().share;
    compiled.burst_factor = workload.demand.has_bursts() ? workload.demand.burst->factor : 1.0;
    compiled.unserved_cost_per_unit = workload.unserved_cost_per_unit;
    compiled.carries_over = compiled.is_deferrable() && workload.carry_over;
    switch (workload.kind) {
    case WorkloadKind::inference:
        compiled.demand = compile_demand(workload, sampler);
        break;
    case WorkloadKind::training:
        compiled.work = sampler.monthly(workload.epochs_per_month.value_or(Rate()), 0.0, workload.units_per_epoch);
        compiled.is_run = workload.is_run();
        compiled.waits = !compiled.is_run;
        compiled.first_share = sampler.share_from(workload.start_day);
        if (workload.fall_back_after_days) {
            compiled.before_fall_back = sampler.shares_before(workload.start_day, *workload.fall_back_after_days);
        }
        compiled.work.front() += workload.epochs.value_or(0.0) * workload.units_per_epoch;
        break;
    case WorkloadKind::batch:
        compiled.work = sampler.monthly(workload.requests_per_month, 0.0, units_of_request(mean_request(workload)));
        compiled.waits = !workload.deadline_hours || *workload.deadline_hours >= 7 * kHoursPerDay;
        compiled.share_of_day = std::min(1.0, workload.deadline_hours.value_or(kHoursPerDay) / kHoursPerDay);
        compiled.start_hours = workload.checkpoint.restart_s.value_or(0.0) / kSecondsPerHour;
        compiled.starts_daily = workload.deadline_hours.has_value();
        break;
    }
    return compiled;
}

void age_entries(const ScenarioDocument& document, const std::vector<OwnedSchedule>& schedules, Compiled& compiled) {
    for (CompiledEntry& entry : compiled.entries) {
        const Workload& workload = document.workloads[entry.workload];
        const bool is_inference = workload.kind == WorkloadKind::inference;
        entry.aged_up.clear();
        entry.aged_rate.clear();
        for (const double per_hour : schedules[entry.pool].failures_per_hour) {
            const Interruptions aged = interruptions_at(per_hour, workload, document.pools[entry.pool], entry.devices);
            if (is_inference) {
                entry.aged_up.emplace_back(aged.up, most_hosts(compiled.pools[entry.pool]), entry.replicas_up.per_host());
            } else {
                entry.aged_rate.push_back(entry.goodput > 0.0 ? aged.goodput / entry.goodput : 1.0);
            }
        }
    }
}

void keep_spares(const Workload& workload, CompiledWorkload& target, const Compiled& compiled) {
    target.spare_replicas = workload.spare_replicas;
    target.has_outages = workload.spare_replicas > 0;
    for (std::size_t e = target.first_entry; e < target.end_entry; ++e) {
        const CompiledEntry& entry = compiled.entries[e];
        target.has_outages = target.has_outages || entry.replicas_up.fail() || compiled.pools[entry.pool].there < 1.0;
    }
}

} // namespace costcurve::model
