// Every division of whole buckets over the ways of a small catalogue, each group sized and evaluated by itself; random ones.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "model/performance/rated_fit.hpp"
#include "tests/model/questions/mix/mixes.hpp"

namespace costcurve::tests {

inline constexpr double kUnserved = std::numeric_limits<double>::infinity();

// Devices that are bound by their memory, and others that are bound by their arithmetic; short answers to long prompts, and long
// ones to short prompts.
inline Catalog random_devices(Random& random) {
    Catalog catalog = one_device();
    catalog.offers.clear();
    for (int i = 0; i < 3; ++i) {
        const double fast_memory = random.between(0, 1);
        add_device(catalog, fmt::format("d{}", i), random.between(0.8, 1.6), 800 + 2400 * fast_memory,
                   1e14 + 6e14 * (1 - fast_memory), random.between(40, 120));
    }
    return catalog;
}
inline std::vector<TokenBucket> random_buckets(Random& random, std::size_t count) {
    std::vector<TokenBucket> buckets;
    double all = 0.0;
    for (std::size_t b = 0; b < count; ++b) {
        const bool is_prompt = random.chance(0.5);
        const double share = random.between(0.2, 1);
        buckets.push_back(is_prompt ? bucket(random.between(2000, 7000), random.between(5, 40), share)
                                    : bucket(random.between(20, 200), random.between(200, 900), share));
        all += share;
    }
    for (TokenBucket& of : buckets) {
        of.share /= all;
    }
    return buckets;
}

// Whole buckets of all workloads on the offers and hosted models of a catalogue, each group with the least instances that do its
// work.
class EveryDivision {
public:
    EveryDivision(const RankQuestion& question, const Catalog& catalog)
        : question_(question), catalog_(catalog), rates_(catalog.models, std::vector<Device>{}, std::vector<MeasuredPoint>{}) {
        std::size_t buckets = 0;
        for (const Workload& workload : question.work.workloads) {
            buckets += buckets_in(workload);
        }
        const std::size_t ways = catalog.offers.size() + catalog.endpoints.size();
        const auto all = static_cast<std::size_t>(std::pow(ways, buckets));
        for (std::size_t code = 0; code < all; ++code) {
            std::vector<std::size_t> masks(ways, 0);
            std::size_t left = code;
            for (std::size_t b = 0; b < buckets; ++b, left /= ways) {
                masks[left % ways] |= std::size_t{1} << b;
            }
            consider(masks);
        }
    }
    double single = kUnserved;
    double split = kUnserved;
    double split_on_one = kUnserved; ///< the best split's groups, all on one of its devices

private:
    void consider(const std::vector<std::size_t>& masks) {
        double sum = 0.0;
        for (std::size_t j = 0; j < masks.size(); ++j) {
            sum += masks[j] == 0 ? 0.0 : figure(j, masks[j]);
        }
        const auto groups = std::ranges::count_if(masks, [](std::size_t mask) { return mask != 0; });
        if (groups == 1) {
            single = std::min(single, sum);
        } else if (sum < split) {
            split = sum;
            split_on_one = kUnserved;
            for (std::size_t j = 0; j < masks.size(); ++j) {
                double on_one = 0.0;
                for (const std::size_t mask : masks) {
                    on_one += mask == 0 ? 0.0 : figure(j, mask);
                }
                split_on_one = masks[j] == 0 ? split_on_one : std::min(split_on_one, on_one);
            }
        }
    }

    static std::size_t buckets_in(const Workload& workload) { return std::max<std::size_t>(1, workload.token_mix.size()); }

    // The requests of a workload whose buckets are in the mask, where there are any.
    static void take(const Workload& workload, std::size_t mask, std::vector<Workload>& workloads) {
        Workload some = workload;
        some.token_mix.clear();
        double share = workload.token_mix.empty() && (mask & 1U) != 0 ? 1.0 : 0.0;
        for (std::size_t b = 0; b < workload.token_mix.size(); ++b) {
            if ((mask >> b & 1U) != 0) {
                some.token_mix.push_back(workload.token_mix[b]);
                share += some.token_mix.back().share;
            }
        }
        for (TokenBucket& of : some.token_mix) {
            of.share /= share;
        }
        if (share > 0.0) {
            *some.demand.mean_per_s *= share;
            workloads.push_back(std::move(some));
        }
    }

    double figure(std::size_t j, std::size_t mask) {
        const auto [known, is_new] = known_.try_emplace({j, mask}, kUnserved);
        if (!is_new) {
            return known->second;
        }
        ScenarioDocument scenario = question_.work;
        scenario.workloads.clear();
        std::size_t first = 0;
        for (const Workload& workload : question_.work.workloads) {
            take(workload, mask >> first, scenario.workloads);
            first += buckets_in(workload);
        }
        if (j >= catalog_.offers.size()) {
            return known_[{j, mask}] = hosted_figure(scenario, catalog_.endpoints[j - catalog_.offers.size()]);
        }
        const Offer& offer = catalog_.offers[j];
        Pool& pool = scenario.pools.emplace_back();
        pool.id = offer.id;
        pool.offer = offer;
        for (Workload& workload : scenario.workloads) {
            const auto model = std::ranges::find(catalog_.models, workload.model, &Model::id);
            const Fit fit = rated_fit(rates_, *model, offer.device, workload, offer.devices);
            if (!fit.performance) {
                return kUnserved;
            }
            workload.runs_on = {{offer.id, *fit.performance, {}}};
        }
        for (pool.max_instances = 1; pool.max_instances < 64; ++pool.max_instances) {
            const Answer answer = evaluate_document(scenario);
            if (answer.summary.is_feasible()) {
                return known->second = answer.summary.total.cost;
            }
        }
        return kUnserved;
    }

    static double hosted_figure(ScenarioDocument& scenario, const Endpoint& endpoint) {
        Pool& pool = scenario.pools.emplace_back();
        pool.id = endpoint.id;
        pool.kind = PoolKind::api;
        pool.endpoint = endpoint;
        for (Workload& workload : scenario.workloads) {
            if (workload.model != endpoint.model) {
                return kUnserved;
            }
            workload.runs_on = {{endpoint.id, {}, {}}};
        }
        const Answer answer = evaluate_document(scenario);
        return answer.summary.is_feasible() ? answer.summary.total.cost : kUnserved;
    }

    const RankQuestion& question_;
    const Catalog& catalog_;
    Rates rates_;
    std::map<std::pair<std::size_t, std::size_t>, double> known_;
};

} // namespace costcurve::tests
