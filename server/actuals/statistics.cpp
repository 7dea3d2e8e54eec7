// Medians by selection, not by sorting.
#include "server/actuals/statistics.hpp"

#include <algorithm>
#include <cmath>

namespace costcurve::actuals {

double quantile(std::vector<double> values, double share) {
    const double place = share * static_cast<double>(values.size() - 1);
    const auto below = static_cast<std::ptrdiff_t>(place);
    std::nth_element(values.begin(), values.begin() + below, values.end());
    const double low = values[static_cast<std::size_t>(below)];
    if (place == std::floor(place)) {
        return low;
    }
    const double high = *std::min_element(values.begin() + below + 1, values.end());
    return low + (place - std::floor(place)) * (high - low);
}

double median(std::vector<double> values) { return quantile(std::move(values), 0.5); }

std::vector<bool> outliers(const std::vector<double>& values) {
    constexpr std::size_t kMin = 5;
    constexpr double kMaxScore = 3.5;
    constexpr double kNormal = 0.6745;          // of a normal distribution: MAD / sd
    constexpr double kMeanDeviation = 1.253314; // of a normal distribution: sd / mean deviation
    std::vector<bool> found(values.size(), false);
    if (values.size() < kMin) {
        return found;
    }
    const double middle = median(values);
    std::vector<double> deviations;
    double sum = 0.0;
    for (const double value : values) {
        deviations.push_back(std::abs(value - middle));
        sum += deviations.back();
    }
    const double mad = median(deviations);
    const double scale = mad > 0.0 ? mad / kNormal : kMeanDeviation * sum / static_cast<double>(values.size());
    for (std::size_t i = 0; i < values.size(); ++i) {
        found[i] = deviations[i] > kMaxScore * scale;
    }
    return found;
}

std::vector<double> isotonic(std::span<const double> y, std::span<const double> weight) {
    struct Block {
        double mean;
        double weight;
        std::size_t size;
    };
    std::vector<Block> blocks;
    for (std::size_t i = 0; i < y.size(); ++i) {
        blocks.push_back({y[i], weight[i], 1});
        while (blocks.size() > 1 && blocks[blocks.size() - 2].mean >= blocks.back().mean) {
            const Block last = blocks.back();
            blocks.pop_back();
            Block& pooled = blocks.back();
            const double sum = pooled.weight + last.weight;
            pooled.mean += (last.mean - pooled.mean) * (last.weight / sum);
            pooled.weight = sum;
            pooled.size += last.size;
        }
    }
    std::vector<double> fitted;
    fitted.reserve(y.size());
    for (const Block& block : blocks) {
        fitted.insert(fitted.end(), block.size, block.mean);
    }
    return fitted;
}

} // namespace costcurve::actuals
