// Reads cumulative distributions of utilization or power (value, cumulative percent) as a duration curve of utilization, or as a
// power curve of two points.
#include <algorithm>
#include <vector>

#include <fmt/format.h>

#include "server/import/curves.hpp"
#include "server/import/readers.hpp"
#include "server/import/text/numbers.hpp"
#include "server/import/text/table.hpp"

namespace costcurve::imports {

namespace {

using model::Code;

constexpr int kHoursOfAWeek = 168;
constexpr double kPercent = 100.0;
constexpr double kIdleQuantile = 0.05;
constexpr double kFullQuantile = 0.99;
constexpr std::size_t kMaxPoints = 1000000;

// Values by cumulative share 0..1, both ascending.
struct Distribution {
    std::string name; ///< of the value's column
    std::vector<double> share;
    std::vector<double> value;

    /// The quantile at share p, linear between points. If several points have the same share, the first one's value.
    [[nodiscard]] double quantile(double p) const { return between(std::lower_bound(share.begin(), share.end(), p), p); }
    /// The quantile at share p. If several points have the same share, the last one's value.
    [[nodiscard]] double quantile_after(double p) const { return between(std::upper_bound(share.begin(), share.end(), p), p); }

    [[nodiscard]] double between(std::vector<double>::const_iterator next, double p) const {
        const auto right = static_cast<std::size_t>(next - share.begin());
        if (right == 0 || right == share.size()) {
            return value[std::min(right, share.size() - 1)];
        }
        return value[right - 1] + (value[right] - value[right - 1]) * (p - share[right - 1]) / (share[right] - share[right - 1]);
    }

