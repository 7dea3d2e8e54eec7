// Rates by the part of a month's volume: what sellers charge in tiers and brackets.
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

namespace costcurve::model {

/// The rate of the volume below the first threshold, and those above each, which ascend.
struct TierRates {
    double base = 0;
    std::vector<double> above;
    std::vector<double> rate;
    /// What a volume comes to: each part of it at its tier's rate.
    [[nodiscard]] double amount(double volume) const {
        double sum = base * (above.empty() ? volume : std::min(volume, above.front()));
        for (std::size_t i = 0; i < above.size() && volume > above[i]; ++i) {
            const double end = i + 1 < above.size() ? std::min(volume, above[i + 1]) : volume;
            sum += rate[i] * (end - above[i]);
        }
        return sum;
    }
    /// What a unit of a volume comes to in the mean; of none the first tier's rate.
    [[nodiscard]] double mean(double volume) const {
        return volume > 0.0 ? amount(volume) / volume : above.empty() || above.front() > 0.0 ? base : rate.front();
    }
    /// The least and the highest rate of any volume.
    [[nodiscard]] double least() const { return std::ranges::min(rates()); }
    [[nodiscard]] double highest() const { return std::ranges::max(rates()); }
    friend bool operator==(const TierRates&, const TierRates&) = default;

private:
    [[nodiscard]] std::vector<double> rates() const {
        std::vector<double> all = rate;
        if (above.empty() || above.front() > 0.0) {
            all.push_back(base);
        }
        return all;
    }
};

/// Pools, or entries of them, whose volume is counted together.
struct SharedTiers {
    TierRates rates;
    std::vector<std::size_t> members;
    friend bool operator==(const SharedTiers&, const SharedTiers&) = default;
};

/// Support that is read off the bill of some pools.
struct CompiledSupport {
    std::vector<std::size_t> pools;
    bool of_all = false; ///< of what no pool takes of commitments to spend too
    double minimum = 0;  ///< currency a month
    TierRates brackets;
    friend bool operator==(const CompiledSupport&, const CompiledSupport&) = default;
};

} // namespace costcurve::model
