// Defaults for hosts, plans and workloads that a ranking uses if neither the request nor the catalogue states a figure.
#pragma once

#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "model/documents/documents.hpp"

namespace costcurve::model {

/// How spot offers may serve inference: not at all, only above a base that keeps the availability without them, or also alone.
enum class SpotUse { never, burst, all };
template <> inline constexpr auto enum_names<SpotUse> = std::to_array<std::string_view>({"never", "burst", "all"});

/// Failures per host-hour, at any provider: 419 unexpected interruptions of 2,048 hosts of 8 GPUs in 54 days (The Llama 3 Herd of
/// Models, 2024, section 3.3.4, https://arxiv.org/abs/2407.21783).
inline constexpr double kFailuresPerHour = 1.6e-4;
inline constexpr double kReplacementS = 3600;   ///< s until a failed instance is replaced; a judgement, as are the next two
inline constexpr double kRepairHours = 48;      ///< hours until an owner has repaired a server
inline constexpr double kCheckpointWriteS = 60; ///< s that a training run stops to write a checkpoint; a judgement
/// Spot for training runs: interruptions per instance-hour, and the share of hours in which spot is available. Medians of 19 traces
/// of AWS' V100 instances, 7 to 45 days each, 2023 (Can't Be Late, NSDI 2024, with the traces at
/// https://github.com/skypilot-org/spot-traces): ranges 0.06 to 1.39, and 0.17 to 0.91.
inline constexpr double kSpotInterruptionsPerHour = 0.44;
inline constexpr double kSpotThere = 0.59;
inline constexpr double kRunDays = 30;   ///< days that a training run may take; a judgement
inline constexpr double kRestartS = 900; ///< s until a restarted replica has loaded its model and serves

/// Judgements: engineer-weeks to port a workload to a device that is neither a GPU nor a CPU (JAX runs on TPUs without a port), and
/// the cost of a week if the request does not state it.
inline constexpr double kPortingWeeks = 6;
inline constexpr double kEngineerWeekUsd = 4000;
[[nodiscard]] double porting_weeks(DeviceKind kind, std::string_view framework);

/// Latency that chat users accept, 95th percentile, s: time to first token, and between tokens at reading speed. Judgements.
inline constexpr double kChatTtftS = 2;
inline constexpr double kChatItlS = 0.1;

/// USD per GB-month of storage if the seller's price list has none: RunPod's highest price, for stopped pods
/// (https://docs.runpod.io/get-started/billing-information, 2025); running pods pay 0.10, network volumes 0.07.
inline constexpr double kStorageUsd = 0.2;

/// Context in tokens that every hosted model of today is assumed to accept; a judgement.
inline constexpr double kHostedContext = 32768;

inline constexpr int kDefaultSpares = 1; ///< replicas, if a request states none; the next is the same for availability
inline constexpr double kDefaultAvailability = 0.999;

/// Which of the defaults above were used for the work or for some way to run it.
struct Assumed {
    bool shape = false;      ///< of demand over the week
    bool objectives = false; ///< latency objectives
    bool spares = false;
    bool availability = false;
    bool spot = false;
    bool failures = false;
    bool replacement = false;
    bool repair = false;
    bool restart = false;
    bool spot_hours = false;                   ///< share of hours in which spot is available
    bool server_price = false;                 ///< an undated server price counts as today's
    bool resale = false;                       ///< value of a used server
    std::set<std::string> stated_resales = {}; ///< resale curves that servers state themselves, other than the assumed one
    bool porting = false;                      ///< engineer-weeks
    bool engineer_week = false;
    bool within_days = false; ///< deadline of a training run
    bool training_precision = false;
    bool checkpoint = false; ///< time to write a checkpoint
    bool spot_of_runs = false;
    bool spare_hosts = false;    ///< beside the gang of a training run
    bool instances = false;      ///< a seller has all instances of a training run at once
    bool batch_start = false;    ///< batch instances work as soon as they start
    bool held_bursts = false;    ///< burst instances run for the whole hour
    bool started_bursts = false; ///< burst instances start for each burst, and requests wait
    bool hosts = false;          ///< hosted models keep the limits that nobody states for them
    bool context = false;        ///< hosted models accept long requests
    bool sizes = false;          ///< a request's size is known when it arrives
    bool nothing_stored = false; ///< no weights are stored with a seller who bills storage
    bool storage_price = false;  ///< price of storage if the seller's list states none
};

/// Sets how often hosts of a device pool fail and how long they are away, if the pool doesn't state it, and notes it. Interruptions
/// of spot stay unknown: they are not failures.
void assume_failures(Pool& pool, Assumed& assumed);
/// Notes how burst instances of a pool that follows demand are assumed to run, if any workload has bursts.
void assume_bursts(const Pool& pool, const std::vector<Workload>& workloads, Assumed& assumed);
/// Sets the price per GB-month of a rented pool if the work stores a known size there, in the offer's currency if an exchange rate
/// of the dollar is known. Notes it.
void assume_storage(Pool& pool, const ScenarioDocument& work, Assumed& assumed);
/// Sets a server's resale value over its age, and notes it.
void assume_resale(Server& server, Assumed& assumed);
/// Sets how often spot is interrupted and available for a training pool, if not stated. Notes this and the gang's other defaults.
void assume_gangs(Pool& pool, Assumed& assumed);
/// Sets a training run's deadline and the time to write a checkpoint, if not stated, and notes it.
void assume_run(Workload& workload, Assumed& assumed);
/// Sets the time that a workload takes to restart, if not stated, and notes it.
void assume_restart(Workload& workload, Assumed& assumed);
/// Sets latency objectives of chat users for inference that states none, and notes it.
void assume_objectives(Workload& workload, Assumed& assumed);

/// A line below a ranking that explains one default.
struct Assumption {
    std::string what;
    std::string value;
    std::string unit;
    std::string why;
    std::string change; ///< how to state the figure instead
};
[[nodiscard]] std::vector<Assumption> lines_of(const Assumed& assumed);

} // namespace costcurve::model