    /// The mean of the values between two shares: the integral of the quantile function, exact since it is piecewise linear.
    [[nodiscard]] double mean(double from, double to) const {
        double sum = 0.0;
        double p = from;
        auto next = std::upper_bound(share.begin(), share.end(), from);
        while (p < to) {
            const double end = next == share.end() ? to : std::min(*next, to);
            sum += (quantile_after(p) + quantile(end)) / 2.0 * (end - p);
            p = end;
            next = std::upper_bound(share.begin(), share.end(), p);
        }
        return sum / (to - from);
    }
};

// Reads the file. `scale_of` gives the divisor for a value column by its lower-case name, or 0 for an unknown column.
HardError read_distribution(Bytes& bytes, Report& report, Distribution& all, double most, double (*scale_of)(std::string_view)) {
    Table table(bytes);
    const Column share = table.column_that_begins("cdf");
    if (table.error()) {
        return table.error();
    }
    const std::string share_name = share ? lower(table.header()[static_cast<std::size_t>(share.index)]) : "";
    const bool percent = share_name.find("percent") != std::string::npos || share_name.find('%') != std::string::npos;
    if (!percent && share_name.find("fraction") == std::string::npos) {
        return hard_error(Code::missing, 1, "a column cdf_percent, or cdf_fraction, of the cumulative share is needed");
    }
    const Column value{share.index == 0 ? 1 : 0};
    all.name = table.header().size() > 1 ? table.header()[static_cast<std::size_t>(value.index)] : "";
    const double scale = scale_of(lower(all.name));
    if (scale == 0.0) {
        return hard_error(Code::missing, 1,
                          fmt::format("the values' column is \"{}\": its name has to say what it is, with its unit", all.name));
    }
    while (table.next()) {
        ++report.rows;
        const Number x = table.number(value);
        const Number p = table.number(share);
        const double fraction = p.value / (percent ? kPercent : 1.0);
        if (!x || x.value < 0.0 || x.value / scale > most || !p || fraction < 0.0 || fraction > 1.0 + 1e-9) {
            table.fail(Code::bad_format, table.row(),
                       fmt::format("it has {} and {}; a value of 0 to {:g} and its share are needed", table.text(value),
                                   table.text(share), most * scale));
            break;
        }
        if (!all.share.empty() && (fraction < all.share.back() || x.value / scale < all.value.back())) {
            table.fail(Code::not_ascending, table.row(), "values and shares of a cumulative distribution never fall");
            break;
        }
        if (all.share.size() == kMaxPoints) {
            table.fail(Code::too_large, table.row(), "a distribution has up to 1000000 points here");
            break;
        }
        all.share.push_back(std::min(fraction, 1.0));
        all.value.push_back(x.value / scale);
    }
    if (!table.error() && (all.share.size() < 2 || all.share.back() < 0.999)) {
        return hard_error(Code::missing, 0, "the shares do not reach 100 %: is the file cut off?");
    }
    return table.error();
}

} // namespace

HardError read_utilization_distribution(Bytes& bytes, const Options& options, Report& report) {
    Distribution all;
    const auto scale = [](std::string_view name) {
        return name.find("util") == std::string_view::npos       ? 0.0
               : name.find("percent") != std::string_view::npos  ? kPercent
               : name.find("fraction") != std::string_view::npos ? 1.0
                                                                 : 0.0;
    };
    if (HardError error = read_distribution(bytes, report, all, 1.0, scale)) {
        return error;
    }
    model::Curve curve =
        empty_curve(model::CurveKind::utilization, model::Axis::hour_of_week, options.id, source_of(options, all.name),
                    fmt::format("A duration curve, not a course in time: the busiest 168th of all samples stands at hour 0, the "
                                "idlest at hour 167. Mean {:.4g}.",
                                all.mean(0.0, 1.0)));
    curve.interpolation = model::Interpolation::step;
    for (int hour = 0; hour < kHoursOfAWeek; ++hour) {
        const double mean = all.mean(1.0 - (hour + 1.0) / kHoursOfAWeek, 1.0 - static_cast<double>(hour) / kHoursOfAWeek);
        append_point(curve, hour, std::clamp(mean, 0.0, 1.0)); // clamp rounding errors
    }
    report.add(std::move(curve));
    return std::nullopt;
}

HardError read_power_distribution(Bytes& bytes, const Options& options, Report& report) {
    constexpr double kMaxWatts = 1e6;
    Distribution all;
    const auto scale = [](std::string_view name) {
        return name.find("power") == std::string_view::npos ? 0.0 : name.ends_with("_kw") ? 1e-3 : name.ends_with("_w") ? 1.0 : 0.0;
    };
    if (HardError error = read_distribution(bytes, report, all, kMaxWatts, scale)) {
        return error;
    }
    const bool server = lower(all.name).starts_with("server") || lower(all.name).starts_with("node");
    const Number devices = parse_number(options.devices);
    if (server && !devices) {
        return hard_error(Code::missing, 0,
                          "the watts are of a server, power curves are of a device: give the option devices, how many "
                          "a server has");
    }
    const double share = devices ? devices.value : 1.0;
    model::Curve curve = empty_curve(model::CurveKind::power, model::Axis::busy_time, options.id, source_of(options, all.name));
    append_point(curve, 0.0, all.quantile(kIdleQuantile) / share);
    append_point(curve, 1.0, all.quantile(kFullQuantile) / share);
    curve.note = fmt::format(
        "An estimate from a distribution, which has no utilization: the 5th percentile is taken for idle and the "
        "99th for full load, a straight line between. Mean of the distribution: {:.4g} W.{}",
        all.mean(0.0, 1.0) / share,
        share > 1.0 || server
            ? fmt::format(" Watts of {}, divided by {:g} devices{}.", all.name, share,
                          server ? ": a device's share of its host is in them, so host_idle_w and host_max_w are 0" : "")
            : "");
    report.warnings.add(0,
                        "the file has watts and no utilization: idle and full load are estimated by its 5th and 99th percentile");
    report.add(std::move(curve));
    return std::nullopt;
}

} // namespace costcurve::imports
