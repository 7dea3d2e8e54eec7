// Hours of a pool's telemetry that all usual sources reported as often as usual, metric by metric.
#include "server/actuals/runs/whole_hours.hpp"

#include <algorithm>
#include <array>
#include <map>

#include "model/documents/calendar.hpp"
#include "server/actuals/statistics.hpp"

namespace costcurve::actuals {

namespace {

constexpr double kMinUsual = 0.5;
constexpr double kMaxUsual = 1.5;
constexpr auto kHourSeconds = static_cast<double>(model::kHour);

struct SourceReading {
    std::int64_t hour = 0;
    double value = 0.0;
    double count = 0.0;
};
using BySource = std::map<std::string, std::vector<SourceReading>>;

struct HourSum {
    double value = 0.0;
    double sources = 0.0;
};
using ByHour = std::map<std::int64_t, HourSum>;

void add(const storage::HourRow& row, BySource& sources) {
    const auto count = static_cast<double>(row.count);
    if (storage::is_counter(row.key.metric)) {
        if (row.increase && row.count > 1) {
            sources[row.key.source].push_back({row.hour, *row.increase, count});
        }
    } else if (row.sum && row.count > 0) {
        sources[row.key.source].push_back({row.hour, *row.sum / count, count});
    }
}

// Hours in which as many sources as usual were whole.
ByHour sum_of_whole(const BySource& sources) {
    ByHour sums;
    for (const auto& [source, readings] : sources) {
        std::vector<double> counts;
        for (const SourceReading& reading : readings) {
            counts.push_back(reading.count);
        }
        const double usual = median(std::move(counts));
        for (const SourceReading& reading : readings) {
            if (reading.count >= kMinUsual * usual && reading.count <= kMaxUsual * usual) {
                sums[reading.hour].value += reading.value;
                sums[reading.hour].sources += 1.0;
            }
        }
    }
    std::vector<double> numbers;
    for (const auto& [hour, sum] : sums) {
        numbers.push_back(sum.sources);
    }
    const double usual = numbers.empty() ? 0.0 : median(std::move(numbers));
    std::erase_if(sums, [&](const auto& entry) { return entry.second.sources != usual; });
    return sums;
}

} // namespace

model::Result<std::vector<PoolHour>> whole_hours(const storage::Telemetry& store, const TelemetryFilter& filter, std::int64_t from,
                                                 std::int64_t to) {
    const std::vector<std::string> metrics{"power_w", "energy_j", "units_per_s", "input_tokens", "output_tokens", "batch"};
    std::map<std::string, BySource> by_metric;
    const bool has_both = !filter.device.empty() && !filter.sources.empty();
    const std::vector<TelemetryFilter> parts =
        has_both ? std::vector<TelemetryFilter>{{filter.device, {}}, {"", filter.sources}} : std::vector{filter};
    for (const TelemetryFilter& part : parts) {
        const bool is_second = has_both && part.device.empty();
        auto visited = visit_hours(
            store, part, metrics, from, to,
            [&](const storage::HourRow& row) {
                if (!is_second || row.key.device != filter.device) {
                    add(row, by_metric[row.key.metric]);
                }
            },
            Unnamed::servers);
        if (!visited) {
            return tl::unexpected(std::move(visited.error()));
        }
    }
    std::map<std::string, ByHour> whole;
    for (const auto& [metric, sources] : by_metric) {
        whole[metric] = sum_of_whole(sources);
    }
    std::map<std::int64_t, PoolHour> hours;
    const auto fill = [&](const char* metric, double factor, const auto& set) {
        for (const auto& [hour, sum] : whole[metric]) {
            hours[hour].hour = hour;
            set(hours[hour], sum.value * factor, sum.sources);
        }
    };
    const auto energy = [](PoolHour& hour, double value, double sources) {
        hour.joules = value;
        hour.devices = sources;
    };
    const bool has_counter = !whole["energy_j"].empty();
    fill(has_counter ? "energy_j" : "power_w", has_counter ? 1.0 : kHourSeconds, energy);
    fill("batch", 1.0, [](PoolHour& hour, double value, double /*sources*/) { hour.batch = value; });
    fill("output_tokens", 1.0, [](PoolHour& hour, double value, double /*sources*/) { hour.tokens = hour.output_tokens = value; });
    if (whole["output_tokens"].empty()) {
        fill("units_per_s", kHourSeconds, [](PoolHour& hour, double value, double /*sources*/) { hour.tokens = value; });
    } else if (!whole["input_tokens"].empty()) {
        for (auto& [number, hour] : hours) {
            const auto input = whole["input_tokens"].find(number);
            const bool is_whole = hour.output_tokens && input != whole["input_tokens"].end();
            hour.tokens = is_whole ? std::optional(*hour.output_tokens + input->second.value) : std::nullopt;
        }
    }
    std::vector<PoolHour> all;
    all.reserve(hours.size());
    for (const auto& [number, hour] : hours) {
        all.push_back(hour);
    }
    return all;
}

} // namespace costcurve::actuals
