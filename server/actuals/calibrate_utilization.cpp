// Utilization by the hour of the week or day: means weighted by samples, and how the hours lie around them.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "model/documents/calendar.hpp"
#include "server/actuals/calibrate.hpp"
#include "server/actuals/statistics.hpp"

namespace costcurve::actuals {

namespace {

constexpr std::int64_t kHoursPerDay = 24;
constexpr std::int64_t kHoursPerWeek = 168;

// What fell into one hour of the period.
struct Bin {
    std::int64_t samples = 0;
    double weighted = 0.0; // samples x mean
    std::vector<double> means;

    [[nodiscard]] double mean() const { return weighted / static_cast<double>(samples); }
};

// The local hour, by which model.md reads a periodic axis: 18:30 reads 18. Monday 00:00 is hour 0 of the week.
std::size_t hour_of_week(std::int64_t hour, const std::string& time_zone) {
    constexpr std::int64_t kMondayToThursday = 3 * kHoursPerDay; // 1970-01-01 was a Thursday
    const std::int64_t local = hour * model::kHour + model::offset_at(time_zone, hour * model::kHour).seconds;
    const auto local_hour = static_cast<std::int64_t>(std::floor(static_cast<double>(local) / model::kHour));
    const std::int64_t of_week = (local_hour + kMondayToThursday) % kHoursPerWeek;
    return static_cast<std::size_t>(of_week < 0 ? of_week + kHoursPerWeek : of_week);
}

model::Failure thin_hours(const std::vector<Bin>& bins, std::string_view period) {
    constexpr std::size_t kMaxNamed = 10;
    std::vector<std::size_t> missing;
    for (std::size_t i = 0; i < bins.size(); ++i) {
        if (bins[i].samples < kMinPerHour) {
            missing.push_back(i);
        }
    }
    if (missing.empty()) {
        return {};
    }
    const std::size_t count = missing.size();
    missing.resize(std::min(count, kMaxNamed));
    return {
        {"", model::Code::too_few,
         fmt::format("a utilization curve needs {} samples in each hour of the {}; {} of {} hours have fewer: {}{}; take a longer "
                     "window or more sources",
                     kMinPerHour, period, count, bins.size(), fmt::join(missing, ", "), count > kMaxNamed ? ", …" : "")}};
}

Spread spread_of(std::size_t hour, const Bin& bin) {
    Spread spread{static_cast<double>(hour), static_cast<std::size_t>(bin.samples), 0.0, quantile(bin.means, 0.1),
                  quantile(bin.means, 0.9)};
    if (bin.means.size() > 1) {
        double sum = 0.0;
        for (const double mean : bin.means) {
            sum += mean;
        }
        const auto n = static_cast<double>(bin.means.size());
        double squares = 0.0;
        for (const double mean : bin.means) {
            squares += std::pow(mean - sum / n, 2);
        }
        spread.sd = std::sqrt(squares / (n - 1));
    }
    return spread;
}

// Of hourly means, each as one: how much of their variance the hour explains.
void rate_hours(Fit& fit, const std::vector<Bin>& bins) {
    double sum = 0.0;
    std::size_t n = 0;
    for (const Bin& bin : bins) {
        for (const double mean : bin.means) {
            sum += mean;
            ++n;
        }
    }
    const double overall = sum / static_cast<double>(n);
    double residual = 0.0;
    double total = 0.0;
    for (const Bin& bin : bins) {
        for (const double mean : bin.means) {
            residual += std::pow(mean - bin.mean(), 2);
            total += std::pow(mean - overall, 2);
        }
    }
    if (total > 0.0) {
        fit.r_squared = 1.0 - residual / total;
    }
    fit.residual_sd = n > bins.size() ? std::sqrt(residual / static_cast<double>(n - bins.size())) : 0.0;
}

} // namespace

model::Result<Fit> fit_utilization(std::span<const HourMean> hours, std::int64_t window_hours, const std::string& time_zone,
                                   model::UtilizationOf of) {
    const bool weekly = window_hours >= kHoursPerWeek;
    const auto period = static_cast<std::size_t>(weekly ? kHoursPerWeek : kHoursPerDay);
    Fit fit;
    std::vector<Bin> bins(period);
    for (const HourMean& hour : hours) {
        const auto samples = static_cast<std::size_t>(hour.count);
        if (!(hour.mean >= 0.0 && hour.mean <= 1.0)) {
            fit.dropped.out_of_range += samples;
            continue;
        }
        Bin& bin = bins[hour_of_week(hour.hour, time_zone) % period];
        bin.samples += hour.count;
        bin.weighted += static_cast<double>(hour.count) * hour.mean;
        bin.means.push_back(hour.mean);
        fit.samples_used += samples;
    }
    if (model::Failure thin = thin_hours(bins, weekly ? "week" : "day"); !thin.empty()) {
        return tl::unexpected(std::move(thin));
    }
    fit.curve.kind = model::CurveKind::utilization;
    fit.curve.utilization_of = of;
    fit.curve.axis = weekly ? model::Axis::hour_of_week : model::Axis::hour_of_day;
    fit.curve.interpolation = model::Interpolation::step;
    for (std::size_t i = 0; i < period; ++i) {
        fit.curve.x.push_back(static_cast<double>(i));
        fit.curve.y.push_back(std::clamp(bins[i].mean(), 0.0, 1.0)); // rounding of the sum
        fit.spread.push_back(spread_of(i, bins[i]));
    }
    rate_hours(fit, bins);
    return fit;
}

} // namespace costcurve::actuals
