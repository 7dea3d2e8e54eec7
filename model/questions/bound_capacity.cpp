// Asks compile itself what a server or an instance costs: with it, less without it.
#include "model/questions/bound_capacity.hpp"

#include <algorithm>

#include "model/assets.hpp"

namespace costcurve::model {

namespace {

Compiled compiled_of(const ScenarioDocument& document) { return compile(make_scenario(document).value()); }

std::vector<double> divided(std::vector<double> values, double by) {
    std::for_each(values.begin(), values.end(), [by](double& value) { value /= by; });
    return values;
}

} // namespace

ScenarioDocument without_capacity(const ScenarioDocument& scenario) {
    ScenarioDocument bare = scenario;
    for (Pool& pool : bare.pools) {
        pool.purchases.clear();
        pool.min_instances = 0;
        pool.max_instances = 0;
    }
    return bare;
}

Measures fixed_measures(const Compiled& compiled, Goal goal) {
    const Ledger& ledger = compiled.fixed;
    constexpr auto kEngineering = static_cast<std::size_t>(Category::engineering);
    Measures sum;
    double npv = 0.0;
    double cost = 0.0;
    for (std::size_t m = 0; m < compiled.months; ++m) {
        for (std::size_t p = 0; p < ledger.pools; ++p) {
            for (std::size_t c = 0; c < kCategories; ++c) {
                cost += ledger.cost(m, p, c);
            }
            npv += ledger.cash_start(m, p) * compiled.discount[m] + ledger.cash_end(m, p) * compiled.discount[m + 1] +
                   ledger.cash(m, p, kEngineering) * compiled.discount[0];
            sum.capital += ledger.cash_start(m, p);
            const double kg = compiled.pools[p].embodied_kg.empty() ? 0.0 : compiled.pools[p].embodied_kg[m];
            sum.carbon_kg += kg;
            sum.goal += money_weight(compiled, m, goal) * kg * compiled.carbon_price_per_kg;
        }
    }
    sum.goal += goal == Goal::cost ? cost : goal == Goal::npv ? npv : sum.carbon_kg;
    return sum;
}

std::vector<ServerOption> server_options(const ScenarioDocument& scenario, const ScenarioDocument& bare, const Measures& base,
                                         std::size_t pool, std::size_t purchase, int low, int high, Goal goal) {
    const Pool& source = scenario.pools[pool];
    // A full rack of servers: ceilings of racks then add nothing.
    const double rack = std::clamp(servers_per_rack(*source.server, *source.site), 1.0, 1e6);
    ScenarioDocument probe = bare;
    std::vector<ServerPurchase>& purchases = probe.pools[pool].purchases;
    purchases = {source.purchases[purchase]};
    purchases.front().servers = static_cast<int>(rack);
    std::vector<ServerOption> options;
    options.reserve(static_cast<std::size_t>(high - low + 1));
    for (int month = low; month <= high; ++month) {
        purchases.front().month = month;
        const Compiled compiled = compiled_of(probe);
        options.push_back({month, 1.0 / rack * (fixed_measures(compiled, goal) - base),
                           divided(compiled.pools[pool].units_paid, rack), divided(compiled.pools[pool].units_serving, rack)});
    }
    return options;
}

Measures instance_measures(const ScenarioDocument& bare, const Measures& base, std::size_t pool, Goal goal) {
    ScenarioDocument probe = bare;
    probe.pools[pool].min_instances = 1;
    probe.pools[pool].max_instances = 1;
    return fixed_measures(compiled_of(probe), goal) - base;
}

} // namespace costcurve::model
