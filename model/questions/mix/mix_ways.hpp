// Options that may serve some bucket of the workloads' requests, with each bucket's load there and the cost of units.
#pragma once

#include <cmath>
#include <cstddef>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "model/questions/mix/mix_program.hpp"
#include "model/questions/mix/request_sizes.hpp"
#include "model/questions/rank/sizing.hpp"

namespace costcurve::model {

/// Device id, and devices per unit.
using DeviceOfUnit = std::pair<std::string, int>;
[[nodiscard]] DeviceOfUnit device_of_unit(const Option& option);

/// The options of the catalogue for the buckets of a question's workloads: rented and owned devices, and hosted models unless the
/// request includes only other ways.
class MixWays {
public:
    MixWays(const RankQuestion& question, const Catalog& catalog, const Runner& runner);

    /// False if the runner was stopped.
    [[nodiscard]] bool has_run() const { return has_run_; }
    /// Each with the rate for one of its buckets. Ordered by the first bucket that they serve, then as in the catalogue.
    [[nodiscard]] const std::vector<Option>& options() const { return options_; }
    [[nodiscard]] std::size_t buckets() const { return buckets_.size(); }
    /// Whether a hosted model's latency, price and context are known for all buckets that it may serve. True for devices.
    [[nodiscard]] bool is_known(std::size_t option) const { return !unknown_.contains(option); }
    /// Whether the option's price, or its rate for some bucket, is assumed. The ranking prefers known options at a similar cost.
    [[nodiscard]] bool is_assumed(std::size_t option) const { return assumed_.contains(option); }
    [[nodiscard]] std::size_t evaluated() const { return evaluated_; }
    /// Whether an option alone can serve a bucket within its objectives.
    [[nodiscard]] bool serves(std::size_t option, std::size_t bucket) const { return std::isfinite(loads_[option][bucket]); }
    /// Whether an option of the ranking is among these. Options that are not known count only if `unknown`.
    [[nodiscard]] bool has(const Option& option, bool unknown) const;
    /// The same for an option of the ranking. True if it is not among these.
    [[nodiscard]] bool is_assumed(const Option& option) const;

    /// Fixed cost, unit cost and loads of an option, from its figures at as many units as all its buckets take and at half of them.
    /// For a hosted model, from the evaluated cost of each bucket. Nothing if it can't serve. Reuses the trial's table of hours.
    [[nodiscard]] std::optional<MixOffer> offer(std::size_t option, Trial& trial, std::size_t& evaluated) const;

    [[nodiscard]] std::vector<MixBucket> report() const;

private:
    struct Requests { // of one bucket
        RankQuestion question;
        std::vector<Option> options; ///< moved to options_ when the bucket is added
        std::vector<Exclusion> excluded;
        std::map<DeviceOfUnit, Performance> performances;
        std::map<DeviceOfUnit, double> usable; ///< units of work/s per unit
        std::map<std::string, double> costs;   ///< by key, of hosted models and training runs: figure of all the bucket's requests
        std::set<std::string> unknown;         ///< keys of hosted models with unknown latency, price or context
        std::size_t evaluated = 0;
    };
    void find_options(const RankQuestion& question, const Catalog& catalog, std::size_t b);
    static void price_whole(Requests& bucket);
    void add_bucket(std::size_t b);
    [[nodiscard]] MixOffer offer_by_cost(std::size_t option) const;
    [[nodiscard]] std::string reason_against(std::size_t b) const;
    [[nodiscard]] std::optional<double> figure(std::size_t option, std::size_t bucket, double units, Trial& trial,
                                               std::size_t& evaluated) const;

    const std::vector<Workload>& workloads_;
    std::vector<Bucket> places_of_buckets_;
    std::vector<Requests> buckets_;
    bool has_run_ = false;
    std::vector<Option> options_;
    std::vector<std::vector<double>> loads_;  ///< by option, then bucket: units in the peak; the figure if priced as a whole
    std::set<std::size_t> unknown_, assumed_; ///< indices of options
    std::size_t evaluated_ = 0;
    std::map<std::string, std::size_t> places_;
};

} // namespace costcurve::model
