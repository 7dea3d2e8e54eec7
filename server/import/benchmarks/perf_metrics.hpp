// The figures that GenAI-Perf and AIPerf write, by name, statistic and unit: of their JSON and CSV exports.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "server/import/benchmarks/load_tests.hpp"

namespace costcurve::imports {

/// A metric as a tool gives it: statistics ("avg", "p50", "p99") in the unit that it names.
struct PerfMetric {
    std::string unit; ///< "" of a count
    std::map<std::string, double, std::less<>> statistics;
};

/// The metrics of one run, by names such as "time_to_first_token".
struct PerfMetrics {
    std::map<std::string, PerfMetric, std::less<>> by_name;
    std::optional<double> concurrency; ///< where the file says it
    bool was_cancelled = false;
    std::string model; ///< as the file spells it; "" where it does not
};

/// "Time To First Token (ms)" is time_to_first_token and its unit ms.
[[nodiscard]] std::string perf_name(std::string_view label, std::string& unit);

/// The run as a point of load; times are medians where they are stated, else 99th percentiles, else means. `reason` says which unit
/// is not known.
[[nodiscard]] LoadPoint perf_point(const PerfMetrics& metrics, std::string& reason);

} // namespace costcurve::imports
