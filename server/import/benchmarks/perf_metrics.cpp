// Converts metrics of GenAI-Perf and AIPerf from the file's units. A run with an unknown unit is refused.
#include "server/import/benchmarks/perf_metrics.hpp"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "server/import/text/numbers.hpp"

namespace costcurve::imports {

namespace {

struct PerfUnit {
    std::string_view name;
    double factor; // unit in seconds
};
constexpr auto kTimeUnits = std::to_array<PerfUnit>({{"ns", 1e-9}, {"us", 1e-6}, {"ms", 1e-3}, {"s", 1.0}, {"sec", 1.0}});

struct PerfPercentile {
    std::string_view statistic;
    double percentile; // 0: mean
};
constexpr auto kTimeStatistics = std::to_array<PerfPercentile>({{"p50", 50.0}, {"p99", 99.0}, {"avg", 0.0}});

std::optional<double> perf_statistic(const PerfMetrics& metrics, std::string_view name, std::string_view statistic) {
    const auto metric = metrics.by_name.find(name);
    if (metric == metrics.by_name.end()) {
        return std::nullopt;
    }
    const auto found = metric->second.statistics.find(statistic);
    return found == metric->second.statistics.end() ? std::nullopt : std::optional(found->second);
}

// A count, or a rate per second; 0 if absent.
double perf_value(const PerfMetrics& metrics, std::string_view name) {
    return std::max(perf_statistic(metrics, name, "avg").value_or(0.0), 0.0);
}

// A time in seconds; 0 if not stated. `reason` names an unknown unit.
double perf_seconds(const PerfMetrics& metrics, std::string_view name, std::string_view statistic, std::string& reason) {
    const std::optional<double> value = perf_statistic(metrics, name, statistic);
    if (!value) {
        return 0.0;
    }
    const std::string& unit = metrics.by_name.find(name)->second.unit;
    const auto* const row = std::ranges::find(kTimeUnits, lower(unit), &PerfUnit::name);
    if (row == kTimeUnits.end()) {
        reason = fmt::format("{} is in \"{}\"; ns, us, ms or s is needed", name, unit);
        return 0.0;
    }
    return std::max(*value * row->factor, 0.0);
}

} // namespace

std::string perf_name(std::string_view label, std::string& unit) {
    const std::size_t open = label.rfind('(');
    unit.clear();
    if (open != std::string_view::npos && label.ends_with(')')) {
        unit = label.substr(open + 1, label.size() - open - 2);
        label = label.substr(0, open);
    }
    while (label.ends_with(' ')) {
        label.remove_suffix(1);
    }
    std::string name = lower(label);
    std::replace(name.begin(), name.end(), ' ', '_');
    return name;
}

LoadPoint perf_point(const PerfMetrics& metrics, std::string& reason) {
    LoadPoint point;
    point.requests_per_s = perf_value(metrics, "request_throughput");
    point.output_per_s = perf_value(metrics, "output_token_throughput");
    point.input_tokens = perf_value(metrics, "input_sequence_length");
    point.output_tokens = perf_value(metrics, "output_sequence_length");
    if (point.output_tokens <= 0.0 && point.requests_per_s > 0.0) {
        point.output_tokens = point.output_per_s / point.requests_per_s;
    }
    const auto times = [&](std::string_view statistic) {
        return RequestTimes{perf_seconds(metrics, "request_latency", statistic, reason),
                            perf_seconds(metrics, "time_to_first_token", statistic, reason),
                            perf_seconds(metrics, "inter_token_latency", statistic, reason)};
    };
    point.means = times("avg");
    point.medians = times("p50");
    point.requests = metrics.concurrency.value_or(requests_at_a_time(point.requests_per_s, point.means.latency));
    point.answered = perf_value(metrics, "request_count");
    point.failed = perf_value(metrics, "error_request_count");
    point.was_cancelled = metrics.was_cancelled;
    for (const PerfPercentile& row : kTimeStatistics) { // the first statistic that either time has
        point.ttft_s = perf_seconds(metrics, "time_to_first_token", row.statistic, reason);
        point.token_s = perf_seconds(metrics, "inter_token_latency", row.statistic, reason);
        point.percentile = row.percentile;
        if (point.ttft_s > 0.0 || point.token_s > 0.0) {
            break;
        }
    }
    return point;
}

} // namespace costcurve::imports
