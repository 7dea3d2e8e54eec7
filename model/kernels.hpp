// The hourly loops: no branches on data, no allocation, no calls out. All arrays have `n` entries, n a multiple
// of kLanes unless said otherwise, and do not overlap. Sums run in lanes in a fixed order, so that every machine gives the same
// bits.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

/// A loop with AVX2 where the machine has it: the same operations, the same bits.
// Function multiversioning resolves at load time, before a sanitizer's runtime is up: not with sanitizers.
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) && !defined(__SANITIZE_ADDRESS__) &&                           \
    !defined(__SANITIZE_THREAD__)
#define COSTCURVE_VECTORISED __attribute__((target_clones("avx2", "default")))
#else
#define COSTCURVE_VECTORISED
#endif

namespace costcurve::model::kernels {

/// Arrays are padded to whole lanes with hours that weigh nothing.
inline constexpr std::size_t kLanes = 8;

/// Ceilings and floors forgive this much: rounding never buys a replica (model.md, section 6).
inline constexpr double kForgiven = 1e-9;

/// The slope of a line that bends changes beyond x.
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

/// Arrays may be folded: hours that are alike block by block of kLanes stand in them once. `at` says by block where its hours
/// stand; sums run over all blocks in their order, so that they have the bits of arrays that are not folded.
using Blocks = std::span<const std::uint32_t>;

/// The sum of w[i] * x[i], of a folded x.
[[nodiscard]] double dot_folded(Blocks at, const double* w, const double* x);

/// y = factor * x in the blocks of x that begin at `from`.
void scale_blocks(Blocks from, double factor, const double* x, double* y);

/// All hours of a folded array.
void unfold(Blocks at, const double* x, double* y);

/// What is added to a quotient by `held`, taken as a product with 1 / held, before its whole part is (see kernels.cpp).
[[nodiscard]] double nudge(double per_held, bool holds_whole);

/// One entry of a workload's route in every hour: how much of what is left its replicas take.
struct Replicas {
    double usable_rate; ///< units/s of a replica, headroom taken off
    double rate;        ///< units/s of a replica
    double devices;     ///< of a replica
    double held;        ///< of its hosts, so that no other can have them
    bool holds_whole;   ///< this and all other replicas of the pool hold whole devices
};
/// What an entry took.
struct Served {
    double units;   ///< units/s, sum over weighted hours
    double devices; ///< reserved device-hours
    double left;    ///< the most that is left in an hour that weighs
};
/// left, free: in and out; free devices below 1e15. busy: added to. Any n.
Served serve(std::size_t n, const Replicas& replicas, const double* weights, double* left, double* free, double* busy);

/// The same, to the bit, of folded arrays of n hours; `work` and `reserved` are scratch.
Served serve_folded(Blocks at, std::size_t n, const Replicas& replicas, const double* weights, double* left, double* free,
                    double* busy, double* work, double* reserved);

/// An API pool: takes what is left up to its bound. Any n.
Served serve_bounded(std::size_t n, const double* weights, double* left, double* bound);
/// The same, to the bit, of folded arrays of n hours; `work` is scratch.
Served serve_bounded_folded(Blocks at, std::size_t n, const double* weights, double* left, double* bound, double* work);

/// Whole instances that hold the devices that are not free, below 1e15.
void whole_instances(std::size_t n, double devices, double devices_per_instance, bool holds_whole, const double* free,
                     double* instances);

/// Whole gangs that the free units hold: floor(max(0, (capacity - taken)) / size).
void whole_gangs(std::size_t n, double capacity, const double* taken, double size, double* gangs);

/// y = a * b.
void multiply(std::size_t n, const double* a, const double* b, double* y);

/// y = a + b.
void add(std::size_t n, const double* a, const double* b, double* y);

/// y = capacity - x.
void subtract_from(std::size_t n, double capacity, const double* x, double* y);

/// Instances running: max(least, inference + training); their weighted sum is returned.
double running(std::size_t n, double least, const double* weights, const double* inference, const double* training, double* y);

/// Utilization of devices that share the load: busy / available, 0 where none is there.
void utilization(std::size_t n, const double* busy, const double* available, double* y);

/// y = ((constant + by_u * u) + by_x * x) + more.
struct Linear {
    double constant, by_u, by_x, more;
};
void linear(std::size_t n, const Linear& terms, const double* u, const double* x, double* y);

/// Facility power kw = factor * (watts * pue) in sums over weighted hours. Arrays that a pool does not have are ones.
struct Metered {
    double kwh;
    double priced; ///< kwh * price
    double carbon; ///< kwh * intensity
    double peak_kw;
};
[[nodiscard]] Metered meter(std::size_t n, double factor, const double* weights, const double* watts, const double* pue,
                            const double* price, const double* intensity);

} // namespace costcurve::model::kernels
