// Rates of replicas and gangs, the choice of the batch, and the evidence of both.
#include "model/performance/performance.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "model/performance/classes.hpp"
#include "model/performance/device_facts.hpp"
#include "model/queueing/under_load.hpp"

namespace costcurve::model {

namespace {

constexpr int kMaxEstimatedBatch = 1024;
constexpr double kForgivenPart = 1e-9; // rounding never takes a place

Evidence weaker(Evidence a, Evidence b) { return std::max(a, b); }

// Reads a number or curve of a performance at the axis's coordinate, and lowers the evidence accordingly.
double read_rate(const Rate& rate, double batch, double devices, Evidence& evidence) {
    if (!rate.curve) {
        return rate.number;
    }
    const double x = rate.curve->axis == Axis::devices ? devices : batch;
    evidence = weaker(evidence, evidence_at(*rate.curve, x));
    return read(*rate.curve, x);
}

bool is_decode_estimate(const Performance& performance) { return performance.estimate && is_decode(performance.estimate->method); }

const Slice* slice_of(const Performance& performance, const Device& device) {
    const auto found = device.slices.find(performance.slice);
    return performance.slice.empty() || found == device.slices.end() ? nullptr : &found->second;
}

// Units out of a request, with reasoning; not known where its classes are not stated.
std::optional<double> units_out(const Workload& workload) {
    const UnitsPerRequest units = mean_request(workload);
    return units.split ? std::optional(units.output + units.reasoning) : std::nullopt;
}

// Figures of latency that can be told: stated, or the step of a decode estimate. An answer of one token has none between tokens.
struct KnownLatency {
    bool itl = false;
    bool ttft = false;
    bool e2e = false;
    bool has_later = true; ///< tokens after the first
};
KnownLatency known_latency(const Performance& performance, const Workload& workload) {
    const std::optional<double> out = units_out(workload);
    const bool later = !out || *out > 1.0;
    const bool itl = later && (performance.itl_s || is_decode_estimate(performance));
    const bool ttft = performance.ttft_s.has_value();
    return {itl, ttft, ttft && out && (itl || !later), later};
}

// No more requests of batch work run at a time than a day brings, where they have a deadline, else a month.
int requests_at_once(const Workload& workload) {
    if (workload.kind != WorkloadKind::batch) {
        return kMaxEstimatedBatch;
    }
    const Rate& requests = workload.requests_per_month;
    const double of_month = requests.curve ? *std::ranges::max_element(requests.curve->y) : requests.number;
    const double brought = workload.deadline_hours ? of_month * 12.0 / 365.25 : of_month;
    return static_cast<int>(std::clamp(std::floor(brought), 1.0, 1.0 * kMaxEstimatedBatch));
}

// Whether a batch keeps the objectives whose figures are known, within curves that end.
class BatchRule {
public:
    BatchRule(const Performance& performance, const Device& device, const Workload& workload)
        : performance_(performance), on_(estimate_devices(performance, device, workload.precision)), slo_(objectives_of(workload)),
          known_(known_latency(performance, workload)), reads_(latency_reads(performance, workload)),
          waits_(workload.slo.percentile != 0.0 && waits_by_arrivals(performance, workload)),
          units_out_(units_out(workload).value_or(0.0)) {}

    [[nodiscard]] bool fits(double batch) const {
        return !is_decode_estimate(performance_) ||
               decode_bytes(*performance_.estimate, batch) <= decode_bytes_limit(*performance_.estimate, on_);
    }
    [[nodiscard]] bool keeps(double batch) const {
        if (slo_.itl_s && known_.itl && itl_s(batch) > *slo_.itl_s) {
            return false;
        }
        const double held = waits_ ? 1.0 : batch; // what waits longer is kept by share_under_load
        if (slo_.ttft_s && known_.ttft && ttft_s(held) > *slo_.ttft_s) {
            return false;
        }
        return !slo_.e2e_s || !known_.e2e || ttft_s(held) + (known_.itl ? itl_s(held) * (units_out_ - 1.0) : 0.0) <= *slo_.e2e_s;
    }
    /// Whether the curves that the limits read may be read there.
    [[nodiscard]] bool is_covered(double batch) const {
        const auto is_beyond = [batch](bool is_read, const std::optional<Rate>& rate) {
            return is_read && rate->curve && rate->curve->outside == Outside::error && is_outside(*rate->curve, batch);
        };
        return !is_beyond(reads_.itl, performance_.itl_s) && !is_beyond(reads_.ttft, performance_.ttft_s);
    }
    [[nodiscard]] bool has_limit() const {
        return (slo_.itl_s && known_.itl) || (slo_.ttft_s && known_.ttft) || (slo_.e2e_s && known_.e2e);
    }

private:
    [[nodiscard]] double read(const Rate& rate, double batch) const {
        Evidence ignored = Evidence::measured;
        return read_rate(rate, batch, on_.devices, ignored);
    }
    [[nodiscard]] double itl_s(double batch) const {
        return performance_.itl_s ? read(*performance_.itl_s, batch) : batch / estimated_rate(*performance_.estimate, on_, batch);
    }
    [[nodiscard]] double ttft_s(double batch) const { return read(*performance_.ttft_s, batch); }

