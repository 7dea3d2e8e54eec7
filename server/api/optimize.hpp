// The optimizer's answer, as HTTP and the command line give it.
#pragma once

#include "model/questions/optimize.hpp"
#include "server/api/encode.hpp"

namespace costcurve::api {

/// The most decisions of one question: the search's pairs and the linear programme grow with them.
inline constexpr std::size_t kMostDecisions = 40;

struct Optimized {
    model::OptimizeQuestion question;
    model::Optimum optimum;
    Evaluated best; ///< the scenario with the best plan in it
};

[[nodiscard]] model::Result<Optimized> optimize(const model::Placed& scenario, const model::OptimizeQuestion& question,
                                                const model::OptimizeEffort& effort, const model::Runner& runner);

/// {decisions, minimize, objective, unit, bound, gap_fraction, proof, limits, runners_up, evaluations, linear_programmes, result}.
[[nodiscard]] std::string encode_optimized(const Optimized& answer);

} // namespace costcurve::api
