// Puts the rules together: those of pools, of workloads, of curves, and the exchange into one currency.
#include "model/scenario.hpp"

#include <algorithm>

#include "model/fields.hpp"
#include "model/rules.hpp"

namespace costcurve::model {

namespace {

/// Hours times pools and entries that one evaluation may visit; about half a second of work.
constexpr double kMostHourEntries = 5e7;

void scale(double& value, double factor) { value *= factor; }
void scale(std::optional<double>& value, double factor) {
    if (value) {
        *value *= factor;
    }
}
void scale(Rate& rate, double factor) {
    rate.number *= factor;
    if (rate.curve) {
        for (double& y : rate.curve->y) {
            y *= factor;
        }
    }
}
template <class Other> void scale(Other& /*not money*/, double /*factor*/) {}

// Units of the scenario's currency for one of `currency`; empty where the scenario does not state it.
std::optional<double> exchange_rate(const std::string& currency, const ScenarioDocument& scenario) {
    if (currency.empty() || currency == scenario.currency) {
        return 1.0;
    }
    const auto rate = scenario.exchange_rates.find(currency);
    return rate == scenario.exchange_rates.end() ? std::nullopt : std::optional(rate->second);
}

// Every field whose unit begins with "currency" is money of the document's own currency.
template <class T> void exchange(T& document, const std::string& pointer, const ScenarioDocument& scenario, Rules& rules) {
    const std::optional<double> rate = exchange_rate(document.currency, scenario);
    if (!rate) {
        rules.add(pointer + "/currency", Code::missing_exchange_rate,
                  fmt::format("currency is {}; give exchange_rates {{\"{}\": {} for one {}}}", document.currency, document.currency,
                              scenario.currency, document.currency));
        return;
    }
    for_each_field<T>([&](const auto& field) {
        if (field.spec.unit.starts_with("currency")) {
            scale(document.*field.member, *rate);
        }
    });
    document.currency = scenario.currency;
}

void exchange_all(ScenarioDocument& scenario, Rules& rules) {
    for (std::size_t p = 0; p < scenario.pools.size(); ++p) {
        Pool& pool = scenario.pools[p];
        const std::string at = fmt::format("/pools/{}", p);
        if (pool.offer) {
            exchange(*pool.offer, at + "/offer", scenario, rules);
            if (pool.offer->site) {
                exchange(*pool.offer->site, at + "/offer/site", scenario, rules);
            }
        }
        if (pool.server) {
            // What a server of a purchase cost is in the server's currency.
            const double rate = exchange_rate(pool.server->currency, scenario).value_or(1.0);
            for (ServerPurchase& purchase : pool.purchases) {
                scale(purchase.price, rate);
            }
            exchange(*pool.server, at + "/server", scenario, rules);
        }
        if (pool.site) {
            exchange(*pool.site, at + "/site", scenario, rules);
        }
    }
}

bool reads_axis(const ScenarioDocument& scenario, bool (*matches)(Axis)) {
    const auto has = [matches](const std::optional<Rate>& rate) { return rate && rate->curve && matches(rate->curve->axis); };
    const auto site_has = [&](const std::optional<Site>& site) {
        return site && (has(site->energy_price) || has(site->pue) || has(site->carbon_g_per_kwh));
    };
    return std::any_of(scenario.workloads.begin(), scenario.workloads.end(),
                       [&](const Workload& w) { return has(w.demand.shape) || has(w.demand.utilization); }) ||
           std::any_of(scenario.pools.begin(), scenario.pools.end(),
                       [&](const Pool& p) { return site_has(p.site) || (p.offer && site_has(p.offer->site)); });
}

void check_size(const ScenarioDocument& scenario, Rules& rules) {
    auto entries = static_cast<double>(scenario.pools.size());
    for (const Workload& workload : scenario.workloads) {
        entries += static_cast<double>(workload.runs_on.size());
    }
    const bool yearly = reads_axis(scenario, [](Axis axis) { return axis == Axis::hour_of_year; });
    const bool hourly = yearly || reads_axis(scenario, [](Axis axis) { return period_of(axis) > 0; });
    const double hours = scenario.months * (yearly ? 744.0 : hourly ? 336.0 : 1.0);
    if (hours * entries > kMostHourEntries) {
        rules.add("/months", Code::too_large,
                  fmt::format("{} hours x {} pools and runs_on entries is above the limit of {}; shorten the horizon, "
                              "or use hour_of_week curves",
                              hours, entries, kMostHourEntries));
    }
}

} // namespace

std::size_t Scenario::pool_index(std::string_view id) const {
    const auto found = std::find_if(document_.pools.begin(), document_.pools.end(), [&](const Pool& p) { return p.id == id; });
    return static_cast<std::size_t>(found - document_.pools.begin());
}

const Device* device_of(const Pool& pool) {
    if (pool.offer) {
        return &pool.offer->device;
    }
    return pool.server ? &pool.server->device : nullptr;
}

int devices_per_unit(const Pool& pool) {
    if (pool.offer) {
        return pool.offer->devices;
    }
    return pool.server ? pool.server->devices : 0;
}

Result<Scenario> make_scenario(ScenarioDocument document) {
    Rules rules;
    rules.check_zone("/time_zone", document.time_zone);
    if (document.finance.tax_depreciation == TaxDepreciation::declining_balance && !document.finance.tax_depreciation_rate) {
        rules.add("/finance/tax_depreciation_rate", Code::missing, "declining_balance needs tax_depreciation_rate, per year");
    }
    check_pools(document, rules);
    check_workloads(document, rules);
    check_size(document, rules);
    exchange_all(document, rules);
    if (!rules.issues.empty()) {
        return tl::unexpected(std::move(rules.issues));
    }
    return Scenario(std::move(document), std::move(rules.warnings));
}

} // namespace costcurve::model
