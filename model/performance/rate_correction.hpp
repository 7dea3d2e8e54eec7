// How measured rates move the step model's: each leaves a residual, and those near a request correct it. Knows no documents.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "model/documents/curve.hpp"
#include "model/performance/step_model.hpp"

namespace costcurve::model {

/// What a rate is of, or was measured at. Equal numbers mean the same architecture, device, family and framework; the caller gives
/// them out.
struct RateConditions {
    std::uint32_t architecture = 0;
    std::uint32_t device = 0;
    std::uint32_t family = 0; ///< of devices: a maker's generation
    std::uint32_t framework = 0;
    WeightPrecision precision = WeightPrecision::bf16;
    Software software = Software::tuned;
    bool is_mixture = false;
    double devices = 1.0;       ///< of the replica
    double input_tokens = 1.0;  ///< of a request
    double output_tokens = 1.0; ///<
    double concurrency = 1.0;   ///< of the replica
    double year = 0.0;          ///< 2026.5 is July 2026; 0: not known
};

struct RateMeasurement {
    RateConditions at{};
    double residual = 0.0;        ///< ln(measured / predicted by the step model)
    std::uint32_t id = 0;         ///< the caller's, given back in RateCorrection::from
    bool is_own = false;          ///< of the user, not published
    bool is_guessed = false;      ///< its layout and load are not stated, but the likeliest: no evidence of what is near it
    std::optional<double> ttft{}; ///< of the time to the first token: ln(measured / predicted) + residual; nothing: not measured
    std::optional<double> itl{};  ///< the same of the time between tokens
};

/// Measured speed of a replica; 0: not measured.
struct MeasuredSpeed {
    double output_per_s = 0.0;
    double ttft_s = 0.0; ///< the mean
    double itl_s = 0.0;  ///< the mean
};
/// What was measured beside what the step model says of it.
[[nodiscard]] RateMeasurement rate_measurement(const StepRate& predicted, const RateConditions& at, const MeasuredSpeed& measured,
                                               std::uint32_t id);

/// p10 and p90 of the logarithm.
struct RateInterval {
    double low = 0.0;
    double high = 0.0;
};
/// By Evidence, then dense models and mixtures.
using RateIntervals = std::array<std::array<RateInterval, 2>, 5>;

struct RateInfluence {
    std::uint32_t id = 0;
    double weight = 0.0; ///< share of the correction's weight; the prior of no correction has the rest
    bool is_own = false;
    double closeness = 1.0; ///< among own ones
};

struct RateCorrection {
    double log_factor = 0.0; ///< to be added to the logarithm of the step model's rate
    double ttft = 0.0;       ///< to the logarithm of its time to the first token, beside -log_factor
    double itl = 0.0;        ///< to that of its time between tokens
    Evidence evidence = Evidence::estimated;
    std::array<RateInfluence, 5> from{}; ///< the heaviest first
    std::size_t from_count = 0;
};

/// How fast a measurement's weight falls. Weight = 1 / (1 + d^2)^2 times the factors of what differs, d^2 the sum of
/// (ln ratio / scale)^2; the correction is sum(w r) / (prior + sum(w)). Found by a random search over left-out groups (decision
/// 48). Where an own measurement that is stored is near, published ones and the prior keep 1 - its weight / own of theirs.
struct CorrectionScales {
    double input = 0.4;            ///< of ln(input tokens)
    double output = 1.0;           ///< of ln(output tokens)
    double concurrency = 1.0;      ///< of ln(concurrency)
    double devices = 0.3;          ///< of ln(devices)
    double other_device = 0.25;    ///< times, another device of the family
    double other_family = 0.0025;  ///< times, a device of another family
    double other_framework = 0.1;  ///< times
    double other_precision = 0.05; ///< times
    double other_software = 0.27;  ///< times, tuned against plain
    double years = 3.0;            ///< after which a weight is halved; assumed
    double own = 10.0;             ///< times, own before published; assumed
    double prior = 0.1;            ///< weight of no correction
    double max_residual = 0.8;     ///< published residuals beyond are cut to it
    double max_first = 1.6;        ///< the same of times to the first token, whose spread is twice that of rates
};
inline constexpr CorrectionScales kCorrectionScales{};

/// Measurements by architecture. Immutable once made; any thread.
class RateMeasurements {
public:
    explicit RateMeasurements(std::vector<RateMeasurement> measurements, const CorrectionScales& scales = kCorrectionScales);

    /// The correction at these conditions, and its evidence: measured (same architecture, device, count and precision, lengths and
    /// load within a quarter), interpolated (inside the box of such measurements), extrapolated (within four times one), estimated,
    /// or assumed, where no measurement is of the device's family. Linear in the measurements of the architecture, some 20 ns
    /// each; no allocation. `besides` counts as one more of them.
    [[nodiscard]] RateCorrection correction(const RateConditions& at, const RateMeasurement* besides = nullptr) const;

    [[nodiscard]] std::size_t size() const { return measurements_.size(); }

private:
    struct Place {
        double input, output, concurrency, devices; // logarithms
    };
    [[nodiscard]] bool knows_family(std::uint32_t family) const;
    [[nodiscard]] static Place place_of(const RateConditions& at);

    std::vector<RateMeasurement> measurements_; // by architecture
    std::vector<Place> places_;                 // of each
    std::vector<std::uint32_t> families_;       // sorted
    CorrectionScales scales_;
};

/// The step model's rate, corrected, with its interval.
struct CorrectedRate {
    StepRate rate{};   ///< the corrected one: its times are scaled alike, and latencies by their own besides
    double low = 0.0;  ///< p10 of output tokens/s
    double high = 0.0; ///< p90
    RateCorrection correction{};
};

/// No rate passes the ceilings, corrected or not. `besides`: as in RateMeasurements::correction.
[[nodiscard]] CorrectedRate corrected_rate(const StepRate& predicted, const RateConditions& at,
                                           const RateMeasurements& measurements, const RateIntervals& intervals,
                                           const RateMeasurement* besides = nullptr);

} // namespace costcurve::model
