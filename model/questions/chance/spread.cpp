// Sums run in the order of the samples: the same bits on any number of threads.
#include "model/questions/chance/spread.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace costcurve::model {

namespace {

struct Moments {
    std::size_t count = 0;
    double mean = 0.0;
    double squares = 0.0; ///< sum of squared distances from the mean
};

Moments moments_of(std::span<const double> samples) {
    Moments moments;
    for (const double x : samples) {
        moments.count += std::isnan(x) ? 0 : 1;
        moments.mean += std::isnan(x) ? 0.0 : x;
    }
    moments.mean /= static_cast<double>(std::max<std::size_t>(moments.count, 1));
    for (const double x : samples) {
        moments.squares += std::isnan(x) ? 0.0 : (x - moments.mean) * (x - moments.mean);
    }
    return moments;
}

} // namespace

double quantile_of(std::span<const double> ascending, double share) {
    const double at = share * static_cast<double>(ascending.size() - 1);
    const auto left = static_cast<std::size_t>(at);
    const double next = ascending[std::min(left + 1, ascending.size() - 1)];
    return ascending[left] + (at - static_cast<double>(left)) * (next - ascending[left]);
}

std::optional<Spread> spread_of(std::span<const double> samples) {
    constexpr double kTail = 0.05;
    const Moments moments = moments_of(samples);
    if (moments.count == 0) {
        return std::nullopt;
    }
    std::vector<double> sorted;
    sorted.reserve(moments.count);
    std::copy_if(samples.begin(), samples.end(), std::back_inserter(sorted), [](double x) { return !std::isnan(x); });
    std::sort(sorted.begin(), sorted.end());
    const auto n = static_cast<double>(moments.count);
    const auto tail = std::max<std::size_t>(1, static_cast<std::size_t>(kTail * n));
    const double worst = std::accumulate(sorted.end() - static_cast<std::ptrdiff_t>(tail), sorted.end(), 0.0);
    const auto p = [&](double share) { return quantile_of(sorted, share); };
    Spread spread{moments.count, moments.mean, n > 1 ? std::sqrt(moments.squares / (n - 1) / n) : 0.0,
                  p(0.05),       p(0.1),       p(0.5),
                  p(0.9),        p(0.95),      worst / static_cast<double>(tail)};
    for (std::size_t i = 0; i < spread.quantiles.size(); ++i) {
        spread.quantiles[i] = p(static_cast<double>(i) / static_cast<double>(spread.quantiles.size() - 1));
    }
    return spread;
}

std::vector<std::uint32_t> order_of(std::span<const double> input) {
    std::vector<std::uint32_t> order(input.size());
    std::iota(order.begin(), order.end(), 0U);
    std::stable_sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) { return input[a] < input[b]; });
    return order;
}

std::optional<double> explained_share(std::span<const std::uint32_t> order, std::span<const double> input,
                                      std::span<const double> output) {
    constexpr double kMaxBins = 64;
    const Moments all = moments_of(output);
    if (all.count < 2 || all.squares <= 0.0) {
        return std::nullopt;
    }
    const auto bin_size = static_cast<std::size_t>(
        std::ceil(static_cast<double>(order.size()) / std::min(kMaxBins, std::sqrt(static_cast<double>(order.size())))));
    double between = 0.0;
    double bins = 0.0;
    for (std::size_t first = 0; first < order.size();) {
        std::size_t end = std::min(first + bin_size, order.size());
        while (end < order.size() && input[order[end]] == input[order[end - 1]]) {
            ++end;
        }
        double sum = 0.0;
        double count = 0.0;
        for (; first < end; ++first) {
            const double y = output[order[first]];
            count += std::isnan(y) ? 0.0 : 1.0;
            sum += std::isnan(y) ? 0.0 : y - all.mean;
        }
        between += count > 0 ? sum * sum / count : 0.0;
        bins += count > 0 ? 1.0 : 0.0;
    }
    const auto n = static_cast<double>(all.count);
    if (n <= bins) {
        return std::nullopt;
    }
    return std::clamp(1 - (1 - between / all.squares) * (n - 1) / (n - bins), 0.0, 1.0);
}

std::vector<double> shares_by_month(const std::vector<std::uint16_t>& months_paid_off, std::size_t months, std::size_t whole) {
    std::vector<double> shares(months, 0.0);
    for (const std::uint16_t month : months_paid_off) {
        if (month < months) {
            shares[month] += 1.0;
        }
    }
    double sum = 0.0;
    for (double& share : shares) {
        sum += share;
        share = whole > 0 ? sum / static_cast<double>(whole) : 0.0;
    }
    return shares;
}

} // namespace costcurve::model
