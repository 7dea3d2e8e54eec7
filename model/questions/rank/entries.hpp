// Ways with their sizes and the figure by which they are ranked: single ways, and hybrids of two.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "model/questions/rank/sizing.hpp"

namespace costcurve::model {

struct Mix;

/// One sized way, with enough to rebuild its scenario. Refers to its options.
struct Entry {
    const Option* option = nullptr; ///< of a hybrid, the base
    const Option* burst = nullptr;
    int units = 0;
    int burst_units = 0;
    double figure = 0.0; ///< by which entries are ranked; set if there is no reason, or only that it may not stand alone
    std::string reason;  ///< why the entry is left out; "" if it is ranked
    int spares = 0;      ///< spare replicas of inference
    bool latency_is_known = true;
    std::optional<RunTime> run = {}; ///< of a training run
    bool hosts_are_known = true;     ///< if energy or carbon decides: the figure includes the hosts' share
    const Mix* mix = nullptr;        ///< set for a mix or pair; `option` is then the first group's

    [[nodiscard]] std::string name() const;
    [[nodiscard]] std::vector<std::optional<RateFacts>> rate_facts() const; ///< by pool, then workload
    [[nodiscard]] bool may_burst() const { return reason.empty() || reason == kSpotAlone || reason == kServesOnly; }
    [[nodiscard]] bool context_is_unknown() const;
    [[nodiscard]] Way way() const;
};

/// The trial's way with the fewest units that do the work.
[[nodiscard]] Entry size_alone(Sizing& sizing, Trial& trial);

/// The best hybrid over all sizes of the base below the size that does the work alone: tries every size if they are few, else a
/// grid that narrows around the best. Base and burst are entries that were sized alone. `alone` is the base's trial, `both` the
/// hybrid's.
[[nodiscard]] Entry size_hybrid(Sizing& sizing, const Entry& base, const Entry& burst, Trial& alone, Trial& both);

/// A training run on spot that falls back to the same devices on demand.
[[nodiscard]] Entry size_fall_back(Sizing& sizing, const Option& spot, const Option& on_demand);

/// Each spot option, with the first on-demand option of the same machine: in the same region, else in any other.
[[nodiscard]] std::vector<std::pair<const Option*, const Option*>> fall_backs_of(const std::vector<Option>& options);

/// Whether a training run on `spot` may fall back to `on_demand`: the same machine of the same seller, on demand.
[[nodiscard]] bool may_fall_back(const Option& spot, const Option& on_demand);

} // namespace costcurve::model
