// Sums of a binomial distribution, made once, so that an hour looks up two numbers.
#include "model/dispatch/outages.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "model/kernels.hpp"

namespace costcurve::model {

namespace {

constexpr double kMaxInTerms = 64; // beyond so many replicas a normal distribution stands for the binomial one

std::size_t row_of(std::size_t replicas) { return replicas * (replicas + 1) / 2; }

// sum over k of the chance of k × min(demand, k × capacity), where k is normal.
double served_by_many(double demand, double capacity, double replicas, double up) {
    const double mean = replicas * up * capacity;
    const double deviation = capacity * std::sqrt(replicas * up * (1 - up));
    const double z = (demand - mean) / deviation;
    const double below = 0.5 * std::erfc(-z * std::numbers::sqrt2 / 2);
    const double density = std::exp(-z * z / 2) * std::numbers::inv_sqrtpi / std::numbers::sqrt2;
    const double served = demand - (demand - mean) * below - deviation * density;
    return std::clamp(served, 0.0, std::min(demand, replicas * capacity));
}

} // namespace

double up_fraction(EventsPerHour interruptions, Hours down) { return 1.0 / (1.0 + interruptions.value * down.value); }

ReplicasUp::ReplicasUp(double up, double most) : up_(up) {
    if (up == 1.0) {
        return;
    }
    const auto rows = static_cast<std::size_t>(std::clamp(most, 0.0, kMaxInTerms));
    mean_up_to_.assign(row_of(rows + 1), 0.0);
    chance_above_.assign(row_of(rows + 1), 0.0);
    std::vector<double> chance = {1.0}; // of k of r that are up
    for (std::size_t r = 0; r <= rows; ++r) {
        double mean = 0.0;
        for (std::size_t k = 0; k <= r; ++k) {
            mean += static_cast<double>(k) * chance[k];
            mean_up_to_[row_of(r) + k] = mean;
        }
        double above = 0.0;
        for (std::size_t k = r + 1; k-- > 0;) {
            chance_above_[row_of(r) + k] = above;
            above += chance[k];
        }
        chance.push_back(0.0);
        for (std::size_t k = r + 1; k > 0; --k) {
            chance[k] = chance[k] * (1 - up) + chance[k - 1] * up;
        }
        chance[0] *= 1 - up;
    }
}

double ReplicasUp::served(double demand, double capacity, double replicas) const {
    if (up_ == 1.0 || replicas <= 0.0) {
        return std::min(demand, replicas * capacity);
    }
    if (replicas > kMaxInTerms) {
        return served_by_many(demand, capacity, replicas, up_);
    }
    const auto r = static_cast<std::size_t>(replicas);
    const double full = std::min(std::floor(demand / capacity), replicas); // so many are busy to the last unit
    const std::size_t at = row_of(r) + static_cast<std::size_t>(full);
    return mean_up_to_[at] * capacity + demand * chance_above_[at];
}

namespace {

// What an hour's entry serves is off what is left.
void take(const OutageHours& hours, std::size_t h, double served) {
    constexpr double kNothing = 1e-12; // of the hour's demand
    const double left = hours.left[h] - served;
    hours.left[h] = left > kNothing * hours.demand[h] ? left : 0.0;
    hours.served[h] = served;
}

} // namespace

void serve_failing(std::size_t n, const FailingReplicas& replicas, const OutageHours& hours, double* free, double* busy) {
    const double per_held = 1.0 / replicas.held;
    const double over = kernels::nudge(per_held, replicas.holds_whole);
    const double busy_per_unit = replicas.devices / replicas.rate;
    for (std::size_t h = 0; h < n; ++h) {
        const double demand = hours.left[h];
        const double needed = std::ceil(demand / replicas.usable_rate - kernels::kForgiven);
        const double fit = std::max(0.0, std::floor(free[h] * per_held + over));
        const double held = needed > 0.0 ? std::min(needed + replicas.spares, fit) : 0.0;
        const double serving = replicas.all_stand_in && held > 0.0 ? fit : held;
        const double served = replicas.up.served(demand, replicas.usable_rate, serving);
        free[h] -= held * replicas.held;
        busy[h] += served * busy_per_unit;
        hours.held[h] = held * replicas.held;
        hours.room[h] += std::min(demand, serving * replicas.usable_rate);
        take(hours, h, replicas.there * served);
    }
}

void serve_failing_api(std::size_t n, double there, const OutageHours& hours, double* bound) {
    for (std::size_t h = 0; h < n; ++h) {
        const double room = std::min(hours.left[h], bound[h]);
        bound[h] -= room;
        hours.held[h] = 0.0;
        hours.room[h] += room;
        take(hours, h, there * room);
    }
}

} // namespace costcurve::model
