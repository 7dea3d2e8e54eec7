// Weights of measurements by their distance, and the class of evidence that they make.
#include "model/performance/rate_correction.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace costcurve::model {

namespace {

constexpr double kQuarter = 0.22314355131420976;  // ln 1.25: as near as a measurement itself
constexpr double kFourTimes = 1.3862943611198906; // ln 4: as far as one may extrapolate

double squared(double x) { return x * x; }

// The least and greatest of an axis over measurements of the same architecture, device, count and precision.
struct AxisSpan {
    double min = HUGE_VAL;
    double max = -HUGE_VAL;
    void add(double x) {
        min = std::min(min, x);
        max = std::max(max, x);
    }
    [[nodiscard]] bool holds(double x) const { return x >= min - kQuarter && x <= max + kQuarter; }
};

void keep_heaviest(RateCorrection& correction, RateInfluence influence) {
    auto& from = correction.from;
    if (correction.from_count == from.size() && influence.weight <= from.back().weight) {
        return;
    }
    std::size_t at = std::min(correction.from_count, from.size() - 1);
    for (; at > 0 && from[at - 1].weight < influence.weight; --at) {
        from[at] = from[at - 1];
    }
    from[at] = influence;
    correction.from_count = std::min(correction.from_count + 1, from.size());
}

std::uint32_t architecture_number(const RateMeasurement& measurement) { return measurement.at.architecture; }

// How much a measurement counts among several own ones, by its squared distance: at one's conditions it is nearly all.
constexpr double kOtherDevice = 1.0; // squared distance that another device or precision adds
double closeness(double squared_distance) {
    constexpr double kSame = 0.01; // of the squared distance, taken for the same place
    return 1.0 / (kSame + squared_distance);
}

// Residuals of own measurements and of published ones, these cut to `most`. An own measurement of the same thing goes before
// published ones, and before the prior: they keep what its nearness, 0 to 1, leaves. Of several own ones the closest goes first.
class ResidualSum {
public:
    ResidualSum(double prior, double most) : published_(prior), most_(most) {}
    void add(const std::optional<double>& residual, double weight, bool is_own, double nearness, double close) {
        if (residual) {
            (is_own ? own_ : published_) += weight;
            (is_own ? own_sum_ : published_sum_) += weight * (is_own ? *residual : std::clamp(*residual, -most_, most_));
            close_ += is_own ? weight * close : 0.0;
            close_sum_ += is_own ? weight * close * *residual : 0.0;
            own_count_ += is_own && weight > 0.0 ? 1U : 0U;
            left_ = std::min(left_, 1.0 - nearness);
        }
    }
    [[nodiscard]] double left() const { return left_; }
    [[nodiscard]] double weights() const { return own_ + left_ * published_; }
    [[nodiscard]] double mean() const {
        const double own = own_count_ > 1 ? own_ * close_sum_ / close_ : own_sum_;
        return weights() > 0.0 ? (own + left_ * published_sum_) / weights() : 0.0;
    }
    // Of an own measurement's weight, so that those of all add up to the same.
    [[nodiscard]] double own_factor(double close) const { return own_count_ > 1 ? close * own_ / close_ : 1.0; }

private:
    double own_ = 0.0, own_sum_ = 0.0, close_ = 0.0, close_sum_ = 0.0, published_, published_sum_ = 0.0, left_ = 1.0, most_;
    std::size_t own_count_ = 0;
};

double weight_factor(bool is_same, double otherwise) { return is_same ? 1.0 : otherwise; }

} // namespace

RateMeasurement rate_measurement(const StepRate& predicted, const RateConditions& at, const MeasuredSpeed& measured,
                                 std::uint32_t id) {
    RateMeasurement made;
    made.at = at;
    made.residual = std::log(measured.output_per_s / predicted.output_per_s);
    made.id = id;
    const auto latency = [&](double seconds, double expected) {
        return seconds > 0.0 && expected > 0.0 ? std::optional(std::log(seconds / expected) + made.residual) : std::nullopt;
    };
    made.ttft = latency(measured.ttft_s, predicted.ttft_s);
    made.itl = latency(measured.itl_s, predicted.itl_s);
    return made;
}

namespace {

// What a measurement weighs at the same lengths, load and count.
double likeness(const RateMeasurement& m, const RateConditions& at, const CorrectionScales& scales) {
    const double weight =
        weight_factor(m.at.device == at.device, m.at.family == at.family ? scales.other_device : scales.other_family) *
        weight_factor(m.at.framework == at.framework, scales.other_framework) *
        weight_factor(m.at.precision == at.precision, scales.other_precision) *
        weight_factor(m.at.software == at.software, scales.other_software) * weight_factor(!m.is_own, scales.own);
    const bool is_of_another_time = m.at.year > 0.0 && at.year > 0.0 && m.at.year != at.year;
    return is_of_another_time ? weight * std::exp2(-std::fabs(m.at.year - at.year) / scales.years) : weight;
}

} // namespace

RateMeasurements::RateMeasurements(std::vector<RateMeasurement> measurements, const CorrectionScales& scales)
    : measurements_(std::move(measurements)), scales_(scales) {
    std::ranges::stable_sort(measurements_, {}, architecture_number);
    places_.reserve(measurements_.size());
    for (const RateMeasurement& m : measurements_) {
        places_.push_back(place_of(m.at));
        families_.push_back(m.at.family);
    }
    std::ranges::sort(families_);
    families_.erase(std::unique(families_.begin(), families_.end()), families_.end());
}

