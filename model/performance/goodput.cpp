// Daly's formulas, with their limits where a rate or a time is zero.
#include "model/performance/goodput.hpp"

#include <cmath>

#include "model/scenario.hpp"

namespace costcurve::model {

namespace {

double interruptions_per_hour(const Pool& pool) {
    return pool.offer ? pool.offer->interruptions_per_hour.value_or(0.0) : pool.server->failures_per_hour;
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

double inference_goodput(EventsPerHour interruptions, Hours restart) { return 1.0 / (1.0 + interruptions.value * restart.value); }

double goodput_of(const Workload& workload, const Pool& pool, double devices) {
    if (workload.kind == WorkloadKind::batch) { // an interruption costs a request
        return 1.0;
    }
    const double units_hit = std::ceil(devices / devices_per_unit(pool));
    const EventsPerHour rate{interruptions_per_hour(pool) * units_hit};
    const auto hours = [](double seconds) { return Hours{seconds / kSecondsPerHour}; };
    const Checkpoint& checkpoint = workload.checkpoint;
    if (workload.kind == WorkloadKind::inference) {
        return inference_goodput(rate, hours(checkpoint.restart_s));
    }
    CheckpointTimes times{hours(checkpoint.write_s), hours(checkpoint.restart_s), std::nullopt};
    if (checkpoint.interval_s) {
        times.interval = hours(*checkpoint.interval_s);
    }
    return training_goodput(rate, times);
}

} // namespace costcurve::model
