// All that may serve some bucket of the workloads' requests, the load that each bucket is there, and what units cost.
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

/// By device and devices of a unit.
using DeviceOfUnit = std::pair<std::string, int>;
[[nodiscard]] DeviceOfUnit device_of_unit(const Option& option);

/// What is rented and owned of the catalogue, and hosted models where the request names no other ways, for the buckets of a
/// question's workloads.
class MixWays {
public:
    MixWays(const RankQuestion& question, const Catalog& catalog, const Runner& runner);

    /// False where the runner was told to stop.
    [[nodiscard]] bool has_run() const { return has_run_; }
    /// Each with the rate for some bucket; in the order of the catalogue, by the first bucket that it serves.
    [[nodiscard]] const std::vector<Option>& options() const { return options_; }
    [[nodiscard]] std::size_t buckets() const { return buckets_.size(); }
    /// Whether latency, price and context of a hosted model are known for all that it may serve; of devices always.
    [[nodiscard]] bool is_known(std::size_t option) const { return !unknown_.contains(option); }
    /// Whether its rate for some bucket, or its price, is assumed: rank puts what is known better first where that is near.
    [[nodiscard]] bool is_assumed(std::size_t option) const { return assumed_.contains(option); }
    [[nodiscard]] std::size_t evaluated() const { return evaluated_; }
    /// Whether an option serves a bucket by itself, within its objectives.
    [[nodiscard]] bool serves(std::size_t option, std::size_t bucket) const { return std::isfinite(loads_[option][bucket]); }
    /// Whether an option of the ranking is among these; one that is not known only where `unknown`.
    [[nodiscard]] bool has(const Option& option, bool unknown) const;
    /// Of an option of the ranking; true also of one that is not among these.
    [[nodiscard]] bool is_assumed(const Option& option) const;

    /// Fixed cost, cost of a unit and loads of an option, from its sizes for a load of as many units as all its buckets take, and
    /// of half of them. Nothing where it can't serve. The trial lends its hours.
    /// Of a hosted model what each bucket costs there, evaluated.
    [[nodiscard]] std::optional<MixOffer> offer(std::size_t option, Trial& trial, std::size_t& evaluated) const;

    [[nodiscard]] std::vector<MixBucket> report() const;

private:
    struct Requests { // of a bucket
        RankQuestion question;
        std::vector<Option> options; ///< until they are among all
        std::vector<Exclusion> excluded;
        std::map<DeviceOfUnit, Performance> performances;
        std::map<DeviceOfUnit, double> usable; ///< units/s of a unit
        std::map<std::string, double> costs;   ///< of hosted models and of runs, by key: the figure of all requests
        std::set<std::string> unknown;         ///< by key: hosted models of which something that decides is not known
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
    std::vector<std::vector<double>> loads_;  ///< by option, then bucket: units in the peak; of a hosted model and a run the figure
    std::set<std::size_t> unknown_, assumed_; ///< options
    std::size_t evaluated_ = 0;
    std::map<std::string, std::size_t> places_;
};

} // namespace costcurve::model
