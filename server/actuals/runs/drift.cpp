// Drift of a measure: a curve through the days before, and the medians of later days above it.
#include "server/actuals/runs/drift.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include "server/actuals/statistics.hpp"

namespace costcurve::actuals {

namespace {

constexpr std::int64_t kDay = 24; // hours
constexpr std::int64_t kLastHours = 24;
constexpr std::int64_t kLastWindow = 2 * kDay;
constexpr std::size_t kMinHours = 6;
constexpr std::size_t kMinReference = 24;
constexpr std::size_t kMinDays = 3;
constexpr std::size_t kMinHoursOfDay = 4;
constexpr double kBeyond = 0.1;
constexpr double kNormalOfMad = 1.4826; // of a normal distribution: sd / MAD
constexpr double kSpreads = 3.0;

// The nearest rising curve over load.
class LoadCurve {
public:
    explicit LoadCurve(const std::vector<LoadPoint>& points) {
        std::map<double, std::pair<double, double>> by_load; // sum and number
        for (const LoadPoint& point : points) {
            auto& [sum, count] = by_load[point.load];
            sum += point.figure;
            count += 1.0;
        }
        std::vector<double> means;
        std::vector<double> weights;
        for (const auto& [load, sums] : by_load) {
            loads_.push_back(load);
            means.push_back(sums.first / sums.second);
            weights.push_back(sums.second);
        }
        figures_ = isotonic(means, weights);
    }
    // Expected figure at a load; nothing outside the measured loads.
    [[nodiscard]] std::optional<double> at(double load) const {
        if (loads_.empty() || load < loads_.front() * (1 - kBeyond) || load > loads_.back() * (1 + kBeyond)) {
            return std::nullopt;
        }
        const auto next = static_cast<std::size_t>(std::ranges::lower_bound(loads_, load) - loads_.begin());
        if (next == 0 || next == loads_.size()) {
            return next == 0 ? figures_.front() : figures_.back();
        }
        const double share = (load - loads_[next - 1]) / (loads_[next] - loads_[next - 1]);
        return figures_[next - 1] + share * (figures_[next] - figures_[next - 1]);
    }

private:
    std::vector<double> loads_;
    std::vector<double> figures_;
};

// Removes points whose ratio to the curve is an outlier.
std::vector<LoadPoint> without_outliers(const std::vector<LoadPoint>& points) {
    const LoadCurve curve(points);
    std::vector<double> logs;
    logs.reserve(points.size());
    for (const LoadPoint& point : points) {
        logs.push_back(std::log(point.figure / curve.at(point.load).value_or(point.figure)));
    }
    const std::vector<bool> odd = outliers(logs);
    std::vector<LoadPoint> kept;
    for (std::size_t i = 0; i < points.size(); ++i) {
        if (!odd[i]) {
            kept.push_back(points[i]);
        }
    }
    return kept;
}

// Standard deviation of the days' medians, from their MAD; nothing for fewer than three days.
std::optional<double> spread_of(const std::vector<LoadPoint>& reference, const LoadCurve& curve) {
    std::map<std::int64_t, std::vector<double>> by_day;
    for (const LoadPoint& point : reference) {
        by_day[point.hour / kDay].push_back(point.figure / curve.at(point.load).value_or(point.figure));
    }
    std::vector<double> medians;
    for (auto& [day, ratios] : by_day) {
        if (ratios.size() >= kMinHoursOfDay) {
            medians.push_back(median(std::move(ratios)));
        }
    }
    if (medians.size() < kMinDays) {
        return std::nullopt;
    }
    const double middle = median(medians);
    for (double& value : medians) {
        value = std::abs(value - middle);
    }
    return kNormalOfMad * median(std::move(medians));
}

// Counts hours of the last day, and the median of the days before.
void count_by_day(const std::vector<LoadPoint>& known, std::int64_t until, LoadDrift& drift) {
    std::map<std::int64_t, double> by_day;
    for (const LoadPoint& point : known) {
        by_day[(until - 1 - point.hour) / kDay] += 1.0;
    }
    std::vector<double> before;
    for (const auto& [day, count] : by_day) {
        if (day == 0) {
            drift.last_day_hours = static_cast<std::size_t>(count);
        } else {
            before.push_back(count);
        }
    }
    drift.usual_day_hours = before.empty() ? 0 : static_cast<std::size_t>(median(std::move(before)));
}

} // namespace

LoadDrift load_drift(std::span<const LoadPoint> points, std::int64_t until, int reference_days) {
    std::vector<LoadPoint> known;
    for (const LoadPoint& point : points) {
        if (point.figure > 0.0 && point.hour < until) {
            known.push_back(point);
        }
    }
    std::ranges::sort(known, {}, &LoadPoint::hour);
    LoadDrift drift;
    count_by_day(known, until, drift);
    std::vector<LoadPoint> last;
    while (!known.empty() && static_cast<std::int64_t>(last.size()) < kLastHours && known.back().hour >= until - kLastWindow) {
        last.push_back(known.back());
        known.pop_back();
    }
    const std::int64_t oldest = until - kLastWindow - reference_days * kDay;
    std::erase_if(known, [&](const LoadPoint& point) { return point.hour < oldest; });
    if (known.size() < kMinReference) {
        return drift;
    }
    const std::vector<LoadPoint> reference = without_outliers(known);
    const LoadCurve curve(reference);
    drift.reference_hours = reference.size();
    drift.spread = spread_of(reference, curve);
    std::vector<double> ratios;
    double load = 0.0;
    double measured = 0.0;
    double expected = 0.0;
    for (const LoadPoint& point : last) { // the newest first
        if (const std::optional<double> figure = curve.at(point.load)) {
            drift.first_hour = point.hour;
            drift.last_hour = drift.last_hour.value_or(point.hour);
            ratios.push_back(point.figure / *figure);
            load += point.load;
            measured += point.figure;
            expected += *figure;
        }
    }
    drift.hours = ratios.size();
    if (ratios.size() >= kMinHours && drift.spread) {
        const auto count = static_cast<double>(ratios.size());
        drift.load = load / count;
        drift.measured = measured / count;
        drift.expected = expected / count;
        drift.change = median(std::move(ratios)) - 1.0;
    }
    return drift;
}

bool is_drift(const LoadDrift& drift, double threshold_fraction) {
    return drift.change && std::abs(*drift.change) >= threshold_fraction && std::abs(*drift.change) > kSpreads * *drift.spread;
}

} // namespace costcurve::actuals
