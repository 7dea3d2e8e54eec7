// What calibrations and variances ask of telemetry: whose, from when to when, and the samples or hours of it. Knows no formulas.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "server/api/members.hpp"
#include "server/api/route.hpp"
#include "server/storage/store.hpp"
#include "server/work/calibrate.hpp"

namespace costcurve::api {

/// Samples or hours that one request may ask for.
inline constexpr std::size_t kMostMeasured = 8'000'000;

/// The id that telemetry and bills have for a device's name such as "H100"; a slug, and what no alias knows, as it is.
[[nodiscard]] std::string device_id(const std::string& text);

/// Whose telemetry: of a device, of sources, or of both at once.
struct MeasuredOf {
    std::string device;
    std::vector<std::string> sources;
};
/// Reads `device` and `sources`, of which one is needed.
[[nodiscard]] MeasuredOf read_measured_of(Members& members);
/// "device h100" or "3 sources".
[[nodiscard]] std::string text_of(const MeasuredOf& of);

/// Samples of power, utilization, rate and batch, by source. Refused where they are too many, or of several devices.
[[nodiscard]] Attempt<std::vector<work::SourceReadings>> load_readings(const storage::Store& store, const MeasuredOf& of,
                                                                       std::int64_t from_ms, std::int64_t to_ms);

/// Visits hours of some metrics, from one hour up to, and without, another; gives their number. The same refusals, behind visits.
[[nodiscard]] Attempt<std::size_t> visit_hours(const storage::Store& store, const MeasuredOf& of,
                                               const std::vector<std::string>& metrics, std::int64_t from, std::int64_t to,
                                               const std::function<void(const storage::HourRow& row)>& visit);

} // namespace costcurve::api
