// Applies a sample's factors to the fields of a workload and an option.
#include "model/questions/rank/sampled_options.hpp"

#include <algorithm>
#include <cmath>

namespace costcurve::model {

namespace {

void multiply(Rate& rate, double factor) {
    rate.number *= factor;
    if (rate.curve) {
        for (double& y : rate.curve->y) {
            y *= factor;
        }
    }
}
void multiply(std::optional<Rate>& rate, double factor) {
    if (rate) {
        multiply(*rate, factor);
    }
}
void multiply(std::optional<double>& number, double factor) {
    if (number) {
        *number *= factor;
    }
}

void multiply_prices(UnitPrice& price, double factor) {
    multiply(price.total, factor);
    for (std::optional<Rate>* const of_class :
         {&price.input, &price.cached_input, &price.cache_write, &price.output, &price.reasoning}) {
        multiply(*of_class, factor);
    }
}

template <class Prices> void multiply_tier(Prices& prices, double factor) {
    if (prices.price_per_million_units) {
        multiply_prices(*prices.price_per_million_units, factor);
    }
    for (PriceAbove& above : prices.above) {
        multiply_prices(*above.price_per_million_units, factor);
    }
}

void multiply_prices(Endpoint& endpoint, double factor) {
    multiply_tier(endpoint, factor);
    if (endpoint.fees) {
        for (std::optional<Rate> HostedFees::*const fee :
             {&HostedFees::request, &HostedFees::search, &HostedFees::image, &HostedFees::tool_call}) {
            multiply((*endpoint.fees).*fee, factor);
        }
    }
    if (endpoint.provisioned) {
        multiply(endpoint.provisioned->price_per_unit_hour, factor);
        for (ProvisionedTerm& term : endpoint.provisioned->terms) {
            multiply(term.price_per_unit_hour, factor);
            multiply(term.price_per_unit_month, factor);
        }
    }
    for (std::optional<TierPrices> ServiceTiers::*const tier :
         {&ServiceTiers::batch, &ServiceTiers::flex, &ServiceTiers::priority}) {
        if (endpoint.service_tiers && (*endpoint.service_tiers).*tier) {
            multiply_tier(*((*endpoint.service_tiers).*tier), factor);
        }
    }
}

// The rate's sigma over that of estimated rates: the power to which a draw for estimated rates is raised.
double error_power(const Performance& performance) {
    const Evidence evidence = performance.estimate ? std::max(performance.basis, Evidence::estimated) : performance.basis;
    return kRateSigmas[static_cast<std::size_t>(evidence)] / kRateSigmas[static_cast<std::size_t>(Evidence::estimated)];
}

// The power to which the draw of server prices is raised for an assumed price, so that its sigma is that of an assumed rate.
constexpr double kAssumedPricePower = kRateSigmas[static_cast<std::size_t>(Evidence::assumed)] /
                                      kFactorRows[static_cast<std::size_t>(RankFactor::server_prices)].sigma;

// Multiplies throughput. Latencies stay as stated or estimated.
void multiply_rate(Performance& performance, double factor) {
    if (!performance.scaling) {
        performance.scaling = Rate{1.0, std::nullopt};
    }
    multiply(performance.scaling, factor);
    multiply(performance.input_units_per_s, factor);
}

// Multiplies the option's prices by the sample's factors.
void multiply_prices(Option& option, const FactorDraw& draw) {
    Pool& pool = option.pool;
    if (pool.offer) {
        const bool is_spot = pool.offer->purchase == Purchase::spot;
        const double factor = factor_of(draw, is_spot ? RankFactor::spot_prices : RankFactor::cloud_prices);
        multiply(pool.offer->hourly_price, factor);
        pool.offer->upfront *= factor;
    }
    if (pool.server) {
        const double factor = factor_of(draw, RankFactor::server_prices);
        pool.server->price *= option.price_is_assumed ? std::pow(factor, kAssumedPricePower) : factor;
        pool.server->network_price *= factor;
        pool.server->storage_price *= factor;
    }
    if (pool.site) {
        const double factor = factor_of(draw, RankFactor::energy_prices);
        multiply(pool.site->energy_price, factor);
        for (EnergyTier& tier : pool.site->energy_tiers) {
            tier.add_per_kwh *= factor;
        }
        for (Rider& rider : pool.site->riders) {
            rider.per_kwh *= factor;
        }
    }
    if (pool.endpoint && pool.endpoint->price_per_million_units) {
        multiply_prices(*pool.endpoint, factor_of(draw, RankFactor::hosted_prices));
    }
}

} // namespace

double factor_of(const FactorDraw& draw, RankFactor factor) { return draw[static_cast<std::size_t>(factor)]; }

void multiply_demand(Workload& workload, double factor) {
    multiply(workload.demand.mean_per_s, factor);
    multiply(workload.demand.units_per_s_per_device, factor); // for demand that is stated as utilization of devices
    multiply(workload.requests_per_month, factor);
}

void apply_draw(const FactorDraw& draw, const std::vector<double>& estimated, Option& option) {
    for (std::size_t w = 0; w < option.performances.size(); ++w) {
        const double factor = factor_of(draw, RankFactor::throughput) * std::pow(estimated[w], error_power(option.performances[w]));
        multiply_rate(option.performances[w], factor);
        for (Gang& gang : option.gangs) {
            multiply_rate(gang.performance, factor);
        }
    }
    multiply_prices(option, draw);
}

} // namespace costcurve::model
