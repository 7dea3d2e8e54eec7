// Device and load curves in the form that the hourly loops read.
#include "model/power.hpp"

namespace costcurve::model {

namespace {

// Share of the watts at full load by share of the largest output rate. Llama 3.1 8B in bf16 on one H100 SXM with a limit of 700 W,
// served by continuous batching at ten loads, 256 tokens in and out, energy by the card's counter, 2026-11-26
// (tests/model/power_test.cpp). Decoding at batch 1 keeps the memory busy: watts rise with the batch, not with time.
Curve default_shape() {
    Curve curve;
    curve.kind = CurveKind::power;
    curve.axis = Axis::throughput_share;
    curve.x = {0, 0.03, 0.05, 0.11, 0.22, 0.35, 0.5, 0.7, 1};
    curve.y = {0.18, 0.55, 0.65, 0.71, 0.76, 0.82, 0.88, 0.97, 1};
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

bool has_serving_curve(const Device& device) { return device.power && device.power->axis != Axis::busy_time; }

PiecewiseLinear serving_power(const Device& device) {
    if (has_serving_curve(device)) {
        return piecewise_linear(*device.power);
    }
    Curve curve = default_shape();
    for (double& y : curve.y) {
        y *= device.tdp_w;
    }
    curve.y.front() = device.loaded_idle_w.value_or(curve.y.front());
    return piecewise_linear(curve);
}

double default_power_share(double share) {
    static const Curve shape = default_shape();
    return read(shape, share);
}

double serving_watts(const Device& device, double share) {
    constexpr double kLoaded = 0.03; // the shape's first share above 0
    if (has_serving_curve(device)) {
        return read(*device.power, share);
    }
    if (!device.loaded_idle_w || share >= kLoaded) {
        return device.tdp_w * default_power_share(share);
    }
    const double loaded_w = device.tdp_w * default_power_share(kLoaded);
    return *device.loaded_idle_w + (loaded_w - *device.loaded_idle_w) * share / kLoaded;
}

} // namespace costcurve::model
