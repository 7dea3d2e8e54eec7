// Telemetry for calibrations and variances: the samples or hours of devices and sources in a window. Knows no formulas.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "server/actuals/calibrate.hpp"
#include "server/answers/request.hpp"
#include "server/storage/roles.hpp"

namespace costcurve::actuals {

/// Samples or hours that one request may ask for.
inline constexpr std::size_t kMaxReadings = 8'000'000;
inline constexpr std::size_t kMaxSources = 1000;

/// The id that telemetry and bills have for a device's name such as "H100"; a slug, and what no alias knows, as it is.
[[nodiscard]] std::string device_id(const std::string& text);

/// Whose telemetry: of a device, of sources, or of both at once.
struct TelemetryFilter {
    std::string device;
    std::vector<std::string> sources;
};
/// The device by its id; one of device and sources is needed. `pointer` is where they stand.
void check_filter(TelemetryFilter& filter, const std::string& pointer, model::Failure& issues);
/// "device h100" or "3 sources".
[[nodiscard]] std::string text_of(const TelemetryFilter& filter);

/// Samples of power, utilization, rate, batch and counters of tokens, by source. Refused where they are too many, or of several
/// devices.
[[nodiscard]] model::Result<std::vector<SourceReadings>>
load_readings(const storage::Telemetry& store, const TelemetryFilter& filter, std::int64_t from_ms, std::int64_t to_ms);

/// What sources without a known device are: devices too, or servers, which run on devices of other sources.
enum class Unnamed { devices, servers };

/// Visits hours of some metrics, from one hour up to, and without, another; gives their number. The same refusals, behind visits.
[[nodiscard]] model::Result<std::size_t> visit_hours(const storage::Telemetry& store, const TelemetryFilter& filter,
                                                     const std::vector<std::string>& metrics, std::int64_t from, std::int64_t to,
                                                     const std::function<void(const storage::HourRow& row)>& visit,
                                                     Unnamed unnamed = Unnamed::devices);

} // namespace costcurve::actuals

template <>
inline constexpr auto costcurve::model::fields<costcurve::actuals::TelemetryFilter> =
    model::Rows{Field{"device",
                      &actuals::TelemetryFilter::device,
                      {.format = Format::name, .help = "of this device; one of device and sources is needed"}},
                Field{"sources",
                      &actuals::TelemetryFilter::sources,
                      {.min = 1, .max = actuals::kMaxSources, .format = Format::name, .help = "names of sources, each once"}}};
