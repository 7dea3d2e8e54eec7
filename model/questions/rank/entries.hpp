// Ways with their sizes and the figure by which they are ranked: single ones, and hybrids of two.
#pragma once

#include <string>

#include "model/questions/rank/sizing.hpp"

namespace costcurve::model {

/// One way, sized: enough to make its scenario again. Refers to its options.
struct Entry {
    const Option* option = nullptr; ///< the base of a hybrid
    const Option* burst = nullptr;
    int units = 0;
    int burst_units = 0;
    double figure = 0.0; ///< that decides; where there is no reason, or only that it may not stand alone
    std::string reason;  ///< why it is left out; "" where it is not
    int spares = 0;      ///< replicas of inference in hand

    [[nodiscard]] std::string name() const { return burst == nullptr ? option->name : option->name + " + " + burst->name; }
    [[nodiscard]] bool may_burst() const { return reason.empty() || reason == kSpotAlone; }
    [[nodiscard]] Way way() const { return burst == nullptr ? option->way : Way::hybrid; }
};

/// A way with the least units that do the work.
[[nodiscard]] Entry size_alone(Sizing& sizing, const Option& option);

/// The best of all sizes of the base below what does the work alone: every one where they are few, else on a grid that narrows
/// around the best. Base and burst are entries of their own.
[[nodiscard]] Entry size_hybrid(Sizing& sizing, const Entry& base, const Entry& burst);

} // namespace costcurve::model
