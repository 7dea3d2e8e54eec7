// Divides requests by workload and size over several devices, so that each group runs where it is cheapest.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "model/questions/mix/request_sizes.hpp"
#include "model/questions/rank/entries.hpp"

namespace costcurve::model {

/// Requests of one or more workloads that one pool serves, sized by themselves like any way.
struct MixGroup {
    RankQuestion question; ///< with the group's requests alone
    Option option;         ///< with the rate for these requests; of a hybrid, the base
    BucketParts parts;
    double figure = 0.0;              ///< by which ways are ranked
    std::optional<Option> burst = {}; ///< of a hybrid, which keeps its size; other groups are sized for their requests
    int units = 0;
    int burst_units = 0;
    int spares = 0;
    bool latency_is_known = true;
    bool hosts_are_known = true;
};

struct Mix {
    std::string name;
    std::vector<MixGroup> groups; ///< two or more; ordered by first workload, then by request length
    double figure = 0.0;          ///< of the whole scenario
    bool latency_is_known = true;
    bool hosts_are_known = true;
    std::optional<Workload> divided = {}; ///< of a pair: the workload with both phases; the groups are its halves
};

struct MixFound {
    std::vector<std::unique_ptr<Mix>> mixes; ///< of known options; also with assumed or unknown ones, if that costs less
    MixReport report;
    std::vector<std::optional<double>> gaps; ///< by programme; nothing if a plan costs less than its bound
    std::size_t evaluated = 0;               ///< scenarios
};

/// Whether the question includes mixes and has several workloads, or one inference workload with several buckets.
[[nodiscard]] bool may_mix(const RankQuestion& question);

/// Solves the integer programme of mix_program.hpp over all options that are rented, owned or hosted. Loads come from each bucket's
/// own rate under its objectives, unit costs from two sizes of each option. Then sizes the groups exactly, and moves buckets,
/// merges groups or changes devices while this lowers the figure. Keeps a mix if its whole scenario is eligible, and costs less
/// than the best single way among `entries` that it may use and than its groups all on one of its options. Searches three times:
/// without assumed and unknown options, with assumed ones, and with all.
[[nodiscard]] MixFound find_mix(const RankQuestion& question, const Catalog& catalog, const std::vector<Entry>& entries,
                                const Runner& runner);

/// The ways of a single-workload question's entry, as groups. Empty for a pair, and for a run that falls back.
[[nodiscard]] std::vector<MixGroup> groups_of(const Entry& entry, const RankQuestion& question);

/// Whether the whole scenario is eligible for a ranking. Sets the mix's figure.
[[nodiscard]] bool holds_whole(Mix& mix, const RankQuestion& question);

/// The mix as one evaluated scenario with a pool per group. A workload that several groups serve becomes several numbered
/// workloads. A pair keeps its one workload.
[[nodiscard]] SizedPlan whole_plan(const Mix& mix);

/// Whether some workload's requests are in several groups.
[[nodiscard]] bool divides_requests(const Mix& mix);

/// The mix as an entry of a ranking. Refers to the mix.
[[nodiscard]] Entry entry_of(const Mix& mix);

/// Facts of rates by the scenario's workload, or by half of a pair's workload.
[[nodiscard]] std::vector<std::optional<RateFacts>> facts_of(const Mix& mix);

/// Cost of each workload of the scenario, and what it adds to its group. Empty for a pair.
[[nodiscard]] std::vector<WorkloadShare> shares_of(const Mix& mix, const SizedPlan& plan);

} // namespace costcurve::model
