// Splits a month's hours where they vary most, until the allowed number of blocks is reached.
#include "model/questions/optimize/hour_blocks.hpp"

#include <algorithm>
#include <cmath>

#include "model/dispatch/dispatch.hpp"

namespace costcurve::model {

namespace {

// Features of an hour: each workload's demand, then each pool's price, PUE and carbon intensity, each divided by its largest value.
using Features = std::vector<double>;

void add_feature(const MonthView& month, const Signal& signal, std::vector<Features>& features) {
    const double* const values = month.values(signal);
    if (values == nullptr) {
        return;
    }
    double largest = 0.0;
    for (std::size_t h = 0; h < month.distinct; ++h) {
        largest = std::max(largest, std::abs(values[h]));
    }
    for (std::size_t h = 0; h < month.distinct; ++h) {
        features[h].push_back(largest > 0.0 ? values[h] / largest : 0.0);
    }
}

struct HourSpread {
    double most = 0.0; ///< weighted sum of squares of the feature that varies most
    std::size_t feature = 0;
    double mean = 0.0; ///< mean of the feature that varies most
};

HourSpread hour_spread_of(const HourBlock& block, const std::vector<Features>& features, const double* weights) {
    HourSpread spread;
    for (std::size_t f = 0; f < features.front().size(); ++f) {
        double sum = 0.0;
        for (const std::uint32_t h : block.members) {
            sum += weights[h] * features[h][f];
        }
        const double mean = sum / block.hours;
        double squares = 0.0;
        for (const std::uint32_t h : block.members) {
            squares += weights[h] * (features[h][f] - mean) * (features[h][f] - mean);
        }
        if (squares > spread.most) {
            spread = {squares, f, mean};
        }
    }
    return spread;
}

void add_hour(HourBlock& block, std::uint32_t hour, const double* weights) {
    block.hours += weights[hour];
    block.members.push_back(hour);
}

// Splits the block that varies most into two. False if no block varies.
bool split(std::vector<HourBlock>& blocks, std::vector<HourSpread>& spreads, const std::vector<Features>& features,
           const double* weights) {
    constexpr double kAlike = 1e-18;
    const auto widest =
        std::max_element(spreads.begin(), spreads.end(), [](const HourSpread& a, const HourSpread& b) { return a.most < b.most; });
    if (widest == spreads.end() || widest->most <= kAlike) {
        return false;
    }
    HourBlock& block = blocks[static_cast<std::size_t>(widest - spreads.begin())];
    HourBlock low;
    HourBlock high;
    for (const std::uint32_t h : block.members) {
        add_hour(features[h][widest->feature] > widest->mean ? high : low, h, weights);
    }
    if (low.members.empty() || high.members.empty()) { // the hours differ by rounding only
        widest->most = 0.0;
        return true;
    }
    block = std::move(low);
    *widest = hour_spread_of(block, features, weights);
    spreads.push_back(hour_spread_of(high, features, weights));
    blocks.push_back(std::move(high));
    return true;
}

// The first hour of the month in which the values reach their maximum.
std::uint32_t peak_hour(const MonthView& month, const double* values) {
    std::uint32_t peak = 0;
    for (std::uint32_t h = 0; h < month.distinct; ++h) {
        const double highest = month.weights[peak] > 0.0 ? values[peak] : -1.0;
        peak = month.weights[h] > 0.0 && values[h] > highest ? h : peak;
    }
    return peak;
}

// Features of the month's hours. Also appends each workload's hour of highest demand to `peaks`.
std::vector<Features> hour_features(const Compiled& compiled, const MonthView& month, std::vector<std::uint32_t>& peaks) {
    std::vector<Features> features(month.distinct);
    for (const CompiledWorkload& workload : compiled.workloads) {
        if (workload.kind != WorkloadKind::inference) {
            continue;
        }
        add_feature(month, workload.demand, features);
        if (const double* const values = month.values(workload.demand)) {
            peaks.push_back(peak_hour(month, values));
        }
    }
    for (const CompiledPool& pool : compiled.pools) {
        if (pool.metered) {
            add_feature(month, pool.energy_price, features);
            add_feature(month, pool.pue, features);
            add_feature(month, pool.carbon_g_per_kwh, features);
        }
    }
    return features;
}

// The initial blocks: one for each hour of highest demand, and one for all other hours.
std::vector<HourBlock> first_blocks(const MonthView& month, const std::vector<std::uint32_t>& peaks) {
    HourBlock rest;
    std::vector<HourBlock> blocks;
    for (std::uint32_t h = 0; h < month.distinct; ++h) {
        if (month.weights[h] <= 0.0) {
            continue;
        }
        if (std::find(peaks.begin(), peaks.end(), h) == peaks.end()) {
            add_hour(rest, h, month.weights);
        } else {
            add_hour(blocks.emplace_back(), h, month.weights);
        }
    }
    if (!rest.members.empty()) {
        blocks.push_back(std::move(rest));
    }
    return blocks;
}

} // namespace

std::vector<HourBlock> block_hours(const Compiled& compiled, std::size_t m, std::size_t max_blocks) {
    const MonthView month = view_month(compiled, m);
    std::vector<std::uint32_t> peaks;
    const std::vector<Features> features = hour_features(compiled, month, peaks);
    std::vector<HourBlock> blocks = first_blocks(month, peaks);
    std::vector<HourSpread> spreads;
    spreads.reserve(blocks.size());
    for (const HourBlock& block : blocks) {
        spreads.push_back(hour_spread_of(block, features, month.weights));
    }
    while (blocks.size() < max_blocks && split(blocks, spreads, features, month.weights)) {}
    return blocks;
}

} // namespace costcurve::model
