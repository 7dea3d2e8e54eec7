// Figures of plans in every sample, and what they say of each plan.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "model/questions/rank/rank.hpp"

namespace costcurve::model {

/// By entry, then sample; not a number where the entry can't do the work.
struct SampledFigures {
    std::vector<double> numbers;
    std::size_t samples = 0;

    [[nodiscard]] std::size_t entries() const { return samples == 0 ? 0 : numbers.size() / samples; }
    [[nodiscard]] std::span<const double> of(std::size_t entry) const {
        return std::span(numbers).subspan(entry * samples, samples);
    }
};

/// Adds the share of the samples in which each entry is the best; gives the share in which none has a figure.
double count_best(const SampledFigures& figures, std::vector<PlanChances>& chances);

/// Sets the interval of each entry's figures, and whether it is tied with the first.
void find_intervals(const SampledFigures& figures, std::vector<PlanChances>& chances);

} // namespace costcurve::model
