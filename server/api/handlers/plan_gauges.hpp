// What a stored scenario plans for the month at hand, what is billed of it and what it will come to: for a dashboard of plan
// against meter.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "server/answers/encode_result.hpp"
#include "server/api/metrics.hpp"
#include "server/storage/store.hpp"

namespace costcurve::api {

/// Adds nothing of a scenario that doesn't reach over the month of `now`, in microseconds since 1970; what is not known is left
/// out. Gauges of one name don't stand together. Cost: with the forecast, the lines of two months of bills.
void add_plan_gauges(std::vector<Gauge>& gauges, std::string_view id, const answers::Evaluated& evaluated,
                     const storage::Store& store, std::int64_t now, bool with_forecast);

} // namespace costcurve::api
