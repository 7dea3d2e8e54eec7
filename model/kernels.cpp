// Element-wise loops that the compiler vectorises; with AVX2 where the machine has it (same operations, same bits).
#include "model/kernels.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>

// Function multiversioning resolves at load time, before a sanitizer's runtime is up: not with sanitizers.
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) && !defined(__SANITIZE_ADDRESS__) &&                           \
    !defined(__SANITIZE_THREAD__)
#define COSTCURVE_VECTORISED __attribute__((target_clones("avx2", "default")))
#else
#define COSTCURVE_VECTORISED
#endif

namespace costcurve::model::kernels {

namespace {

double sum(const double (&lane)[kLanes]) {
    return ((lane[0] + lane[1]) + (lane[2] + lane[3])) + ((lane[4] + lane[5]) + (lane[6] + lane[7]));
}

} // namespace

COSTCURVE_VECTORISED void add_bend(std::size_t n, const double* __restrict x, double bend, double slope_change,
                                   double* __restrict y) {
    for (std::size_t i = 0; i < n; ++i) {
        const double beyond = x[i] - bend;
        y[i] += slope_change * (beyond > 0.0 ? beyond : 0.0);
    }
}

COSTCURVE_VECTORISED double dot(std::size_t n, const double* __restrict w, const double* __restrict x) {
    double lane[kLanes] = {};
    for (std::size_t i = 0; i < n; i += kLanes) {
        for (std::size_t l = 0; l < kLanes; ++l) {
            lane[l] += w[i + l] * x[i + l];
        }
    }
    return sum(lane);
}

COSTCURVE_VECTORISED double dot3(std::size_t n, const double* __restrict w, const double* __restrict x,
                                 const double* __restrict y) {
    double lane[kLanes] = {};
    for (std::size_t i = 0; i < n; i += kLanes) {
        for (std::size_t l = 0; l < kLanes; ++l) {
            lane[l] += w[i + l] * x[i + l] * y[i + l];
        }
    }
    return sum(lane);
}

COSTCURVE_VECTORISED double largest_weighted(std::size_t n, const double* __restrict w, const double* __restrict x) {
    double lane[kLanes] = {};
    for (std::size_t i = 0; i < n; i += kLanes) {
        for (std::size_t l = 0; l < kLanes; ++l) {
            const double counted = w[i + l] > 0.0 ? x[i + l] : 0.0;
            lane[l] = lane[l] > counted ? lane[l] : counted;
        }
    }
    return *std::max_element(std::begin(lane), std::end(lane));
}

COSTCURVE_VECTORISED void scale(std::size_t n, double factor, const double* __restrict x, double* __restrict y) {
    if (x == nullptr) {
        for (std::size_t i = 0; i < n; ++i) {
            y[i] = factor;
        }
        return;
    }
    for (std::size_t i = 0; i < n; ++i) {
        y[i] = factor * x[i];
    }
}

COSTCURVE_VECTORISED void serve(std::size_t n, const Replicas& replicas, double* __restrict left, double* __restrict free,
                                double* __restrict reserved, double* __restrict busy, double* __restrict served,
                                double* __restrict taken) {
    const double usable = replicas.usable_rate;
    const double devices = replicas.devices;
    const double busy_per_unit = devices / replicas.rate;
    for (std::size_t i = 0; i < n; ++i) {
        const double wanted = std::ceil(left[i] / usable - kForgiven);
        const double fit = std::floor(free[i] / devices + kForgiven);
        const double bounded = wanted < fit ? wanted : fit;
        const double count = bounded > 0.0 ? bounded : 0.0;
        const double capacity = count * usable;
        const double work = left[i] < capacity ? left[i] : capacity;
        left[i] -= work;
        free[i] -= count * devices;
        reserved[i] += count * devices;
        busy[i] += work * busy_per_unit;
        served[i] = work;
        taken[i] = count * devices;
    }
}

COSTCURVE_VECTORISED void serve_bounded(std::size_t n, double* __restrict left, double* __restrict bound,
                                        double* __restrict served) {
    for (std::size_t i = 0; i < n; ++i) {
        const double work = left[i] < bound[i] ? left[i] : bound[i];
        left[i] -= work;
        bound[i] -= work;
        served[i] = work;
    }
}

COSTCURVE_VECTORISED void whole_instances(std::size_t n, const double* __restrict reserved, double devices_per_instance,
                                          double* __restrict instances) {
    for (std::size_t i = 0; i < n; ++i) {
        const double whole = std::ceil(reserved[i] / devices_per_instance - kForgiven);
        instances[i] = whole > 0.0 ? whole : 0.0;
    }
}

COSTCURVE_VECTORISED void whole_gangs(std::size_t n, double capacity, const double* __restrict taken, double size,
                                      double* __restrict gangs) {
    for (std::size_t i = 0; i < n; ++i) {
        const double whole = std::floor((capacity - taken[i]) / size + kForgiven);
        gangs[i] = whole > 0.0 ? whole : 0.0;
    }
}

COSTCURVE_VECTORISED void multiply(std::size_t n, const double* __restrict a, const double* __restrict b, double* __restrict y) {
    for (std::size_t i = 0; i < n; ++i) {
        y[i] = a[i] * b[i];
    }
}

COSTCURVE_VECTORISED void add_scaled(std::size_t n, double factor, const double* __restrict x, double* __restrict y) {
    for (std::size_t i = 0; i < n; ++i) {
        y[i] += factor * x[i];
    }
}

COSTCURVE_VECTORISED void running(std::size_t n, double least, const double* __restrict inference,
                                  const double* __restrict training, double* __restrict y) {
    for (std::size_t i = 0; i < n; ++i) {
        const double wanted = inference[i] + training[i];
        y[i] = wanted > least ? wanted : least;
    }
}

COSTCURVE_VECTORISED void utilization(std::size_t n, const double* __restrict busy, const double* __restrict available,
                                      double* __restrict y) {
    for (std::size_t i = 0; i < n; ++i) {
        y[i] = available[i] > 0.0 ? busy[i] / available[i] : 0.0;
    }
}

} // namespace costcurve::model::kernels
