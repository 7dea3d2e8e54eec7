// Ways with their sizes and the figure by which they are ranked: single ones, and hybrids of two.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "model/questions/rank/sizing.hpp"

namespace costcurve::model {

struct Mix;

/// One way, sized: enough to make its scenario again. Refers to its options.
struct Entry {
    const Option* option = nullptr; ///< the base of a hybrid
    const Option* burst = nullptr;
    int units = 0;
    int burst_units = 0;
    double figure = 0.0; ///< that decides; where there is no reason, or only that it may not stand alone
    std::string reason;  ///< why it is left out; "" where it is not
    int spares = 0;      ///< replicas of inference in hand
    bool latency_is_known = true;
    std::optional<RunTime> run = {}; ///< of training
    bool hosts_are_known = true;     ///< where energy or carbon decides: that of hosts is in the figure
    const Mix* mix = nullptr;        ///< of requests by size, or a pair; `option` is then that of its first group

    [[nodiscard]] std::string name() const;
    [[nodiscard]] std::vector<std::optional<RateFacts>> rate_facts() const; ///< by pool, then workload
    [[nodiscard]] bool may_burst() const { return reason.empty() || reason == kSpotAlone || reason == kServesOnly; }
    [[nodiscard]] bool context_is_unknown() const;
    [[nodiscard]] Way way() const;
};

/// A trial's way with the least units that do the work.
[[nodiscard]] Entry size_alone(Sizing& sizing, Trial& trial);

/// The best of all sizes of the base below what does the work alone: every one where they are few, else on a grid that narrows
/// around the best. Base and burst are entries of their own; the trials are of the base, and of both.
[[nodiscard]] Entry size_hybrid(Sizing& sizing, const Entry& base, const Entry& burst, Trial& alone, Trial& both);

/// A run on spot that falls back to the same devices on demand.
[[nodiscard]] Entry size_fall_back(Sizing& sizing, const Option& spot, const Option& on_demand);

/// Each option of spot, with the first of the same machine on demand: in its own region, else anywhere.
[[nodiscard]] std::vector<std::pair<const Option*, const Option*>> fall_backs_of(const std::vector<Option>& options);

/// Whether a run on an option may fall back to another: from spot to the same machine of the same seller on demand.
[[nodiscard]] bool may_fall_back(const Option& spot, const Option& on_demand);

} // namespace costcurve::model
