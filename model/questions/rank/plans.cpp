// Reads plans back into options. A document counts as a plan of the ranking if rebuilding it at its size gives the same document.
#include "model/questions/rank/plans.hpp"

#include <algorithm>

#include "model/hosted/provisioned.hpp"

namespace costcurve::model {

namespace {

// The plan without names, notes and tags, which do not change its results.
ScenarioDocument unnamed(ScenarioDocument plan) {
    plan.id.clear();
    plan.name.clear();
    plan.source.clear();
    plan.note.clear();
    plan.stored = {};
    plan.tags = {};
    return plan;
}

// The plan's workloads without their pools and spares. Spares are part of a plan's size.
ScenarioDocument work_of(const ScenarioDocument& plan) {
    ScenarioDocument work = unnamed(plan);
    work.pools.clear();
    for (Workload& workload : work.workloads) {
        workload.runs_on.clear();
        workload.spare_replicas = 0;
    }
    return work;
}

// Whether servers are bought in several stages of kStageMonths months, all at the server's own price.
bool is_staged(const std::vector<ServerPurchase>& purchases) {
    return purchases.size() > 1 && std::all_of(purchases.begin(), purchases.end(), [](const ServerPurchase& purchase) {
               return purchase == ServerPurchase{purchase.month, purchase.servers} && purchase.month % kStageMonths == 0;
           });
}

std::optional<Option> option_of(const ScenarioDocument& plan, std::size_t p) {
    Option option;
    option.pool = plan.pools[p];
    option.porting = plan.workloads.front().runs_on[p].porting;
    Pool& pool = option.pool;
    if (pool.kind == PoolKind::api) {
        option.way = Way::api;
        option.is_fixed = is_provisioned(pool);
        return option;
    }
    if (pool.kind == PoolKind::cloud) {
        option.way = Way::cloud;
        option.is_fixed = pool.min_instances == pool.max_instances;
        const bool is_used = option.is_fixed || pool.min_instances == 0;
        if (!pool.offer || !is_used || pool.from_month != 0 || pool.months) {
            return std::nullopt;
        }
    } else {
        option.way = Way::owned;
        option.is_fixed = true;
        option.is_staged = is_staged(pool.purchases);
        const bool is_at_once = pool.purchases.size() == 1 && pool.purchases.front().month == 0;
        if (!pool.server || (!option.is_staged && !is_at_once)) {
            return std::nullopt;
        }
    }
    for (const Workload& workload : plan.workloads) {
        const std::optional<Performance>& performance = workload.runs_on[p].performance;
        if (!performance || workload.kind == WorkloadKind::training) {
            return std::nullopt;
        }
        option.performances.push_back(*performance);
    }
    return option;
}

// The fewest spares of any plan with replicas. Spot may serve alone if some plan uses it so.
RankOutages outages_of(const std::vector<Placed>& plans) {
    RankOutages outages;
    outages.spot = SpotUse::burst;
    std::optional<int> least;
    for (const Placed& plan : plans) {
        const std::vector<Pool>& pools = plan.document.pools;
        if (pools.size() == 1 && pools.front().offer && pools.front().offer->purchase == Purchase::spot) {
            outages.spot = SpotUse::all;
        }
        const bool has_replicas = std::ranges::any_of(pools, [](const Pool& pool) { return pool.kind != PoolKind::api; });
        for (std::size_t w = 0; has_replicas && w < plan.document.workloads.size(); ++w) {
            const Workload& workload = plan.document.workloads[w];
            if (workload.kind == WorkloadKind::inference) {
                least = std::min(least.value_or(workload.spare_replicas), workload.spare_replicas);
            }
        }
    }
    outages.spares = least.value_or(0);
    return outages;
}

} // namespace

std::optional<PlanWays> ways_of(const ScenarioDocument& plan) {
    const auto runs_on_all = [&](const Workload& workload) {
        bool is_same = workload.runs_on.size() == plan.pools.size();
        for (std::size_t p = 0; is_same && p < plan.pools.size(); ++p) {
            is_same = workload.runs_on[p].pool == plan.pools[p].id && !workload.runs_on[p].phase &&
                      workload.runs_on[p].porting == plan.workloads.front().runs_on[p].porting;
        }
        return is_same;
    };
    if (plan.pools.empty() || plan.pools.size() > 2 || !std::all_of(plan.workloads.begin(), plan.workloads.end(), runs_on_all)) {
        return std::nullopt;
    }
    std::optional<Option> base = option_of(plan, 0);
    if (!base) {
        return std::nullopt;
    }
    PlanWays ways{std::move(*base), std::nullopt};
    if (plan.pools.size() == 2) {
        ways.burst = option_of(plan, 1);
        const bool is_hybrid = ways.base.is_fixed && !ways.base.is_staged && ways.burst && !ways.burst->is_fixed;
        if (!is_hybrid) {
            return std::nullopt;
        }
    }
    return ways;
}

Result<std::optional<BestShares>> shares_of_best(const std::vector<Placed>& plans, std::size_t samples, std::uint64_t seed,
                                                 bool ignore_unserved, const Runner& runner) {
    RankQuestion question;
    question.work = work_of(plans.front().document);
    question.samples = samples;
    question.seed = seed;
    question.ignore_unserved = ignore_unserved;
    question.outages = outages_of(plans);
    question.admits_unknown_latency = true; // existing plans are judged by their warnings
    std::vector<PlanWays> ways;
    for (const Placed& plan : plans) {
        std::optional<PlanWays> found = ways_of(plan.document);
        if (!found || work_of(plan.document) != question.work) {
            return std::optional<BestShares>();
        }
        ways.push_back(std::move(*found));
    }
    Alternatives stated(plans, ignore_unserved);
    std::vector<Entry> entries;
    std::vector<std::size_t> places;
    for (std::size_t s = 0; s < plans.size(); ++s) {
        const Result<const Evaluation*> evaluated = stated.evaluate(s);
        if (evaluated && stated.may_rank((*evaluated)->summary)) {
            Entry& entry = entries.emplace_back();
            entry.option = &ways[s].base;
            entry.burst = ways[s].burst ? &*ways[s].burst : nullptr;
            places.push_back(s);
        }
    }
    std::vector<const Entry*> running;
    running.reserve(entries.size());
    for (const Entry& entry : entries) {
        running.push_back(&entry);
    }
    const std::optional<SampledEntries> sampled = sample_entries(question, running, {}, runner);
    if (!sampled) {
        return tl::unexpected(Failure{});
    }
    BestShares best{std::vector<double>(plans.size(), 0.0), sampled->none, running.size()};
    for (std::size_t r = 0; r < places.size(); ++r) {
        best.shares[places[r]] = sampled->chances[r].best;
    }
    return std::optional(std::move(best));
}

} // namespace costcurve::model
