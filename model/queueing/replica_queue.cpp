// The states of the slots, the waits that follow, and the share of requests beyond a limit.
#include "model/queueing/replica_queue.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <utility>

namespace costcurve::model {

namespace {

constexpr double kSeen = 2.0 / 3.0;       // of the variance of a count at an instant: that of its mean over a request's time
constexpr double kPeakedExponent = 0.8;   // set by tests/reference/replica_simulator.py
constexpr double kNegligibleWait = 1e-12; // probability
constexpr double kMinLogWeight = -45.0;   // of a state beside the likeliest: 3e-20 of it
constexpr int kHalvings = 40;
constexpr double kSteps = 0x1p40; // of the arrivals that a replica never idle serves

double log_normal_cdf(double x) {
    constexpr double kFar = -30.0;
    return x > kFar ? std::log(std::max(0.5 * std::erfc(-x / std::numbers::sqrt2), 1e-300))
                    : -x * x / 2.0 - std::log(-x * std::sqrt(2.0 * std::numbers::pi));
}

} // namespace

ReplicaQueue::ReplicaQueue(QueueServer server) : server_(std::move(server)) {
    for (const QueuedRequest& request : server_.requests) {
        prompt_ += request.share * request.prompt_s;
        prompt_square_ += request.share * request.prompt_s * request.prompt_s;
        steps_ += request.share * request.steps;
    }
    const auto slots = static_cast<double>(server_.step_s.size());
    const double step_share = server_.step_s.back() / slots;
    largest_ = 1.0 / (prompt_ + steps_ * step_share);
    double square = 0.0;
    for (const QueuedRequest& request : server_.requests) {
        const double work = request.prompt_s + request.steps * step_share;
        square += request.share * work * work;
    }
    variation_ = square * largest_ * largest_ - 1.0;
    log_weights_.reserve(server_.step_s.size() + 1);
    log_weights_.push_back(0.0);
    for (std::size_t n = 1; n <= server_.step_s.size() && steps_ > 0.0; ++n) {
        log_weights_.push_back(log_weights_.back() + std::log(steps_ * server_.step_s[n - 1] / static_cast<double>(n)));
    }
}

// Probabilities of so many that run, and the moments of a step that these see.
void ReplicaQueue::count_running(double log_rate, double peaked, Load& load, double& full) const {
    const std::size_t slots = server_.step_s.size();
    const auto log_of = [&](std::size_t n) { return (log_weights_[n] + static_cast<double>(n) * log_rate) / peaked; };
    double top = 0.0;
    for (std::size_t n = 1; n <= slots; ++n) {
        top = std::max(top, log_of(n));
    }
    double total = 0.0;
    double running = 0.0;
    double step = 0.0;
    double square = 0.0;
    double weight = 0.0;
    for (std::size_t n = 0; n <= slots; ++n) {
        const double log = log_of(n) - top;
        if (log < kMinLogWeight && n > 1) { // of the first is the mean where hardly any run
            continue;
        }
        weight = std::exp(log);
        if (n == slots) { // and all that wait
            weight /= 1.0 - std::exp(log_of(n) - log_of(n - 1));
            full = weight;
        }
        total += weight;
        if (n == 0) {
            load.busy = weight;
            continue;
        }
        const double seen = static_cast<double>(n) * weight;
        running += seen;
        step += seen * server_.step_s[n - 1];
        square += seen * server_.step_s[n - 1] * server_.step_s[n - 1];
    }
    full /= total;
    load.busy = 1.0 - load.busy / total;
    load.running = running / total;
    load.step_s = step / running;
    load.token_var = std::max(0.0, square / running - load.step_s * load.step_s);
}

// The sum of both waits.
void ReplicaQueue::set_waits(double full, double slot_rate, Load& load) const {
    const double free = 1.0 - load.per_s * prompt_;
    const double queued = 1.0 - free;
    if (queued <= 0.0) {
        load.waits[0] = {full, slot_rate};
        return;
    }
    double prompt_rate = 2.0 * free * prompt_ / prompt_square_;
    if (full <= kNegligibleWait) {
        load.waits[0] = {queued, prompt_rate};
        return;
    }
    constexpr double kApart = 1e-6;
    if (std::fabs(slot_rate - prompt_rate) < kApart * prompt_rate) {
        prompt_rate *= 1.0 + kApart;
    }
    const double apart = prompt_rate - slot_rate;
    load.waits[0] = {full * (1.0 - queued) + full * queued * prompt_rate / apart, slot_rate};
    load.waits[1] = {queued * (1.0 - full) - full * queued * slot_rate / apart, prompt_rate};
}

ReplicaQueue::Load ReplicaQueue::load_at(double per_s) const {
    Load load;
    load.per_s = per_s;
    const double free = 1.0 - per_s * prompt_;
    double full = 0.0;
    if (steps_ > 0.0) {
        const double apart = 1.0 + per_s * per_s * (prompt_square_ - prompt_ * prompt_);
        count_running(std::log(per_s / free), std::pow(apart / (free * free), kPeakedExponent), load, full);
    }
    const auto slots = static_cast<double>(server_.step_s.size());
    const double used = per_s / largest_;
    const double together = 1.0 + std::max(0.0, 1.0 - variation_) * (1.0 - used) * (slots - 1.0) *
                                      (std::sqrt(4.0 + 5.0 * slots) - 2.0) / (16.0 * used * slots);
    load.token_s = load.step_s / free;
    load.token_var *= kSeen / (free * free);
    load.stall_var = per_s * prompt_square_ * load.step_s / (free * free * free);
    set_waits(full, (largest_ - per_s) * 2.0 / (1.0 + variation_) / together, load);
    return load;
}

// What is not waited for in line; `is_full`: of a replica whose slots are never free, in which each of the others begins one prompt
// in the time of a request. With one slot nothing comes between its tokens.
ReplicaQueue::Mean ReplicaQueue::own(QueueTime time, const QueuedRequest& request, const Load& load, bool is_full) const {
    const double left = load.busy * load.step_s / 2.0; // of the step in which it comes
    const double left_var = load.step_s * load.step_s * (load.busy / 3.0 - load.busy * load.busy / 4.0);
    const double first = server_.first_s + request.prompt_s + left;
    if (time == QueueTime::ttft) {
        return {first, left_var};
    }
    Mean token{load.token_s, load.token_var};
    double stall = load.stall_var;
    if (is_full) {
        const auto others = static_cast<double>(server_.step_s.size() - 1);
        token = {server_.step_s.back() + others * prompt_ / steps_, 0.0};
        stall = others * std::max(0.0, prompt_square_ - prompt_ * prompt_) / steps_;
    }
    if (time == QueueTime::itl) {
        return {token.mean, token.variance + stall / request.steps};
    }
    return {first + request.steps * token.mean, left_var + request.steps * request.steps * token.variance + request.steps * stall};
}

double ReplicaQueue::late(QueueTime time, double seconds, const Load& load) const {
    const auto late_by = [&](const Mean& own) {
        const double slack = seconds - own.mean;
        const double sd = std::sqrt(own.variance);
        const double z = sd > 0.0 ? slack / sd : 0.0;
        double share = sd > 0.0 ? std::exp(log_normal_cdf(-z)) : slack < 0.0 ? 1.0 : 0.0;
        for (const Wait& wait : load.waits) {
            if (wait.weight == 0.0 || time == QueueTime::itl || (sd <= 0.0 && slack < 0.0)) {
                continue;
            }
            const double spread = wait.rate * sd;
            const double log = spread * spread / 2.0 - wait.rate * slack + (sd > 0.0 ? log_normal_cdf(z - spread) : 0.0);
            share += wait.weight * std::exp(std::min(0.0, log));
        }
        return std::min(1.0, share);
    };
    double whole = 0.0;
    double share = 0.0;
    for (const QueuedRequest& request : server_.requests) {
        if (time == QueueTime::itl && request.steps <= 0.0) {
            continue;
        }
        double each = late_by(own(time, request, load, false));
        if (time != QueueTime::ttft && request.steps > 0.0) {
            each = std::min(each, late_by(own(time, request, load, true)));
        }
        whole += request.share;
        share += request.share * each;
    }
    return whole > 0.0 ? share / whole : 0.0;
}

double ReplicaQueue::late(QueueTime time, double seconds, double per_s) const { return late(time, seconds, load_at(per_s)); }

double ReplicaQueue::running(double per_s) const { return load_at(per_s).running; }

// The logarithm of the share that is late over the share that may be, of the limit that is missed most: 0 or below where all hold.
double ReplicaQueue::excess(const QueueLimits& limits, double per_s) const {
    constexpr double kNone = 1e-300; // of whatever is late less
    const Load load = load_at(per_s);
    const double late_share = 1.0 - limits.percentile / 100.0;
    double most = kNone;
    for (const auto& [time, limit] :
         {std::pair(QueueTime::ttft, limits.ttft_s), {QueueTime::itl, limits.itl_s}, {QueueTime::e2e, limits.e2e_s}}) {
        most = limit ? std::max(most, late(time, *limit, load)) : most;
    }
    return std::log(most / late_share);
}

// Chandrupatla's method (Advances in Engineering Software 28, 1997) over steps of a 2^40th of the largest: halving where the curve
// bends too much for a parabola of the inverse.
double ReplicaQueue::highest_per_s(const QueueLimits& limits) const {
    const double step = largest_ / kSteps;
    const auto excess_at = [&](double steps) { return excess(limits, step * steps); };
    double last = kSteps - 1.0;
    double other = 1.0; // on the other side of the limit
    double of_last = excess_at(last);
    double of_other = excess_at(other);
    if (of_last <= 0.0 || of_other > 0.0) {
        return of_last <= 0.0 ? step * last : 0.0;
    }
    for (double part = 0.5; std::abs(last - other) > 1.0;) {
        const double tried = std::round(last + part * (other - last));
        const double of_tried = excess_at(tried);
        const bool is_beside_last = (of_tried > 0.0) == (of_last > 0.0);
        const double before = is_beside_last ? last : other;
        const double of_before = is_beside_last ? of_last : of_other;
        if (!is_beside_last) {
            other = last;
            of_other = of_last;
        }
        last = tried;
        of_last = of_tried;
        const double place = (last - other) / (before - other);
        const double height = (of_last - of_other) / (of_before - of_other);
        part = 0.5;
        if (height * height < place && (1.0 - height) * (1.0 - height) < 1.0 - place) {
            part = of_last / (of_other - of_last) * of_before / (of_other - of_before) +
                   (before - last) / (other - last) * of_last / (of_before - of_last) * of_other / (of_before - of_other);
        }
        const double one = 1.0 / std::abs(other - last); // step at least from both
        part = std::clamp(part, std::min(one, 0.5), std::max(1.0 - one, 0.5));
    }
    return step * (of_last > 0.0 ? other : last);
}

double ReplicaQueue::percentile_s(QueueTime time, double percentile, double per_s) const {
    const Load load = load_at(per_s);
    const double late_share = 1.0 - percentile / 100.0;
    constexpr double kLongest = 1e9;
    double low = 0.0;
    double high = 1.0;
    while (high < kLongest && late(time, high, load) > late_share) {
        high *= 2.0;
    }
    for (int halving = 0; halving < kHalvings; ++halving) {
        const double middle = (low + high) / 2.0;
        (late(time, middle, load) > late_share ? low : high) = middle;
    }
    return high;
}

} // namespace costcurve::model
