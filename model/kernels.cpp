// Element-wise loops that the compiler vectorises; they use AVX2 if the machine has it (same operations, same bits).
#include "model/kernels.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <iterator>

namespace costcurve::model::kernels {

namespace {

using Lanes = double[kLanes];

double sum(const Lanes& lane) { return ((lane[0] + lane[1]) + (lane[2] + lane[3])) + ((lane[4] + lane[5]) + (lane[6] + lane[7])); }

double largest(const Lanes& lane) { return *std::max_element(std::begin(lane), std::end(lane)); }

// Explicit vector types, for loops over lanes that the compiler doesn't vectorise by itself.
constexpr std::size_t kPacks = 2;
using Pack = double __attribute__((vector_size(sizeof(Lanes) / kPacks)));
using Packs = Pack[kPacks];
constexpr std::size_t kPack = kLanes / kPacks;
[[gnu::always_inline]] inline void load(const double* from, Packs& packs) {
    for (std::size_t k = 0; k < kPacks; ++k) { // one pack at a time, so that each stays in a register
        std::memcpy(&packs[k], from + k * kPack, sizeof(Pack));
    }
}
[[gnu::always_inline]] inline void store(const Packs& packs, double* to) {
    for (std::size_t k = 0; k < kPacks; ++k) {
        std::memcpy(to + k * kPack, &packs[k], sizeof(Pack));
    }
}

double sum(const Packs& packs) {
    Lanes lane;
    store(packs, lane);
    return sum(lane);
}
double largest(const Packs& packs) {
    Lanes lane;
    store(packs, lane);
    return largest(lane);
}

// Calls hour(i, lane) for all i: first full blocks of kLanes, which the compiler vectorises, then the rest.
template <class Hour> [[gnu::always_inline]] inline void for_each_hour(std::size_t n, Hour hour) {
    std::size_t i = 0;
    for (; i + kLanes <= n; i += kLanes) {
        for (std::size_t l = 0; l < kLanes; ++l) {
            hour(i + l, l);
        }
    }
    for (std::size_t l = 0; i + l < n; ++l) {
        hour(i + l, l);
    }
}

} // namespace

COSTCURVE_VECTORISED void bent_line(std::size_t n, double base, std::span<const Bend> bends, const double* __restrict x,
                                    double* __restrict y) {
    const Pack none = {};
    for (std::size_t i = 0; i < n; i += kLanes) {
        Packs at;
        load(x + i, at);
        Packs line = {none + base, none + base};
        for (const Bend& bend : bends) {
            for (std::size_t k = 0; k < kPacks; ++k) {
                const Pack beyond = at[k] - bend.x;
                line[k] += bend.slope_change * (beyond > none ? beyond : none);
            }
        }
        store(line, y + i);
    }
}

COSTCURVE_VECTORISED double dot(std::size_t n, const double* __restrict w, const double* __restrict x) {
    Lanes lane = {};
    for (std::size_t i = 0; i < n; i += kLanes) {
        for (std::size_t l = 0; l < kLanes; ++l) {
            lane[l] += w[i + l] * x[i + l];
        }
    }
    return sum(lane);
}

COSTCURVE_VECTORISED double dot_folded(Blocks at, const double* __restrict w, const double* __restrict x) {
    Packs sums = {};
    for (std::size_t b = 0; b < at.size(); ++b) {
        Packs weight, value;
        load(w + b * kLanes, weight);
        load(x + at.data()[b], value);
        for (std::size_t k = 0; k < kPacks; ++k) {
            sums[k] += weight[k] * value[k];
        }
    }
    return sum(sums);
}

COSTCURVE_VECTORISED void scale_blocks(Blocks from, double factor, const double* __restrict x, double* __restrict y) {
    for (std::size_t b = 0; b < from.size(); ++b) {
        Packs value;
        load(x + from.data()[b], value);
        for (Pack& pack : value) {
            pack = factor * pack;
        }
        store(value, y + b * kLanes);
    }
}

void unfold(Blocks at, const double* __restrict x, double* __restrict y) {
    for (std::size_t b = 0; b < at.size(); ++b) {
        std::memcpy(y + b * kLanes, x + at.data()[b], kLanes * sizeof(double));
    }
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

// Multiplying by the rounded 1 / held replaces a division, which is five times slower. If free and held devices are whole numbers,
// (free + 1/2) / held is at least 1/2 / held away from any whole number, which is more than the product's error. Fractions of
// devices have no such gap, so they get the tolerance kForgiven.
double nudge(double per_held, bool holds_whole) { return holds_whole ? 0.5 * per_held : kForgiven; }

namespace {

// Constants of Replicas that the loops over hours read.
struct ReplicaTerms {
    double usable, held, per_held, over, busy_per_unit;
};
ReplicaTerms terms_of(const Replicas& replicas) {
    const double per_held = 1.0 / replicas.held;
    return {replicas.usable_rate, replicas.held, per_held, nudge(per_held, replicas.holds_whole), replicas.devices / replicas.rate};
}

struct ServedHour {
    double units, devices;
};
[[gnu::always_inline]] inline ServedHour serve_hour(const ReplicaTerms& terms, double& left, double& free, double& busy) {
    const double wanted = std::ceil(left / terms.usable - kForgiven);
    const double fit = std::floor(free * terms.per_held + terms.over);
    const double bounded = wanted < fit ? wanted : fit;
    const double count = bounded > 0.0 ? bounded : 0.0;
    const double capacity = count * terms.usable;
    const double work = left < capacity ? left : capacity;
    left -= work;
    free -= count * terms.held;
    busy += work * terms.busy_per_unit;
    return {work, count * terms.held};
}
[[gnu::always_inline]] inline double serve_bounded_hour(double& left, double& bound) {
    const double work = left < bound ? left : bound;
    left -= work;
    bound -= work;
    return work;
}

// Totals over weighted hours of the units served in folded hours; `held` is null for an API, which has no devices.
[[gnu::always_inline]] inline Served sum_folded(Blocks at, const double* __restrict weights, const double* __restrict work,
                                                const double* __restrict held, const double* __restrict left) {
    Packs units = {};
    Packs devices = {};
    Packs most_left = {};
    const Pack none = {};
    for (std::size_t b = 0; b < at.size(); ++b) {
        Packs weight, done, held_by = {}, rest;
        load(weights + b * kLanes, weight);
        load(work + at.data()[b], done);
        if (held != nullptr) {
            load(held + at.data()[b], held_by);
        }
        load(left + at.data()[b], rest);
        for (std::size_t k = 0; k < kPacks; ++k) {
            units[k] += weight[k] * done[k];
            devices[k] += weight[k] * held_by[k];
            const Pack counted = weight[k] > none ? rest[k] : none;
            most_left[k] = most_left[k] > counted ? most_left[k] : counted;
        }
    }
    return {sum(units), sum(devices), largest(most_left)};
}

} // namespace

COSTCURVE_VECTORISED Served serve(std::size_t n, const Replicas& replicas, const double* __restrict weights,
                                  double* __restrict left, double* __restrict free, double* __restrict busy) {
    const ReplicaTerms terms = terms_of(replicas);
    Lanes units = {};
    Lanes reserved = {};
    Lanes most_left = {};
    for_each_hour(
        n, [&](std::size_t i, std::size_t l) __attribute__((always_inline)) {
            const ServedHour hour = serve_hour(terms, left[i], free[i], busy[i]);
            units[l] += weights[i] * hour.units;
            reserved[l] += weights[i] * hour.devices;
            const double counted = weights[i] > 0.0 ? left[i] : 0.0;
            most_left[l] = most_left[l] > counted ? most_left[l] : counted;
        });
    return {sum(units), sum(reserved), largest(most_left)};
}

COSTCURVE_VECTORISED Served serve_folded(Blocks at, std::size_t n, const Replicas& replicas, const double* __restrict weights,
                                         double* __restrict left, double* __restrict free, double* __restrict busy,
                                         double* __restrict work, double* __restrict reserved) {
    const ReplicaTerms terms = terms_of(replicas);
    for (std::size_t i = 0; i < n; ++i) {
        const ServedHour hour = serve_hour(terms, left[i], free[i], busy[i]);
        work[i] = hour.units;
        reserved[i] = hour.devices;
    }
    return sum_folded(at, weights, work, reserved, left);
}

COSTCURVE_VECTORISED Served serve_bounded_folded(Blocks at, std::size_t n, const double* __restrict weights,
                                                 double* __restrict left, double* __restrict bound, double* __restrict work) {
    for (std::size_t i = 0; i < n; ++i) {
        work[i] = serve_bounded_hour(left[i], bound[i]);
    }
    return sum_folded(at, weights, work, nullptr, left);
}

COSTCURVE_VECTORISED Served serve_bounded(std::size_t n, const double* __restrict weights, double* __restrict left,
                                          double* __restrict bound) {
    Lanes units = {};
    Lanes most_left = {};
    for_each_hour(
        n, [&](std::size_t i, std::size_t l) __attribute__((always_inline)) {
            units[l] += weights[i] * serve_bounded_hour(left[i], bound[i]);
            const double counted = weights[i] > 0.0 ? left[i] : 0.0;
            most_left[l] = most_left[l] > counted ? most_left[l] : counted;
        });
    return {sum(units), 0.0, largest(most_left)};
}

// Rounds the quotient up without a division: see nudge.
COSTCURVE_VECTORISED void whole_instances(std::size_t n, double devices, double devices_per_instance, bool holds_whole,
                                          const double* __restrict free, double* __restrict instances) {
    const double per_device = 1.0 / devices_per_instance;
    const double over = nudge(per_device, holds_whole);
    for (std::size_t i = 0; i < n; ++i) {
        instances[i] = std::floor((devices - free[i]) * per_device - over) + 1.0;
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

COSTCURVE_VECTORISED void add(std::size_t n, const double* __restrict a, const double* __restrict b, double* __restrict y) {
    for (std::size_t i = 0; i < n; ++i) {
        y[i] = a[i] + b[i];
    }
}

COSTCURVE_VECTORISED void subtract_from(std::size_t n, double capacity, const double* __restrict x, double* __restrict y) {
    for (std::size_t i = 0; i < n; ++i) {
        y[i] = capacity - x[i];
    }
}

COSTCURVE_VECTORISED double running(std::size_t n, double least, const double* __restrict weights,
                                    const double* __restrict inference, const double* __restrict training, double* __restrict y) {
    Lanes lane = {};
    for (std::size_t i = 0; i < n; i += kLanes) {
        for (std::size_t l = 0; l < kLanes; ++l) {
            const double wanted = inference[i + l] + training[i + l];
            const double running = wanted > least ? wanted : least;
            y[i + l] = running;
            lane[l] += weights[i + l] * running;
        }
    }
    return sum(lane);
}

COSTCURVE_VECTORISED void utilization(std::size_t n, const double* __restrict busy, const double* __restrict available,
                                      double* __restrict y) {
    for (std::size_t i = 0; i < n; ++i) {
        y[i] = available[i] > 0.0 ? busy[i] / available[i] : 0.0;
    }
}

COSTCURVE_VECTORISED void linear(std::size_t n, const Linear& terms, const double* __restrict u, const double* __restrict x,
                                 double* __restrict y) {
    const Linear t = terms;
    for (std::size_t i = 0; i < n; ++i) {
        y[i] = ((t.constant + t.by_u * u[i]) + t.by_x * x[i]) + t.more;
    }
}

COSTCURVE_VECTORISED Metered meter(std::size_t n, double factor, const double* __restrict weights, const double* __restrict watts,
                                   const double* __restrict pue, const double* __restrict price,
                                   const double* __restrict intensity) {
    Packs kwh = {};
    Packs priced = {};
    Packs carbon = {};
    Packs peak = {};
    const Pack none = {};
    for (std::size_t i = 0; i < n; i += kLanes) {
        Packs weight, watt, ratio, tariff, grams;
        load(weights + i, weight);
        load(watts + i, watt);
        load(pue + i, ratio);
        load(price + i, tariff);
        load(intensity + i, grams);
        for (std::size_t k = 0; k < kPacks; ++k) {
            const Pack kw = factor * (watt[k] * ratio[k]);
            const Pack energy = weight[k] * kw;
            kwh[k] += energy;
            priced[k] += energy * tariff[k];
            carbon[k] += energy * grams[k];
            const Pack counted = weight[k] > none ? kw : none;
            peak[k] = peak[k] > counted ? peak[k] : counted;
        }
    }
    return {sum(kwh), sum(priced), sum(carbon), largest(peak)};
}

} // namespace costcurve::model::kernels
