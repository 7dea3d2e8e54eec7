// Energy, water and carbon of a pool, from the fields of its devices, hosts and site.
#include <algorithm>

#include "model/performance/performance.hpp"
#include "model/power.hpp"
#include "model/questions/explain/explain_parts.hpp"

namespace costcurve::model::terms {

namespace {

std::string device_at(const Question& question, std::size_t p, std::string_view rest) {
    return pool_at(p, fmt::format("{}/device/{}", question.document.pools[p].offer ? "offer" : "server", rest));
}
std::string site_at(const Question& question, std::size_t p, std::string_view rest) {
    return pool_at(p, fmt::format("{}{}", question.document.pools[p].offer ? "offer/site/" : "site/", rest));
}

// Whether devices in their ramp draw less than the idle power of devices that already serve.
bool has_cooler_ramp(const CompiledPool& pool, const Scope& scope) {
    return pool.kind == PoolKind::owned && pool.power.ramp_w != pool.power.device.at_zero &&
           std::any_of(scope.months.begin(), scope.months.end(),
                       [&](std::size_t m) { return pool.units_paid[m] != pool.units_serving[m]; });
}

// kW by which the draw of a pool's devices and hosts rises with each busy device. Empty if power isn't linear in the load.
std::optional<double> kw_per_busy_device(const Question& question, std::size_t p, const Scope& scope) {
    const CompiledPool& pool = question.compiled.pools[p];
    const bool packs = pool.power.pack && pool.kind == PoolKind::owned;
    const bool gangs_draw_the_same = !pool.defers || pool.power.gang_w == pool.power.device.at_one;
    if ((pool.serves && !(packs && gangs_draw_the_same)) || has_cooler_ramp(pool, scope)) {
        return std::nullopt;
    }
    const double host_w = (pool.power.host_max_w - pool.power.host_idle_w) / pool.devices_per_unit;
    return (pool.power.device.at_one - pool.power.device.at_zero + host_w) / 1000;
}

// Pointer to the object that states the hosts' power (an owned pool's server, or an offer). "" if only devices draw power.
std::string_view holder_with_host(const Question& question, std::size_t p) {
    const Pool& pool = question.document.pools[p];
    const bool has_host = pool.offer && (pool.offer->host_idle_w || pool.offer->host_max_w);
    return pool.kind == PoolKind::owned ? "server/" : has_host ? "offer/" : "";
}
void add_of_host(std::string_view holder, std::size_t p, std::string_view field, Pointers& inputs) {
    if (!holder.empty()) {
        inputs.push_back(pool_at(p, fmt::format("{}{}", holder, field)));
    }
}

// Energy, water or carbon of a hosted model, stated per unit: units served × the stated value.
Term by_units_served(const Question& question, std::size_t p, const Scope& scope, const std::string& name, const std::string& unit,
                     std::string_view field, double per_unit) {
    const double units = sum_of(scope, [&](std::size_t m) { return used_by_all(question.ledger, m, p); });
    std::vector<Term> factors;
    factors.push_back(leaf(question, "units served", "Σ over workloads", units, "units"));
    factors.push_back(leaf(question, name + " a unit", fmt::format("{} / 1000", field), per_unit, unit + "/unit",
                           {hosted_at(question, p, field)}));
    return renamed(product("", "units served × " + name + " a unit", unit, std::move(factors)), name, units * per_unit);
}

// Formula and fields of the power of the pool's devices, at no load and at any load.
struct DevicePower {
    std::string_view of_idle; ///< formula of P(0)
    Pointers idle, any;
};
DevicePower device_power(const Question& question, std::size_t p) {
    const Device& device = *device_of(question.document.pools[p]);
    const auto at = [&](std::string_view field) { return device_at(question, p, field); };
    DevicePower power;
    if (!question.compiled.pools[p].serves) {
        power.of_idle = "power(0), gangs alone: idle_w, else the curve at 0";
        power.idle = {at(device.idle_w > 0.0 || !device.power ? "idle_w" : "power")};
        power.any = {power.idle.front(), at(device.power ? "power" : "tdp_w")};
    } else if (has_serving_curve(device)) {
        power.of_idle = "power(0): the curve at 0";
        power.idle = power.any = {at("power")};
    } else if (device.loaded_idle_w) {
        power.of_idle = "power(0): loaded_idle_w";
        power.idle = {at("loaded_idle_w")};
        power.any = {at("loaded_idle_w"), at("tdp_w")};
    } else if (device.idle_w >= loaded_idle_power(device)) {
        power.of_idle = "power(0): idle_w, above that of the default shape";
        power.idle = {at("idle_w")};
        power.any = {at("idle_w"), at("tdp_w")};
    } else {
        power.of_idle = "power(0): tdp_w × 0.18 of the default shape, assumed";
        power.idle = power.any = {at("tdp_w")};
    }
    return power;
}

// Energy of all hardware in service at no load.
Term idle_energy(const Question& question, std::size_t p, const Scope& scope) {
    const CompiledPool& pool = question.compiled.pools[p];
    const std::string_view holder = holder_with_host(question, p);
    const double kw = (pool.power.host_idle_w / pool.devices_per_unit + pool.power.device.at_zero) / 1000;
    DevicePower power = device_power(question, p);
    Pointers inputs = std::move(power.idle);
    for (const std::string_view field : {"host_idle_w", "devices"}) {
        add_of_host(holder, p, field, inputs);
    }
    std::vector<Term> terms;
    terms.push_back(available_hours(question, p, scope));
    terms.push_back(
        leaf(question, "idle power of a device",
             fmt::format("{} / 1000; {}", holder.empty() ? "power(0)" : "(power(0) + host_idle_w / devices)", power.of_idle), kw,
             "kW/device", inputs));
    return product("energy at no load", "device-hours × idle power", "kWh", std::move(terms));
}

Term load_energy(const Question& question, std::size_t p, const Scope& scope, double kw) {
    Pointers inputs = device_power(question, p).any;
    const std::string_view holder = holder_with_host(question, p);
    for (const std::string_view field : {"host_idle_w", "host_max_w", "devices"}) {
        add_of_host(holder, p, field, inputs);
    }
    std::vector<Term> terms;
    terms.push_back(busy_hours(question, p, scope));
    terms.push_back(leaf(question, "power of a busy device above idle",
                         holder.empty() ? "(power(1) − power(0)) / 1000"
                                        : "(power(1) − power(0) + (host_max_w − host_idle_w) / devices) / 1000",
                         kw, "kW/device", inputs));
    return product("energy of the load", "busy device-hours × power above idle", "kWh", std::move(terms));
}

// The site's PUE if one number holds in all hours, otherwise empty.
std::optional<double> flat_pue(const CompiledPool& pool) {
    return pool.pue.curve == Signal::kFlat && !pool.pue_by_load ? std::optional(pool.pue.monthly.front()) : std::nullopt;
}

Term embodied(const Question& question, std::size_t p, const Scope& scope) {
    std::vector<Term> terms;
    terms.push_back(server_months(question, p, scope, 1, "server-months"));
    terms.push_back(quotient("embodied carbon of a server in a month", "embodied_kg / life_months", "kg/server/month",
                             stated(question, "embodied carbon", pool_at(p, "server/embodied_kg")),
                             stated(question, "life", pool_at(p, "server/life_months"))));
    return product("embodied carbon", "servers in service × embodied_kg / life_months", "kg", std::move(terms));
}

std::vector<Term> one_unless_zero(Term term) {
    std::vector<Term> terms;
    add_unless_zero(terms, std::move(term));
    return terms;
}

} // namespace

Term energy(const Question& question, std::size_t p, const Scope& scope) {
    const CompiledPool& pool = question.compiled.pools[p];
    const double value = sum_of(scope, [&](std::size_t m) { return question.ledger.energy_kwh(m, p); });
    if (pool.kind == PoolKind::api && pool.known.energy_kwh) {
        return by_units_served(question, p, scope, "energy", "kWh", "energy_wh_per_unit", pool.kwh_per_unit);
    }
    if (!pool.metered) {
        return leaf(question, "energy", "in the price", value, "kWh");
    }
    const std::optional<double> pue = flat_pue(pool);
    const std::optional<double> kw = kw_per_busy_device(question, p, scope);
    const Pointers pue_input = {site_at(question, p, "pue")};
    if (!pue && !kw) {
        Pointers inputs = device_power(question, p).any;
        inputs.push_back(pue_input[0]);
        return leaf(question, "energy", "Σ hours × P_it × PUE / 1000", value, "kWh", inputs);
    }
    std::vector<Term> it;
    it.push_back(idle_energy(question, p, scope));
    if (kw) {
        it.push_back(load_energy(question, p, scope, *kw));
    } else {
        it.push_back(leaf(question, "energy of the load", "Σ hours × (P_it(u) − P_it(0)) / 1000", value / *pue - it.front().value,
                          "kWh", device_power(question, p).any));
    }
    Term it_energy = sum("IT energy", "at no load + of the load", "kWh", std::move(it));
    std::vector<Term> terms;
    const double mean = it_energy.value == 0.0 ? 1.0 : value / it_energy.value;
    terms.push_back(std::move(it_energy));
    terms.push_back(leaf(question, "PUE", pue ? "as stated" : "mean of the hours, weighted by IT energy", pue.value_or(mean),
                         "ratio", pue_input));
    return renamed(product("", "IT energy × PUE", "kWh", std::move(terms)), "energy", value);
}

Term water(const Question& question, std::size_t p, const Scope& scope) {
    const double value = sum_of(scope, [&](std::size_t m) { return question.ledger.water_l(m, p); });
    if (!question.compiled.pools[p].known.water_l) {
        return leaf(question, "water", "not stated", value, "l");
    }
    Term each = stated(question, "water of a kWh", site_at(question, p, "water_l_per_kwh"));
    std::vector<Term> terms;
    terms.push_back(leaf(question, "IT energy", "Σ hours × P_it / 1000", each.value == 0.0 ? 0.0 : value / each.value, "kWh"));
    terms.push_back(std::move(each));
    return renamed(product("", "IT energy × water_l_per_kwh", "l", std::move(terms)), "water", value);
}

Term carbon(const Question& question, std::size_t p, const Scope& scope) {
    const CompiledPool& pool = question.compiled.pools[p];
    const double value = sum_of(scope, [&](std::size_t m) { return question.ledger.carbon_kg(m, p); });
    if (pool.kind == PoolKind::api && pool.known.carbon_kg) {
        return by_units_served(question, p, scope, "carbon", "kg", "carbon_g_per_unit", pool.carbon_kg_per_unit);
    }
    if (!pool.metered) {
        return leaf(question, "carbon", "no site is named", value, "kg");
    }
    const auto kwh = [&](std::size_t m) { return question.ledger.energy_kwh(m, p); };
    const auto grid_kg = [&](std::size_t m) {
        return question.ledger.carbon_kg(m, p) - (pool.embodied_kg.empty() ? 0.0 : pool.embodied_kg[m]);
    };
    const auto kg_per_kwh = [&](std::size_t m) {
        if (pool.carbon_g_per_kwh.curve == Signal::kFlat) {
            return pool.carbon_g_per_kwh.monthly[m] / 1000;
        }
        return kwh(m) == 0.0 ? 0.0 : grid_kg(m) / kwh(m);
    };
    const bool hourly = pool.carbon_g_per_kwh.curve != Signal::kFlat;
    std::vector<Term> terms;
    add_unless_zero(terms,
                    priced(question, scope,
                           {"carbon of energy",
                            "Σ energy × carbon intensity",
                            "kg",
                            kwh,
                            kg_per_kwh,
                            [&](const Scope& part) { return energy(question, p, part); },
                            "carbon intensity",
                            hourly ? "carbon_g_per_kwh / 1000, mean of the hours, weighted by energy" : "carbon_g_per_kwh / 1000",
                            "kg/kWh",
                            {site_at(question, p, "carbon_g_per_kwh")}}));
    if (pool.kind == PoolKind::owned) {
        add_unless_zero(terms, embodied(question, p, scope));
    }
    return renamed(sum("", "of energy + embodied", "kg", std::move(terms)), "carbon", value);
}

std::vector<Term> energy_cost(const Question& question, std::size_t p, const Scope& scope) {
    const CompiledPool& pool = question.compiled.pools[p];
    const Site& site = *question.document.pools[p].site;
    const bool has_lines = !site.energy_tiers.empty() || !site.riders.empty();
    if (has_lines && has_bill_lines(*site_of(question, p))) {
        return one_unless_zero(bill_of_category(question, p, Category::energy, scope));
    }
    const bool hourly = pool.energy_price.curve != Signal::kFlat || has_lines;
    const auto c = static_cast<std::size_t>(Category::energy);
    const auto kwh = [&](std::size_t m) { return question.ledger.energy_kwh(m, p); };
    const auto price = [&](std::size_t m) {
        if (!hourly) {
            return pool.energy_price.monthly[m];
        }
        return kwh(m) == 0.0 ? 0.0 : question.ledger.cost(m, p, c) / kwh(m);
    };
    const std::string formula = !has_lines ? "energy_price × index × (1 + energy_price_growth_rate)^(m/12)"
                                           : "energy_price × index × (1 + energy_price_growth_rate)^(m/12) + tiers + riders";
    return one_unless_zero(priced(question, scope,
                                  {"energy",
                                   "Σ energy × tariff",
                                   question.currency(),
                                   kwh,
                                   price,
                                   [&](const Scope& part) { return energy(question, p, part); },
                                   "energy price",
                                   hourly ? formula + ", mean of the hours, weighted by energy" : formula,
                                   question.per("kWh"),
                                   {pool_at(p, "site/energy_price"), pool_at(p, "site/energy_price_growth_rate"),
                                    pool_at(p, "site/energy_price_index"), pool_at(p, "site/energy_tiers")}}));
}

std::vector<Term> demand_charge(const Question& question, std::size_t p, const Scope& scope) {
    const auto cost = [&](std::size_t m) { return question.ledger.cost(m, p, static_cast<std::size_t>(Category::demand_charge)); };
    const CompiledSite* const site = site_of(question, p);
    const bool is_listed = !question.document.pools[p].site->demand_charges.empty();
    const std::string at = pool_at(p, is_listed ? "site/demand_charges" : "site/demand_charge_per_kw_month");
    if (has_bill_lines(*site)) {
        return one_unless_zero(bill_of_category(question, p, Category::demand_charge, scope));
    }
    if (site->charges.size() != 1 || site->bill.is_stated || !site->charges.front().prices.tiers.empty()) {
        return one_unless_zero(over_months(question, scope,
                                           {"demand charges",
                                            "Σ over charges: max(largest facility kW, ratchet) × share × per_kw_month",
                                            question.currency(),
                                            cost,
                                            {at}}));
    }
    const auto rate = [&](std::size_t m) { return site->charges.front().prices.per_kw[m]; };
    const auto kw = [&](std::size_t m) { return rate(m) == 0.0 ? 0.0 : cost(m) / rate(m); };
    return one_unless_zero(priced(question, scope,
                                  {"peaks",
                                   "largest facility kW × demand charge",
                                   question.currency(),
                                   kw,
                                   rate,
                                   [&](const Scope& part) {
                                       return over_months(question, part,
                                                          {"peak power",
                                                           "the month's largest facility kW of the site, or its ratchet's: the "
                                                           "pool's share of it",
                                                           "kW-months", kw});
                                   },
                                   "demand charge",
                                   "per_kw_month × growth",
                                   question.per("kW/month"),
                                   {at}}));
}

} // namespace costcurve::model::terms
