// Converts device and load curves to the form that the hourly loops read.
#include "model/power.hpp"

#include <algorithm>

namespace costcurve::model {

namespace {

// Fraction of full-load watts by fraction of the largest output rate. Llama 3.1 8B in bf16 on one H100 SXM with a limit of 700 W,
// served by continuous batching at ten loads, 256 tokens in and out, energy by the card's counter, 2026-11-26
// (tests/model/power_test.cpp). Decoding at batch 1 keeps the memory busy: watts rise with the batch, not with time.
const Curve& default_shape() {
    static const Curve shape = [] {
        Curve curve;
        curve.kind = CurveKind::power;
        curve.axis = Axis::throughput_share;
        curve.x = {0, 0.03, 0.05, 0.11, 0.22, 0.35, 0.5, 0.7, 1};
        curve.y = {0.18, 0.55, 0.65, 0.71, 0.76, 0.82, 0.88, 0.97, 1};
        return curve;
    }();
    return shape;
}

// The default shape times tdp_w, raised to loaded_idle_power() where it is lower: work never lowers the power.
Curve default_curve(const Device& device) {
    Curve curve = default_shape();
    const double at_zero = loaded_idle_power(device);
    for (double& y : curve.y) {
        y = std::max(y * device.tdp_w, at_zero);
    }
    curve.y.front() = at_zero;
    return curve;
}

} // namespace

PiecewiseLinear piecewise_linear(const Curve& curve) {
    PiecewiseLinear line;
    line.base = curve.y.front();
    line.at_zero = read(curve, 0.0);
    line.at_one = read(curve, 1.0);
    if (curve.interpolation != Interpolation::linear) {
        line.searched = curve;
        return line;
    }
    double slope = 0.0;
    for (std::size_t i = 0; i + 1 < curve.x.size(); ++i) {
        const double next = (curve.y[i + 1] - curve.y[i]) / (curve.x[i + 1] - curve.x[i]);
        line.bends.push_back({curve.x[i], next - slope});
        slope = next;
    }
    if (slope != 0.0) {
        line.bends.push_back({curve.x.back(), -slope});
    }
    return line;
}

PiecewiseLinear straight_line(double at_zero, double at_one) {
    return {at_zero, {{0.0, at_one - at_zero}}, std::nullopt, at_zero, at_one};
}

void read_all(const PiecewiseLinear& curve, std::size_t n, const double* x, double* y) {
    if (curve.searched) {
        for (std::size_t i = 0; i < n; ++i) {
            y[i] = read(*curve.searched, x[i]);
        }
        return;
    }
    kernels::bent_line(n, curve.base, curve.bends, x, y);
}

double idle_power(const Device& device) { return device.idle_w > 0.0 || !device.power ? device.idle_w : read(*device.power, 0.0); }

double full_power(const Device& device) { return device.power ? read(*device.power, 1.0) : device.tdp_w; }

double loaded_idle_power(const Device& device) {
    return device.loaded_idle_w.value_or(std::max(device.idle_w, device.tdp_w * default_power_share(0.0)));
}

bool has_serving_curve(const Device& device) { return device.power && device.power->axis != Axis::busy_time; }

PiecewiseLinear serving_power(const Device& device) {
    return piecewise_linear(has_serving_curve(device) ? *device.power : default_curve(device));
}

double default_power_share(double share) { return read(default_shape(), share); }

double serving_watts(const Device& device, double share) {
    return has_serving_curve(device) ? read(*device.power, share) : read(default_curve(device), share);
}

} // namespace costcurve::model