    const Performance& performance_;
    EstimateDevices on_;
    Slo slo_;
    KnownLatency known_;
    LatencyReads reads_;
    bool waits_; ///< what requests wait is reckoned by their arrivals
    double units_out_;
};

// The curve whose last point is the largest batch to look at.
const Curve* batch_curve(const Performance& performance) {
    for (const std::optional<Rate>* rate : {&performance.units_per_s, &performance.itl_s, &performance.ttft_s}) {
        if (*rate && (*rate)->curve && (*rate)->curve->axis == Axis::batch) {
            return &*(*rate)->curve;
        }
    }
    return nullptr;
}

} // namespace

Slo objectives_of(const Workload& workload) {
    Slo slo = workload.slo;
    if (workload.kind == WorkloadKind::batch && workload.deadline_hours) {
        slo.e2e_s = std::min(slo.e2e_s.value_or(HUGE_VAL), *workload.deadline_hours * 3600.0);
    }
    return slo;
}

double replica_devices(const Performance& performance, const Device& device) {
    const Slice* const slice = slice_of(performance, device);
    return slice == nullptr ? performance.devices : slice->fraction;
}

std::optional<double> replica_memory_gib(const Performance& performance, const Device& device) {
    if (const Slice* const slice = slice_of(performance, device)) {
        return slice->memory_gib;
    }
    return device.memory_gib ? std::optional(performance.devices * *device.memory_gib) : std::nullopt;
}

double devices_held(double devices, double per_host) {
    if (devices < 1.0) {
        return 1.0 / std::floor(1.0 / devices + kForgivenPart);
    }
    return devices <= per_host ? per_host / std::floor(per_host / devices + kForgivenPart) : devices;
}

double devices_held(const Workload& workload, double devices, double per_host) {
    return workload.spare_hosts == 0 ? devices_held(devices, per_host)
                                     : (std::ceil(devices / per_host) + workload.spare_hosts) * per_host;
}

EstimateDevices estimate_devices(const Performance& performance, const Device& device, const std::string& workload_precision) {
    const auto peak = device.peak_flops.find(performance.precision.empty() ? workload_precision : performance.precision);
    const std::optional<double> memory = replica_memory_gib(performance, device);
    return {replica_devices(performance, device), peak == device.peak_flops.end() ? 0.0 : peak->second,
            device.memory_bandwidth_gb_per_s.value_or(0.0) * kBytesPerGb,
            memory ? std::optional(*memory * kBytesPerGib) : std::nullopt};
}

BatchChoice choose_batch(const Performance& performance, const Device& device, const Workload& workload) {
    using Problem = BatchChoice::Problem;
    const BatchRule rule(performance, device, workload);
    if (performance.batch) {
        const Problem problem = !rule.fits(*performance.batch)    ? Problem::memory
                                : !rule.keeps(*performance.batch) ? Problem::latency
                                                                  : Problem::none;
        return {problem, performance.batch};
    }
    const bool is_estimate = is_decode_estimate(performance);
    const Curve* const curve = batch_curve(performance);
    const int at_once = requests_at_once(workload);
    const int first = curve != nullptr && curve->outside == Outside::error ? static_cast<int>(std::ceil(curve->x.front())) : 1;
    if (!is_estimate && (curve == nullptr || !rule.has_limit())) {
        const bool by_batch = curve != nullptr && performance.units_per_s && performance.units_per_s->curve &&
                              curve == &*performance.units_per_s->curve;
        return {rule.keeps(1.0) ? Problem::none : Problem::latency,
                by_batch ? std::optional(std::max(first, std::min(static_cast<int>(curve->x.back()), at_once))) : std::nullopt};
    }
    int batch = std::max(first, std::min(curve != nullptr ? static_cast<int>(curve->x.back()) : kMaxEstimatedBatch, at_once));
    if (is_estimate) {
        batch = std::min(batch, kMaxEstimatedBatch);
    }
    for (; batch >= first; --batch) {
        if (rule.fits(batch) && rule.is_covered(batch) && rule.keeps(batch)) {
            return {Problem::none, batch};
        }
    }
    return {rule.fits(first) ? Problem::latency : Problem::memory, std::nullopt};
}

ClassValues class_weights(const Performance& performance, const Device& device, const Workload& workload,
                          std::optional<int> batch) {
    ClassValues defaults = {1.0, 0.0, 0.0, 1.0, 1.0};
    if (performance.estimate && performance.estimate->method == EstimateMethod::decode_step) {
        const EstimateDevices on = estimate_devices(performance, device, workload.precision);
        const double prompt =
            prompt_weight(*performance.estimate, on, estimated_rate(*performance.estimate, on, batch.value_or(1)));
        defaults = {prompt, 0.0, prompt, 1.0, 1.0};
    }
    return weights_of(performance.class_weights, defaults);
}

ReplicaRate replica_rate(const Performance& performance, const Device& device, const Workload& workload, std::optional<int> batch) {
    ReplicaRate rate;
    rate.batch = batch;
    rate.evidence = performance.basis;
    const double devices = replica_devices(performance, device);
    const double at_batch = batch.value_or(1);
    if (performance.estimate) {
        rate.evidence = weaker(rate.evidence, Evidence::estimated);
        rate.units_per_s =
            estimated_rate(*performance.estimate, estimate_devices(performance, device, workload.precision), at_batch);
    } else {
        rate.units_per_s = read_rate(*performance.units_per_s, at_batch, devices, rate.evidence);
    }
    if (performance.scaling) {
        rate.units_per_s *= read_rate(*performance.scaling, at_batch, devices, rate.evidence);
    }
    const LatencyReads reads = latency_reads(performance, workload);
    for (const auto& [is_read, time] : {std::pair(reads.itl, &performance.itl_s), {reads.ttft, &performance.ttft_s}}) {
        if (batch && !performance.batch && is_read && (*time)->curve) {
            rate.evidence = weaker(rate.evidence, evidence_at(*(*time)->curve, at_batch));
        }
    }
    if (performance.input_units_per_s && *performance.input_units_per_s < rate.units_per_s) {
        rate.units_per_s = *performance.input_units_per_s;
        rate.capped_by_input = true;
    }
    if (workload.kind != WorkloadKind::training && has_classes(workload)) {
        const double units = units_of_request(mean_request(workload));
        const double taken = weighted(units_by_class(mean_request(workload)), class_weights(performance, device, workload, batch));
        rate.units_per_weighted = taken > 0.0 ? units / taken : 0.0;
        rate.units_per_s *= rate.units_per_weighted;
    }
    return rate;
}

LatencyReads latency_reads(const Performance& performance, const Workload& workload) {
    const Slo& slo = workload.slo;
    const KnownLatency known = known_latency(performance, workload);
    const bool e2e = slo.e2e_s && known.e2e;
    return {performance.itl_s && known.itl && (slo.itl_s || e2e), performance.ttft_s && (slo.ttft_s || e2e)};
}

bool has_known_latency(const Performance& performance, const Workload& workload) {
    const KnownLatency known = known_latency(performance, workload);
    const Slo& slo = workload.slo;
    return (slo.itl_s && known.itl) || (slo.ttft_s && known.ttft) || (slo.e2e_s && known.e2e);
}

bool has_unknown_latency(const Performance& performance, const Workload& workload) {
    const KnownLatency known = known_latency(performance, workload);
    const Slo& slo = workload.slo;
    return (slo.itl_s && known.has_later && !known.itl) || (slo.ttft_s && !known.ttft) || (slo.e2e_s && !known.e2e);
}

} // namespace costcurve::model
