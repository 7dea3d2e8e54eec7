// The hourly loops: no branches on data, no allocation, no outside calls. All arrays have `n` entries, n a multiple
// of kLanes unless said otherwise, and do not overlap. Sums run in lanes in a fixed order, so that every machine gives the same
// bits.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

/// Marks a loop that uses AVX2 if the machine has it: same operations, same bits.
// Off with sanitizers: function multiversioning is resolved at load time, before their runtime is initialised.
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) && !defined(__SANITIZE_ADDRESS__) &&                           \
    !defined(__SANITIZE_THREAD__)
#define COSTCURVE_VECTORISED __attribute__((target_clones("avx2", "default")))
#else
#define COSTCURVE_VECTORISED
#endif

namespace costcurve::model::kernels {

/// Hours per vector block. Arrays are padded to a multiple of kLanes with hours of weight 0.
inline constexpr std::size_t kLanes = 8;

/// Tolerance of ceilings and floors, so that rounding never adds a replica (model.md, section 6).
inline constexpr double kForgiven = 1e-9;

/// A bend of a piecewise linear function: its slope changes by slope_change beyond x.
struct Bend {
    double x;
    double slope_change;
    friend bool operator==(const Bend&, const Bend&) = default;
};
/// y[i] = base + the sum over bends of slope_change * max(0, x[i] - bend).
void bent_line(std::size_t n, double base, std::span<const Bend> bends, const double* x, double* y);

/// The sum of w[i] * x[i].
[[nodiscard]] double dot(std::size_t n, const double* w, const double* x);

/// y[i] = factor * x[i], and factor everywhere where x is null.
void scale(std::size_t n, double factor, const double* x, double* y);

/// Folded arrays store equal blocks of kLanes hours once. `at` has, for each block of the full array, its place in the folded one.
/// Sums run over all blocks in their order, so they have the same bits as sums over the full array.
using Blocks = std::span<const std::uint32_t>;

/// The sum of w[i] * x[i] for a folded x.
[[nodiscard]] double dot_folded(Blocks at, const double* w, const double* x);

/// y = factor * x, block by block; block b of y reads the block of x that begins at from[b].
void scale_blocks(Blocks from, double factor, const double* x, double* y);

/// Expands a folded array x to all hours, into y.
void unfold(Blocks at, const double* x, double* y);

/// The correction to add to x * (1 / held) before rounding down, so that it equals floor(x / held) (see kernels.cpp).
[[nodiscard]] double nudge(double per_held, bool holds_whole);

/// Replicas of one runs_on entry, which take as much of the remaining demand as they can in every hour.
struct Replicas {
    double usable_rate; ///< units/s of a replica, less headroom
    double rate;        ///< units/s of a replica
    double devices;     ///< devices of a replica
    double held;        ///< devices of its hosts that no other replica can use
    bool holds_whole;   ///< all replicas of the pool hold whole devices
};
/// Totals of one entry.
struct Served {
    double units;   ///< units/s, sum over weighted hours
    double devices; ///< reserved device-hours
    double left;    ///< largest demand left in any hour of weight above 0
};
/// Serves `left` with free devices. left, free: in and out (free below 1e15). busy: added to. Any n.
Served serve(std::size_t n, const Replicas& replicas, const double* weights, double* left, double* free, double* busy);

/// As serve, bit for bit, for folded arrays of n hours; `work` and `reserved` are scratch.
Served serve_folded(Blocks at, std::size_t n, const Replicas& replicas, const double* weights, double* left, double* free,
                    double* busy, double* work, double* reserved);

/// Serves `left` by an API pool, up to its rate limit `bound`. Any n.
Served serve_bounded(std::size_t n, const double* weights, double* left, double* bound);
/// As serve_bounded, bit for bit, for folded arrays of n hours; `work` is scratch.
Served serve_bounded_folded(Blocks at, std::size_t n, const double* weights, double* left, double* bound, double* work);

/// The number of instances, rounded up, that hold the devices in use (`devices` - `free`, below 1e15).
void whole_instances(std::size_t n, double devices, double devices_per_instance, bool holds_whole, const double* free,
                     double* instances);

/// Gangs that fit into the free units: floor(max(0, (capacity - taken)) / size).
void whole_gangs(std::size_t n, double capacity, const double* taken, double size, double* gangs);

/// y = a * b.
void multiply(std::size_t n, const double* a, const double* b, double* y);

/// y = a + b.
void add(std::size_t n, const double* a, const double* b, double* y);

/// y = capacity - x.
void subtract_from(std::size_t n, double capacity, const double* x, double* y);

/// Running instances y = max(least, inference + training); returns their weighted sum.
double running(std::size_t n, double least, const double* weights, const double* inference, const double* training, double* y);

/// Utilization y = busy / available; 0 if available is 0.
void utilization(std::size_t n, const double* busy, const double* available, double* y);

/// y = ((constant + by_u * u) + by_x * x) + more.
struct Linear {
    double constant, by_u, by_x, more;
};
void linear(std::size_t n, const Linear& terms, const double* u, const double* x, double* y);

/// Sums of facility power kw = factor * (watts * pue) over weighted hours. Callers pass ones for an array that a pool lacks.
struct Metered {
    double kwh;
    double priced; ///< kwh * price
    double carbon; ///< kwh * intensity
    double peak_kw;
};
[[nodiscard]] Metered meter(std::size_t n, double factor, const double* weights, const double* watts, const double* pue,
                            const double* price, const double* intensity);

} // namespace costcurve::model::kernels
