// How long a gang takes for a training run, and how certain that is (model.md, section 9).
#pragma once

#include <vector>

#include "model/documents/documents.hpp"
#include "model/performance/rated_fit.hpp"

namespace costcurve::model {

/// Devices of a training run that work in step, with their common rate.
struct Gang {
    Performance performance;
    RateRange range;
    std::optional<RateFacts> facts = {};
};

/// The last pool takes over the remaining work this many days after the start (Workload::fall_back_after_days).
struct FallBack {
    double after_days = 0.0;
    double days_of_all = 0.0; ///< days for all of the work on the last pool, at the mean of interruptions
    double dearer = 0.0; ///< extra cost if all of the work ran on the last pool instead of the others, in the scenario's currency
};

/// Days from start to end of a run. Uncertain are the rate, the number of interruptions during the run and the cost of each.
struct RunTime {
    double devices = 0.0;
    double days = 0.0;          ///< as evaluated in the scenario: at the expected rate and the mean of interruptions
    double days_on_first = 0.0; ///< for all of the work without a fall back
    double goodput = 1.0;       ///< share of the gang's throughput that remains
    double undisturbed = 0.0;   ///< days without any interruption
    double rate_sigma = 0.0;    ///< standard deviation of the logarithm of the rate
    double interruptions = 0.0; ///< mean number
    double delay = 0.0;         ///< mean days lost to interruptions
    double squared_delay = 0.0; ///< mean square of the days that one interruption costs
    std::optional<FallBack> fall_back = {};

    /// Chance in [0, 1] that the run ends within so many days. Runs without interruptions are lognormal by their rate; runs with
    /// any are lognormal with both variances. With a fall back: the chance that enough work is done by then, averaged over the
    /// uncertain rate.
    [[nodiscard]] double chance_within(double within) const;
    /// The 90th percentile of its days.
    [[nodiscard]] double p90() const;
};

/// Share of the work that is left at the fall back: for a run at its mean, and the mean over chance, in which no run's share is
/// below 0.
[[nodiscard]] double left_at_the_mean(const RunTime& run);
[[nodiscard]] double left_by_chance(const RunTime& run);

/// The latest fall back, to a hundredth of a day, with which the run ends in time often enough; nothing if none does. A later fall
/// back leaves less work for the last pool.
[[nodiscard]] std::optional<FallBack> latest_fall_back(RunTime run, double days_of_all, double within);

inline constexpr double kNormalP90 = 1.2815515655446004; ///< 90th percentile of the standard normal distribution
/// The chance with which a plan must end in time.
inline constexpr double kChanceInTime = 0.9;
/// Largest training run with published rates, in devices: Llama 3.1 405B on 16,384 H100 (arXiv:2407.21783, section 3.3).
inline constexpr double kMaxRunDevices = 16384.0;

/// Units of work in a run of epochs, or in the month with the most work.
[[nodiscard]] double units_of_run(const Workload& workload);
/// Days that the run may take: its deadline, but at most the horizon. For monthly training the shortest month, as each month's work
/// must be done within it.
[[nodiscard]] double days_allowed(const Workload& workload, double horizon);
/// The same for a run on a pool, counted from the pool's start. On a block of days, at most the length of the block.
[[nodiscard]] double days_allowed(const Workload& workload, const Pool& pool, const ScenarioDocument& scenario);

/// Whether a block of days, a single term that is not renewed, may take the work: one training run, which may end before the block,
/// or work over a horizon no longer than the block.
[[nodiscard]] bool may_take_block(const Offer& block, const ScenarioDocument& work);
/// Starts a rented pool of a block on the day when the work begins, or on the next if the block's start hour is earlier.
void begin_block(Pool& pool, const ScenarioDocument& work);

/// Days in the scenario's months.
[[nodiscard]] double horizon_days(const ScenarioDocument& scenario);

/// Run time of a gang on a pool of whole hosts. Interruptions are Poisson, L per hour of work. Each costs the restart R, the work U
/// lost since the last checkpoint, uniform over interval and write (Daly 2006), and an exponential wait of mean w. Availability f,
/// the share of hours with instances, gives w: f = (1 / L) / (1 / L + w).
[[nodiscard]] RunTime run_time(const Workload& workload, const Pool& pool, const Gang& gang);

/// A gang for a training run beside other work, and the ratio of its p90 to its mean days.
struct GangOfFleet {
    const Gang* gang = nullptr;
    double lateness = 1.0; ///< p90 of its days over their mean
};

/// The smallest gang that ends in time often enough if nothing else runs. If none does, the fastest. `gangs` is not empty.
[[nodiscard]] GangOfFleet gang_in_time(const std::vector<Gang>& gangs, const Workload& workload, const Pool& pool, double horizon);

/// Whether so many devices on several hosts can form one gang: hosts of four or more devices with their own links (NVLink, ICI, …),
/// as in the clusters of the measured rates. TPU pods are linked directly, up to kMaxSlice chips, whatever the host.
[[nodiscard]] bool spans_hosts(const Device& device, int devices_per_host, double devices);
/// Chips in the largest slice of a TPU v5e or v6e. Larger slices of other TPUs are not stated.
inline constexpr double kMaxSlice = 256.0;

} // namespace costcurve::model
