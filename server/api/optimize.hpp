// The optimizer's answer, as HTTP and the command line give it.
#pragma once

#include "model/questions/optimize.hpp"
#include "server/api/encode.hpp"

namespace costcurve::api {

/// The most decisions of one question: the search's pairs and the linear programme grow with them.
inline constexpr std::size_t kMostDecisions = 40;

/// Samples of an uncertain future where a question states none.
inline constexpr std::size_t kFutures = 256;

struct Optimized {
    model::OptimizeQuestion question;
    model::Optimum optimum;
    Evaluated best; ///< the scenario with the best plan in it
};

/// What is uncertain, from the text of an object {inputs, correlations, samples, seed, sampling}.
[[nodiscard]] model::Result<model::Uncertainty> parse_futures(std::string_view text);

[[nodiscard]] model::Result<Optimized> optimize(const model::Placed& scenario, const model::OptimizeQuestion& question,
                                                const model::OptimizeEffort& effort, const model::Runner& runner);

/// {decisions, minimize, objective, unit, bound, gap_fraction, proof, hedge, limits, runners_up, evaluations, linear_programmes,
/// result}.
[[nodiscard]] std::string encode_optimized(const Optimized& answer);

} // namespace costcurve::api
