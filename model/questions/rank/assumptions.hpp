// What a ranking takes for granted of hosts and plans where neither the request nor the catalogue states it.
#pragma once

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
inline constexpr double kReplacementS = 3600; ///< until another instance is there; a judgement, as are the next two
inline constexpr double kRepairHours = 48;    ///< of a server that its owner repairs
inline constexpr double kRestartS = 900;      ///< until a replica has its model loaded and serves

/// Engineer-weeks that bring a workload to a kind of device that its team has none of, and what a week costs where the request does
/// not say: judgements. JAX runs on TPUs as it is.
inline constexpr double kPortingWeeks = 6;
inline constexpr double kEngineerWeekUsd = 4000;
[[nodiscard]] double porting_weeks(DeviceKind kind, std::string_view framework);

inline constexpr int kDefaultSpares = 1; ///< of a request that states nothing, as is the next
inline constexpr double kDefaultAvailability = 0.999;

/// Of these, what was taken for the work or some way.
struct Assumed {
    bool spares = false;
    bool availability = false;
    bool spot = false;
    bool failures = false;
    bool replacement = false;
    bool repair = false;
    bool restart = false;
    bool spot_hours = false; ///< the share of hours in which spot is to be had
    bool resale = false;     ///< what a used server fetches
    bool porting = false;    ///< weeks
    bool engineer_week = false;
    bool hosts = false; ///< that hosted models keep what nobody states of them
};

/// States in a pool of devices what it doesn't: how often hosts fail, and how long they are away. Interruptions of spot stay
/// unknown: they are no failures.
void assume_failures(Pool& pool, Assumed& assumed);
/// The same of a workload's restart.
void assume_restart(Workload& workload, Assumed& assumed);

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
