// Compares the last day with earlier days at the same load: arithmetic only.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "model/documents/automation.hpp"

namespace costcurve::actuals {

/// A measured figure of an hour, and the load.
struct LoadPoint {
    std::int64_t hour = 0; ///< since 1970-01-01 UTC
    double load = 0.0;
    double figure = 0.0; ///< above 0
};

/// Result of the comparison; empty members are unknown.
struct LoadDrift {
    std::optional<double> load; ///< mean of the last hours, as the next
    std::optional<double> measured;
    std::optional<double> expected; ///< by the reference, at the same loads
    std::optional<double> change;   ///< median of measured / expected, less 1
    std::optional<double> spread;   ///< of the reference's days: their median's standard deviation
    std::size_t hours = 0;          ///< number of compared hours
    std::size_t reference_hours = 0;
    std::optional<std::int64_t> first_hour, last_hour; ///< first and last of the compared hours
    std::size_t last_day_hours = 0;                    ///< measured in the 24 up to `until`
    std::size_t usual_day_hours = 0;                   ///< median of the days before that have any
};

/// Compares the last 24 hours of two days with the `reference_days` before. The expected figure at a load comes from the nearest
/// rising curve through the reference's hours (isotonic regression), without outliers. Hours with a figure of 0, or with a load
/// more than a tenth outside the reference's, aren't compared. Medians tolerate up to half odd hours. Needs 6 hours, and 24 hours
/// on three days of reference. `until` is the hour after the last.
[[nodiscard]] LoadDrift load_drift(std::span<const LoadPoint> points, std::int64_t until, int reference_days);

/// Whether the change counts as drift: at least the threshold, and beyond three times the spread, which about 3 of 1,000 similar
/// days exceed.
[[nodiscard]] bool is_drift(const LoadDrift& drift, double threshold_fraction);

} // namespace costcurve::actuals
