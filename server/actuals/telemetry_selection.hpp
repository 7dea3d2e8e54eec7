// Telemetry for calibrations and variances: the samples or hours of devices and sources in a window. Knows no formulas.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "server/actuals/calibrate.hpp"
#include "server/answers/request.hpp"
#include "server/storage/roles.hpp"

namespace costcurve::actuals {

/// Maximum number of samples or hours read by one request.
inline constexpr std::size_t kMaxReadings = 8'000'000;
inline constexpr std::size_t kMaxSources = 1000;

/// The id used in telemetry and bills for a device name such as "H100"; slugs and unknown names stay unchanged.
[[nodiscard]] std::string device_id(const std::string& text);

/// Selects telemetry of a device, of sources, or of both.
struct TelemetryFilter {
    std::string device;
    std::vector<std::string> sources;
};
/// Replaces the device's name by its id; an issue unless device or sources are given. `pointer` is their place.
void check_filter(TelemetryFilter& filter, const std::string& pointer, model::Failure& issues);
/// "device h100" or "3 sources".
[[nodiscard]] std::string text_of(const TelemetryFilter& filter);

/// Samples of power, utilization, rate, batch and token counters, by source. Refused if there are too many, or of several devices.
[[nodiscard]] model::Result<std::vector<SourceReadings>>
load_readings(const storage::Telemetry& store, const TelemetryFilter& filter, std::int64_t from_ms, std::int64_t to_ms);

/// Meaning of sources without a known device: devices as well, or servers that run on other sources' devices.
enum class Unnamed { devices, servers };

/// Visits hours of some metrics in a half-open period and returns their number. The same refusals, reported after the visits.
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
