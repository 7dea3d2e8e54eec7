// Marginal rates by tiers (brackets) of a month's volume.
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

namespace costcurve::model {

/// `base` is the rate below the first threshold; rate[i] applies above threshold above[i]. Thresholds ascend.
struct TierRates {
    double base = 0;
    std::vector<double> above;
    std::vector<double> rate;
    /// Cost of a volume, each part at its tier's rate.
    [[nodiscard]] double amount(double volume) const {
        double sum = base * (above.empty() ? volume : std::min(volume, above.front()));
        for (std::size_t i = 0; i < above.size() && volume > above[i]; ++i) {
            const double end = i + 1 < above.size() ? std::min(volume, above[i + 1]) : volume;
            sum += rate[i] * (end - above[i]);
        }
        return sum;
    }
    /// Mean rate of a volume; the first tier's rate if the volume is 0.
    [[nodiscard]] double mean(double volume) const {
        return volume > 0.0 ? amount(volume) / volume : above.empty() || above.front() > 0.0 ? base : rate.front();
    }
    /// The lowest and the highest rate of all tiers.
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

/// Pools or entries whose volumes are added up for the tiers.
struct SharedTiers {
    TierRates rates;
    std::vector<std::size_t> members;
    friend bool operator==(const SharedTiers&, const SharedTiers&) = default;
};

/// A support plan whose cost is a fraction of the bill of `pools`.
struct CompiledSupport {
    std::vector<std::size_t> pools;
    bool of_all = false; ///< also covers the unused part of spend commitments
    double minimum = 0;  ///< currency a month
    TierRates brackets;
    friend bool operator==(const CompiledSupport&, const CompiledSupport&) = default;
};

} // namespace costcurve::model
