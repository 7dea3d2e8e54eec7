// Tabulates sums of a binomial distribution once, so that each hour needs only two look-ups.
#include "model/dispatch/outages.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "model/kernels.hpp"

namespace costcurve::model {

namespace {

constexpr double kMaxInTerms = 64; // hosts; above it a normal distribution approximates the binomial one

constexpr std::size_t row_of(std::size_t hosts) { return hosts * (hosts + 1) / 2; }

// Expectation of min(demand, k × capacity) for a normally distributed number k of replicas up; `squares` is the sum over hosts of
// their replicas squared.
double served_by_many(double demand, double capacity, double replicas, double squares, double up) {
    const double mean = replicas * up * capacity;
    const double deviation = capacity * std::sqrt(squares * up * (1 - up));
    const double z = (demand - mean) / deviation;
    const double below = 0.5 * std::erfc(-z * std::numbers::sqrt2 / 2);
    const double density = std::exp(-z * z / 2) * std::numbers::inv_sqrtpi / std::numbers::sqrt2;
    const double served = demand - (demand - mean) * below - deviation * density;
    return std::clamp(served, 0.0, std::min(demand, replicas * capacity));
}

// Probability that the replicas up serve less than the demand.
double many_short_of(double demand, double capacity, double replicas, double squares, double up) {
    const double z = (demand / capacity - replicas * up) / std::sqrt(squares * up * (1 - up));
    return 0.5 * std::erfc(-z * std::numbers::sqrt2 / 2);
}

using HostsUp = ReplicasUp::Sums;

// Replicas by host: the number of full hosts, and the replicas on the last, partly filled one.
struct OnHosts {
    double full;
    double last; // replicas
    [[nodiscard]] bool are_many() const { return full + (last > 0.0 ? 1.0 : 0.0) > kMaxInTerms; }
    [[nodiscard]] double squares(double per_host) const { return full * per_host * per_host + last * last; }
};
[[gnu::always_inline]] inline OnHosts on_hosts(const HostsUp& hosts, double replicas) {
    const double full = hosts.per_host == 1.0 ? replicas : std::floor((replicas + 0.5) * hosts.hosts_each);
    return {full, replicas - full * hosts.per_host};
}

// Expected units/s of `full` full hosts if the demand fully uses `busy` of them when all are up.
[[gnu::always_inline]] inline double served_by_full(const HostsUp& hosts, double demand, double of_host, double full, double busy) {
    const std::size_t at = row_of(static_cast<std::size_t>(full)) + static_cast<std::size_t>(busy);
    return hosts.mean_up_to[at] * of_host + demand * hosts.chance_above[at];
}

// Expected units/s of `replicas`; `asked` is the demand / the capacity of a full host.
[[gnu::always_inline]] inline double served_of(const HostsUp& hosts, double demand, double asked, double capacity,
                                               double replicas) {
    if (hosts.up == 1.0 || replicas <= 0.0) {
        return std::min(demand, replicas * capacity);
    }
    const double of_host = hosts.per_host * capacity;
    const OnHosts on = on_hosts(hosts, replicas);
    const double busy = std::min(std::floor(asked), std::min(on.full, kMaxInTerms));
    if (on.are_many()) {
        const double served = served_by_many(demand, capacity, replicas, on.squares(hosts.per_host), hosts.up);
        return hosts.per_host > 1.0 ? std::max(served, served_by_full(hosts, demand, of_host, kMaxInTerms, busy)) : served;
    }
    const double without_last = served_by_full(hosts, demand, of_host, on.full, busy);
    if (on.last == 0.0) {
        return without_last;
    }
    const double by_last = std::min(demand, on.last * capacity);
    const double rest = demand - by_last; // at least 0: the last host serves less than a full one
    const double busy_of_rest = busy > 0.0 && rest < busy * of_host ? busy - 1.0 : busy;
    return (1 - hosts.up) * without_last + hosts.up * (by_last + served_by_full(hosts, rest, of_host, on.full, busy_of_rest));
}

[[gnu::always_inline]] inline double full_short_of(const HostsUp& hosts, double asked, double full) {
    const double needed = std::max(0.0, std::ceil(asked - kernels::kForgiven));
    return needed > full ? 1.0 : hosts.chance_below[row_of(static_cast<std::size_t>(full)) + static_cast<std::size_t>(needed)];
}

[[gnu::always_inline]] inline double short_of_demand(const HostsUp& hosts, double demand, double asked, double capacity,
                                                     double replicas) {
    if (replicas <= 0.0 || demand > replicas * capacity * (1 + kernels::kForgiven)) {
        return 1.0;
    }
    if (hosts.up == 1.0) {
        return 0.0;
    }
    const OnHosts on = on_hosts(hosts, replicas);
    if (on.are_many()) {
        return many_short_of(demand, capacity, replicas, on.squares(hosts.per_host), hosts.up);
    }
    const double without_last = full_short_of(hosts, asked, on.full);
    if (on.last == 0.0) {
        return without_last;
    }
    const double rest = (demand - on.last * capacity) / (hosts.per_host * capacity);
    return (1 - hosts.up) * without_last + hosts.up * full_short_of(hosts, rest, on.full);
}

} // namespace

double up_fraction(EventsPerHour interruptions, Hours down) { return 1.0 / (1.0 + interruptions.value * down.value); }

ReplicasUp::ReplicasUp(double up, double most, double per_host) : up_(up), per_host_(per_host), hosts_each_(1.0 / per_host) {
    if (up < 1.0) {
        make_sums(static_cast<std::size_t>(std::clamp(most, 0.0, kMaxInTerms)));
    }
}

// Grows straight to the last row if the tables are too small, since searches try sizes one after the other.
void ReplicasUp::grow(double most) {
    const auto rows = static_cast<std::size_t>(std::clamp(most, 0.0, kMaxInTerms));
    if (up_ < 1.0 && mean_up_to_.size() < row_of(rows + 1)) {
        make_sums(static_cast<std::size_t>(kMaxInTerms));
    }
}

void ReplicasUp::make_sums(std::size_t rows) {
    mean_up_to_.assign(row_of(rows + 1), 0.0);
    chance_above_.assign(row_of(rows + 1), 0.0);
    chance_below_.assign(row_of(rows + 1), 0.0);
    std::vector<double> chance = {1.0}; // [k] P(k of r hosts up)
    for (std::size_t r = 0; r <= rows; ++r) {
        double mean = 0.0;
        double below = 0.0;
        for (std::size_t k = 0; k <= r; ++k) {
            chance_below_[row_of(r) + k] = below;
            below += chance[k];
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
            chance[k] = chance[k] * (1 - up_) + chance[k - 1] * up_;
        }
        chance[0] *= 1 - up_;
    }
}

double ReplicasUp::served(double demand, double capacity, double replicas) const {
    return served_of(sums(), demand, demand / (per_host_ * capacity), capacity, replicas);
}

double ReplicasUp::short_of(double demand, double capacity, double replicas) const {
    return short_of_demand(sums(), demand, demand / (per_host_ * capacity), capacity, replicas);
}

namespace {

// Subtracts units served in an hour from the demand left.
void take(const OutageHours& hours, std::size_t h, double served) {
    constexpr double kNothing = 1e-12; // fraction of the hour's demand
    const double left = hours.left[h] - served;
    hours.left[h] = left > kNothing * hours.demand[h] ? left : 0.0;
    hours.served[h] = served;
}

// The largest fraction of a phase in which demand is left, over the hour's phases.
double part_asked(const OutageHours& hours, std::size_t first, std::size_t phases) {
    double part = 0.0;
    for (std::size_t h = first; h < first + phases; ++h) {
        part = hours.left[h] > 0.0 ? std::max(part, hours.chance[h]) : part;
    }
    return part > 0.0 ? part : 1.0;
}

// Rate of a demand that arrives only in the fraction `part` of an hour.
double demand_in(double part, double units) { return part < 1.0 ? units / part : units; }

// The number of held replicas that run in a phase with this demand.
double running_of(double held, double demand, const FailingReplicas& replicas) {
    if (replicas.between >= 1.0) {
        return held;
    }
    const double needed = std::ceil(demand / replicas.usable_rate - kernels::kForgiven);
    return needed > 0.0 ? std::min(needed + replicas.spares, held) : 0.0;
}

} // namespace

COSTCURVE_VECTORISED void serve_failing(std::size_t n, std::size_t phases, const FailingReplicas& replicas,
                                        const OutageHours& hours, const FailingPool& pool) {
    const HostsUp on = replicas.up.sums();
    const double usable = replicas.usable_rate;
    const double of_host = on.per_host * usable;
    const double per_held = 1.0 / replicas.held;
    const double over = kernels::nudge(per_held, replicas.holds_whole);
    const double busy_per_unit = replicas.devices / replicas.rate;
    double most = 0.0; // largest demand left in a phase of the hour
    double needed = 0.0;
    double part = 1.0;    // fraction of the hour in which demand arrives
    std::size_t next = 0; // first phase of the next hour
    for (std::size_t h = 0; h < n; ++h) {
        const double left = hours.left[h];
        if (h == next) {
            next += phases;
            part = part_asked(hours, h, phases);
            most = *std::max_element(hours.left + h, hours.left + next);
            needed = std::ceil(demand_in(part, most) / usable - kernels::kForgiven);
        }
        if (most <= 0.0) {
            hours.served[h] = 0.0;
            hours.held[h] = 0.0;
            continue;
        }
        const double demand = demand_in(part, left);
        const double asked = demand / of_host;
        const double fit = std::max(0.0, std::floor(pool.free[h] * per_held + over));
        const double held = needed > 0.0 ? std::min(needed + replicas.spares, fit) : 0.0;
        double runs = held;
        if (part == 1.0 && pool.started != nullptr) {
            runs = running_of(held, demand, replicas);
            pool.started[h] += (held - runs) * replicas.held;
        }
        const double serving = replicas.all_stand_in && held > 0.0 ? fit : runs;
        const double served = served_of(on, demand, asked, usable, serving);
        pool.free[h] -= held * replicas.held;
        if (part < 1.0 && pool.standby != nullptr && held > 0.0) {
            pool.standby[h] += held * replicas.held;
            pool.asked[h] = std::max(pool.asked[h], part);
        }
        pool.busy[h] += part * served * busy_per_unit;
        hours.held[h] = part * (runs + replicas.between * (held - runs)) * replicas.held;
        hours.room[h] += part * std::min(demand, serving * usable);
        take(hours, h, replicas.there * (part * served));
        if (hours.left[h] > 0.0 && !hours.is_last) {
            const double short_of = short_of_demand(on, demand, asked, usable, serving);
            const double leaves = 1 - replicas.there + replicas.there * short_of;
            hours.chance[h] = part_waited_for(std::max(part * leaves, hours.left[h] / demand));
        }
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
