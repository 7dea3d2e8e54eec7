// The hourly loops: no branches on data, no allocation, no calls out. All arrays have `n` entries, n a multiple
// of kLanes, and do not overlap. Sums run in lanes in a fixed order, so that every machine gives the same bits.
#pragma once

#include <cstddef>

namespace costcurve::model::kernels {

/// Arrays are padded to whole lanes with hours that weigh nothing.
inline constexpr std::size_t kLanes = 8;

/// Ceilings and floors forgive this much: rounding never buys a replica (model.md, section 6).
inline constexpr double kForgiven = 1e-9;

/// y += slope_change * max(0, x - bend).
void add_bend(std::size_t n, const double* x, double bend, double slope_change, double* y);

/// The sum of w[i] * x[i].
[[nodiscard]] double dot(std::size_t n, const double* w, const double* x);

/// The sum of w[i] * x[i] * y[i].
[[nodiscard]] double dot3(std::size_t n, const double* w, const double* x, const double* y);

/// The largest x[i] where w[i] > 0, at least 0.
[[nodiscard]] double largest_weighted(std::size_t n, const double* w, const double* x);

/// y[i] = factor * x[i], and factor everywhere where x is null.
void scale(std::size_t n, double factor, const double* x, double* y);

/// One entry of a workload's route in every hour: how much of what is left its replicas take.
struct Replicas {
    double usable_rate; ///< units/s of a replica, headroom taken off
    double rate;        ///< units/s of a replica
    double devices;     ///< of a replica
};
/// left, free: in and out. reserved, busy: added to. served, taken: out (units/s and devices of this entry alone).
void serve(std::size_t n, const Replicas& replicas, double* left, double* free, double* reserved, double* busy, double* served,
           double* taken);

/// An API pool: takes what is left up to its bound. served: out.
void serve_bounded(std::size_t n, double* left, double* bound, double* served);

/// Whole instances that hold the reserved devices.
void whole_instances(std::size_t n, const double* reserved, double devices_per_instance, double* instances);

/// Whole gangs that the free units hold: floor(max(0, (capacity - taken)) / size).
void whole_gangs(std::size_t n, double capacity, const double* taken, double size, double* gangs);

/// y = a * b.
void multiply(std::size_t n, const double* a, const double* b, double* y);

/// y += factor * x.
void add_scaled(std::size_t n, double factor, const double* x, double* y);

/// Instances running: max(least, inference + training).
void running(std::size_t n, double least, const double* inference, const double* training, double* y);

/// Utilization of devices that share the load: busy / available, 0 where none is there.
void utilization(std::size_t n, const double* busy, const double* available, double* y);

} // namespace costcurve::model::kernels
