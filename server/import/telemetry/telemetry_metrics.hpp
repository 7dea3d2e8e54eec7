// What telemetry can be about: one row a metric, with its unit and the range that a sensor can mean.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>

#include "server/import/report.hpp"

namespace costcurve::imports {

struct MetricRow {
    std::string_view name; ///< of `Sample::metric` and of a member of NDJSON
    std::string_view unit;
    double low;
    double high;
    std::string_view help;
};
[[nodiscard]] std::span<const MetricRow> telemetry_metrics();

/// The row of a name; null where there is none.
[[nodiscard]] const MetricRow* find_metric(std::string_view name);

/// Sample times from 1973-03-03 to 2200-01-01, in Unix milliseconds. What is below is seconds that were taken for milliseconds.
inline constexpr std::int64_t kOldestSample = 100'000'000'000;
inline constexpr std::int64_t kNewestSample = 7'258'118'400'000;

/// The longest name of a source.
inline constexpr std::size_t kMaxSource = 256;

/// Devices by the names in telemetry; each name is looked up once, and an unknown one is warned of once. Memory is bounded.
class DeviceNames {
public:
    /// Its id; "" where it is unknown. `ids_too`: a slug that the table doesn't know is the id of a device of the user's own.
    const std::string& id_of(std::string_view name, bool ids_too, std::size_t row, Report& report);

private:
    std::unordered_map<std::string, std::string> ids_;
};

} // namespace costcurve::imports
