// Sizes groups of requests exactly on their pools, and searches for moves that lower their total cost.
#pragma once

#include <cstddef>
#include <deque>
#include <map>
#include <utility>
#include <vector>

#include "model/questions/mix/mix.hpp"
#include "model/questions/mix/mix_ways.hpp"

namespace costcurve::model {

/// A division of requests: pairs of an option's index and the part of each bucket that it serves.
using Division = std::vector<std::pair<std::size_t, BucketParts>>;

/// Limit on the groups that one search from a division sizes.
inline constexpr std::size_t kMaxTriedGroups = 400;

/// Sizes groups, each once. Not thread-safe.
class MixSearch {
public:
    MixSearch(const RankQuestion& question, const MixWays& ways, Fitting& fitting);

    /// Sum of the groups' figures; infinite if a group can't serve, an option occurs twice, or two groups own servers at one site,
    /// where bills are shared.
    [[nodiscard]] double figure(const Division& division);
    /// The figure of the same groups if each had its own pool of one and the same option.
    [[nodiscard]] double figure_on_one(const Division& division, std::size_t option);

    /// Improves the division by moves that lower its figure: merges two groups, moves a bucket, or changes the option of a group or
    /// a bucket to another of `candidates`. Ends if no move helps, or after sizing kMaxTriedGroups groups. An empty division stays
    /// empty.
    [[nodiscard]] Division improved(Division division, const std::vector<std::size_t>& candidates);

    [[nodiscard]] const MixGroup& group(std::size_t option, const BucketParts& parts) { return tried(option, parts).group; }
    [[nodiscard]] bool latency_is_known(const Division& division);
    [[nodiscard]] bool hosts_are_known(const Division& division);
    [[nodiscard]] std::size_t tried_groups() const { return all_.size(); }
    [[nodiscard]] std::size_t evaluated() const { return evaluated_; }

private:
    struct Tried {
        MixGroup group;
        bool latency_is_known = true;
        bool hosts_are_known = true;
    };
    [[nodiscard]] bool serves(std::size_t option, const BucketParts& parts) const;
    [[nodiscard]] bool fit(MixGroup& group) const;
    [[nodiscard]] const Tried& tried(std::size_t option, const BucketParts& parts);
    [[nodiscard]] bool improve_once(Division& division, double& least, const std::vector<std::size_t>& candidates);
    [[nodiscard]] bool take_if_less(Division next, Division& division, double& least);

    const RankQuestion& question_;
    std::vector<Bucket> buckets_;
    const MixWays& ways_;
    const std::vector<Option>& options_;
    Fitting& fitting_; ///< shared by all searches of a question, as a cache
    std::deque<Tried> all_;
    std::map<std::pair<std::size_t, BucketParts>, const Tried*> by_key_;
    Trial trial_;
    std::size_t max_tried_ = 0;
    std::size_t evaluated_ = 0;
};

} // namespace costcurve::model
