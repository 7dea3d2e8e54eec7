// Forecast of a series of days: effects of weekdays, a level by exponential smoothing, and the spread of its errors.
#include "server/actuals/runs/forecast.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "model/questions/chance/distribution.hpp"
#include "server/actuals/statistics.hpp"

namespace costcurve::actuals {

namespace {

constexpr std::size_t kWeek = 7;
constexpr double kMinKnownDays = 7.0;
constexpr int kMinWeight = 5; // of a level's weight, in fiftieths
constexpr int kMaxWeight = 50;
constexpr double kMaxLeftOut = 0.1;

std::size_t weekday_of(std::int64_t day) { return static_cast<std::size_t>(((day % 7) + 7) % 7); }

// Difference of each weekday's cost from the mean of weekdays.
struct WeekdayEffects {
    bool by_weekday = false;
    std::array<double, kWeek> effect{};

    [[nodiscard]] double of(std::int64_t day) const { return effect.at(weekday_of(day)); }
    [[nodiscard]] std::size_t means() const { return by_weekday ? kWeek : 1; }
};

WeekdayEffects effects_of(std::span<const DayCost> known) {
    WeekdayEffects effects;
    std::array<double, kWeek> count{};
    for (const DayCost& day : known) {
        count.at(weekday_of(day.day)) += 1.0;
    }
    effects.by_weekday = known.size() >= 2 * kWeek && std::ranges::all_of(count, [](double days) { return days >= 2.0; });
    if (effects.by_weekday) {
        for (const DayCost& day : known) {
            effects.effect.at(weekday_of(day.day)) += day.cost / count.at(weekday_of(day.day));
        }
        double mean = 0.0;
        for (const double effect : effects.effect) {
            mean += effect / kWeek;
        }
        for (double& effect : effects.effect) {
            effect -= mean;
        }
    }
    return effects;
}

struct Smoothed {
    double weight = 1.0;
    double level = 0.0;
    double squares = 0.0; // of errors of a day
};

Smoothed smoothed(std::span<const double> costs, double weight) {
    Smoothed result{weight, 0.0, 0.0};
    for (const double cost : costs) {
        result.level += cost / static_cast<double>(costs.size());
    }
    for (const double cost : costs) {
        const double error = cost - result.level;
        result.squares += error * error;
        result.level += weight * error;
    }
    return result;
}

Smoothed best_smoothed(std::span<const double> costs) {
    Smoothed best = smoothed(costs, static_cast<double>(kMinWeight) / kMaxWeight);
    for (int weight = kMinWeight + 1; weight <= kMaxWeight; ++weight) {
        const Smoothed other = smoothed(costs, static_cast<double>(weight) / kMaxWeight);
        best = other.squares < best.squares ? other : best;
    }
    return best;
}

// Differences of days from the median of their weekday; the costs themselves if there are too few weeks.
std::vector<double> beside_weekday(std::span<const DayCost> known, const std::vector<double>& costs) {
    if (!effects_of(known).by_weekday) {
        return costs;
    }
    std::array<std::vector<double>, kWeek> of_weekday;
    for (const DayCost& day : known) {
        of_weekday.at(weekday_of(day.day)).push_back(day.cost);
    }
    std::vector<double> differences;
    for (const DayCost& day : known) {
        differences.push_back(day.cost - median(of_weekday.at(weekday_of(day.day))));
    }
    return differences;
}

// Isolated high days, above twice the median: outliers among all days and within their weekday.
std::vector<bool> spikes(std::span<const DayCost> known) {
    std::vector<double> costs;
    for (const DayCost& day : known) {
        costs.push_back(day.cost);
    }
    const std::vector<bool> among_all = outliers(costs);
    const std::vector<bool> among_weekdays = outliers(beside_weekday(known, costs));
    const double middle = costs.empty() ? 0.0 : median(costs);
    std::vector<bool> odd(known.size(), false);
    for (std::size_t i = 0; i < known.size(); ++i) {
        odd[i] = among_all[i] && among_weekdays[i] && costs[i] > 2.0 * middle;
    }
    std::vector<bool> found(known.size(), false);
    for (std::size_t i = 0; i + 1 < known.size(); ++i) { // the last may be the first of a new level
        found[i] = odd[i] && !odd[i + 1] && (i == 0 || !odd[i - 1]);
    }
    const auto count = static_cast<double>(std::ranges::count(found, true));
    return count <= kMaxLeftOut * static_cast<double>(known.size()) ? found : std::vector<bool>(known.size(), false);
}

std::optional<double> deviation_of(const Smoothed& level, double known, double means, double days, double interval) {
    const double degrees = known - means - 1.0; // two weeks or more where weekdays differ
    if (known < kMinKnownDays) {
        return std::nullopt;
    }
    const double a = level.weight;
    const double lead_time = days * (1.0 + a * (days - 1.0) + a * a * (days - 1.0) * (2.0 * days - 1.0) / 6.0);
    return student_quantile(0.5 + interval / 2, degrees) * std::sqrt(level.squares / degrees * (lead_time + days * days / known));
}

} // namespace

double student_quantile(double probability, double degrees) {
    const double x = model::normal_quantile(probability);
    const double x2 = x * x;
    const double g1 = (x2 + 1) * x / 4;
    const double g2 = ((5 * x2 + 16) * x2 + 3) * x / 96;
    const double g3 = (((3 * x2 + 19) * x2 + 17) * x2 - 15) * x / 384;
    const double g4 = ((((79 * x2 + 776) * x2 + 1482) * x2 - 1920) * x2 - 945) * x / 92160;
    return x + (g1 + (g2 + (g3 + g4 / degrees) / degrees) / degrees) / degrees;
}

DaysForecast forecast_days(std::span<const DayCost> known, std::span<const std::int64_t> to_come, double interval) {
    DaysForecast forecast;
    const std::vector<bool> is_spike = spikes(known);
    std::vector<DayCost> kept;
    for (std::size_t i = 0; i < known.size(); ++i) {
        if (is_spike[i]) {
            forecast.left_out.push_back(known[i].day);
        } else {
            kept.push_back(known[i]);
        }
    }
    const WeekdayEffects effects = effects_of(kept);
    forecast.by_weekday = effects.by_weekday;
    std::vector<double> costs;
    costs.reserve(kept.size());
    for (const DayCost& day : kept) {
        costs.push_back(day.cost - effects.of(day.day));
    }
    const Smoothed level = best_smoothed(costs);
    for (const std::int64_t day : to_come) {
        forecast.by_day.push_back(level.level + effects.of(day));
        forecast.cost += forecast.by_day.back();
    }
    forecast.deviation = to_come.empty()
                             ? std::optional(0.0)
                             : deviation_of(level, static_cast<double>(kept.size()), static_cast<double>(effects.means()),
                                            static_cast<double>(to_come.size()), interval);
    return forecast;
}

} // namespace costcurve::actuals
