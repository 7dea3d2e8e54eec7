// All that may serve some bucket of a workload's requests, the load that each bucket is there, and what units cost.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
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

/// What is rented and owned of the catalogue, for the buckets of a question's workload.
class MixWays {
public:
    MixWays(const RankQuestion& question, const Catalog& catalog, const Runner& runner);

    /// False where the runner was told to stop.
    [[nodiscard]] bool has_run() const { return has_run_; }
    /// Each with the rate for some bucket; in the order of the catalogue, by the first bucket that it serves.
    [[nodiscard]] const std::vector<Option>& options() const { return options_; }
    [[nodiscard]] std::size_t buckets() const { return buckets_.size(); }

    /// Fixed cost, cost of a unit and loads of an option, from its sizes for a load of as many units as all its buckets take, and
    /// of half of them. Nothing where it can't serve. The trial lends its hours.
    [[nodiscard]] std::optional<MixOffer> offer(std::size_t option, Trial& trial, std::size_t& evaluated) const;

    [[nodiscard]] std::vector<MixBucket> report() const;

private:
    struct Bucket {
        RankQuestion question;
        std::vector<Option> options;
        std::vector<Exclusion> excluded;
        std::map<DeviceOfUnit, Performance> performances;
        std::map<DeviceOfUnit, double> usable; ///< units/s of a unit
    };
    void add_bucket(std::size_t b);
    [[nodiscard]] std::string reason_against(std::size_t b) const;
    [[nodiscard]] std::optional<double> figure(std::size_t option, std::size_t bucket, double units, Trial& trial,
                                               std::size_t& evaluated) const;

    const Workload& work_;
    std::vector<Bucket> buckets_;
    bool has_run_ = false;
    std::vector<Option> options_;
    std::vector<std::vector<double>> loads_; ///< by option, then bucket: units in the peak
    std::map<std::string, std::size_t> places_;
};

} // namespace costcurve::model
