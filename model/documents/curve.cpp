// Reading curves, and the one table that says which axes and values each kind may have.
#include "model/documents/curve.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace costcurve::model {

namespace {

constexpr double kUnbounded = 1e15;

constexpr std::array kDate{Axis::date};
constexpr std::array kPower{Axis::throughput_share, Axis::busy_time, Axis::utilization};
constexpr std::array kPue{Axis::load, Axis::hour_of_week, Axis::hour_of_day, Axis::hour_of_year};
constexpr std::array kTimed{Axis::hour_of_week, Axis::hour_of_day, Axis::hour_of_year, Axis::date};
constexpr std::array kThroughput{Axis::batch, Axis::devices};
constexpr std::array kBatch{Axis::batch};
constexpr std::array kDevices{Axis::devices};
constexpr std::array kAge{Axis::age_months};
constexpr std::array kDateOrAge{Axis::date, Axis::age_months};
constexpr std::array kMonths{Axis::months};

constexpr auto kKinds = std::to_array<CurveKindRow>({
    {CurveKind::price, kDate, "currency/instance-hour", 0.0, kUnbounded, "price by date"},
    {CurveKind::power, kPower, "W", 0.0, 1e6, "power of a device by its share of the largest rate, or of busy time"},
    {CurveKind::pue, kPue, "ratio", 1.0, 10.0, "facility power over IT power"},
    {CurveKind::tariff, kTimed, "currency/kWh", -1e6, 1e6, "price of energy; may be negative"},
    {CurveKind::carbon, kTimed, "g/kWh", 0.0, 1e5, "carbon intensity of the grid"},
    {CurveKind::utilization, kTimed, "fraction", 0.0, 1.0, "utilization of a reference fleet"},
    {CurveKind::demand, kTimed, "multiplier", 0.0, kUnbounded, "demand, as a multiplier of its mean"},
    {CurveKind::throughput, kThroughput, "units/s", 0.0, kUnbounded, "units/s of one replica or gang"},
    {CurveKind::latency, kBatch, "s", 0.0, 1e6, "latency of a request by batch size"},
    {CurveKind::scaling, kDevices, "fraction", 0.0, 1.0, "parallel efficiency by devices in the gang"},
    {CurveKind::residual, kAge, "fraction", 0.0, 1.0, "resale value as a fraction of the price, by age"},
    {CurveKind::index, kDateOrAge, "factor", 0.0, kUnbounded, "factor of a price or an intensity by date, of failures by age"},
    {CurveKind::ramp, kMonths, "fraction", 0.0, 1.0, "learning: fraction of the throughput, by months since the pool serves"},
    {CurveKind::availability, kTimed, "fraction", 0.0, 1.0, "part of spot instances that is to be had"},
});

bool is_power_axis(Axis axis) { return std::find(kPower.begin(), kPower.end(), axis) != kPower.end(); }

bool has_ends(const Curve& curve) { return period_of(curve.axis) == 0; }

// The value on the segment from (x0, y0) to (x1, y1); x0 <= x < x1.
double on_segment(Interpolation rule, double x, double x0, double y0, double x1, double y1) {
    switch (rule) {
    case Interpolation::step:
        return y0;
    case Interpolation::log:
        return y0 * std::pow(y1 / y0, std::log(x / x0) / std::log(x1 / x0));
    case Interpolation::linear:
        break;
    }
    return y0 + (y1 - y0) * (x == x0 ? 0.0 : (x - x0) / (x1 - x0)); // at its points a curve needs no division
}

// The value at x of [0, period), where `right` is the first point beyond x.
double read_periodic(const Curve& curve, double x, double period, std::size_t right) {
    const std::size_t last = curve.x.size() - 1;
    const bool before = right == 0;
    const bool after = right > last;
    const std::size_t left = before ? last : right - 1;
    const std::size_t next = after ? 0 : right;
    return on_segment(curve.interpolation, x, curve.x[left] - (before ? period : 0.0), curve.y[left],
                      curve.x[next] + (after ? period : 0.0), curve.y[next]);
}

std::size_t first_beyond(const Curve& curve, double x) {
    return static_cast<std::size_t>(std::upper_bound(curve.x.begin(), curve.x.end(), x) - curve.x.begin());
}

// The mean of an hour with points inside of it; `right` is the first of these.
double mean_of_hour(const Curve& curve, double hour, double period, std::size_t right) {
    double sum = 0.0;
    for (double from = hour; from < hour + 1; ++right) {
        const double to = right < curve.x.size() ? std::min(curve.x[right], hour + 1) : hour + 1;
        const double at_start = read_periodic(curve, from, period, right);
        const double middle = curve.interpolation == Interpolation::step
                                  ? at_start
                                  : read_periodic(curve, (from + to) / 2, period, right); // the mean of a straight line
        sum += (to - from) * middle;
        from = to;
    }
    return sum;
}

} // namespace

