// Fills in what a question leaves open.
#pragma once

#include "model/questions/rank/fitting.hpp"
#include "model/questions/rank/rank.hpp"

namespace costcurve::model {

/// The question with defaults for: shape and objectives of services, restarts, deadlines of training runs, the cost of engineers
/// and the storage at sellers. Notes in `assumed` which defaults were used.
[[nodiscard]] RankQuestion with_defaults(const RankQuestion& question, const Catalog& catalog, const Fitting& fitting,
                                         Assumed& assumed);

/// Why a question is refused: a model of which nothing is known; a latency percentile without an objective, if objectives are to be
/// assumed; copies of weights of unknown size.
[[nodiscard]] Failure issues_of_question(const RankQuestion& question, const Fitting& fitting);

} // namespace costcurve::model
