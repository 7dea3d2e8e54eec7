// Adds up the month's volume of each seller; every unit of it is charged the month's mean price.
#include "model/categories/seller_tiers.hpp"

#include <algorithm>
#include <tuple>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "model/categories/day_terms.hpp"
#include "model/categories/exchange.hpp"
#include "model/categories/spend_commitments.hpp"
#include "model/categories/support_plans.hpp"
#include "model/hosted/provisioned.hpp"

namespace costcurve::model {

namespace {

constexpr std::size_t at_of(Category category) { return static_cast<std::size_t>(category); }

void bear_change(Ledger& ledger, std::size_t m, std::size_t p, Category category, double amount) {
    ledger.cost(m, p, at_of(category)) += amount;
    ledger.cash(m, p, at_of(category)) += amount;
}

TierRates factors_of_tiers(const std::vector<VolumeTier>& tiers) {
    TierRates rates{1.0, {}, {}};
    for (const VolumeTier& tier : tiers) {
        rates.above.push_back(tier.above);
        rates.rate.push_back(tier.price_factor);
    }
    return rates;
}

bool is_tiered(const Pool& pool) {
    return pool.kind == PoolKind::cloud ? !pool.offer->volume_tiers.empty()
                                        : pool.kind == PoolKind::api && !is_provisioned(pool) && !hosted(pool).volume_tiers.empty();
}

// Whether both pools buy the same thing, so that their volumes are added up.
bool buys_the_same(const Pool& a, const Pool& b) {
    if (a.kind != b.kind) {
        return false;
    }
    if (a.kind == PoolKind::api) {
        const HostedModel& one = hosted(a);
        const HostedModel& other = hosted(b);
        return std::tie(one.provider, one.model, one.volume_tiers) == std::tie(other.provider, other.model, other.volume_tiers);
    }
    const Offer& one = *a.offer;
    const Offer& other = *b.offer;
    return std::tie(one.provider, one.sku, one.region, one.device.id, one.devices, one.purchase, one.volume_tiers) ==
           std::tie(other.provider, other.sku, other.region, other.device.id, other.devices, other.purchase, other.volume_tiers);
}

void compile_volume_tiers(const ScenarioDocument& document, PoolKind kind, std::vector<SharedTiers>& all) {
    all.clear();
    for (std::size_t p = 0; p < document.pools.size(); ++p) {
        const Pool& pool = document.pools[p];
        if (pool.kind != kind || !is_tiered(pool)) {
            continue;
        }
        const auto same = std::ranges::find_if(
            all, [&](const SharedTiers& tiers) { return buys_the_same(pool, document.pools[tiers.members.front()]); });
        if (same != all.end()) {
            same->members.push_back(p);
        } else {
            all.push_back({factors_of_tiers(kind == PoolKind::api ? hosted(pool).volume_tiers : pool.offer->volume_tiers), {p}});
        }
    }
}

void compile_egress_tiers(const ScenarioDocument& document, Compiled& compiled) {
    std::vector<std::pair<std::string, std::string>> sellers; // (seller, destination)
    for (std::size_t e = 0; e < compiled.entries.size(); ++e) {
        const CompiledEntry& entry = compiled.entries[e];
        const Pool& pool = document.pools[entry.pool];
        if (pool.kind != PoolKind::cloud || entry.egress_gb_per_unit == 0.0) {
            continue;
        }
        const std::string& destination = document.workloads[entry.workload].egress_destination;
        TierRates rates = egress_rates(*pool.offer, destination);
        std::size_t k = 0;
        while (k < sellers.size() &&
               !(sellers[k] == std::pair(pool.offer->provider, destination) && compiled.egress_tiers[k].rates == rates)) {
            ++k;
        }
        if (k == sellers.size()) {
            sellers.emplace_back(pool.offer->provider, destination);
            compiled.egress_tiers.push_back({std::move(rates), {}});
        }
        compiled.egress_tiers[k].members.push_back(e);
    }
}

const SharedTiers* tiers_with(const std::vector<SharedTiers>& all, std::size_t member) {
    const auto found = std::ranges::find_if(
        all, [&](const SharedTiers& tiers) { return std::ranges::find(tiers.members, member) != tiers.members.end(); });
    return found == all.end() ? nullptr : &*found;
}

template <class Tiers, class AboveOf>
void check_ascending(const Tiers& tiers, const std::string& pointer, std::string_view field, const AboveOf& above, Rules& rules) {
    for (std::size_t i = 1; i < tiers.size(); ++i) {
        if (above(tiers[i]) <= above(tiers[i - 1])) {
            rules.add(fmt::format("{}/{}/{}", pointer, i, field), Code::not_ascending,
                      fmt::format("{} comes after {}; tiers ascend", above(tiers[i]), above(tiers[i - 1])));
        }
    }
}

void check_entry(const ScenarioDocument& scenario, const Workload& workload, const RunsOn& runs_on, Rules& rules) {
    const auto pool = std::ranges::find(scenario.pools, runs_on.pool, &Pool::id);
    if (pool == scenario.pools.end() || pool->kind != PoolKind::cloud || !pool->offer) {
        return;
    }
    const std::string at = fmt::format("/pools/{}/offer", pool - scenario.pools.begin());
    const std::string& to = workload.egress_destination;
    const std::vector<EgressTier>& tiers = pool->offer->egress_tiers;
    const bool has_price = std::ranges::find(tiers, to, &EgressTier::destination) != tiers.end() ||
                           (to.empty() && (tiers.empty() || pool->offer->egress_per_gb > 0.0));
    if (!has_price && (workload.egress_gb_per_unit > 0.0 || runs_on.phase)) {
        rules.add(at + "/egress_tiers", Code::missing,
                  fmt::format("{} sends data to {}, and the offer states no price of it: add an egress tier {} destination, "
                              "at price_per_gb 0 where it is free",
                              workload.id, to.empty() ? "the internet" : to, to.empty() ? "without a" : "with that"));
    }
    if (is_storage_unknown(*pool, workload, runs_on)) {
        rules.warn(
            at + "/storage_per_gb_month", Code::price_condition_unknown,
            stores_stated_size(workload)
                ? fmt::format("what {} stores here has no price: state storage_per_gb_month, 0 where it is free", workload.id)
                : fmt::format("the weights of {} are stored here, and nobody states their size: state stored_gb", workload.id));
    }
}

} // namespace

TierRates egress_rates(const Offer& offer, const std::string& destination) {
    TierRates rates{destination.empty() ? offer.egress_per_gb : 0.0, {}, {}};
    for (const EgressTier& tier : offer.egress_tiers) {
        if (tier.destination == destination) {
            rates.above.push_back(tier.above_gb);
            rates.rate.push_back(tier.price_per_gb);
        }
    }
    return rates;
}

std::optional<double> stored_gb(const Workload& workload, const RunsOn& runs_on) {
    constexpr double kBytesPerGb = 1e9;
    std::optional<double> weights = workload.stored_gb;
    if (!weights && runs_on.performance && runs_on.performance->estimate && runs_on.performance->estimate->weight_bytes) {
        weights = *runs_on.performance->estimate->weight_bytes / kBytesPerGb;
    }
    return weights ? std::optional(*weights + workload.checkpoint.size_gb.value_or(0.0) * workload.checkpoint.kept) : std::nullopt;
}

bool stores_stated_size(const Workload& workload) {
    return workload.stored_gb.value_or(0.0) > 0.0 || workload.checkpoint.size_gb.value_or(0.0) * workload.checkpoint.kept > 0.0;
}

double stored_on(const ScenarioDocument& scenario, const Pool& pool) {
    double gb = 0.0;
    for (const Workload& workload : scenario.workloads) {
        for (const RunsOn& runs_on : workload.runs_on) {
            gb += runs_on.pool == pool.id ? stored_gb(workload, runs_on).value_or(0.0) : 0.0;
        }
    }
    return gb;
}

void add_storage(const ScenarioDocument& scenario, std::size_t p, Compiled& compiled) {
    const Pool& pool = scenario.pools[p];
    const double monthly = pool.offer->storage_per_gb_month.value_or(0.0) * stored_on(scenario, pool);
    if (monthly == 0.0 || pool.max_instances == 0) {
        return;
    }
    const std::vector<double> there = months_there(pool, scenario);
    for (std::size_t m = 0; m < compiled.months; ++m) {
        bear_change(compiled.fixed, m, p, Category::storage,
                    there[m] * monthly * compiled.growth(at_of(Category::storage), m) * later_rate(*pool.offer, m));
    }
}

bool is_storage_unknown(const Pool& pool, const Workload& workload, const RunsOn& runs_on) {
    if (!pool.offer || !pool.offer->storage_per_gb_month) {
        return pool.offer && stores_stated_size(workload);
    }
    return *pool.offer->storage_per_gb_month > 0.0 && !stored_gb(workload, runs_on);
}

void compile_seller_tiers(const Scenario& scenario, Compiled& compiled) {
    const ScenarioDocument& document = scenario.document();
    compile_volume_tiers(document, PoolKind::cloud, compiled.device_hour_tiers);
    compile_volume_tiers(document, PoolKind::api, compiled.unit_tiers);
    compile_egress_tiers(document, compiled);
    compile_support(document, compiled);
}

double usage_factor(const Compiled& compiled, std::size_t pool, std::size_t m, const Ledger& ledger) {
    const SharedTiers* const tiers = compiled.unit_tiers.empty() ? nullptr : tiers_with(compiled.unit_tiers, pool);
    if (tiers == nullptr) {
        return 1.0;
    }
    double units = 0.0;
    for (std::size_t e = 0; e < compiled.entries.size(); ++e) {
        units += std::ranges::find(tiers->members, compiled.entries[e].pool) != tiers->members.end() ? ledger.served(m, e) : 0.0;
    }
    return tiers->rates.mean(units);
}

double egress_of_unit(const Compiled& compiled, std::size_t e, std::size_t m, const Ledger& ledger) {
    const CompiledEntry& entry = compiled.entries[e];
    const SharedTiers* const tiers = entry.egress_gb_per_unit > 0.0 ? tiers_with(compiled.egress_tiers, e) : nullptr;
    if (tiers == nullptr) {
        return entry.egress_per_unit;
    }
    double gb = 0.0;
    for (const std::size_t other : tiers->members) {
        gb += compiled.entries[other].egress_gb_per_unit * ledger.served(m, other);
    }
    return entry.egress_gb_per_unit * tiers->rates.mean(gb);
}

void charge_device_hours(const Compiled& compiled, std::size_t m, Ledger& ledger) {
    for (const SharedTiers& tiers : compiled.device_hour_tiers) {
        double hours = 0.0;
        for (const std::size_t p : tiers.members) {
            hours += ledger.available_hours(m, p);
        }
        const double factor = tiers.rates.mean(hours);
        for (const std::size_t p : tiers.members) {
            bear_change(ledger, m, p, Category::compute, (factor - 1.0) * ledger.cost(m, p, at_of(Category::compute)));
        }
    }
}

TermLeft term_left_in_tiers(const ScenarioDocument& scenario, const Compiled& compiled, std::size_t p) {
    TermLeft left = term_left(scenario.pools[p], scenario);
    const SharedTiers* const tiers = tiers_with(compiled.device_hour_tiers, p);
    if (tiers == nullptr || left.hours == 0.0) {
        return left;
    }
    std::vector<double> device_hours(left.hours_by_month.size(), 0.0);
    for (const std::size_t other : tiers->members) {
        const Pool& pool = scenario.pools[other];
        const std::vector<double> hours = term_left(pool, scenario).hours_by_month;
        for (std::size_t k = 0; k < std::min(hours.size(), device_hours.size()); ++k) {
            device_hours[k] += hours[k] * pool.max_instances * pool.offer->devices;
        }
    }
    for (double& factor : device_hours) {
        factor = tiers->rates.mean(factor);
    }
    return times(std::move(left), device_hours, scenario.finance.discount_rate);
}

double least_volume_factor(const Compiled& compiled, std::size_t pool) {
    const SharedTiers* tiers = tiers_with(compiled.device_hour_tiers, pool);
    tiers = tiers == nullptr ? tiers_with(compiled.unit_tiers, pool) : tiers;
    return tiers == nullptr ? 1.0 : tiers->rates.least();
}

double least_egress(const Compiled& compiled, std::size_t e) {
    const CompiledEntry& entry = compiled.entries[e];
    const SharedTiers* const tiers = entry.egress_gb_per_unit > 0.0 ? tiers_with(compiled.egress_tiers, e) : nullptr;
    return tiers == nullptr ? entry.egress_per_unit : entry.egress_gb_per_unit * tiers->rates.least();
}

std::string charges_text(const Offer& offer) {
    std::string text = fmt::format("{} {} {}", offer.term_days.value_or(0), offer.begins_at_utc_hour.value_or(-1.0),
                                   offer.storage_per_gb_month.value_or(-1.0));
    if (const std::optional<TermResale>& resale = offer.resale) {
        text += fmt::format(" resale {} {} {} {}", resale->price_fraction, resale->fee_fraction, resale->payments_owed_fraction,
                            resale->sales_limit.value_or(-1.0));
    }
    for (const VolumeTier& tier : offer.volume_tiers) {
        text += fmt::format(" {}:{}", tier.above, tier.price_factor);
    }
    for (const EgressTier& tier : offer.egress_tiers) {
        text += fmt::format(" {}>{}:{}", tier.destination, tier.above_gb, tier.price_per_gb);
    }
    return text;
}

bool has_volume_prices(const Pool& pool) { return is_tiered(pool) || (pool.offer && !pool.offer->egress_tiers.empty()); }

void check_volume_tiers(const std::vector<VolumeTier>& tiers, const std::string& pointer, Rules& rules) {
    check_ascending(
        tiers, pointer, "above", [](const VolumeTier& tier) { return tier.above; }, rules);
}

void check_egress_tiers(const Offer& offer, const std::string& pointer, Rules& rules) {
    for (std::size_t i = 0; i < offer.egress_tiers.size(); ++i) {
        const EgressTier& tier = offer.egress_tiers[i];
        const std::string at = fmt::format("{}/egress_tiers/{}/above_gb", pointer, i);
        const EgressTier* before = nullptr;
        for (std::size_t k = 0; k < i; ++k) {
            before = offer.egress_tiers[k].destination == tier.destination ? &offer.egress_tiers[k] : before;
        }
        if (before != nullptr && tier.above_gb <= before->above_gb) {
            rules.add(at, Code::not_ascending, fmt::format("{} comes after {}; tiers ascend", tier.above_gb, before->above_gb));
        }
        if (before == nullptr && !tier.destination.empty() && tier.above_gb > 0.0) {
            rules.add(at, Code::missing,
                      fmt::format("the first tier to {} begins at {} GB; add one at 0, as egress_per_gb is to the internet",
                                  tier.destination, tier.above_gb));
        }
    }
}

void check_seller_tiers(const ScenarioDocument& scenario, Rules& rules) {
    for (const Workload& workload : scenario.workloads) {
        for (const RunsOn& runs_on : workload.runs_on) {
            check_entry(scenario, workload, runs_on, rules);
        }
    }
    for (std::size_t p = 0; p < scenario.pools.size(); ++p) {
        const Pool& pool = scenario.pools[p];
        const bool has_tiers = pool.kind == PoolKind::cloud && pool.offer && !pool.offer->volume_tiers.empty();
        for (const SpendCommitment& commitment : scenario.spend_commitments) {
            if (has_tiers && pool.offer->purchase == Purchase::on_demand && discount_on(commitment, *pool.offer)) {
                rules.add(
                    fmt::format("/pools/{}/offer/volume_tiers", p), Code::inconsistent,
                    fmt::format("{} pays for it at a discount of its own; leave volume_tiers out, or the discount that means it",
                                commitment.name));
            }
        }
    }
    check_support(scenario, rules);
    for (std::size_t k = 0; k < scenario.support_plans.size(); ++k) {
        check_ascending(
            scenario.support_plans[k].brackets, fmt::format("/support_plans/{}/brackets", k), "above",
            [](const SupportBracket& bracket) { return bracket.above; }, rules);
    }
}

} // namespace costcurve::model
