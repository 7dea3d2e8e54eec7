// A performance and a request as a queue: steps from the curve of rates, less what the prompts take of them.
#include "model/queueing/under_load.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "model/documents/curve.hpp"
#include "model/performance/classes.hpp"
#include "model/performance/rates.hpp"
#include "model/queueing/percentiles.hpp"
#include "model/queueing/replica_queue.hpp"

namespace costcurve::model {

namespace {

constexpr double kMinStep = 1e-9;  // s: a step takes some time, whatever the curve has
constexpr double kMinShare = 1e-6; // of the rate
constexpr double kMaxShare = 0.9;  // that the closed form is checked to: beyond it first tokens are off by half

double held_percentile(const Workload& workload) {
    return workload.slo.percentile > 0.0 ? std::min(workload.slo.percentile, kMaxPercentile) : Slo{}.percentile;
}

// Of a curve over batch, or a number.
double at_load(const Rate& figure, double load) {
    return figure.curve && figure.curve->axis == Axis::batch ? read(*figure.curve, load) : figure.number;
}

// A curve of a percentile, or of the mean, at another percentile.
double figure_at(const std::optional<Rate>& figure, double load, double spread, const Performance& performance, double percentile) {
    if (!figure) {
        return 0.0;
    }
    return at_load(*figure, load) * percentile_ratio(spread, performance.latency_percentile.value_or(0.0), percentile);
}

double prompt_tokens(const UnitsPerRequest& units) {
    const ClassValues values = units_by_class(units);
    return units.split
               ? values[static_cast<std::size_t>(UnitClass::input)] + values[static_cast<std::size_t>(UnitClass::cache_write)]
               : 0.0; // units without classes are all tokens out
}

double tokens_behind_first(const UnitsPerRequest& units) {
    return std::max(0.0, (units.split ? units.output + units.reasoning : units_of_request(units)) - 1.0);
}

struct Queue {
    QueueServer server;
    double largest_per_s = 0.0; ///< requests, at the batch
};

// Requests a second at `load`, of a replica that is never idle.
double requests_at(const Performance& performance, double taken, double load) {
    return read(*performance.units_per_s->curve, load) / taken;
}

Queue queue_of(const Performance& performance, const Workload& workload, std::optional<int> batch) {
    const Curve& rates = *performance.units_per_s->curve;
    const int slots = std::max(1, batch.value_or(static_cast<int>(rates.x.back())));
    const UnitsPerRequest mean = mean_request(workload);
    constexpr ClassValues kDefaults = {1.0, 0.0, 0.0, 1.0, 1.0};
    const double taken = has_classes(workload) ? weighted(units_by_class(mean), weights_of(performance.class_weights, kDefaults))
                                               : units_of_request(mean);
    Queue queue;
    double prompt = 0.0;
    double steps = 0.0;
    for (const RequestPart& part : request_parts(workload)) {
        queue.server.requests.push_back(
            {part.share, *performance.prompt_token_s * prompt_tokens(part.units), tokens_behind_first(part.units)});
        prompt += part.share * queue.server.requests.back().prompt_s;
        steps += part.share * queue.server.requests.back().steps;
    }
    queue.largest_per_s = requests_at(performance, taken, slots);
    if (steps <= 0.0) { // all of a request is its prompt
        const double factor = prompt > 0.0 ? 1.0 / queue.largest_per_s / prompt : 0.0;
        for (QueuedRequest& request : queue.server.requests) {
            request.prompt_s = factor > 0.0 ? request.prompt_s * factor : 1.0 / queue.largest_per_s;
        }
        prompt = 1.0 / queue.largest_per_s;
    }
    queue.server.step_s.reserve(static_cast<std::size_t>(slots));
    for (int n = 1; n <= slots; ++n) {
        const double left = 1.0 / requests_at(performance, taken, n) - prompt; // of a request's time, for its steps
        queue.server.step_s.push_back(steps > 0.0 ? std::max(kMinStep, n * left / steps) : 0.0);
    }
    const double first = figure_at(performance.ttft_s, 1.0, kLatencySpread.ttft, performance, 0.0);
    queue.server.first_s = std::max(0.0, first - prompt);
    return queue;
}

double share_of(const Performance& performance, const Workload& workload, std::optional<int> batch) {
    const Queue queue = queue_of(performance, workload, batch);
    const ReplicaQueue replica(queue.server);
    const QueueLimits limits{workload.slo.ttft_s, workload.slo.itl_s, workload.slo.e2e_s, held_percentile(workload)};
    const double share = replica.highest_per_s(limits) / queue.largest_per_s;
    return share < kMinShare ? 0.0 : std::min(kMaxShare, share);
}

// What a share depends on, of a curve over batch.
void add_to_key(const std::optional<Rate>& figure, std::vector<double>& key) {
    if (figure && figure->curve) {
        key.push_back(static_cast<double>(figure->curve->interpolation));
        key.insert(key.end(), figure->curve->x.begin(), figure->curve->x.end());
        key.insert(key.end(), figure->curve->y.begin(), figure->curve->y.end());
    }
    key.push_back(figure ? figure->number : -1.0);
}

std::vector<double> key_of(const Performance& performance, const Workload& workload, std::optional<int> batch) {
    constexpr ClassValues kDefaults = {1.0, 0.0, 0.0, 1.0, 1.0};
    const ClassValues weights = weights_of(performance.class_weights, kDefaults);
    std::vector<double> key(weights.begin(), weights.end());
    add_to_key(performance.units_per_s, key);
    add_to_key(performance.ttft_s, key);
    for (const RequestPart& part : request_parts(workload)) {
        const ClassValues units = units_by_class(part.units);
        key.insert(key.end(), units.begin(), units.end());
        key.push_back(part.share);
        key.push_back(part.units.split ? 1.0 : 0.0);
    }
    const Slo& slo = workload.slo;
    for (const double number :
         {*performance.prompt_token_s, performance.latency_percentile.value_or(0.0), static_cast<double>(batch.value_or(0)),
          slo.ttft_s.value_or(-1.0), slo.itl_s.value_or(-1.0), slo.e2e_s.value_or(-1.0), slo.percentile}) {
        key.push_back(number);
    }
    return key;
}

// Shares that the thread found last: a question evaluates one replica many times.
struct KeptShare {
    std::vector<double> key;
    double share = 0.0;
};
constexpr std::size_t kKeptShares = 64;
struct KeptShares {
    std::array<KeptShare, kKeptShares> shares;
    std::size_t next = 0;
};

} // namespace

double percentile_ratio(double spread, double from, double to) {
    return from > kMaxPercentile ? 1.0 : percentile_factor(spread, to) / percentile_factor(spread, from);
}

bool has_queue(const Performance& performance, const Workload& workload) {
    return workload.kind == WorkloadKind::inference && performance.prompt_token_s && performance.units_per_s &&
           performance.units_per_s->curve && performance.units_per_s->curve->axis == Axis::batch;
}

bool waits_by_arrivals(const Performance& performance, const Workload& workload) {
    return has_queue(performance, workload) && request_parts(workload).size() == 1;
}

std::optional<double> share_under_load(const Performance& performance, const Workload& workload, std::optional<int> batch) {
    if (!workload.slo.is_stated() || workload.slo.percentile == 0.0 || !has_queue(performance, workload)) {
        return std::nullopt;
    }
    thread_local KeptShares kept;
    std::vector<double> key = key_of(performance, workload, batch);
    const auto found = std::ranges::find(kept.shares, key, &KeptShare::key);
    if (found != kept.shares.end()) {
        return found->share;
    }
    KeptShare& added = kept.shares[kept.next];
    kept.next = (kept.next + 1) % kKeptShares;
    added.share = share_of(performance, workload, batch);
    added.key = std::move(key);
    return added.share;
}

std::optional<LoadedLatency> latency_under_load(const Performance& performance, const Workload& workload, std::optional<int> batch,
                                                double share) {
    if (!has_queue(performance, workload)) {
        return std::nullopt;
    }
    const Queue queue = queue_of(performance, workload, batch);
    const ReplicaQueue replica(queue.server);
    const double per_s = std::max(share, kMinShare) * queue.largest_per_s;
    constexpr double kNeverIdle = 0.999; // of the largest: the line grows without end
    if (per_s >= kNeverIdle * replica.largest_per_s()) {
        return std::nullopt;
    }
    const double percentile = held_percentile(workload);
    const double running = std::max(1.0, replica.running(per_s));
    const double held = waits_by_arrivals(performance, workload) ? 1.0 : running;
    const double first = figure_at(performance.ttft_s, held, kLatencySpread.ttft, performance, percentile);
    const double between = figure_at(performance.itl_s, running, kLatencySpread.itl, performance, percentile);
    LoadedLatency latency;
    latency.percentile = percentile;
    latency.ttft_s = std::max(first, replica.percentile_s(QueueTime::ttft, percentile, per_s));
    const double later = tokens_behind_first(mean_request(workload));
    latency.itl_s = later > 0.0 ? std::max(between, replica.percentile_s(QueueTime::itl, percentile, per_s)) : 0.0;
    latency.e2e_s = std::max(first + between * later, replica.percentile_s(QueueTime::e2e, percentile, per_s));
    return latency;
}

std::optional<LoadedLatency> least_latency(const Performance& performance, const Workload& workload, std::optional<int> batch) {
    return latency_under_load(performance, workload, batch, 0.0);
}

} // namespace costcurve::model
