// The ways as a test knows them, without the program's options and sizes.
#include "tests/model/questions/rank/catalogs.hpp"

#include <algorithm>
#include <stdexcept>

#include <fmt/format.h>

#include "tests/support/scenarios.hpp"

namespace costcurve::tests {

using namespace model;

namespace {

// Facts that a device must have to be known, and that bound no rate here.
void bound_by_nothing_near(Device& device) {
    device.memory_gib = 1000;
    device.memory_bandwidth_gb_per_s = 1e6;
    device.peak_flops = {{"bf16", 1e18}};
}

Device device_of(const std::string& id) {
    Device device = cloud_scenario().pools.front().offer->device;
    device.id = id;
    bound_by_nothing_near(device);
    return device;
}

Performance measured(const std::string& device, double units_per_s) {
    Performance performance;
    performance.device.id = device;
    performance.model = kTinyModel;
    performance.units_per_s = flat(units_per_s);
    performance.mix = RequestMix{300, 100, 0}; // as tiny_question has them
    return performance;
}

// A way as the test knows it, without the program's: its pool with a number of units, and its performance.
struct BruteWay {
    std::string name;
    Pool pool;
    std::optional<Performance> performance;
    bool is_fixed = false;
};

Pool sized(const BruteWay& way, int units) {
    Pool pool = way.pool;
    if (pool.kind == PoolKind::cloud) {
        pool.max_instances = units;
        pool.min_instances = way.is_fixed ? units : 0;
    }
    if (pool.kind == PoolKind::owned) {
        pool.purchases.front().servers = units;
    }
    return pool;
}

// The figure of a plan that does all the work; nothing of others.
std::optional<double> figure_of_pools(const RankQuestion& question, const std::vector<std::pair<const BruteWay*, int>>& ways) {
    ScenarioDocument scenario = question.work;
    for (const auto& [way, units] : ways) {
        scenario.pools.push_back(sized(*way, units));
        scenario.workloads.front().runs_on.push_back({way->pool.id, way->performance, {}});
    }
    const Answer answer = evaluate_document(scenario);
    return answer.summary.is_feasible() ? std::optional(answer.summary.total.cost) : std::nullopt;
}

struct BruteBest {
    double figure = 0.0;
    int units = 0;
};
std::optional<BruteBest> best_alone(const RankQuestion& question, const BruteWay& way) {
    std::optional<BruteBest> best;
    for (int units = 1; units <= 24; ++units) {
        const std::optional<double> figure = figure_of_pools(question, {{&way, units}});
        if (figure && (!best || *figure < best->figure)) {
            best = {*figure, units};
        }
    }
    return best;
}

std::vector<BruteWay> ways_of(const Catalog& catalog) {
    std::vector<BruteWay> ways;
    const auto performance_on = [&](const std::string& device) {
        return *std::find_if(catalog.performances.begin(), catalog.performances.end(),
                             [&](const Performance& performance) { return performance.device.id == device; });
    };
    for (const Offer& offer : catalog.offers) {
        BruteWay& way = ways.emplace_back();
        way.is_fixed = offer.purchase == Purchase::reserved;
        way.name = fmt::format("{} {}, {}{}", offer.provider, offer.sku,
                               offer.purchase == Purchase::on_demand ? "on demand" : name_of(offer.purchase),
                               way.is_fixed ? " for 3 months" : "");
        way.pool.id = offer.id;
        way.pool.offer = offer;
        way.performance = performance_on(offer.device.id);
    }
    for (const Server& server : catalog.servers) {
        BruteWay& way = ways.emplace_back();
        way.name = fmt::format("{} at site", server.id);
        way.pool.id = server.id;
        way.pool.kind = PoolKind::owned;
        way.pool.server = server;
        way.pool.site = catalog.sites.front();
        way.pool.purchases.emplace_back();
        way.performance = performance_on(server.device.id);
        way.is_fixed = true;
    }
    for (const Endpoint& endpoint : catalog.endpoints) {
        BruteWay& way = ways.emplace_back();
        way.name = fmt::format("{} of {}", kTinyModel, endpoint.provider);
        way.pool.id = endpoint.id;
        way.pool.kind = PoolKind::api;
        way.pool.endpoint = endpoint;
    }
    return ways;
}

} // namespace

Catalog hosts_of_eight() {
    Catalog catalog = one_device();
    catalog.models.front().hidden = 4096;
    Offer& offer = catalog.offers.front();
    offer.devices = 8;
    offer.hourly_price = flat(16);
    offer.device.links = Interconnect{450, std::nullopt, LinkKind::nvlink};
    return catalog;
}

void add_training_rates(Catalog& catalog) {
    std::vector<Device> devices;
    for (const Offer& offer : catalog.offers) {
        devices.push_back(offer.device);
    }
    catalog.training_rates = std::make_shared<TrainingRates>(catalog.models, devices, std::vector<MeasuredRun>{});
}

RankQuestion run_question(double tokens, std::optional<double> within_days) {
    RankQuestion question = tiny_question(1);
    Workload work;
    work.id = "train";
    work.kind = WorkloadKind::training;
    work.unit = "token";
    work.model = kTinyModel;
    work.units_per_epoch = tokens;
    work.epochs = 1;
    work.within_days = within_days;
    question.work.workloads = {work};
    return question;
}

RankQuestion tiny_question(double requests_per_s) {
    RankQuestion question;
    question.work = cloud_scenario();
    question.work.pools.clear();
    question.work.months = 3;
    Workload& workload = question.work.workloads.front();
    workload.runs_on.clear();
    workload.unit = "token";
    workload.model = kTinyModel;
    workload.units_per_request = in_and_out(300, 100);
    workload.demand.mean_per_s = requests_per_s;
    question.top = 100;
    return question;
}

Offer tiny_offer(const std::string& id, double price, Purchase purchase) {
    Offer offer;
    offer.id = id;
    offer.provider = "provider-" + id;
    offer.sku = id;
    offer.device = device_of("device-" + id);
    offer.purchase = purchase;
    offer.hourly_price = flat(price);
    if (purchase == Purchase::reserved) {
        offer.term_months = 3;
    }
    if (purchase == Purchase::spot) {
        offer.interruptions_per_hour = 0.01;
        offer.availability_fraction = 1.0;
    }
    return offer;
}

void add_offer(Catalog& catalog, Offer offer, double units_per_s) {
    catalog.performances.push_back(measured(offer.device.id, units_per_s));
    catalog.offers.push_back(std::move(offer));
}

Endpoint tiny_endpoint(const std::string& provider, double input, double output) {
    Endpoint endpoint;
    endpoint.id = provider;
    endpoint.provider = provider;
    endpoint.model = kTinyModel;
    endpoint.price_per_million_units = in_and_out(flat(input), flat(output));
    return endpoint;
}

void add_server(Catalog& catalog, const std::string& id, double price, double units_per_s) {
    const Pool pool = owned_scenario().pools.front();
    Server& server = catalog.servers.emplace_back(*pool.server);
    server.id = id;
    server.device.id = "device-" + id;
    bound_by_nothing_near(server.device);
    server.price = price;
    server.price_date = {"2026-01-01"};
    server.residual_fraction = curve(CurveKind::residual, Axis::age_months, {0, 48}, {1, 0});
    catalog.performances.push_back(measured(server.device.id, units_per_s));
    if (catalog.sites.empty()) {
        Site& site = catalog.sites.emplace_back(*pool.site);
        site.id = "site";
        site.space_per_kw_month = 100;
    }
}

Catalog one_device() {
    constexpr double kGib = 1024.0 * 1024.0 * 1024.0;
    Catalog catalog;
    Model& facts = catalog.models.emplace_back();
    facts.id = kTinyModel;
    facts.parameters = facts.active_parameters = 7.5 * kGib;
    facts.weight_bytes = {{"bf16", 15 * kGib}};
    facts.kv_bytes_per_token = 131072;
    facts.layers = 32;
    facts.context_tokens = 8192;
    Offer offer = tiny_offer("rent", 2.0);
    offer.device.id = "fast";
    offer.device.memory_gib = 80;
    offer.device.memory_bandwidth_gb_per_s = 2000;
    offer.device.peak_flops = {{"bf16", 4e14}};
    catalog.offers.push_back(offer);
    return catalog;
}

Ranking ranked(const RankQuestion& question, const Catalog& catalog) {
    Result<Ranking> ranking = rank(question, catalog, one_by_one());
    if (!ranking) {
        throw std::runtime_error(ranking.error().front().message);
    }
    return std::move(*ranking);
}

std::optional<Exclusion> excluded_for(const Ranking& ranking, const std::string& reason) {
    const auto found = std::find_if(ranking.excluded.begin(), ranking.excluded.end(),
                                    [&](const Exclusion& exclusion) { return exclusion.reason == reason; });
    return found == ranking.excluded.end() ? std::nullopt : std::optional(*found);
}

std::vector<Named> by_brute_force(const RankQuestion& question, const Catalog& catalog) {
    const std::vector<BruteWay> ways = ways_of(catalog);
    std::vector<std::optional<BruteBest>> alone;
    std::vector<Named> all;
    for (const BruteWay& way : ways) {
        alone.push_back(best_alone(question, way));
        if (alone.back()) {
            all.emplace_back(alone.back()->figure, way.name);
        }
    }
    for (std::size_t b = 0; b < ways.size(); ++b) {
        for (std::size_t u = 0; u < ways.size(); ++u) {
            if (!ways[b].is_fixed || ways[u].is_fixed || !alone[b] || !alone[u]) {
                continue;
            }
            std::optional<double> best;
            for (int units = 1; units < alone[b]->units; ++units) {
                const auto figure = figure_of_pools(question, {{&ways[b], units}, {&ways[u], alone[u]->units}});
                best = figure && (!best || *figure < *best) ? figure : best;
            }
            if (best) {
                all.emplace_back(*best, ways[b].name + " + " + ways[u].name);
            }
        }
    }
    std::sort(all.begin(), all.end());
    return all;
}

Catalog random_catalog(Random& random) {
    Catalog catalog;
    for (int i = 0; i < 3; ++i) {
        const Purchase purchase = i == 0 ? Purchase::reserved : random.chance(0.5) ? Purchase::on_demand : Purchase::spot;
        const double price = random.between(1, 4) * (purchase == Purchase::reserved ? 0.6 : 1.0);
        add_offer(catalog, tiny_offer(fmt::format("o{}", i), price, purchase), random.between(150, 600));
    }
    if (random.chance(0.7)) {
        add_server(catalog, "s", random.between(1e3, 2e4), random.between(150, 600));
    }
    if (random.chance(0.7)) {
        catalog.endpoints.push_back(tiny_endpoint("host", random.between(0.2, 4), random.between(1, 8)));
        if (random.chance(0.3)) {
            catalog.endpoints.back().max_units_per_s = random.between(100, 2000);
        }
    }
    return catalog;
}

Rate random_day(Random& random) {
    std::vector<double> hours;
    std::vector<double> shape;
    for (int h = 0; h < 24; ++h) {
        hours.push_back(h);
        shape.push_back(random.between(0.2, 1.8));
    }
    return curve(CurveKind::demand, Axis::hour_of_day, hours, shape, Interpolation::step);
}

} // namespace costcurve::tests
