// The telemetry that a question reads, within limits of samples and hours.
#include "server/actuals/telemetry_selection.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "server/documents/decoder.hpp"
#include "server/documents/json/json_text.hpp"
#include "server/import/identity/aliases.hpp"

namespace costcurve::actuals {

namespace {

using model::Code;

model::Failure too_many_readings() {
    return {
        {"", Code::too_large, fmt::format("more than {} samples or hours; take a shorter window, or fewer sources", kMaxReadings)}};
}

// A curve, or a sum, is of one device.
std::optional<model::Failure> mixed(const std::set<std::string>& devices) {
    if (devices.size() < 2) {
        return std::nullopt;
    }
    std::vector<std::string> names;
    names.reserve(devices.size());
    for (const std::string& device : devices) {
        names.push_back(device.empty() ? "an unknown one" : device);
    }
    return model::Failure{{"", Code::inconsistent,
                           fmt::format("the sources are of several devices: {}; say which, with device", fmt::join(names, ", "))}};
}

struct ReadingsRow {
    std::string_view metric;
    std::vector<Reading> SourceReadings::*readings;
};
constexpr std::array kReadings{
    ReadingsRow{"power_w", &SourceReadings::power_w},           ReadingsRow{"utilization", &SourceReadings::utilization},
    ReadingsRow{"units_per_s", &SourceReadings::units_per_s},   ReadingsRow{"batch", &SourceReadings::batch},
    ReadingsRow{"input_tokens", &SourceReadings::input_tokens}, ReadingsRow{"output_tokens", &SourceReadings::output_tokens},
};

} // namespace

std::string device_id(const std::string& text) { return model::is_slug(text) ? text : imports::device_of(text).value_or(text); }

void check_filter(TelemetryFilter& filter, const std::string& pointer, model::Failure& issues) {
    filter.device = device_id(filter.device);
    if (filter.device.empty() && filter.sources.empty()) {
        issues.push_back(
            {pointer + "/device", Code::missing, "device is required: the id of a device, or give sources: a list of their names"});
    } else if (!filter.device.empty() && !model::is_slug(filter.device)) {
        issues.push_back(
            {pointer + "/device", Code::bad_format,
             fmt::format("device is \"{}\"; give the id of a device, as telemetry has it: [a-z0-9][a-z0-9._-]{{0,127}}, or a "
                         "name that the table of aliases knows, such as H100",
                         shortened(filter.device, 60))});
    }
    answers::check_each_once(filter.sources, pointer + "/sources", issues);
}

std::string text_of(const TelemetryFilter& filter) {
    std::string sources =
        filter.sources.empty() ? "" : fmt::format("{} source{}", filter.sources.size(), filter.sources.size() == 1 ? "" : "s");
    if (filter.device.empty()) {
        return sources;
    }
    return fmt::format("device {}{}{}", filter.device, sources.empty() ? "" : ", ", sources);
}

model::Result<std::vector<SourceReadings>> load_readings(const storage::Telemetry& store, const TelemetryFilter& filter,
                                                         std::int64_t from_ms, std::int64_t to_ms) {
    std::map<std::string, SourceReadings> by_source;
    std::set<std::string> devices;
    std::size_t count = 0;
    storage::SampleQuery query{{filter.device, filter.sources, {}}, from_ms, to_ms};
    for (const ReadingsRow& row : kReadings) {
        query.filter.metrics.emplace_back(row.metric);
    }
    store.visit_samples(query, [&](const storage::SeriesKey& key, std::int64_t time_ms, double value) {
        devices.insert(key.device);
        const auto* const row = std::ranges::find(kReadings, key.metric, &ReadingsRow::metric);
        (by_source[key.source].*row->readings).push_back({time_ms, value});
        return ++count <= kMaxReadings;
    });
    if (count > kMaxReadings) {
        return tl::unexpected(too_many_readings());
    }
    if (auto failure = mixed(devices)) {
        return tl::unexpected(std::move(*failure));
    }
    std::vector<SourceReadings> all;
    all.reserve(by_source.size());
    for (auto& [source, readings] : by_source) {
        all.push_back(std::move(readings));
    }
    return all;
}

model::Result<std::size_t> visit_hours(const storage::Telemetry& store, const TelemetryFilter& filter,
                                       const std::vector<std::string>& metrics, std::int64_t from, std::int64_t to,
                                       const std::function<void(const storage::HourRow& row)>& visit, Unnamed unnamed) {
    constexpr std::size_t kAtATime = 10'000;
    storage::HourQuery query;
    query.filter = {filter.device, filter.sources, metrics};
    query.from = from;
    query.to = to;
    query.limit = kAtATime;
    std::set<std::string> devices;
    std::size_t count = 0;
    for (storage::HourPage page{{}, true}; page.more;) {
        page = store.hours(query);
        for (const storage::HourRow& row : page.items) {
            if (unnamed == Unnamed::devices || !row.key.device.empty()) {
                devices.insert(row.key.device);
            }
            visit(row);
        }
        count += page.items.size();
        if (count > kMaxReadings) {
            return tl::unexpected(too_many_readings());
        }
        if (page.more) {
            query.after_hour = page.items.back().hour;
            query.after_series = page.items.back().series;
        }
    }
    if (auto failure = mixed(devices)) {
        return tl::unexpected(std::move(*failure));
    }
    return count;
}

} // namespace costcurve::actuals
