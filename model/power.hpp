// Power of devices and hosts under load (model.md, section 7).
#pragma once

#include <vector>

#include "model/documents/documents.hpp"
#include "model/kernels.hpp"

namespace costcurve::model {

/// A linear curve with held ends, as base + sum of slope changes beyond each bend: no search, so that a loop over
/// hours is branch-free. Equal to the interpolated curve to rounding. Other curves are kept and read by search.
struct PiecewiseLinear {
    double base = 0.0;
    std::vector<kernels::Bend> bends;
    std::optional<Curve> searched; ///< a step or log curve
    double at_zero = 0.0;
    double at_one = 0.0;
    friend bool operator==(const PiecewiseLinear&, const PiecewiseLinear&) = default;
};
[[nodiscard]] PiecewiseLinear piecewise_linear(const Curve& curve);
/// The straight line through (0, at_zero) and (1, at_one), not held beyond them.
[[nodiscard]] PiecewiseLinear straight_line(double at_zero, double at_one);

/// y[i] = the curve at x[i], for i in [0, n); n is a multiple of kernels::kLanes.
void read_all(const PiecewiseLinear& curve, std::size_t n, const double* x, double* y);

/// What a pool's devices and hosts draw.
struct PowerDraw {
    PiecewiseLinear device;   ///< W of one device that is in no gang, by utilization
    double host_idle_w = 0.0; ///< of one server, without devices; 0 for cloud
    double host_max_w = 0.0;
    double nameplate_w = 0.0; ///< of one unit (server or instance) at full load
    bool pack = false;
    double ramp_w = 0.0; ///< of one device in its ramp
    double gang_w = 0.0; ///< of one device of a gang
    friend bool operator==(const PowerDraw&, const PowerDraw&) = default;
};

/// W of a device that runs no process: idle_w where it is stated, else its curve at 0.
[[nodiscard]] double idle_power(const Device& device);
/// W of a device that is busy all the time: its curve at 1, else tdp_w.
[[nodiscard]] double full_power(const Device& device);
/// Whether the device's curve is of the share of the largest rate, which serving reads it at.
[[nodiscard]] bool has_serving_curve(const Device& device);
/// W of a device without a curve that holds a model and serves nothing: loaded_idle_w, else the default shape's, and no less than
/// idle_w.
[[nodiscard]] double loaded_idle_power(const Device& device);
/// W of a device that serves, by its share of the largest rate: its curve, else tdp_w times the default shape, and no less than
/// loaded_idle_power(), which it draws at 0.
[[nodiscard]] PiecewiseLinear serving_power(const Device& device);
/// The same at one share.
[[nodiscard]] double serving_watts(const Device& device, double share);
/// The share of the watts at full load that a device without a curve draws at a share of the largest rate.
[[nodiscard]] double default_power_share(double share);

} // namespace costcurve::model
