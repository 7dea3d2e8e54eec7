// A question with what it leaves open filled in.
#pragma once

#include "model/questions/rank/fitting.hpp"
#include "model/questions/rank/rank.hpp"

namespace costcurve::model {

/// Shape and objectives of services, restarts, deadlines of runs, what an engineer costs and what lies with sellers, as the
/// question assumes them; what was taken is noted.
[[nodiscard]] RankQuestion with_defaults(const RankQuestion& question, const Catalog& catalog, const Fitting& fitting,
                                         Assumed& assumed);

/// Why a question is refused: models of which nothing is known, and, where objectives are assumed, percentiles that are stated
/// without an objective that they would be of; copies of weights whose size is not known.
[[nodiscard]] Failure issues_of_question(const RankQuestion& question, const Fitting& fitting);

} // namespace costcurve::model