std::span<const CurveKindRow> curve_kinds() { return kKinds; }

const CurveKindRow& curve_kind_row(CurveKind kind) { return kKinds[static_cast<std::size_t>(kind)]; }

bool is_money(CurveKind kind) { return curve_kind_row(kind).y_unit.starts_with("currency"); }

int period_of(Axis axis) {
    switch (axis) {
    case Axis::hour_of_day:
        return 24;
    case Axis::hour_of_week:
        return 168;
    case Axis::hour_of_year:
        return 8760;
    default:
        return 0;
    }
}

AxisRange range_of(Axis axis) {
    switch (axis) {
    case Axis::utilization:
    case Axis::throughput_share:
    case Axis::busy_time:
    case Axis::load:
        return {0.0, 1.0};
    case Axis::hour_of_day:
        return {0.0, 24.0 - 1e-9};
    case Axis::hour_of_week:
        return {0.0, 168.0 - 1e-9};
    case Axis::hour_of_year:
        return {0.0, 8760.0 - 1e-9};
    case Axis::date:
        return {-25567.0, 156934.0}; // 1900-01-01 to 2399-09-03
    case Axis::batch:
    case Axis::devices:
        return {1.0, 1e6};
    case Axis::age_months:
    case Axis::months:
        return {0.0, 1200.0};
    }
    return {0.0, 0.0};
}

double read(const Curve& curve, double x) {
    if (!has_ends(curve)) {
        const double period = period_of(curve.axis);
        x -= period * std::floor(x / period);
        return read_periodic(curve, x, period, first_beyond(curve, x));
    }
    if (x <= curve.x.front()) {
        return curve.y.front();
    }
    if (x >= curve.x.back()) {
        return curve.y.back();
    }
    const std::size_t right = first_beyond(curve, x);
    return on_segment(curve.interpolation, x, curve.x[right - 1], curve.y[right - 1], curve.x[right], curve.y[right]);
}

bool is_outside(const Curve& curve, double x) { return has_ends(curve) && (x < curve.x.front() || x > curve.x.back()); }

Evidence evidence_at(const Curve& curve, double x) {
    if (!has_ends(curve) || curve.axis == Axis::date || is_power_axis(curve.axis)) {
        return Evidence::measured;
    }
    if (is_outside(curve, x)) {
        return Evidence::extrapolated;
    }
    return std::binary_search(curve.x.begin(), curve.x.end(), x) ? Evidence::measured : Evidence::interpolated;
}

std::optional<std::size_t> point_inside_hour(const Curve& curve) {
    const auto found = std::find_if(curve.x.begin(), curve.x.end(), [](double x) { return x != std::floor(x); });
    const bool is_inside = period_of(curve.axis) > 0 && found != curve.x.end();
    return is_inside ? std::optional(static_cast<std::size_t>(found - curve.x.begin())) : std::nullopt;
}

std::vector<double> sample_period(const Curve& curve) {
    const int period = period_of(curve.axis);
    std::vector<double> values(static_cast<std::size_t>(period));
    std::size_t right = 0;
    for (int hour = 0; hour < period; ++hour) {
        while (right < curve.x.size() && curve.x[right] <= hour) {
            ++right;
        }
        const bool has_points = right < curve.x.size() && curve.x[right] < hour + 1;
        values[static_cast<std::size_t>(hour)] =
            has_points ? mean_of_hour(curve, hour, period, right) : read_periodic(curve, hour, period, right);
    }
    return values;
}

} // namespace costcurve::model
