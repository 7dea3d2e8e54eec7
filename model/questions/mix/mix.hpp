// Requests divided by workload and size over several devices, each group on the pool where it is cheapest.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "model/questions/mix/request_sizes.hpp"
#include "model/questions/rank/entries.hpp"

namespace costcurve::model {

/// Requests that one pool serves, of one workload or more, sized by themselves as any way is.
struct MixGroup {
    RankQuestion question; ///< of these requests alone
    Option option;         ///< with the rate for them; the base of a hybrid
    BucketParts parts;
    double figure = 0.0;              ///< that decides
    std::optional<Option> burst = {}; ///< of a hybrid, with its size; else the group is sized by what it serves
    int units = 0;
    int burst_units = 0;
    int spares = 0;
    bool latency_is_known = true;
    bool hosts_are_known = true;
};

struct Mix {
    std::string name;
    std::vector<MixGroup> groups; ///< two or more; from the first workload on, then from the shortest requests
    double figure = 0.0;          ///< of the whole scenario
    bool latency_is_known = true;
    bool hosts_are_known = true;
    std::optional<Workload> divided = {}; ///< of a pair: the workload with both phases; the groups are its halves
};

struct MixFound {
    std::vector<std::unique_ptr<Mix>> mixes; ///< of what is known; of unknown hosted models too, where that costs less
    MixReport report;
    std::vector<std::optional<double>> gaps; ///< of each programme; nothing where a plan costs less than its bound
    std::size_t evaluated = 0;               ///< whole scenarios
};

/// Whether the question is of several workloads, or of one of inference with several buckets, and admits mixes.
[[nodiscard]] bool may_mix(const RankQuestion& question);

/// The integer programme over all that is rented, owned and known of hosted models (mix_program.hpp), with loads from each bucket's
/// own rate under its objectives and the costs of a unit from two sizes of each way; what it finds is then sized exactly, group by
/// group, and improved while moving a bucket, merging groups or another device lowers the figure. Kept where the whole scenario is
/// eligible and costs less than the best single way among `entries` that it may be made of, and than the same groups all on one of
/// its ways. Hosted models of which latency, price or context is not known have a programme of their own, beside all others.
[[nodiscard]] MixFound find_mix(const RankQuestion& question, const Catalog& catalog, const std::vector<Entry>& entries,
                                const Runner& runner);

/// The ways of an entry of a question for one workload, as groups; none of a pair, and of a run that falls back.
[[nodiscard]] std::vector<MixGroup> groups_of(const Entry& entry, const RankQuestion& question);

/// Whether the whole scenario may be in a ranking; sets the mix's figure.
[[nodiscard]] bool holds_whole(Mix& mix, const RankQuestion& question);

/// The mix as one scenario: a pool by group, and its workloads, which have numbers where several groups do their requests; or the
/// workload of a pair. Evaluated.
[[nodiscard]] SizedPlan whole_plan(const Mix& mix);

/// Whether some workload's requests are in several groups.
[[nodiscard]] bool divides_requests(const Mix& mix);

/// In a ranking. Refers to the mix.
[[nodiscard]] Entry entry_of(const Mix& mix);

/// By workload of the scenario, or half of a pair's.
[[nodiscard]] std::vector<std::optional<RateFacts>> facts_of(const Mix& mix);

/// What each workload of the scenario costs, and adds to its group; nothing of a pair.
[[nodiscard]] std::vector<WorkloadShare> shares_of(const Mix& mix, const SizedPlan& plan);

} // namespace costcurve::model
