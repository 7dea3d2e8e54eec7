// Daly's formulas, with their limits where a rate or a time is zero.
#include "model/performance/goodput.hpp"

#include <algorithm>
#include <cmath>

#include "model/dispatch/outages.hpp"
#include "model/scenario.hpp"

namespace costcurve::model {

namespace {

double interruptions_per_hour(const Pool& pool) {
    return pool.offer ? pool.offer->interruptions_per_hour.value_or(0.0) : pool.server->failures_per_hour.value_or(0.0);
}

Hours hours(double seconds) { return Hours{seconds / kSecondsPerHour}; }

Hours until_replaced(const Pool& pool) {
    return pool.offer ? hours(pool.offer->replacement_s.value_or(0.0)) : Hours{pool.server->repair_hours.value_or(0.0)};
}

double hosts_of(const Pool& pool, double devices) { return std::ceil(devices / devices_per_unit(pool)); }

// P(X >= n), X Poisson.
double poisson_tail(double mean, int n) {
    double below = 0.0;
    for (int k = 0; k < n && mean > 0.0; ++k) {
        below += std::exp(k * std::log(mean) - mean - std::lgamma(k + 1.0));
    }
    return mean > 0.0 || n == 0 ? std::max(0.0, 1.0 - below) : 0.0;
}

} // namespace

Hours optimum_checkpoint_interval(Hours write, Hours mean_time_between_interruptions) {
    const double c = write.value;
    const double m = mean_time_between_interruptions.value;
    if (c >= 2 * m) {
        return Hours{m};
    }
    const double ratio = c / (2 * m);
    return Hours{std::sqrt(2 * c * m) * (1 + std::sqrt(ratio) / 3 + ratio / 9) - c};
}

double training_goodput(EventsPerHour interruptions, const CheckpointTimes& checkpoint) {
    const double lambda = interruptions.value;
    const double c = checkpoint.write.value;
    const double r = checkpoint.restart.value;
    if (lambda == 0.0) {
        return checkpoint.interval ? checkpoint.interval->value / (checkpoint.interval->value + c) : 1.0;
    }
    if (c == 0.0 && !checkpoint.interval) {
        return std::exp(-lambda * r);
    }
    const double tau =
        checkpoint.interval ? checkpoint.interval->value : optimum_checkpoint_interval(checkpoint.write, Hours{1 / lambda}).value;
    return lambda * tau * std::exp(-lambda * r) / std::expm1(lambda * (tau + c));
}

double availability_of(const Offer& offer) {
    constexpr double kSpot = 0.9; // docs/model.md, section 6
    return offer.availability_fraction.value_or(offer.purchase == Purchase::spot ? kSpot : 1.0);
}

// Whether an offer's instances are paid only while they are needed; one that is lost costs nothing.
bool follows_demand(const Offer& offer) { return offer.purchase == Purchase::on_demand || offer.purchase == Purchase::spot; }

namespace {

double waits_at(double per_hour, const Workload& workload, const Pool& pool, double devices) {
    const double hosts = hosts_of(pool, devices) + workload.spare_hosts;
    return poisson_tail(per_hour * hosts * until_replaced(pool).value, workload.spare_hosts);
}

GangInterruptions gang_at(double per_hour, const Workload& workload, const Pool& pool, double devices) {
    const Checkpoint& checkpoint = workload.checkpoint;
    const Hours replaced = until_replaced(pool);
    const Hours waited{replaced.value * waits_at(per_hour, workload, pool, devices)};
    GangInterruptions found{EventsPerHour{per_hour * hosts_of(pool, devices)},
                            {hours(checkpoint.write_s), hours(checkpoint.restart_s.value_or(0.0)) + waited, std::nullopt}};
    if (checkpoint.interval_s) {
        found.times.interval = hours(*checkpoint.interval_s);
    }
    return found;
}

} // namespace

double waits_for_repair(const Workload& workload, const Pool& pool, double devices) {
    return waits_at(interruptions_per_hour(pool), workload, pool, devices);
}

GangInterruptions gang_interruptions(const Workload& workload, const Pool& pool, double devices) {
    return gang_at(interruptions_per_hour(pool), workload, pool, devices);
}

Interruptions interruptions_of(const Workload& workload, const Pool& pool, double devices) {
    return interruptions_at(interruptions_per_hour(pool), workload, pool, devices);
}

Interruptions interruptions_at(double per_hour, const Workload& workload, const Pool& pool, double devices) {
    const GangInterruptions found = gang_at(per_hour, workload, pool, devices);
    switch (workload.kind) {
    case WorkloadKind::inference:
        return {1.0, up_fraction(found.rate, found.times.restart)};
    case WorkloadKind::batch: { // has no checkpoints: what was under way is a request
        const bool is_unpaid = pool.offer && follows_demand(*pool.offer) && devices <= devices_per_unit(pool);
        const Hours down = is_unpaid ? hours(workload.checkpoint.restart_s.value_or(0.0)) : found.times.restart;
        return {up_fraction(found.rate, down), 1.0};
    }
    case WorkloadKind::training:
        break;
    }
    return {training_goodput(found.rate, found.times), 1.0};
}

} // namespace costcurve::model
