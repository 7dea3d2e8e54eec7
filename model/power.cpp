// Device and load curves in the form that the hourly loops read.
#include "model/power.hpp"

namespace costcurve::model {

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

PiecewiseLinear device_power(const Device& device) {
    return device.power ? piecewise_linear(*device.power) : straight_line(device.idle_w, device.tdp_w);
}

} // namespace costcurve::model
