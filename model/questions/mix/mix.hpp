// One workload's requests divided by their size over several devices, each group on the pool where it is cheapest.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "model/questions/mix/request_sizes.hpp"
#include "model/questions/rank/entries.hpp"

namespace costcurve::model {

/// Requests that one pool serves, sized by themselves as any way is.
struct MixGroup {
    RankQuestion question; ///< of these requests alone
    Option option;         ///< with the rate for them
    BucketParts parts;
    double figure = 0.0; ///< that decides
};

struct Mix {
    std::string name;
    std::vector<MixGroup> groups; ///< from the shortest requests on; two or more
    double figure = 0.0;          ///< of the whole scenario
    bool latency_is_known = true;
    bool hosts_are_known = true;
};

struct MixFound {
    std::unique_ptr<Mix> mix; ///< null where none costs less
    MixReport report;
    std::size_t evaluated = 0; ///< whole scenarios
};

/// Whether the question is of one workload of inference with several buckets, and admits mixes.
[[nodiscard]] bool may_mix(const RankQuestion& question);

/// The integer programme over all that is rented and owned (mix_program.hpp), with loads from each bucket's own rate under its
/// objectives and the costs of a unit from two sizes of each way; what it finds is then sized exactly, group by group, and improved
/// while moving a bucket, merging groups or another device lowers the figure. Kept where the whole scenario is eligible and costs
/// less than the best single way of devices among `entries`, and than the same groups all on one of its devices.
[[nodiscard]] MixFound find_mix(const RankQuestion& question, const Catalog& catalog, const std::vector<Entry>& entries,
                                const Runner& runner);

/// The mix as one scenario: a workload and a pool by group, evaluated.
[[nodiscard]] SizedPlan whole_plan(const Mix& mix);

/// In a ranking. Refers to the mix.
[[nodiscard]] Entry entry_of(const Mix& mix);

/// By group.
[[nodiscard]] std::vector<std::optional<RateFacts>> facts_of(const Mix& mix);

/// What each group costs.
[[nodiscard]] std::vector<WorkloadShare> shares_of(const Mix& mix, const SizedPlan& plan);

} // namespace costcurve::model
