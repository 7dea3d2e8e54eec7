// Which of several scenarios is the cheapest: by one figure, among those that can do their work.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "model/figures.hpp"

namespace costcurve::model {

/// A scenario in a ranking: by a figure that may not be known.
struct Candidate {
    std::optional<double> figure;
    bool is_eligible = true;
};

/// The candidate whose figure is the least; of those within 1e-9 of it the incumbent, else the first: nothing flips without a gain.
/// One that is not eligible, or whose figure is not known, is left out; nothing where none is left.
[[nodiscard]] std::optional<std::size_t> cheapest_of(std::span<const Candidate> candidates,
                                                     std::optional<std::size_t> incumbent = std::nullopt);
/// What a question asks for, or where that is "" the figure that decides: /total/npv, say.
[[nodiscard]] std::string output_or_deciding(const std::string& output, const ScenarioDocument& first);

/// Whether a result may be in a ranking: it can do its work, and outages of which nothing is said lose little of it; with
/// `ignore_unserved` also where all that it lacks is work left undone beyond its limit.
[[nodiscard]] bool is_eligible(const Summary& summary, bool ignore_unserved);

/// The cheapest of the eligible results.
[[nodiscard]] std::optional<std::size_t> cheapest_of(const std::vector<const Summary*>& summaries, Objective decide_by,
                                                     bool ignore_unserved = false);

} // namespace costcurve::model
