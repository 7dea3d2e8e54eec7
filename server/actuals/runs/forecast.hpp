// Forecasts the rest of a month from known days: arithmetic only.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace costcurve::actuals {

/// What a day cost, in any currency.
struct DayCost {
    std::int64_t day = 0; ///< since 1970-01-01 UTC
    double cost = 0.0;
};

/// Expected cost of future days.
struct DaysForecast {
    double cost = 0.0;                  ///< of all of them
    std::optional<double> deviation;    ///< half the width of the interval of their sum; empty if too few days are known
    std::vector<double> by_day;         ///< one each
    bool by_weekday = false;            ///< each as the known ones of its weekday, else as all
    std::vector<std::int64_t> left_out; ///< known days excluded from the forecast: single charges for a whole month
};

/// Simple exponential smoothing of what days cost beside their weekday: a weekday's effect is the mean of its known days less that
/// of all, where two weeks and each weekday twice are known, else none; the level begins at the mean and follows with the weight a
/// of 0.1, 0.12 … 1 that has the least squared errors of a day. All days to come are at the last level. The sum of h of them is off
/// by
///   t(1/2 + interval/2, n - k - 1)·s·sqrt(h·(1 + a(h-1) + a²(h-1)(2h-1)/6) + h²/n),  s² = sum e²/(n - k - 1)
/// with n known days, k means and errors e: the variance of lead-time demand of ETS(A,N,N), and that of the level's start.
/// (R. J. Hyndman, A. B. Koehler, J. K. Ord & R. D. Snyder, Forecasting with Exponential Smoothing, Springer 2008, chapters 2
/// and 6.) Costs have no trend in it beyond the plan's; that a is 0.1 at least stands for levels that wander. A known day
/// above twice the middle one, an outlier among all and beside its weekday, whose neighbours are none, is left out, of a tenth of
/// the days at most. Known days ascend; of fewer than
/// 7 nobody knows how far off they are.
[[nodiscard]] DaysForecast forecast_days(std::span<const DayCost> known, std::span<const std::int64_t> to_come, double interval);

/// The value below which Student's t of so many degrees of freedom lies with a probability of 0 to 1, to 1e-3 of it for 3 degrees
/// and more: Hill's expansion from the normal quantile (M. Abramowitz & I. Stegun, Handbook of Mathematical Functions 1964,
/// 26.7.5).
[[nodiscard]] double student_quantile(double probability, double degrees);

} // namespace costcurve::actuals
