// Power of devices and hosts under load (model.md, section 7).
#pragma once

#include <vector>

#include "model/documents/documents.hpp"
#include "model/kernels.hpp"

namespace costcurve::model {

/// A linear curve with constant ends, as base + the sum of slope changes beyond each bend. It needs no search, so loops over hours
/// are branch-free. Equal to the interpolated curve up to rounding. Step and log curves are stored in `searched`.
struct PiecewiseLinear {
    double base = 0.0;
    std::vector<kernels::Bend> bends;
    std::optional<Curve> searched; ///< a step or log curve, read by binary search
    double at_zero = 0.0;
    double at_one = 0.0;
    friend bool operator==(const PiecewiseLinear&, const PiecewiseLinear&) = default;
};
[[nodiscard]] PiecewiseLinear piecewise_linear(const Curve& curve);
/// The straight line through (0, at_zero) and (1, at_one), extrapolated beyond them.
[[nodiscard]] PiecewiseLinear straight_line(double at_zero, double at_one);

/// y[i] = the curve at x[i], for i in [0, n); n is a multiple of kernels::kLanes.
void read_all(const PiecewiseLinear& curve, std::size_t n, const double* x, double* y);

/// Power draw of a pool's devices and hosts.
struct PowerDraw {
    PiecewiseLinear device;   ///< W of one device outside gangs, by utilization
    double host_idle_w = 0.0; ///< of one server, without devices; 0 for cloud
    double host_max_w = 0.0;
    double nameplate_w = 0.0; ///< of one unit (server or instance) at full load
    bool pack = false;
    double ramp_w = 0.0; ///< of one device during its server's ramp-up
    double gang_w = 0.0; ///< of one device of a gang
    friend bool operator==(const PowerDraw&, const PowerDraw&) = default;
};

/// W of a device that runs no process: idle_w if stated, else its curve at 0.
[[nodiscard]] double idle_power(const Device& device);
/// W of a device that is busy all the time: its curve at 1, else tdp_w.
[[nodiscard]] double full_power(const Device& device);
/// Whether the x of the device's power curve is the share of the largest rate, at which serving reads it.
[[nodiscard]] bool has_serving_curve(const Device& device);
/// W of a device without a power curve that has a model loaded and serves nothing: loaded_idle_w, else the default shape at 0 but
/// at least idle_w.
[[nodiscard]] double loaded_idle_power(const Device& device);
/// W of a serving device by its share of the largest rate: its curve, else tdp_w times the default shape, but at least
/// loaded_idle_power().
[[nodiscard]] PiecewiseLinear serving_power(const Device& device);
/// W of a serving device at one share of the largest rate.
[[nodiscard]] double serving_watts(const Device& device, double share);
/// The default shape: fraction of full-load watts at a fraction of the largest rate, for devices without a power curve.
[[nodiscard]] double default_power_share(double share);

} // namespace costcurve::model
