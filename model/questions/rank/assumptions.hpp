// What a ranking takes for granted of hosts and plans where neither the request nor the catalogue states it.
#pragma once

#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "model/documents/documents.hpp"

namespace costcurve::model {

/// How spot offers may serve inference: not at all, above a base that keeps the availability without them, or alone too.
enum class SpotUse { never, burst, all };
template <> inline constexpr auto enum_names<SpotUse> = std::to_array<std::string_view>({"never", "burst", "all"});

/// Of a host, at any provider: 419 unexpected interruptions of 2,048 hosts of 8 GPUs in 54 days (The Llama 3 Herd of Models, 2024,
/// section 3.3.4, https://arxiv.org/abs/2407.21783).
inline constexpr double kFailuresPerHour = 1.6e-4;
inline constexpr double kReplacementS = 3600;   ///< until another instance is there; a judgement, as are the next two
inline constexpr double kRepairHours = 48;      ///< of a server that its owner repairs
inline constexpr double kCheckpointWriteS = 60; ///< of a training run, beside its work; a judgement
/// Spot for a run of training: interruptions of an instance an hour, and the share of the hours in which it is to be had. The
/// medians of 19 traces of AWS' V100 instances, 7 to 45 days each, 2023 (Can't Be Late, NSDI 2024, with the traces at
/// https://github.com/skypilot-org/spot-traces): 0.06 to 1.39, and 0.17 to 0.91.
inline constexpr double kSpotInterruptionsPerHour = 0.44;
inline constexpr double kSpotThere = 0.59;
inline constexpr double kRunDays = 30;   ///< that a run may take; a judgement
inline constexpr double kRestartS = 900; ///< until a replica has its model loaded and serves

/// Judgements: engineer-weeks of porting a workload to a device that is neither a GPU nor a CPU (JAX runs on TPUs as it is),
/// and the cost of a week where the request does not state it.
inline constexpr double kPortingWeeks = 6;
inline constexpr double kEngineerWeekUsd = 4000;
[[nodiscard]] double porting_weeks(DeviceKind kind, std::string_view framework);

/// What people who chat wait for, at the 95th percentile: to the first token, and between tokens as fast as they read. Judgements.
inline constexpr double kChatTtftS = 2;
inline constexpr double kChatItlS = 0.1;

/// USD per GB and month of storage, where the seller's price list has none: the highest of RunPod's prices, that of stopped
/// pods (https://docs.runpod.io/get-started/billing-information, 2025); running pods pay 0.10, network volumes 0.07.
inline constexpr double kStorageUsd = 0.2;

/// Tokens that any hosted model of today reads; a judgement.
inline constexpr double kHostedContext = 32768;

inline constexpr int kDefaultSpares = 1; ///< of a request that states nothing, as is the next
inline constexpr double kDefaultAvailability = 0.999;

/// Of these, what was taken for the work or some way.
struct Assumed {
    bool shape = false;      ///< of the demand
    bool objectives = false; ///< of latency
    bool spares = false;
    bool availability = false;
    bool spot = false;
    bool failures = false;
    bool replacement = false;
    bool repair = false;
    bool restart = false;
    bool spot_hours = false;                   ///< the share of hours in which spot is to be had
    bool server_price = false;                 ///< that a price of no day is one of today
    bool resale = false;                       ///< what a used server fetches
    std::set<std::string> stated_resales = {}; ///< what others state of it, other values than those assumed
    bool porting = false;                      ///< weeks
    bool engineer_week = false;
    bool within_days = false; ///< of a run of training
    bool training_precision = false;
    bool checkpoint = false; ///< what writing one takes
    bool spot_of_runs = false;
    bool spare_hosts = false;    ///< of gangs
    bool instances = false;      ///< that a seller has all of a run's at once
    bool batch_start = false;    ///< that instances work as soon as they run
    bool held_bursts = false;    ///< that instances of bursts run all the hour
    bool started_bursts = false; ///< that they start for each, and requests wait
    bool hosts = false;          ///< that hosted models keep what nobody states of them
    bool context = false;        ///< that they read long requests
    bool sizes = false;          ///< that a request's size is known when it comes
    bool nothing_stored = false; ///< that weights don't lie with a seller who bills storage
    bool storage_price = false;  ///< what storage costs where the seller's list does not state it
};

/// States in a pool of devices what it doesn't: how often hosts fail, and how long they are away. Interruptions of spot stay
/// unknown: they are no failures.
void assume_failures(Pool& pool, Assumed& assumed);
/// Notes how instances of a pool that follows demand run for bursts, where the work has any.
void assume_bursts(const Pool& pool, const std::vector<Workload>& workloads, Assumed& assumed);
/// The same of a rented pool of work that stores something of a known size: what a GB costs, in the offer's currency where a rate
/// of the dollar is known.
void assume_storage(Pool& pool, const ScenarioDocument& work, Assumed& assumed);
/// The same of a server: what it fetches once it is used.
void assume_resale(Server& server, Assumed& assumed);
/// The same of instances that train: spot is taken away often, and what fails is replaced sooner than a replica.
void assume_gangs(Pool& pool, Assumed& assumed);
/// The same of a run of training: when it must have ended, and what a checkpoint takes.
void assume_run(Workload& workload, Assumed& assumed);
/// The same of a workload's restart.
void assume_restart(Workload& workload, Assumed& assumed);
/// The same of inference's objectives of latency, where none is stated: of people who chat.
void assume_objectives(Workload& workload, Assumed& assumed);

/// A line below a ranking.
struct Assumption {
    std::string what;
    std::string value;
    std::string unit;
    std::string why;
    std::string change; ///< how to state it
};
[[nodiscard]] std::vector<Assumption> lines_of(const Assumed& assumed);

} // namespace costcurve::model
