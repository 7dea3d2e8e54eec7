// Rules of curves and pools: commitments, racks, facilities, zones.
#include "model/rules.hpp"

#include <set>

#include "model/assets.hpp"
#include "model/calendar.hpp"

namespace costcurve::model {

namespace {

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
    check_dates(site.carbon_g_per_kwh, pointer + "/carbon_g_per_kwh", scenario, rules);
    if (site.pue.curve && site.pue.curve->axis == Axis::load) {
        check_covers(*site.pue.curve, pointer + "/pue", 0.0, 1.0, rules);
    }
    if (site.facility_price_per_w > 0 && !site.facility_life_months) {
        rules.add(pointer + "/facility_life_months", Code::missing, "facility_price_per_w needs facility_life_months");
    }
}

bool is_commitment(Purchase purchase) { return purchase != Purchase::on_demand && purchase != Purchase::spot; }

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
    if (offer.upfront > 0 && !offer.term_months && offer.purchase != Purchase::dedicated) {
        rules.add(pointer + "/term_months", Code::missing, "an upfront payment needs term_months");
    }
    if (offer.site) {
        check_site(*offer.site, pointer + "/site", scenario, rules);
    }
}

void check_cloud(const Pool& pool, const std::string& pointer, const ScenarioDocument& scenario, Rules& rules) {
    if (!pool.offer) {
        return;
    }
    check_offer(*pool.offer, pointer + "/offer", &scenario, rules);
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
    if (server.host_idle_w > server.host_max_w) {
        rules.add(pointer + "/host_idle_w", Code::inconsistent,
                  fmt::format("host_idle_w is {} W, above host_max_w, {} W", server.host_idle_w, server.host_max_w));
    }
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
    check_racks(*pool.server, *pool.site, pointer, rules);
    for (std::size_t i = 0; i < pool.purchases.size(); ++i) {
        const ServerPurchase& purchase = pool.purchases[i];
        const bool over = !pool.refresh && purchase.month + pool.server->life_months <= 0;
        if (purchase.month >= scenario.months || over) {
            rules.warn(fmt::format("{}/purchases/{}/month", pointer, i), Code::unused_purchase,
                       fmt::format("month is {}: {} of {} months; it is ignored", purchase.month,
                                   over ? "its life ends before the horizon" : "it comes after the horizon", scenario.months));
        }
    }
}

void check_api(const Pool& pool, const std::string& pointer, const ScenarioDocument& scenario, Rules& rules) {
    const UnitPrice& price = pool.price_per_million_units;
    const std::string at = pointer + "/price_per_million_units";
    check_dates(price.split ? price.input : price.total, price.split ? at + "/input" : at, &scenario, rules);
    if (price.split) {
        check_dates(price.output, at + "/output", &scenario, rules);
    }
    if (pool.ramp_months > 0) {
        rules.add(pointer + "/ramp_months", Code::not_allowed, "an api pool has no ramp_months");
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
void check_alone(const Performance& performance, Rules& rules) { check_rate_given(performance, "", rules); }

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
}

} // namespace costcurve::model
