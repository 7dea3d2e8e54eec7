// Metrics of GenAI-Perf and AIPerf by name, statistic and unit, from their JSON and CSV exports.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "server/import/benchmarks/load_tests.hpp"

namespace costcurve::imports {

/// A metric as the tool exports it: statistics ("avg", "p50", "p99") in the stated unit.
struct PerfMetric {
    std::string unit; ///< "" for a count
    std::map<std::string, double, std::less<>> statistics;
};

/// The metrics of one run, by names such as "time_to_first_token".
struct PerfMetrics {
    std::map<std::string, PerfMetric, std::less<>> by_name;
    std::optional<double> concurrency; ///< where the file says it
    bool was_cancelled = false;
    std::string model; ///< as the file spells it; "" where it does not
};

/// The metric's name and unit from a column label: "Time To First Token (ms)" gives time_to_first_token and unit ms.
[[nodiscard]] std::string perf_name(std::string_view label, std::string& unit);

/// The run as a load point. Times are medians if stated, else 99th percentiles, else means. `reason` names an unknown unit.
[[nodiscard]] LoadPoint perf_point(const PerfMetrics& metrics, std::string& reason);

} // namespace costcurve::imports
