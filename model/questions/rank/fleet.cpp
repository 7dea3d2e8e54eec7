// Each workload is left out once, and the ways of the plan are sized anew for the others.
#include "model/questions/rank/fleet.hpp"

namespace costcurve::model {

namespace {

Option without(const Option& option, std::size_t w) {
    Option rest = option;
    const auto drop = [w](auto& by_workload) {
        if (w < by_workload.size()) {
            by_workload.erase(by_workload.begin() + static_cast<std::ptrdiff_t>(w));
        }
    };
    drop(rest.performances);
    drop(rest.rate_facts);
    drop(rest.lateness);
    return rest;
}

} // namespace

std::vector<WorkloadShare> shares_of(const RankQuestion& question, const Entry& entry, const Summary& summary) {
    std::vector<WorkloadShare> shares;
    if (question.work.workloads.size() == 1) {
        return shares;
    }
    for (std::size_t w = 0; w < question.work.workloads.size(); ++w) {
        const WorkloadSummary& of_workload = summary.workloads[w];
        shares.push_back({question.work.workloads[w].id, of_workload.cost, std::nullopt, of_workload.days});
        WorkloadShare& share = shares.back();
        RankQuestion rest = question;
        rest.work.workloads.erase(rest.work.workloads.begin() + static_cast<std::ptrdiff_t>(w));
        Sizing sizing(rest, Sizing::Keep::figures);
        const Option base = without(*entry.option, w);
        const Option burst = entry.burst == nullptr ? Option() : without(*entry.burst, w);
        Trial of_base;
        sizing.make({&base}, of_base);
        Entry alone = size_alone(sizing, of_base);
        if (entry.burst != nullptr) {
            Trial of_burst;
            Trial both;
            sizing.make({&burst}, of_burst);
            sizing.make({&base, &burst}, both);
            const Entry hybrid = size_hybrid(sizing, alone, size_alone(sizing, of_burst), of_base, both);
            alone = hybrid.reason.empty() && (!alone.reason.empty() || hybrid.figure < alone.figure) ? hybrid : alone;
        }
        if (alone.reason.empty()) {
            share.adds = entry.figure - alone.figure;
        }
    }
    return shares;
}

std::vector<PlanApart> plans_apart(const RankQuestion& question, const std::function<Ranking(const RankQuestion& one)>& rank) {
    std::vector<PlanApart> apart;
    const std::size_t count = question.work.workloads.size();
    for (std::size_t w = 0; w < count && count > 1; ++w) {
        RankQuestion one = question;
        one.work.workloads = {question.work.workloads[w]};
        one.samples.reset();
        one.top = 1;
        const Ranking ranking = rank(one);
        if (ranking.plans.empty()) {
            return {};
        }
        apart.push_back({question.work.workloads[w].id, ranking.plans.front().scenario.name, ranking.plans.front().decisive});
    }
    return apart;
}

} // namespace costcurve::model
