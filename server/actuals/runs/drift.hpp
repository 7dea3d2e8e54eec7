// Whether the last day is like those before it at the same load: arithmetic only.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "model/documents/automation.hpp"

namespace costcurve::actuals {

/// What was measured in an hour, and at what load.
struct LoadPoint {
    std::int64_t hour = 0; ///< since 1970-01-01 UTC
    double load = 0.0;
    double figure = 0.0; ///< above 0
};

/// Nothing where it is not known.
struct LoadDrift {
    std::optional<double> load; ///< mean of the last hours, as the next
    std::optional<double> measured;
    std::optional<double> expected; ///< by the reference, at their loads
    std::optional<double> change;   ///< median of measured / expected, less 1
    std::optional<double> spread;   ///< of the reference's days: their median's standard deviation
    std::size_t hours = 0;          ///< that are compared
    std::size_t reference_hours = 0;
    std::optional<std::int64_t> first_hour, last_hour; ///< of those compared
    std::size_t last_day_hours = 0;                    ///< measured in the 24 up to `until`
    std::size_t usual_day_hours = 0;                   ///< median of the days before that have any
};

/// The last 24 hours of two days against the `reference_days` before them. What the reference has at a load is the nearest rising
/// curve through its hours (isotonic regression), without its outliers; an hour whose load is beyond its loads by more than a tenth
/// is not compared, as are none of a figure of 0. One odd hour, and up to half of them, move no median. Needs 6 hours, and 24 of
/// three days in the reference. `until` is the hour behind the last.
[[nodiscard]] LoadDrift load_drift(std::span<const LoadPoint> points, std::int64_t until, int reference_days);

/// Whether a change is one: from the threshold on, and beyond thrice the spread, as of 1,000 days like each other about three are.
[[nodiscard]] bool is_drift(const LoadDrift& drift, double threshold_fraction);

} // namespace costcurve::actuals
