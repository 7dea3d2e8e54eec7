// Calibration of power and throughput curves: samples are joined in time by source and sorted into bins, of which each gives its
// median.
#include "server/actuals/calibrate.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

#include <fmt/format.h>

#include "server/actuals/statistics.hpp"
#include "server/actuals/throughput_share.hpp"

namespace costcurve::actuals {

namespace {

using model::Failure;
using model::Result;

// Two readings of a source at about the same time.
struct Pair {
    double x;
    double y;
};

// Range of values.
struct Span {
    double low = 0.0;
    double high = 0.0;

    [[nodiscard]] Span with(double value) const { return {std::min(low, value), std::max(high, value)}; }
    [[nodiscard]] double width() const { return high - low; }
};

tl::unexpected<Failure> too_few(std::string message) {
    return tl::unexpected(Failure{{"", model::Code::too_few, std::move(message)}});
}

// Joins each y with the nearest x in time within the tolerance. Both ascend in time.
std::vector<Pair> joined(const std::vector<Reading>& xs, const std::vector<Reading>& ys, std::int64_t tolerance_ms,
                         std::size_t& unmatched) {
    std::vector<Pair> pairs;
    pairs.reserve(ys.size());
    std::size_t at = 0;
    for (const Reading& y : ys) {
        const auto distance = [&](std::size_t i) { return std::abs(xs[i].time_ms - y.time_ms); };
        while (at + 1 < xs.size() && distance(at + 1) <= distance(at)) {
            ++at;
        }
        if (xs.empty() || distance(at) > tolerance_ms) {
            ++unmatched;
        } else {
            pairs.push_back({xs[at].value, y.value});
        }
    }
    return pairs;
}

// Removes runs of nearly constant power while utilization moves: a stuck sensor, or an exporter that repeats itself.
std::vector<Pair> without_stuck(const std::vector<Pair>& pairs, std::size_t& stuck) {
    std::vector<Pair> kept;
    kept.reserve(pairs.size());
    for (std::size_t first = 0; first < pairs.size();) {
        std::size_t end = first + 1;
        const double most = std::max(kStuckSpanW, kStuckSpan * pairs[first].y);
        Span utilization{pairs[first].x, pairs[first].x};
        Span power{pairs[first].y, pairs[first].y};
        for (; end < pairs.size() && power.with(pairs[end].y).width() <= most; ++end) {
            power = power.with(pairs[end].y);
            utilization = utilization.with(pairs[end].x);
        }
        if (end - first >= kStuckRun && utilization.width() >= kStuckUtilization) {
            stuck += end - first;
        } else {
            kept.insert(kept.end(), pairs.begin() + static_cast<std::ptrdiff_t>(first),
                        pairs.begin() + static_cast<std::ptrdiff_t>(end));
        }
        first = end;
    }
    return kept;
}

using Bins = std::map<int, std::vector<Pair>>;

// Removes outliers from each bin, then bins with too few samples.
void clean(Bins& bins, std::size_t least, Dropped& dropped) {
    for (auto bin = bins.begin(); bin != bins.end();) {
        std::vector<double> values;
        for (const Pair& pair : bin->second) {
            values.push_back(pair.y);
        }
        const std::vector<bool> is_outlier = outliers(values);
        std::vector<Pair> kept;
        for (std::size_t i = 0; i < is_outlier.size(); ++i) {
            if (!is_outlier[i]) {
                kept.push_back(bin->second[i]);
            }
        }
        dropped.outliers += bin->second.size() - kept.size();
        if (kept.size() < least) {
            dropped.thin += kept.size();
            bin = bins.erase(bin);
        } else {
            bin->second = std::move(kept);
            ++bin;
        }
    }
}

std::size_t count_of(const Bins& bins) {
    return std::accumulate(bins.begin(), bins.end(), std::size_t{0},
                           [](std::size_t sum, const auto& bin) { return sum + bin.second.size(); });
}

double median_of(const std::vector<Pair>& pairs, double Pair::*of) {
    std::vector<double> values;
    values.reserve(pairs.size());
    for (const Pair& pair : pairs) {
        values.push_back(pair.*of);
    }
    return median(std::move(values));
}
// The median of what rises with x is at the median of x.
double x_of(const std::vector<Pair>& pairs) { return median_of(pairs, &Pair::x); }
double y_of(const std::vector<Pair>& pairs) { return median_of(pairs, &Pair::y); }

// R² = 1 - residual over total sum of squares; the residual's sd with n - k degrees of freedom, k points being fitted.
void rate(Fit& fit, double residual, double total, std::size_t n, std::size_t k) {
    if (total > 0.0) {
        fit.r_squared = 1.0 - residual / total;
    }
    fit.residual_sd = n > k ? std::sqrt(residual / static_cast<double>(n - k)) : 0.0;
}

// Rates the fit of the kept samples to the curve as the model evaluates it.
void rate_by(Fit& fit, const Bins& bins) {
    fit.samples_used = count_of(bins);
    double mean = 0.0;
    std::size_t seen = 0;
    for (const auto& [number, pairs] : bins) {
        for (const Pair& pair : pairs) {
            mean += (pair.y - mean) / static_cast<double>(++seen);
        }
    }
    double residual = 0.0;
    double total = 0.0;
    for (const auto& [number, pairs] : bins) {
        for (const Pair& pair : pairs) {
            residual += std::pow(pair.y - model::read(fit.curve, pair.x), 2);
            total += std::pow(pair.y - mean, 2);
        }
    }
    rate(fit, residual, total, fit.samples_used, fit.curve.x.size());
}

// Bin of a utilization. Idle and full have bins of their own, because most cost calculations use them and power jumps there.
int power_bin(double utilization) {
    constexpr double kEdge = 0.005;
    constexpr int kBins = 20;
    if (utilization <= kEdge) {
        return -1;
    }
    return utilization >= 1.0 - kEdge ? kBins : std::min(kBins - 1, static_cast<int>(utilization * kBins));
}

Failure thin_power(const Fit& fit, const Bins& bins, double most_lowest) {
    const std::size_t used = count_of(bins);
    std::string span = "none";
    if (!bins.empty()) {
        span = fmt::format("{:.2f} to {:.2f}", x_of(bins.begin()->second), x_of(bins.rbegin()->second));
    }
    if (used >= kMinSamples && bins.size() >= kMinBins && x_of(bins.begin()->second) <= most_lowest &&
        x_of(bins.rbegin()->second) >= kMinHighest) {
        return {};
    }
    const Dropped& dropped = fit.dropped;
    return {
        {"", model::Code::too_few,
         fmt::format("a power curve needs {} samples of power_w with utilization, at {} utilizations or more ({} samples each) "
                     "from {} or less to {} or more; there are {} at {} (from {}), after {} unmatched, {} out of range, {} of a "
                     "stuck sensor, {} outliers and {} at utilizations with too few; take a longer window or more sources",
                     kMinSamples, kMinBins, kMinPerBin, most_lowest, kMinHighest, used, bins.size(), span, dropped.unmatched,
                     dropped.out_of_range, dropped.stuck, dropped.outliers, dropped.thin)}};
}

} // namespace

Result<Fit> fit_power(std::span<const SourceReadings> sources, std::int64_t tolerance_ms, model::UtilizationOf of) {
    const bool is_busy_time = of == model::UtilizationOf::busy_time;
    Fit fit;
    Bins bins;
    for (const SourceReadings& source : sources) {
        const auto pairs = joined(source.utilization, source.power_w, tolerance_ms, fit.dropped.unmatched);
        for (const Pair& pair : without_stuck(pairs, fit.dropped.stuck)) {
            const bool possible = pair.x >= 0.0 && pair.x <= 1.0 && pair.y > 0.0 && pair.y <= kMaxPowerW;
            if (possible) {
                bins[power_bin(pair.x)].push_back(pair);
            } else {
                ++fit.dropped.out_of_range;
            }
        }
    }
    clean(bins, kMinPerBin, fit.dropped);
    if (Failure thin = thin_power(fit, bins, is_busy_time ? kMaxLowest : 1.0); !thin.empty()) {
        return tl::unexpected(std::move(thin));
    }
    fit.curve.kind = model::CurveKind::power;
    fit.curve.axis = is_busy_time ? model::Axis::busy_time : model::Axis::throughput_share;
    std::vector<double> medians;
    std::vector<double> weights;
    for (const auto& [number, pairs] : bins) {
        fit.curve.x.push_back(x_of(pairs));
        medians.push_back(y_of(pairs));
        weights.push_back(static_cast<double>(pairs.size()));
    }
    fit.curve.y = isotonic(medians, weights);
    rate_by(fit, bins);
    if (fit.r_squared && *fit.r_squared < kMinRSquared) {
        return tl::unexpected(Failure{
            {"", model::Code::inconsistent,
             fmt::format(
                 "power does not follow utilization: R2 of the curve is {:.4f}, and {} is needed, after {} samples of a stuck "
                 "sensor and {} outliers were left out; look whether power_w and utilization are of the same device",
                 *fit.r_squared, kMinRSquared, fit.dropped.stuck, fit.dropped.outliers)}});
    }
    return fit;
}

Result<Fit> fit_throughput(std::span<const SourceReadings> sources, std::int64_t tolerance_ms) {
    constexpr double kMaxBatch = 1e6;
    Fit fit;
    Bins bins;
    for (const SourceReadings& source : sources) {
        for (Pair pair : joined(source.batch, rates_of(source), tolerance_ms, fit.dropped.unmatched)) {
            pair.x = std::round(pair.x);
            if (pair.x >= 1.0 && pair.x <= kMaxBatch && pair.y > 0.0) {
                bins[static_cast<int>(pair.x)].push_back(pair);
            } else {
                ++fit.dropped.out_of_range;
            }
        }
    }
    clean(bins, kMinPerBatch, fit.dropped);
    if (count_of(bins) < kMinSamples || bins.size() < kMinBatches) {
        return too_few(fmt::format(
            "a throughput curve needs {} samples of units_per_s, or of counters of tokens, with batch, at {} batches or more ({} "
            "samples each); there are {} at "
            "{}, after {} unmatched, {} out of range, {} outliers and {} at batches with too few; take a "
            "longer window or more sources",
            kMinSamples, kMinBatches, kMinPerBatch, count_of(bins), bins.size(), fit.dropped.unmatched, fit.dropped.out_of_range,
            fit.dropped.outliers, fit.dropped.thin));
    }
    fit.curve.kind = model::CurveKind::throughput;
    fit.curve.axis = model::Axis::batch;
    for (const auto& [batch, pairs] : bins) {
        fit.curve.x.push_back(batch);
        fit.curve.y.push_back(y_of(pairs));
    }
    rate_by(fit, bins);
    return fit;
}

} // namespace costcurve::actuals
