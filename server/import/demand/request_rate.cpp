// Reads samples of requests per second over time (QPS series of monitoring systems) as a demand curve per request type.
#include <map>

#include <fmt/format.h>

#include "server/import/demand/week_hours.hpp"
#include "server/import/readers.hpp"
#include "server/import/text/read_rows.hpp"
#include "server/import/text/utf8.hpp"

namespace costcurve::imports {

namespace {

constexpr std::size_t kMaxTypes = 64;
constexpr double kMaxRate = 1e12; // requests/s
constexpr double kMinMoments = 1.0;
constexpr double kFewMoments = 0.9; // share of the window's time steps with a sample; fewer are reported

struct Series {
    Window window;
    WeekHours sums{};
    WeekHours moments{}; // values at one moment are of several containers and are added up
    double previous = 0.0;
    double step = 0.0; // smallest step between two moments
    double moments_in_all = 0.0;
    std::size_t samples = 0;

    void begin_moment(double seconds, std::size_t hour) {
        const double since = seconds - previous;
        if (samples > 0 && since <= 0.0) {
            return;
        }
        step = samples > 0 && (step <= 0.0 || since < step) ? since : step;
        moments[hour] += 1.0;
        moments_in_all += 1.0;
    }
};

std::string problem_of(const Number& value) {
    if (value.state == Number::State::blank) {
        return "value is blank: it is unknown, not 0";
    }
    return !value || value.value < 0.0 || value.value > kMaxRate ? "value is no number from 0 to 1e12 requests/s" : "";
}

HardError give(const std::string& type, Series& series, FileClock& clock, bool anonymised, const Options& options, Report& report) {
    if (HardError error = series.window.error()) {
        return error;
    }
    const HourShape shape = shape_of(series.sums, series.moments, kMinMoments, series.window.seconds(), clock.is_anchored());
    if (shape.mean <= 0.0) {
        report.warnings.add(0, fmt::format("all values of type {} are 0: there is no shape in them", clipped(type)));
        return std::nullopt;
    }
    if (shape.y.size() == 1) {
        report.warnings.add(0,
                            "fewer than 20 hours of the day are in it: no shape over the day is known from it, the curve is flat");
    }
    const double room = series.step > 0.0 ? series.window.seconds() / series.step + 1.0 : 1.0;
    if (series.moments_in_all < kFewMoments * room) {
        report.warnings.add(
            0, fmt::format("it has {:.0f} moments of {:.0f}, one every {:g} s: what is missing is taken as unknown; if it "
                           "means no requests, quiet hours come out too busy",
                           series.moments_in_all, room, series.step));
    }
    report.add(
        curve_of(shape, model::CurveKind::demand, 1.0 / shape.mean, make_id({options.id, type}), options,
                 fmt::format("{} samples of requests/s from {} to {} ({:.2f} h, {}{}): mean_per_s {:.6g} requests. {}",
                             series.samples, clock.text(series.window.first), clock.text(series.window.last),
                             series.window.seconds() / kSecondsPerHour, clock.describe(),
                             anonymised ? ", anonymised: its hours may be shifted" : "", shape.mean, describe(shape, clock))));
    return std::nullopt;
}

} // namespace

HardError read_request_rate(Bytes& bytes, const Options& options, Report& report) {
    Table table(bytes);
    const Column time = table.column({"timestamp", "timestamp_anon", "time"});
    const Column value = table.column({"value", "qps", "requests_per_s"});
    const Column type = table.column("request_type");
    if ((!time && !table.require({"timestamp"})) || (!value && !table.require({"value"}))) {
        return table.error();
    }
    const bool anonymised = !table.column("timestamp") && static_cast<bool>(table.column("timestamp_anon"));
    if (anonymised) {
        report.warnings.add(1, "its times are anonymised: the hours of the day may be shifted from those it happened in");
    }
    FileClock clock(options, 1.0);
    std::map<std::string, Series, std::less<>> all;
    const auto read_row = [&]() -> std::string {
        std::string problem;
        const std::optional<double> seconds = clock.read(table.text(time), problem);
        problem = seconds ? problem_of(table.number(value)) : fmt::format("its time {}", problem);
        if (!problem.empty()) {
            return problem;
        }
        auto found = all.find(table.text(type));
        if (found == all.end()) {
            if (all.size() == kMaxTypes) {
                table.fail(model::Code::too_large, table.row(), fmt::format("it is of more than {} types of requests", kMaxTypes));
                return "";
            }
            found = all.emplace(table.text(type), Series{}).first;
        }
        Series& series = found->second;
        if (series.samples > 0 && *seconds < series.previous) {
            return "its time is before the row's above; sort the file by time";
        }
        const auto hour = static_cast<std::size_t>(week_hour(clock.local(*seconds)));
        series.sums[hour] += table.number(value).value;
        series.begin_moment(*seconds, hour);
        series.window.add(*seconds, table.row());
        series.previous = *seconds;
        ++series.samples;
        return "";
    };
    if (HardError error = each_row(table, report, read_row)) {
        return error;
    }
    if (all.empty()) {
        return hard_error(model::Code::missing, 0, fmt::format("none of its {} rows can be used", report.rows));
    }
    for (auto& [name, series] : all) {
        if (HardError error = give(name, series, clock, anonymised, options, report)) {
            return error;
        }
    }
    return std::nullopt;
}

} // namespace costcurve::imports
