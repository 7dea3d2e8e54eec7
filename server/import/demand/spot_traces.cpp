// Reads traces of spot instances by zone (skypilot-org/spot-traces), each an instance count at regular steps: availability and
// preemption rate.
#include <algorithm>
#include <cmath>
#include <map>
#include <vector>

#include <fmt/format.h>

#include "server/import/demand/week_hours.hpp"
#include "server/import/identity/device_name.hpp"
#include "server/import/readers.hpp"
#include "server/import/text/json.hpp"

namespace costcurve::imports {

namespace {

using model::Code;

constexpr double kLongestStep = kSecondsPerHour; // with longer steps, preemptions and launches within a step would be missed
constexpr std::size_t kFewestPoints = 2;

// A zone's instance count at each step, and the preemption statistics that follow.
struct SpotTrace {
    double step_s = 0.0;
    std::vector<double> instances;
    double most = 0.0;
    double held = 0.0; ///< instance-hours
    double lost = 0.0; ///< instances

    [[nodiscard]] double availability() const {
        return most == 0.0 ? 0.0 : held / (most * static_cast<double>(instances.size()) * step_s / kSecondsPerHour);
    }
    [[nodiscard]] double all_at_once() const {
        const auto count = most == 0.0 ? 0 : std::ranges::count(instances, most);
        return static_cast<double>(count) / static_cast<double>(instances.size());
    }
    [[nodiscard]] std::optional<double> interruptions() const {
        return held > 0.0 ? std::optional(lost / held) : std::nullopt; // per instance-hour
    }
};

HardError trace_error(Code code, std::size_t row, const std::string& file, std::string_view what) {
    return hard_error(code, row, fmt::format("{}: {}", file, what));
}

HardError read_trace(const NamedText& file, SpotTrace& trace, Report& report) {
    const JsonFile json{std::string_view(file.text)};
    if (json.error()) {
        return trace_error(json.error()->code, 0, file.name, json.error()->message);
    }
    const std::optional<Json> metadata = member(*json.root(), "metadata");
    const Number step = metadata ? number_of(*metadata, "gap_seconds") : Number{};
    if (!step || step.value < 1.0 || step.value > kLongestStep) {
        return trace_error(Code::missing, 0, file.name,
                           fmt::format("metadata.gap_seconds, the step of the trace, is to be 1 to {} s", kLongestStep));
    }
    trace.step_s = step.value;
    const auto points = list_of(*json.root(), "data");
    if (!points || points->size() < kFewestPoints) {
        return trace_error(Code::missing, 0, file.name, "data has no two points: it is a list of instances at each step");
    }
    for (const Json& point : *points) {
        double instances = 0.0;
        if (point.get_double().get(instances) != simdjson::SUCCESS || instances < 0.0 || instances > 1e6) {
            return trace_error(Code::bad_format, trace.instances.size() + 1, file.name,
                               fmt::format("point {} of data is no number of instances, 0 to 1000000", trace.instances.size() + 1));
        }
        trace.lost += trace.instances.empty() ? 0.0 : std::max(0.0, trace.instances.back() - instances);
        trace.held += instances * trace.step_s / kSecondsPerHour;
        trace.most = std::max(trace.most, instances);
        trace.instances.push_back(instances);
    }
    report.rows += trace.instances.size();
    return std::nullopt;
}

// The available share of the instances, by hour.
model::Curve availability_curve(const NamedText& file, const std::string& id, const SpotTrace& trace, const Options& options) {
    FileClock clock(options, 1.0);
    WeekHours sums{};
    WeekHours points{};
    Window window;
    std::string problem;
    for (std::size_t i = 0; i < trace.instances.size(); ++i) {
        const std::optional<double> seconds = clock.read(static_cast<double>(i) * trace.step_s, problem);
        if (!seconds) {
            break; // limit: ten years
        }
        const auto hour = static_cast<std::size_t>(week_hour(clock.local(*seconds)));
        sums[hour] += trace.most > 0.0 ? trace.instances[i] / trace.most : 0.0;
        points[hour] += 1.0;
        window.add(*seconds, i + 1);
    }
    const HourShape shape = shape_of(sums, points, least_samples(points), window.seconds(), clock.is_anchored());
    const std::optional<double> interruptions = trace.interruptions();
    const std::string life = !interruptions ? "none was to be had"
                             : *interruptions == 0.0
                                 ? "none was taken"
                                 : fmt::format("{:.3g} interruptions an instance-hour, a life of {:.3g} h in the mean",
                                               *interruptions, 1.0 / *interruptions);
    Options of_file = options;
    of_file.name = file.name;
    return curve_of(
        shape, model::CurveKind::availability, 1.0, id, of_file,
        fmt::format("{} points, one each {:g} s, {:.3g} days: up to {:g} instances, to be had in {:.4g} of the time, all "
                    "at once in {:.4g}; {}. {}",
                    trace.instances.size(), trace.step_s, window.seconds() / kSecondsPerDay, trace.most, trace.availability(),
                    trace.all_at_once(), life, describe(shape, clock)));
}

double median_of_traces(std::vector<double> values) {
    std::ranges::sort(values);
    const std::size_t half = values.size() / 2;
    return values.size() % 2 == 1 ? values[half] : (values[half - 1] + values[half]) / 2.0;
}

} // namespace

HardError read_spot_traces(std::span<const NamedText> files, const Options& options, Report& report) {
    std::map<std::string, std::string, std::less<>> names; // file name by id
    std::vector<double> available;
    std::vector<double> interrupted;
    for (const NamedText& file : files) {
        SpotTrace trace;
        if (HardError error = read_trace(file, trace, report)) {
            return error;
        }
        const std::string id = make_id({options.id, stem_of(file.name)});
        if (const auto [before, is_new] = names.emplace(id, file.name); !is_new) {
            return trace_error(
                Code::inconsistent, 0, file.name,
                fmt::format("{} would become {} too; give each period of time a call with an id of its own", before->second, id));
        }
        available.push_back(trace.availability());
        if (const std::optional<double> interruptions = trace.interruptions()) {
            interrupted.push_back(*interruptions);
        }
        report.add(availability_curve(file, id, trace, options));
    }
    if (!interrupted.empty()) {
        report.warnings.add(
            0, fmt::format("state interruptions_per_hour {:.2g} and availability_fraction {:.2g} in the offers that "
                           "they are of: medians of {} trace{}; a trace names no offer",
                           median_of_traces(interrupted), median_of_traces(available), files.size(), files.size() == 1 ? "" : "s"));
    }
    return std::nullopt;
}

} // namespace costcurve::imports
