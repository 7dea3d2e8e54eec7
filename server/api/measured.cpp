// Bounded reading: what is asked for is counted as it comes.
#include "server/api/measured.hpp"

#include <map>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "server/api/decode_value.hpp"
#include "server/api/json_text.hpp"
#include "server/api/problem.hpp"
#include "server/import/aliases.hpp"

namespace costcurve::api {

namespace {

using model::Code;

constexpr std::size_t kMostSources = 1000;

Refusal invalid(Code code, std::string message) { return {kUnprocessable, "", {{"", code, std::move(message)}}}; }

Refusal too_many() {
    return invalid(Code::too_large,
                   fmt::format("more than {} samples or hours; take a shorter window, or fewer sources", kMostMeasured));
}

// A curve, or a sum, is of one device.
std::optional<Refusal> mixed(const std::set<std::string>& devices) {
    if (devices.size() < 2) {
        return std::nullopt;
    }
    std::vector<std::string> names;
    names.reserve(devices.size());
    for (const std::string& device : devices) {
        names.push_back(device.empty() ? "an unknown one" : device);
    }
    return invalid(Code::inconsistent,
                   fmt::format("the sources are of several devices: {}; say which, with device", fmt::join(names, ", ")));
}

std::vector<work::Reading>* list_of(work::SourceReadings& readings, std::string_view metric) {
    if (metric == "power_w") {
        return &readings.power_w;
    }
    if (metric == "utilization") {
        return &readings.utilization;
    }
    return metric == "batch" ? &readings.batch : &readings.units_per_s;
}

} // namespace

std::string device_id(const std::string& text) { return is_slug(text) ? text : imports::device_of(text).value_or(text); }

MeasuredOf read_measured_of(Members& members) {
    MeasuredOf of;
    of.device = device_id(members.text("device").value_or(""));
    of.sources = members.texts("sources", kMostSources);
    if (!of.device.empty() && !is_slug(of.device)) {
        members.add(
            "device", Code::bad_format,
            fmt::format("device is \"{}\"; give the id of a device, as telemetry has it: [a-z0-9][a-z0-9._-]{{0,127}}, or a "
                        "name that the table of aliases knows, such as H100",
                        shortened(of.device, 60)));
    }
    if (members.find("device") == nullptr && members.find("sources") == nullptr) {
        members.require("device", "the id of a device, or give sources: a list of their names");
    }
    return of;
}

std::string text_of(const MeasuredOf& of) {
    std::string sources =
        of.sources.empty() ? "" : fmt::format("{} source{}", of.sources.size(), of.sources.size() == 1 ? "" : "s");
    if (of.device.empty()) {
        return sources;
    }
    return fmt::format("device {}{}{}", of.device, sources.empty() ? "" : ", ", sources);
}

Attempt<std::vector<work::SourceReadings>> load_readings(const storage::Store& store, const MeasuredOf& of, std::int64_t from_ms,
                                                         std::int64_t to_ms) {
    std::map<std::string, work::SourceReadings> by_source;
    std::set<std::string> devices;
    std::size_t count = 0;
    const storage::SampleQuery query{{of.device, of.sources, {"power_w", "utilization", "units_per_s", "batch"}}, from_ms, to_ms};
    store.visit_samples(query, [&](const storage::SeriesKey& key, std::int64_t time_ms, double value) {
        devices.insert(key.device);
        list_of(by_source[key.source], key.metric)->push_back({time_ms, value});
        return ++count <= kMostMeasured;
    });
    if (count > kMostMeasured) {
        return tl::unexpected(too_many());
    }
    if (auto refusal = mixed(devices)) {
        return tl::unexpected(std::move(*refusal));
    }
    std::vector<work::SourceReadings> all;
    all.reserve(by_source.size());
    for (auto& [source, readings] : by_source) {
        all.push_back(std::move(readings));
    }
    return all;
}

Attempt<std::size_t> visit_hours(const storage::Store& store, const MeasuredOf& of, const std::vector<std::string>& metrics,
                                 std::int64_t from, std::int64_t to,
                                 const std::function<void(const storage::HourRow& row)>& visit) {
    constexpr std::size_t kAtATime = 10'000;
    storage::HourQuery query;
    query.filter = {of.device, of.sources, metrics};
    query.from = from;
    query.to = to;
    query.limit = kAtATime;
    std::set<std::string> devices;
    std::size_t count = 0;
    for (storage::HourPage page{{}, true}; page.more;) {
        page = store.hours(query);
        for (const storage::HourRow& row : page.items) {
            devices.insert(row.key.device);
            visit(row);
        }
        count += page.items.size();
        if (count > kMostMeasured) {
            return tl::unexpected(too_many());
        }
        if (page.more) {
            query.after_hour = page.items.back().hour;
            query.after_series = page.items.back().series;
        }
    }
    if (auto refusal = mixed(devices)) {
        return tl::unexpected(std::move(*refusal));
    }
    return count;
}

} // namespace costcurve::api