bool RateMeasurements::knows_family(std::uint32_t family) const { return std::ranges::binary_search(families_, family); }

RateMeasurements::Place RateMeasurements::place_of(const RateConditions& at) {
    return {std::log(std::max(1.0, at.input_tokens)), std::log(at.output_tokens), std::log(at.concurrency), std::log(at.devices)};
}

RateCorrection RateMeasurements::correction(const RateConditions& at, const RateMeasurement* besides) const {
    const Place place = place_of(at);
    const auto first = std::ranges::lower_bound(measurements_, at.architecture, {}, architecture_number);
    const auto last = std::ranges::upper_bound(measurements_, at.architecture, {}, architecture_number);
    RateCorrection correction;
    ResidualSum rate{scales_.prior, scales_.max_residual};
    ResidualSum ttft{scales_.prior, scales_.max_first};
    ResidualSum itl{scales_.prior, scales_.max_residual};
    AxisSpan inputs, outputs, loads;
    bool is_near = false;
    bool is_reachable = false;
    const auto count = [&](const RateMeasurement& m, const Place& there, bool is_stored) {
        const double input = std::fabs(place.input - there.input);
        const double output = std::fabs(place.output - there.output);
        const double load = std::fabs(place.concurrency - there.concurrency);
        const bool same_device = m.at.device == at.device;
        const bool same_precision = m.at.precision == at.precision;
        const double apart = squared(input / scales_.input) + squared(output / scales_.output) +
                             squared(load / scales_.concurrency) + squared((place.devices - there.devices) / scales_.devices);
        const double near = 1.0 / squared(1.0 + apart);
        const double weight = near * likeness(m, at, scales_);
        const double nearness = m.is_own && is_stored && same_device && same_precision ? near : 0.0; // of any framework and year
        const double close = closeness(apart + (same_device && same_precision ? 0.0 : kOtherDevice));
        rate.add(m.residual, weight, m.is_own, nearness, close);
        ttft.add(m.ttft, weight, m.is_own, nearness, close);
        itl.add(m.itl, weight, m.is_own, nearness, close);
        keep_heaviest(correction, {m.id, weight, m.is_own, close});
        if (same_device && same_precision && m.at.devices == at.devices && !m.is_guessed) {
            is_near = is_near || (input <= kQuarter && output <= kQuarter && load <= kQuarter);
            is_reachable = is_reachable || (input <= kFourTimes && output <= kFourTimes && load <= kFourTimes);
            inputs.add(there.input);
            outputs.add(there.output);
            loads.add(there.concurrency);
        }
    };
    for (auto m = first; m != last; ++m) {
        count(*m, places_[static_cast<std::size_t>(m - measurements_.begin())], true);
    }
    if (besides != nullptr) {
        count(*besides, place_of(besides->at), false);
    }
    correction.log_factor = rate.mean();
    correction.ttft = ttft.mean();
    correction.itl = itl.mean();
    for (std::size_t i = 0; i < correction.from_count; ++i) {
        RateInfluence& from = correction.from[i];
        from.weight *= (from.is_own ? rate.own_factor(from.closeness) : rate.left()) / rate.weights();
    }
    if (is_near) {
        correction.evidence = Evidence::measured;
    } else if (inputs.holds(place.input) && outputs.holds(place.output) && loads.holds(place.concurrency)) {
        correction.evidence = Evidence::interpolated;
    } else if (is_reachable) {
        correction.evidence = Evidence::extrapolated;
    } else {
        correction.evidence = knows_family(at.family) ? Evidence::estimated : Evidence::assumed;
    }
    return correction;
}

CorrectedRate corrected_rate(const StepRate& predicted, const RateConditions& at, const RateMeasurements& measurements,
                             const RateIntervals& intervals, const RateMeasurement* besides) {
    CorrectedRate corrected{predicted, 0.0, 0.0, measurements.correction(at, besides)};
    const double headroom = std::min(kBandwidthCeiling / predicted.bandwidth_share, kPeakCeiling / predicted.peak_share);
    const double scale = std::min(std::exp(corrected.correction.log_factor), headroom);
    StepRate& rate = corrected.rate;
    for (double* const per_s : {&rate.output_per_s, &rate.requests_per_s, &rate.bandwidth_share, &rate.peak_share}) {
        *per_s *= scale;
    }
    for (double* const seconds : {&rate.ttft_s, &rate.itl_s, &rate.e2e_s, &rate.step_s, &rate.reading_s, &rate.arithmetic_s,
                                  &rate.prompts_s, &rate.communication_s, &rate.overhead_s}) {
        *seconds /= scale;
    }
    rate.ttft_s *= std::exp(corrected.correction.ttft);
    // No faster than the weights and caches are read.
    rate.itl_s = std::max(rate.itl_s * std::exp(corrected.correction.itl),
                          rate.itl_s > 0.0 ? predicted.step_s * predicted.bandwidth_share / kBandwidthCeiling : 0.0);
    rate.e2e_s = std::max(rate.e2e_s, rate.ttft_s + rate.itl_s * (std::max(1.0, at.output_tokens) - 1.0));
    const auto evidence = static_cast<std::size_t>(corrected.correction.evidence);
    const RateInterval& interval = intervals[evidence][at.is_mixture ? 1 : 0];
    corrected.low = rate.output_per_s * std::exp(interval.low);
    corrected.high = rate.output_per_s * std::exp(std::min(interval.high, std::log(headroom / scale)));
    return corrected;
}

} // namespace costcurve::model
