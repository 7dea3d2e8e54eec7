// What must hold of requests: of several lengths, and of prefixes that hosts keep.
#include <algorithm>
#include <cmath>
#include <optional>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "model/performance/classes.hpp"
#include "tests/property/invariants.hpp"
#include "tests/support/scenarios.hpp"

namespace costcurve::tests {

using namespace costcurve::model;

namespace {

// The workloads that hosted models serve, on those alone.
ScenarioDocument at_hosts(ScenarioDocument document) {
    const auto is_hosted = [&](const RunsOn& entry) {
        const auto pool = std::ranges::find(document.pools, entry.pool, &Pool::id);
        return pool->kind == PoolKind::api;
    };
    for (Workload& workload : document.workloads) {
        std::erase_if(workload.runs_on, [&](const RunsOn& entry) { return !is_hosted(entry); });
        std::ranges::for_each(workload.runs_on, [](RunsOn& entry) { entry.share.reset(); }); // which would not add up
    }
    std::erase_if(document.workloads, [](const Workload& workload) { return workload.runs_on.empty(); });
    document.allocation = {};
    return document;
}

// What a request costs, by entry and month.
std::vector<std::vector<double>> costs_of_requests(const ScenarioDocument& document) {
    const Answer answer = evaluate_document(document);
    std::vector<std::vector<double>> costs;
    for (const CompiledEntry& entry : answer.compiled.entries) {
        const double units = units_of_request(mean_request(answer.scenario.document().workloads[entry.workload]));
        for (double& cost : costs.emplace_back(entry.price_per_unit)) {
            cost *= units;
        }
    }
    return costs;
}

// Calls visit(a, b, entry) of the costs of each entry and month in two documents.
template <class F> void for_each_cost(const ScenarioDocument& one, const ScenarioDocument& other, const F& visit) {
    const std::vector<std::vector<double>> a = costs_of_requests(one);
    const std::vector<std::vector<double>> b = costs_of_requests(other);
    for (std::size_t e = 0; e < a.size(); ++e) {
        for (std::size_t m = 0; m < a[e].size(); ++m) {
            visit(a[e][m], b[e][m], e);
        }
    }
}

} // namespace

Breaches a_mix_of_one_length_is_that_request(const ScenarioDocument& document) {
    ScenarioDocument mixed = document;
    ScenarioDocument plain = document;
    for (std::size_t w = 0; w < document.workloads.size(); ++w) {
        const Workload& workload = document.workloads[w];
        if (workload.kind != WorkloadKind::training && has_classes(workload)) {
            const UnitsPerRequest units = mean_request(workload);
            plain.workloads[w].units_per_request = units;
            plain.workloads[w].token_mix.clear();
            mixed.workloads[w].units_per_request = {};
            mixed.workloads[w].token_mix = {{units, 1.0}};
        }
    }
    const Answer a = evaluate_document(plain);
    const Answer b = evaluate_document(mixed);
    Breaches breaches;
    const auto hold = [&](std::string_view what, double one, double other) {
        if (one != other && !(std::isnan(one) && std::isnan(other))) {
            breaches.push_back(fmt::format("{}: {} and {}", what, one, other));
        }
    };
    hold("cost", a.summary.total.cost, b.summary.total.cost);
    hold("cash", a.summary.total.cash, b.summary.total.cash);
    hold("energy", a.summary.meters.energy_kwh.at_least, b.summary.meters.energy_kwh.at_least);
    for (std::size_t w = 0; w < document.workloads.size(); ++w) {
        hold("requests", a.summary.workloads[w].quantity, b.summary.workloads[w].quantity);
        for (std::size_t c = 0; c < kUnitClasses; ++c) {
            const auto cost = [&](const Answer& answer) {
                const std::optional<ClassCost>& part = answer.summary.workloads[w].by_class[c];
                return part ? part->cost : -1.0;
            };
            hold("cost of a class", cost(a), cost(b));
        }
    }
    return breaches;
}

Breaches a_mix_costs_what_its_lengths_cost(const ScenarioDocument& whole) {
    const ScenarioDocument document = at_hosts(whole);
    Breaches breaches;
    if (document.workloads.empty()) {
        return breaches;
    }
    const std::vector<std::vector<double>> sizes = costs_of_requests(document);
    std::vector<std::vector<double>> sums = sizes;
    for (std::size_t w = 0; w < document.workloads.size(); ++w) {
        for (const TokenBucket& bucket : document.workloads[w].token_mix) {
            ScenarioDocument alone = document;
            alone.workloads[w].token_mix.clear();
            alone.workloads[w].units_per_request = {bucket, true};
            const std::vector<std::vector<double>> costs = costs_of_requests(alone);
            std::size_t e = 0;
            for (std::size_t before = 0; before < w; ++before) {
                e += document.workloads[before].runs_on.size();
            }
            for (const std::size_t end = e + document.workloads[w].runs_on.size(); e < end; ++e) {
                for (std::size_t m = 0; m < sums[e].size(); ++m) {
                    sums[e][m] -= bucket.share * costs[e][m];
                }
            }
        }
    }
    std::size_t e = 0;
    for (const Workload& workload : document.workloads) {
        for (std::size_t i = 0; i < workload.runs_on.size(); ++i, ++e) {
            for (std::size_t m = 0; !workload.token_mix.empty() && m < sums[e].size(); ++m) {
                if (std::fabs(sums[e][m]) > 1e-9 * sizes[e][m]) {
                    breaches.push_back(fmt::format("{}: {} of {} is left", workload.id, sums[e][m], sizes[e][m]));
                }
            }
        }
    }
    return breaches;
}

Breaches more_arrivals_cost_no_more(const ScenarioDocument& whole) {
    constexpr double kFirst = 0.001; // requests an hour
    ScenarioDocument document = at_hosts(whole);
    for (Pool& pool : document.pools) { // reads no dearer than writes, as hosts have them
        HostedModel& model = pool.endpoint ? static_cast<HostedModel&>(*pool.endpoint) : pool;
        for (std::size_t i = 0; model.cache && i < model.cache->write_lifetimes.size(); ++i) {
            std::optional<double>& factor = model.cache->write_lifetimes[i].price_factor;
            factor = factor ? std::optional(std::max(1.0, *factor)) : std::nullopt;
        }
        if (model.price_per_million_units) {
            model.price_per_million_units->cached_input = flat(0.0);
            for (PriceAbove& above : model.above) {
                above.price_per_million_units->cached_input = flat(0.0);
            }
        }
    }
    Breaches breaches;
    if (document.workloads.empty()) {
        return breaches;
    }
    const auto with = [&](double arrivals) {
        ScenarioDocument changed = document;
        for (Workload& workload : changed.workloads) {
            if (workload.prefix) {
                workload.prefix->requests_per_hour = arrivals;
            }
        }
        return changed;
    };
    for (double arrivals = kFirst; arrivals < 1e5; arrivals *= 10) {
        for_each_cost(with(10 * arrivals), with(arrivals), [&](double more, double fewer, std::size_t e) {
            if (more > fewer * (1 + 1e-12)) {
                breaches.push_back(fmt::format("entry {}: {} at {} an hour, {} at ten times", e, fewer, arrivals, more));
            }
        });
    }
    // At arrivals without end all is found.
    ScenarioDocument found = document;
    for (Pool& pool : found.pools) {
        HostedModel& model = pool.endpoint ? static_cast<HostedModel&>(*pool.endpoint) : pool;
        if (model.cache && !model.cache->hit_fraction) {
            model.cache->hit_fraction = model.cache->write_lifetimes.empty() ? model.cache->hit_fraction : 1.0;
        }
    }
    for_each_cost(with(1e9), found, [&](double endless, double all, std::size_t e) {
        if (std::fabs(endless - all) > 1e-9 * std::fabs(all)) {
            breaches.push_back(fmt::format("entry {}: {} at arrivals without end, {} where all is found", e, endless, all));
        }
    });
    return breaches;
}

} // namespace costcurve::tests
