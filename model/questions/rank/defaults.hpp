// A question with what it leaves open filled in.
#pragma once

#include "model/questions/rank/rank.hpp"

namespace costcurve::model {

/// Shape and objectives of services, restarts, deadlines of runs and what an engineer costs, as the question assumes them; what was
/// taken is noted.
[[nodiscard]] RankQuestion with_defaults(const RankQuestion& question, Assumed& assumed);

} // namespace costcurve::model
