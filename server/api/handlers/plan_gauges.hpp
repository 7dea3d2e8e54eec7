// Planned, billed and forecast cost of a stored scenario in the current month, for dashboards of plan against actuals.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "server/answers/encode_result.hpp"
#include "server/api/metrics.hpp"
#include "server/storage/store.hpp"

namespace costcurve::api {

/// Adds gauges of a scenario; none if it doesn't cover the month of `now`, in microseconds since 1970. Unknown values are left out.
/// Gauges of one name aren't adjacent. Cost: with the forecast, reads two months of bill lines.
void add_plan_gauges(std::vector<Gauge>& gauges, std::string_view id, const answers::Evaluated& evaluated,
                     const storage::Store& store, std::int64_t now, bool with_forecast);

} // namespace costcurve::api
