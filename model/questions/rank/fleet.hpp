// Several workloads on one set of pools: what they run with there, and what each of them adds to the bill.
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "model/questions/mix/mix.hpp"
#include "model/questions/rank/entries.hpp"

namespace costcurve::model {

[[nodiscard]] bool is_training(const Workload& workload);

/// Gives the option what each workload runs with on its devices, a run of training alone all its gangs; the reason why there is
/// nothing for one, or "".
[[nodiscard]] std::string_view fit_workloads(const std::vector<Workload>& workloads, Fitting& fitting, Option& option);

/// Beside other work a run of training takes the smallest gang that ends in time alone.
void take_gangs_of_fleet(const ScenarioDocument& work, Fitting& fitting, Option& option);

/// By workload: its part of the bill, and what it adds to the least figure of the same ways for the others. `adds` is absent if the
/// ways can't do the others' work, or have no figure for it.
[[nodiscard]] std::vector<WorkloadShare> shares_of(const RankQuestion& question, const Entry& entry,
                                                   std::span<const WorkloadSummary> workloads);

/// Several workloads, each ranked without the others: their first plans, and the ways of these. Nothing where one has no plan.
struct Apart {
    std::vector<PlanApart> plans;
    std::vector<std::vector<MixGroup>> groups;
};
/// `rank` gives the ranking of a question, and the ways of its first plan.
[[nodiscard]] Apart plans_apart(const RankQuestion& question,
                                const std::function<std::pair<Ranking, std::vector<MixGroup>>(const RankQuestion& one)>& rank);

/// A mix that runs each workload by its own first plan. Nothing where a workload has none; where the mix costs more than the
/// plans' sum, as with one site's bill for both; or where an entry of the same certainty costs no more.
[[nodiscard]] std::unique_ptr<Mix> mix_of_apart(const std::vector<std::vector<MixGroup>>& groups_by_workload,
                                                const std::vector<Entry>& entries, const RankQuestion& question);

/// The question with its workloads in the order in which a base and a burst cost least, as those listed first have the base where
/// both are needed. Tries every order of up to three workloads; of more, each in turn first and last of all, the others by id. As
/// listed if no order costs less. `rank` is called with the question for hybrids alone.
[[nodiscard]] RankQuestion in_cheapest_order(const RankQuestion& question,
                                             const std::function<Ranking(const RankQuestion& hybrids)>& rank);

} // namespace costcurve::model
