// Figures of plans in every sample, and each plan's probabilities from them.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "model/questions/rank/rank.hpp"

namespace costcurve::model {

/// Figures by entry, then sample; not a number if the entry can't do the sample's work.
struct SampledFigures {
    std::vector<double> numbers;
    std::size_t samples = 0;

    [[nodiscard]] std::size_t entries() const { return samples == 0 ? 0 : numbers.size() / samples; }
    [[nodiscard]] std::span<const double> of(std::size_t entry) const {
        return std::span(numbers).subspan(entry * samples, samples);
    }
};

/// Adds to each entry the share of samples in which it is the best. Gives the share of samples in which no entry has a figure.
double count_best(const SampledFigures& figures, std::vector<PlanChances>& chances);

/// Sets p10 and p90 of each entry's figures, and whether the entry is tied with the first.
void find_intervals(const SampledFigures& figures, std::vector<PlanChances>& chances);

} // namespace costcurve::model
