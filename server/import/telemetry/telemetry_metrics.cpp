// The table of metrics.
#include "server/import/telemetry/telemetry_metrics.hpp"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "server/import/identity/aliases.hpp"
#include "server/import/text/numbers.hpp"
#include "server/import/text/utf8.hpp"

namespace costcurve::imports {

namespace {

// The power of a device ends where a document's tdp_w does.
constexpr auto kMetrics = std::to_array<MetricRow>({
    {"power_w", "W", 0.0, 20000.0, "power of the device"},
    {"utilization", "fraction", 0.0, 1.0, "part of the time in which the device was busy"},
    {"energy_j", "J", 0.0, 1e15, "counter of the energy used, since whenever"},
    {"temperature_c", "degrees Celsius", -60.0, 250.0, "temperature of the device"},
    {"memory_used_gib", "GiB", 0.0, 1e5, "memory in use"},
    {"tensorcore_utilization", "fraction", 0.0, 1.0, "work of a TPU's matrix units, of what they could do"},
    {"engine_utilization", "fraction", 0.0, 1.0, "part of the time in which a GPU's engines worked, beside its utilization"},
    {"input_tokens", "tokens", 0.0, 1e15, "counter of the tokens of prompts that were read, since whenever"},
    {"output_tokens", "tokens", 0.0, 1e15, "counter of the tokens that were generated, since whenever"},
    {"units_per_s", "units/s", 0.0, 1e15, "work done: tokens, samples, images a second"},
    {"batch", "requests", 0.0, 1e9, "size of the batch in work"},
});

constexpr std::size_t kMaxNames = 4096;

} // namespace

std::span<const MetricRow> telemetry_metrics() { return kMetrics; }

const MetricRow* find_metric(std::string_view name) {
    const auto found = std::ranges::find(kMetrics, name, &MetricRow::name);
    return found == kMetrics.end() ? nullptr : &*found;
}

const std::string& DeviceNames::id_of(std::string_view name, bool ids_too, std::size_t row, Report& report) {
    if (ids_.size() > kMaxNames) {
        ids_.clear();
    }
    const auto [place, added] = ids_.try_emplace(std::string(name));
    if (added && !name.empty()) {
        const bool is_id = ids_too && make_id({name}) == name;
        place->second = device_of(name).value_or(is_id ? std::string(name) : std::string());
        if (place->second.empty()) {
            report.warnings.add(row,
                                fmt::format("no device is known by the name {}: its samples are kept without one", clipped(name)));
        }
    }
    return place->second;
}

} // namespace costcurve::imports
