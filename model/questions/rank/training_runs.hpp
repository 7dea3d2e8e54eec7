// How long a gang takes for a run of training, and how sure that is (model.md, section 9).
#pragma once

#include <vector>

#include "model/documents/documents.hpp"
#include "model/performance/rated_fit.hpp"

namespace costcurve::model {

/// Devices of a training run that work as one, with their rate.
struct Gang {
    Performance performance;
    RateRange range;
    std::optional<RateFacts> facts = {};
};

/// From so many days after the start on the last pool does what is left (Workload::fall_back_after_days).
struct FallBack {
    double after_days = 0.0;
    double days_of_all = 0.0; ///< that the last pool would take for all of the work, interruptions at their mean
    double dearer = 0.0;      ///< that all of the work is there than on the others, in the scenario's currency
};

/// Days from the start to the end: of a rate that is uncertain and, by chance, of interruptions, how many fall into the run and
/// what each costs.
struct RunTime {
    double devices = 0.0;
    double days = 0.0;          ///< as the scenario evaluates: of the rate itself, in the mean of interruptions
    double days_on_first = 0.0; ///< that all of the work takes without falling back
    double goodput = 1.0;       ///< share of the gang's throughput that is kept
    double undisturbed = 0.0;   ///< days without an interruption
    double rate_sigma = 0.0;    ///< standard deviation of the logarithm of the rate
    double interruptions = 0.0; ///< in the mean
    double delay = 0.0;         ///< days that they cost, in the mean
    double squared_delay = 0.0; ///< of one: the mean of the square of the days that it costs
    std::optional<FallBack> fall_back = {};

    /// The chance that it ends within so many days, in [0, 1]: of runs without an interruption lognormal by the rate, of those with
    /// any lognormal with both variances. Of one that falls back that it has done enough by then, over what its rate may be.
    [[nodiscard]] double chance_within(double within) const;
    /// Days that one run in ten exceeds.
    [[nodiscard]] double p90() const;
};

/// The part of the work that is left when it falls back: of the run at its mean, and in the mean of runs by chance, of which none
/// leaves less than nothing.
[[nodiscard]] double left_at_the_mean(const RunTime& run);
[[nodiscard]] double left_by_chance(const RunTime& run);

/// The latest fall back, to a hundredth of a day, with which the run ends in time often enough; nothing where none does. A later
/// one leaves less for the last pool.
[[nodiscard]] std::optional<FallBack> latest_fall_back(RunTime run, double days_of_all, double within);

inline constexpr double kNormalP90 = 1.2815515655446004; ///< of the standard normal distribution
/// The chance with which a plan must end in time.
inline constexpr double kChanceInTime = 0.9;
/// The devices of the largest run that rates are of: Llama 3.1 405B on 16,384 H100 (arXiv:2407.21783, section 3.3).
inline constexpr double kMaxRunDevices = 16384.0;

/// Units of a run of epochs, or of the month that asks for the most.
[[nodiscard]] double units_of_run(const Workload& workload);
/// Days that the run may take: its own, up to the end of a horizon of so many days; or the shortest month's, in which the work of
/// each month must be done.
[[nodiscard]] double days_allowed(const Workload& workload, double horizon);
/// The same of a run on a pool, from when the pool is there: of a block of days no longer than the block.
[[nodiscard]] double days_allowed(const Workload& workload, const Pool& pool, const ScenarioDocument& scenario);

/// Whether a block of days, one term that does not come again, may do work: one run of training, which it may outlast, or what
/// lasts no longer than the block.
[[nodiscard]] bool may_take_block(const Offer& block, const ScenarioDocument& work);
/// Lets a rented pool of a block begin with the work: on its day, or the next where the block's hour comes before it.
void begin_block(Pool& pool, const ScenarioDocument& work);

/// Days of the scenario's months.
[[nodiscard]] double horizon_days(const ScenarioDocument& scenario);

/// Of a gang on a pool of whole hosts. Interruptions come L an hour, Poisson, in the hours of work; each costs R + U, the restart
/// and what was done since the last checkpoint, U even over the interval and the write (Daly 2006), and a wait, exponential with
/// the mean w, where instances are to be had for a part f of the hours alone: f = (1 / L) / (1 / L + w).
[[nodiscard]] RunTime run_time(const Workload& workload, const Pool& pool, const Gang& gang);

/// A gang of a run, and by how much a run in ten is later than the mean.
struct GangOfFleet {
    const Gang* gang = nullptr;
    double lateness = 1.0; ///< p90 of its days over their mean
};

/// The smallest gang that ends in time often enough where nothing else runs; where none does, the fastest. `gangs` has at least
/// one.
[[nodiscard]] GangOfFleet gang_in_time(const std::vector<Gang>& gangs, const Workload& workload, const Pool& pool, double horizon);

/// Whether hosts of so many of the devices are known to make one gang: by links of their own (NVLink, ICI, …) in hosts of four or
/// more, as those of the clusters that rates were measured on. Pods of TPUs are joined by their links, up to kMaxSlice, whatever
/// the host.
[[nodiscard]] bool spans_hosts(const Device& device, int devices_per_host, double devices);
/// Chips of the largest slice of a TPU v5e or v6e; those of others that are larger are not stated.
inline constexpr double kMaxSlice = 256.0;

} // namespace costcurve::model
