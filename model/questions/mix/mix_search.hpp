// Groups of requests on their pools, sized exactly, and moves that lower what they cost together.
#pragma once

#include <cstddef>
#include <deque>
#include <map>
#include <utility>
#include <vector>

#include "model/questions/mix/mix.hpp"
#include "model/questions/mix/mix_ways.hpp"

namespace costcurve::model {

/// A division: pairs of an option's number and the parts of each bucket that it serves.
using Division = std::vector<std::pair<std::size_t, BucketParts>>;

/// Groups that one search from a division sizes at most.
inline constexpr std::size_t kMaxTriedGroups = 400;

/// Sizes groups, each once. One thread.
class MixSearch {
public:
    MixSearch(const RankQuestion& question, const MixWays& ways, Fitting& fitting);

    /// The figures of its groups together; infinite where one can't serve, an option stands twice, or two are owned at one site,
    /// whose bill is of both.
    [[nodiscard]] double figure(const Division& division);
    /// The same requests, each group on a pool of its own, all of one option.
    [[nodiscard]] double figure_on_one(const Division& division, std::size_t option);

    /// The division after each move that lowers its figure: two groups as one, a bucket moved, another of `candidates` for a group
    /// or for a bucket. Ends where none does, or after kMaxTriedGroups more groups. An empty division stays so.
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
    Fitting& fitting_; ///< of searches of one question; keeps what it found
    std::deque<Tried> all_;
    std::map<std::pair<std::size_t, BucketParts>, const Tried*> by_key_;
    Trial trial_;
    std::size_t max_tried_ = 0;
    std::size_t evaluated_ = 0;
};

} // namespace costcurve::model
