// Checks the rules of curves and pools: commitments, racks, facilities, time zones.
#include "model/rules.hpp"

#include <algorithm>
#include <array>
#include <iterator>
#include <set>

#include "model/assets.hpp"
#include "model/bills/bill_rules.hpp"
#include "model/categories/day_terms.hpp"
#include "model/categories/owned_rules.hpp"
#include "model/categories/seller_tiers.hpp"
#include "model/categories/term_resale.hpp"
#include "model/commitment.hpp"
#include "model/documents/calendar.hpp"
#include "model/documents/prices.hpp"
#include "model/hosted/provisioned.hpp"
#include "model/sites.hpp"

namespace costcurve::model {

namespace {

// The bases that an extra cost may have at its place (pool, site or scenario).
struct ExtraBases {
    bool units = true;
    bool bill = false;
    bool price = false;
};
void check_extras(const std::vector<ExtraCost>& extras, const std::string& pointer, const ExtraBases& bases, Rules& rules) {
    for (std::size_t i = 0; i < extras.size(); ++i) {
        const auto check = [&](double value, bool has, std::string_view field, std::string_view where) {
            if (value != 0.0 && !has) {
                rules.add(fmt::format("{}/extra_costs/{}/{}", pointer, i, field), Code::not_allowed,
                          fmt::format("{} is {}; it goes with {} only", field, value, where));
            }
        };
        check(extras[i].per_unit_month, bases.units, "per_unit_month", "cloud and owned pools and sites");
        check(extras[i].fraction_of_bill, bases.bill, "fraction_of_bill", "cloud and api pools");
        check(extras[i].per_year_of_price, bases.price, "per_year_of_price", "owned pools");
    }
}

void check_device(const Device& device, const std::string& pointer, Rules& rules) {
    if (device.idle_w > device.tdp_w) {
        rules.add(pointer + "/idle_w", Code::inconsistent,
                  fmt::format("idle_w is {} W, above tdp_w, {} W", device.idle_w, device.tdp_w));
    }
    if (device.power) {
        check_covers(*device.power, pointer + "/power", 0.0, 1.0, rules);
    }
}

void check_site(const Site& site, const std::string& pointer, const ScenarioDocument* scenario, Rules& rules) {
    rules.check_zone(pointer + "/time_zone", site.time_zone);
    check_dates(site.energy_price, pointer + "/energy_price", scenario, rules);
    check_dates(site.carbon_g_per_kwh.value_or(Rate{}), pointer + "/carbon_g_per_kwh", scenario, rules);
    check_dates({0.0, site.energy_price_index}, pointer + "/energy_price_index", scenario, rules);
    check_dates({0.0, site.carbon_index}, pointer + "/carbon_index", scenario, rules);
    check_bill(site, pointer, rules);
    check_extras(site.extra_costs, pointer, {}, rules);
    if (site.pue.curve && site.pue.curve->axis == Axis::load) {
        check_covers(*site.pue.curve, pointer + "/pue", 0.0, 1.0, rules);
    }
    if (site.facility_price_per_w > 0 && !site.facility_life_months) {
        rules.add(pointer + "/facility_life_months", Code::missing, "facility_price_per_w needs facility_life_months");
    }
}

void check_host(double idle_w, double max_w, const std::string& pointer, Rules& rules) {
    if (idle_w > max_w) {
        rules.add(pointer + "/host_idle_w", Code::inconsistent,
                  fmt::format("host_idle_w is {} W, above host_max_w, {} W", idle_w, max_w));
    }
}

void check_offer(const Offer& offer, const std::string& pointer, const ScenarioDocument* scenario, Rules& rules) {
    check_device(offer.device, pointer + "/device", rules);
    check_dates(offer.hourly_price, pointer + "/hourly_price", scenario, rules);
    if (offer.upfront > 0 && !is_commitment(offer.purchase)) {
        rules.add(pointer + "/upfront", Code::not_allowed,
                  fmt::format("upfront is {}; {} instances have none, allowed 0", offer.upfront, name_of(offer.purchase)));
    }
    if (offer.purchase == Purchase::dedicated && offer.term_months.value_or(1) != 1) {
        rules.add(pointer + "/term_months", Code::inconsistent,
                  fmt::format("term_months is {}; dedicated instances are rented by the month, allowed 1", *offer.term_months));
    }
    const bool has_term = offer.term_months || offer.term_days || offer.purchase == Purchase::dedicated;
    if (offer.upfront > 0 && !has_term && offer.purchase != Purchase::block) {
        rules.add(pointer + "/term_months", Code::missing,
                  fmt::format("an upfront of {} needs term_months, over which it is spread", offer.upfront));
    }
    check_offer_days(offer, pointer, rules);
    check_resale(offer, pointer, rules);
    check_volume_tiers(offer.volume_tiers, pointer + "/volume_tiers", rules);
    check_egress_tiers(offer, pointer, rules);
    check_starts(offer, pointer, rules);
    check_host(offer.host_idle_w.value_or(0.0), offer.host_max_w.value_or(offer.host_idle_w.value_or(0.0)), pointer, rules);
    if (offer.site) {
        if (scenario != nullptr && !offer.host_idle_w && !offer.host_max_w) {
            rules.warn(pointer, Code::without_hosts,
                       "energy and carbon are of the devices alone: the offer states no host_idle_w and host_max_w");
        }
        check_site(*offer.site, pointer + "/site", scenario, rules);
    }
}

void check_cloud(const Pool& pool, const std::string& pointer, const ScenarioDocument& scenario, Rules& rules) {
    if (!pool.offer) {
        return;
    }
    if (pool.offer->purchase == Purchase::spot && !pool.offer->interruptions_per_hour) {
        rules.warn(pointer + "/offer/interruptions_per_hour", Code::interruptions_unknown,
                   "a spot offer without interruptions_per_hour: it is taken as never interrupted; give a rate, 0 if it is so");
    }
    if (pool.offer->purchase == Purchase::spot && !pool.offer->availability_fraction) {
        rules.warn(pointer + "/offer/availability_fraction", Code::availability_unknown,
                   "a spot offer without availability_fraction: it is taken as to be had in 0.9 of the hours; give the fraction");
    }
    if (pool.offer->provider == kMarket) {
        rules.warn(pointer + "/offer/provider", Code::market_level,
                   "the price is a level of the market, which nobody sells at: take a seller's offer before money is spent by it");
    }
    check_offer(*pool.offer, pointer + "/offer", &scenario, rules);
    check_terms(pool, pointer, rules);
    check_pool_days(pool, pointer, scenario, rules);
    check_extras(pool.extra_costs, pointer, {.bill = true}, rules);
    if (pool.min_instances > pool.max_instances) {
        rules.add(pointer + "/min_instances", Code::inconsistent,
                  fmt::format("min_instances is {}, above max_instances, {}", pool.min_instances, pool.max_instances));
    } else if (is_commitment(pool.offer->purchase) && pool.min_instances != pool.max_instances) {
        rules.add(pointer + "/min_instances", Code::inconsistent,
                  fmt::format("{} instances are paid every hour: min_instances ({}) must equal max_instances ({})",
                              name_of(pool.offer->purchase), pool.min_instances, pool.max_instances));
    }
}

void check_racks(const Server& server, const Site& site, const std::string& pointer, Rules& rules) {
    const double nameplate_kw = server_nameplate_w(server) / 1000;
    if (site.rack_kw && nameplate_kw > *site.rack_kw) {
        rules.add(pointer + "/site/rack_kw", Code::ineligible_rack_power,
                  fmt::format("a server draws up to {} kW, a rack carries {} kW", nameplate_kw, *site.rack_kw));
    } else if (site.space_per_rack_month > 0 && !site.rack_kw && !server.rack_units) {
        rules.add(pointer + "/server/rack_units", Code::missing,
                  "space_per_rack_month needs rack_units at the server or rack_kw at the site");
    } else if (!site.rack_kw && server.rack_units && *server.rack_units > site.rack_units_per_rack) {
        rules.add(pointer + "/server/rack_units", Code::inconsistent,
                  fmt::format("rack_units is {} U; a rack has {} U", *server.rack_units, site.rack_units_per_rack));
    }
}

void check_server(const Server& server, const std::string& pointer, Rules& rules) {
    check_device(server.device, pointer + "/device", rules);
    if (!server.device.ownable.value_or(server.device.kind != DeviceKind::tpu)) {
        rules.add(pointer + "/device", Code::ineligible_device,
                  fmt::format("device {} can't be owned; rent it in a cloud pool", server.device.id));
    }
    check_host(server.host_idle_w, server.host_max_w, pointer, rules);
    check_failures(server, pointer, rules);
    if (server.residual_fraction.curve) {
        check_covers(*server.residual_fraction.curve, pointer + "/residual_fraction", server.life_months, server.life_months,
                     rules);
    }
}

void check_owned(const Pool& pool, const std::string& pointer, const ScenarioDocument& scenario, Rules& rules) {
    if (!pool.server || !pool.site) {
        return;
    }
    check_server(*pool.server, pointer + "/server", rules);
    check_site(*pool.site, pointer + "/site", &scenario, rules);
    warn_of_power_factor(*pool.site, pointer + "/site", rules);
    check_racks(*pool.server, *pool.site, pointer, rules);
    check_resale(pool, pointer, scenario, rules);
    check_paid_with(pool, pointer, rules);
    check_extras(pool.extra_costs, pointer, {.price = true}, rules);
    if (pool.discount_fraction > 0) {
        rules.add(pointer + "/discount_fraction", Code::not_allowed,
                  fmt::format("discount_fraction is {}; an owned pool has no list price, give the servers' price",
                              pool.discount_fraction));
    }
    for (std::size_t i = 0; i < pool.purchases.size(); ++i) {
        const ServerPurchase& purchase = pool.purchases[i];
        const bool over = retirement_of(pool, purchase) <= 0;
        if (purchase.month >= scenario.months || over) {
            rules.warn(fmt::format("{}/purchases/{}/month", pointer, i), Code::unused_purchase,
                       fmt::format("month is {}: {} of {} months; it is ignored", purchase.month,
                                   over ? "its life ends before the horizon" : "it comes after the horizon", scenario.months));
        }
    }
}

void check_api(const Pool& pool, const std::string& pointer, const ScenarioDocument& scenario, Rules& rules) {
    if (pool.endpoint && static_cast<const HostedModel&>(pool) != HostedModel{}) {
        rules.add(pointer + "/endpoint", Code::not_allowed,
                  "an endpoint states its price, limits, provider and model; give these there, or leave endpoint out");
    } else if (!pool.endpoint && !pool.price_per_million_units) {
        rules.add(pointer + "/price_per_million_units", Code::missing, "give price_per_million_units, or endpoint");
        return;
    }
    check_hosted(hosted(pool), pool.endpoint ? pointer + "/endpoint" : pointer, &scenario, rules);
    check_extras(pool.extra_costs, pointer, {.units = false, .bill = true}, rules);
    if (pool.ramp_months > 0) {
        rules.add(pointer + "/ramp_months", Code::not_allowed, "an api pool has no ramp_months");
    }
    if (pool.ramp) {
        rules.add(pointer + "/ramp", Code::not_allowed, "an api pool has no ramp");
    }
}

// A pool's ramp must be above 0, and cover the months from the first in which the pool serves.
void check_ramp(const Pool& pool, const std::string& pointer, const ScenarioDocument& scenario, Rules& rules) {
    const auto zero = std::find_if(pool.ramp->y.begin(), pool.ramp->y.end(), [](double y) { return y <= 0.0; });
    if (zero != pool.ramp->y.end()) {
        rules.add(fmt::format("{}/ramp/points/{}/1", pointer, zero - pool.ramp->y.begin()), Code::out_of_range,
                  fmt::format("a ramp has the value {}; it must be above 0: months without service are ramp_months", *zero));
    }
    check_covers(*pool.ramp, pointer + "/ramp", 0.0, scenario.months - 1, rules);
}

// Sites with the same id must be equal in all pools.
void check_one_place(const ScenarioDocument& scenario, Rules& rules) {
    for (const std::vector<std::size_t>& pools : pools_by_site(scenario)) {
        const std::size_t first = pools.front();
        for (std::size_t i = 1; i < pools.size(); ++i) {
            const Pool& pool = scenario.pools[pools[i]];
            const std::string difference = first_difference(*scenario.pools[first].site, *pool.site);
            if (!difference.empty()) {
                rules.add(fmt::format("/pools/{}/site", pools[i]), Code::site_conflict,
                          fmt::format("site {} of pools {} and {} is one place, but {}", pool.site->id, scenario.pools[first].id,
                                      pool.id, difference));
            }
        }
    }
}

} // namespace

void Rules::check_zone(const std::string& pointer, const std::string& zone) {
    if (!is_time_zone(zone)) {
        add(pointer, Code::unknown_value, fmt::format("time_zone is \"{}\"; give an IANA name, such as Europe/Berlin", zone));
    }
}

void check_covers(const Curve& curve, const std::string& pointer, double low, double high, Rules& rules) {
    if (curve.outside == Outside::error && (is_outside(curve, low) || is_outside(curve, high))) {
        rules.add(pointer, Code::outside_curve,
                  fmt::format("the curve is read from {} to {} of {}, its points go from {} to {}, and outside is error", low, high,
                              name_of(curve.axis), curve.x.front(), curve.x.back()));
    }
}

void check_dates(const Rate& rate, const std::string& pointer, const ScenarioDocument* scenario, Rules& rules) {
    if (scenario == nullptr || !rate.curve || rate.curve->axis != Axis::date) {
        return;
    }
    const YearMonth last = add_months(scenario->start, scenario->months - 1);
    check_covers(*rate.curve, pointer, days_since_epoch(scenario->start.year, scenario->start.month, 1),
                 days_since_epoch(last.year, last.month, 1), rules);
}

void check_alone(const Device& device, Rules& rules) { check_device(device, "", rules); }
void check_alone(const Site& site, Rules& rules) { check_site(site, "", nullptr, rules); }
void check_alone(const Offer& offer, Rules& rules) { check_offer(offer, "", nullptr, rules); }
void check_alone(const Server& server, Rules& rules) { check_server(server, "", rules); }

void check_pools(const ScenarioDocument& scenario, Rules& rules) {
    std::set<std::string> ids;
    for (std::size_t p = 0; p < scenario.pools.size(); ++p) {
        const Pool& pool = scenario.pools[p];
        const std::string pointer = fmt::format("/pools/{}", p);
        if (pool.id.empty()) {
            rules.add(pointer + "/id", Code::missing, "a pool needs an id");
        }
        if (!pool.id.empty() && !ids.insert(pool.id).second) {
            rules.add(pointer + "/id", Code::duplicate, fmt::format("another pool has the id {}", pool.id));
        }
        if (pool.ramp && pool.kind != PoolKind::api) {
            check_ramp(pool, pointer, scenario, rules);
        }
        switch (pool.kind) {
        case PoolKind::cloud:
            check_cloud(pool, pointer, scenario, rules);
            break;
        case PoolKind::owned:
            check_owned(pool, pointer, scenario, rules);
            break;
        case PoolKind::api:
            check_api(pool, pointer, scenario, rules);
            break;
        }
    }
    check_provisioned_pools(scenario, rules);
    for (std::vector<Issue>& found : std::array{currency_warnings(scenario), price_warnings(scenario)}) {
        std::ranges::move(found, std::back_inserter(rules.warnings));
    }
    check_one_place(scenario, rules);
    check_extras(scenario.extra_costs, "", {.units = false}, rules);
}

} // namespace costcurve::model
