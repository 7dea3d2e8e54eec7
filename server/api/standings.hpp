// What the end of a recalculation leaves behind: an event that it ended, and how watched comparisons stand.
#pragma once

#include "server/storage/standing.hpp"

namespace costcurve::api {

/// Records that the run has ended and, where it is done, which scenario of each comparison is the cheapest now; an event where that
/// is another one than was told last, or its figure has changed beyond the comparison's threshold.
void record_end(storage::Ending& ending);

} // namespace costcurve::api
