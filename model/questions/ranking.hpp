// Which of several scenarios is the cheapest: by one figure, among those that can do their work.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "model/figures.hpp"

namespace costcurve::model {

/// A scenario in a ranking by one figure, which may be unknown.
struct Candidate {
    std::optional<double> figure;
    bool is_eligible = true;
};

/// The candidate with the lowest figure. Among figures within 1e-9 of the lowest, the incumbent wins, else the first, so that the
/// answer doesn't change without a gain. Ignores candidates that are not eligible or whose figure is unknown; empty if none is
/// left.
[[nodiscard]] std::optional<std::size_t> cheapest_of(std::span<const Candidate> candidates,
                                                     std::optional<std::size_t> incumbent = std::nullopt);
/// The requested output, or the deciding figure such as /total/npv if `output` is "".
[[nodiscard]] std::string output_or_deciding(const std::string& output, const ScenarioDocument& first);

/// Whether a result may rank: it can do its work, and outages without a stated limit lose little of it. With `ignore_unserved`, a
/// result also qualifies if its only shortfall is unserved work beyond the limit.
[[nodiscard]] bool is_eligible(const Summary& summary, bool ignore_unserved);

/// The cheapest of the eligible results.
[[nodiscard]] std::optional<std::size_t> cheapest_of(const std::vector<const Summary*>& summaries, Objective decide_by,
                                                     bool ignore_unserved = false);

} // namespace costcurve::model
