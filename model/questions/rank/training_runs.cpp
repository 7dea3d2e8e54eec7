// Closed forms, which tests compare with simulated runs.
#include "model/questions/rank/training_runs.hpp"

#include <algorithm>
#include <cmath>

#include "model/categories/day_terms.hpp"
#include "model/documents/calendar.hpp"
#include "model/documents/units.hpp"
#include "model/performance/goodput.hpp"
#include "model/performance/performance.hpp"
#include "model/scenario.hpp"

namespace costcurve::model {

namespace {

double square(double x) { return x * x; }

// The gang's times, with the optimum interval between checkpoints if none is stated.
CheckpointTimes checkpointed(const GangInterruptions& found) {
    CheckpointTimes times = found.times;
    if (!times.interval && times.write.value > 0.0 && found.rate.value > 0.0) {
        times.interval = optimum_checkpoint_interval(times.write, Hours{1.0 / found.rate.value});
    }
    return times;
}

// P(x <= within) of a lognormal x.
double lognormal_below(double within, double median, double sigma) {
    if (sigma == 0.0 || median == 0.0) {
        return median <= within ? 1.0 : 0.0;
    }
    return std::erfc(-std::log(within / median) / (sigma * std::sqrt(2.0))) / 2.0;
}

// Chance that a part of the run, as a fraction of all its work, ends within `within` days.
double chance_of_part(const RunTime& run, double part, double rate_sigma, double within) {
    const double undisturbed = part * run.undisturbed;
    const double squeezed = lognormal_below(within, undisturbed, rate_sigma);
    const double interruptions = part * run.interruptions;
    const double interrupted = -std::expm1(-interruptions); // chance of at least one interruption
    if (interrupted == 0.0) {
        return squeezed;
    }
    const double delay = part * run.delay;
    const double late = delay / interrupted;                                 // mean delay of runs with any interruption
    const double second = interruptions * run.squared_delay + square(delay); // second moment of a compound Poisson sum
    const double variance = std::max(0.0, second / interrupted - square(late));
    const double mean = undisturbed + late;
    const double log_variance = std::log1p(variance / square(mean));
    const double sigma = std::sqrt(square(rate_sigma) + log_variance);
    return (1.0 - interrupted) * squeezed + interrupted * lognormal_below(within, mean * std::exp(-log_variance / 2.0), sigma);
}

// Mean square of an interruption's cost, in hours squared.
double squared_cost(const GangInterruptions& found, double there) {
    const double rate = found.rate.value;
    const CheckpointTimes times = checkpointed(found);
    const double restart = times.restart.value;
    const double since = times.interval.value_or(Hours{0.0}).value + times.write.value;
    const double wait = (1.0 - there) / (there * rate);
    return square(restart) + restart * since + square(since) / 3.0 + 2.0 * square(wait) + 2.0 * wait * (restart + since / 2.0);
}

// Mean of value(factor) over the uncertain rate. The factor multiplies durations, on both pools alike.
template <class Value> double mean_over_rates(double rate_sigma, const Value& value) {
    constexpr int kSteps = 8; // steps of half a standard deviation, to four on either side
    double sum = 0.0;
    double weights = 0.0;
    for (int i = -kSteps; i <= kSteps; ++i) {
        const double z = i * 4.0 / kSteps;
        const double weight = std::exp(-z * z / 2.0);
        sum += weight * value(std::exp(rate_sigma * z));
        weights += weight;
    }
    return sum / weights;
}

} // namespace

double RunTime::chance_within(double within) const {
    if (!fall_back || within <= fall_back->after_days) {
        return chance_of_part(*this, 1.0, rate_sigma, within);
    }
    return mean_over_rates(rate_sigma, [&](double slower) {
        const double till_then = 1.0 - (within - fall_back->after_days) / (fall_back->days_of_all * slower);
        return till_then <= 0.0 ? 1.0 : chance_of_part(*this, till_then * slower, 0.0, fall_back->after_days);
    });
}

double left_at_the_mean(const RunTime& run) { return std::max(0.0, 1.0 - run.fall_back->after_days / run.days_on_first); }

double left_by_chance(const RunTime& run) {
    constexpr int kParts = 64;
    return mean_over_rates(run.rate_sigma, [&](double slower) {
        double sum = 0.0; // E[max(0, 1 - done)] is the integral of P(done < part)
        for (int i = 0; i < kParts; ++i) {
            const double part = (i + 0.5) / kParts;
            sum += 1.0 - chance_of_part(run, part * slower, 0.0, run.fall_back->after_days);
        }
        return sum / kParts;
    });
}

double RunTime::p90() const {
    double low = 0.0;
    double high = std::max(days, undisturbed + delay);
    while (chance_within(high) < 0.9 && std::isfinite(high)) {
        low = high;
        high *= 2.0;
    }
    constexpr int kHalvings = 50;
    for (int i = 0; i < kHalvings; ++i) {
        const double middle = (low + high) / 2.0;
        (chance_within(middle) < 0.9 ? low : high) = middle;
    }
    return high;
}

std::optional<FallBack> latest_fall_back(RunTime run, double days_of_all, double within) {
    constexpr double kPerDay = 100.0;
    const auto is_in_time = [&](double after_days) {
        run.fall_back = FallBack{after_days, days_of_all, 0.0};
        return run.chance_within(within) >= kChanceInTime;
    };
    if (!is_in_time(0.0)) {
        return std::nullopt;
    }
    double low = 0.0; // hundredths of a day
    double high = std::floor(within * kPerDay) + 1.0;
    while (high - low > 1.0) {
        const double middle = std::floor((low + high) / 2.0);
        (is_in_time(middle / kPerDay) ? low : high) = middle;
    }
    return FallBack{low / kPerDay, days_of_all, 0.0};
}

double units_of_run(const Workload& workload) {
    if (workload.is_run()) {
        return *workload.epochs * workload.units_per_epoch;
    }
    const Rate& monthly = *workload.epochs_per_month;
    const double most = monthly.curve ? *std::max_element(monthly.curve->y.begin(), monthly.curve->y.end()) : monthly.number;
    return most * workload.units_per_epoch;
}

double days_allowed(const Workload& workload, double horizon) {
    constexpr double kShortestMonth = 28.0;
    return workload.is_run() ? std::min(workload.within_days.value_or(horizon), horizon - (workload.start_day - 1))
                             : kShortestMonth;
}

namespace {

// The midnight at which the first workload begins.
std::int64_t work_start(const ScenarioDocument& scenario) {
    const Workload& first = scenario.workloads.front();
    const int day = first.is_run() ? first.start_day - 1 : 0;
    return month_starts(scenario.start, 0, scenario.time_zone).front() + day * static_cast<std::int64_t>(kHoursPerDay) * kHour;
}

} // namespace

double days_allowed(const Workload& workload, const Pool& pool, const ScenarioDocument& scenario) {
    const double within = days_allowed(workload, horizon_days(scenario));
    if (!pool.offer || pool.offer->purchase != Purchase::block || !workload.is_run()) {
        return within;
    }
    const auto days_from_start = [&](std::int64_t at) {
        return static_cast<double>(at - work_start(scenario)) / static_cast<double>(kHour) / kHoursPerDay;
    };
    const Span block = days_of(pool, scenario);
    return std::min(within, days_from_start(block.to)) - std::max(0.0, days_from_start(block.from));
}

bool may_take_block(const Offer& block, const ScenarioDocument& work) {
    const bool is_one_run = work.workloads.size() == 1 && work.workloads.front().is_run();
    return block.term_days && (is_one_run || *block.term_days >= horizon_days(work));
}

void begin_block(Pool& pool, const ScenarioDocument& work) {
    if (pool.offer->purchase != Purchase::block) {
        return;
    }
    const Workload& first = work.workloads.front();
    pool.from_month = 0;
    pool.from_day = first.is_run() ? first.start_day : 1;
    const auto month = [&] { return add_months(work.start, pool.from_month); };
    const auto move_to_month = [&] {
        for (; pool.from_day > days_in(month()); ++pool.from_month) {
            pool.from_day -= days_in(month());
        }
    };
    move_to_month();
    if (days_of(pool, work).from < work_start(work)) {
        ++pool.from_day;
        move_to_month();
    }
}

double horizon_days(const ScenarioDocument& scenario) {
    const YearMonth end = add_months(scenario.start, scenario.months);
    return days_since_epoch(end.year, end.month, 1) - days_since_epoch(scenario.start.year, scenario.start.month, 1);
}

RunTime run_time(const Workload& workload, const Pool& pool, const Gang& gang) {
    RunTime time;
    time.devices = gang.performance.devices;
    time.goodput = interruptions_of(workload, pool, time.devices).goodput;
    const GangInterruptions found = gang_interruptions(workload, pool, time.devices);
    const double there = pool.offer ? availability_of(*pool.offer) : 1.0;
    const double rate = replica_rate(gang.performance, *device_of(pool), workload, std::nullopt).units_per_s;
    const double hours = units_of_run(workload) / (rate * kSecondsPerHour); // of work alone
    const double all = hours / (time.goodput * there);
    const CheckpointTimes times = checkpointed(found);
    const double checkpoints = times.interval ? std::floor(hours / times.interval->value) : 0.0; // none is written at the end
    const double undisturbed = hours + checkpoints * times.write.value;
    time.days = time.days_on_first = all / kHoursPerDay;
    time.undisturbed = undisturbed / kHoursPerDay;
    time.rate_sigma = std::max(std::log(gang.performance.units_per_s->number / gang.range.low),
                               std::log(gang.range.high / gang.performance.units_per_s->number)) /
                      kNormalP90; // a ceiling may cut one side
    time.interruptions = found.rate.value * undisturbed;
    if (time.interruptions > 0.0) {
        time.delay = std::max(0.0, all - undisturbed) / kHoursPerDay;
        time.squared_delay = squared_cost(found, there) / square(kHoursPerDay);
    }
    return time;
}

GangOfFleet gang_in_time(const std::vector<Gang>& gangs, const Workload& workload, const Pool& pool, double horizon) {
    const double within = days_allowed(workload, horizon);
    GangOfFleet best;
    double least_days = 0.0;
    for (const Gang& gang : gangs) {
        const RunTime time = run_time(workload, pool, gang);
        const bool is_in_time = time.chance_within(within) >= kChanceInTime;
        if (best.gang == nullptr || is_in_time || time.days < least_days) {
            best = {&gang, workload.is_run() ? time.p90() / time.days : 1.0};
            least_days = time.days;
        }
        if (is_in_time) {
            break;
        }
    }
    return best;
}

bool spans_hosts(const Device& device, int devices_per_host, double devices) {
    constexpr int kBoard = 4;
    if (!device.links || !device.links->kind || device.links->kind == LinkKind::pcie) {
        return false;
    }
    return device.links->kind == LinkKind::ici ? devices <= kMaxSlice : devices_per_host >= kBoard;
}

} // namespace costcurve::model
