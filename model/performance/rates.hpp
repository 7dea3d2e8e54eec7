// Rates of language models: the step model on the facts of documents, corrected by what was measured near them. The one way to a
// rate of a model, whoever asks.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/documents/documents.hpp"
#include "model/documents/measurement.hpp"
#include "model/performance/device_facts.hpp"
#include "model/performance/model_shape.hpp"
#include "model/performance/rate_correction.hpp"

namespace costcurve::model {

/// The most requests of a replica that a search looks at: servers' default limits are 256 to 1,024.
inline constexpr int kMaxConcurrency = 1024;

/// How a model is run, and the request.
struct RateQuestion {
    double devices = 1.0;          ///< of the replica; 1 or more
    double attention_groups = 1.0; ///< groups of devices that each hold attention whole
    WeightPrecision precision = WeightPrecision::bf16;
    std::optional<double> kv_bytes_per_value{}; ///< nothing: as servers keep them, 2 beside 16-bit weights, else 1
    std::string framework;                      ///< "": not stated
    double input_tokens = 0.0;                  ///< of a request, cached ones included
    double cached_input_tokens = 0.0;           ///< of these, in the cache already
    double output_tokens = 1.0;                 ///< of a request, reasoning included; above 0
    double concurrency = 1.0;                   ///< requests held at a time, of the replica; above 0
    double year = 0.0;                          ///< 2026.5 is July 2026; 0: of no date
    double percentile = 0.0;                    ///< of the requests that keep the latencies, below 100; 0: the mean
};

/// Bytes of a value of the cache.
[[nodiscard]] inline double cache_bytes(const RateQuestion& question) {
    return question.kv_bytes_per_value.value_or(question.precision == WeightPrecision::bf16 ? 2.0 : 1.0);
}

/// How the latencies of a run's requests differ: the mean of ln(p99 / median) / 2.326 over 47 published runs (decision 57).
struct LatencySpread {
    double ttft = 0.385;
    double itl = 0.125;
    double e2e = 0.121;
};
inline constexpr LatencySpread kLatencySpread{};

/// What a percentile of a lognormal latency is times its median; 1 of percentile 0.
[[nodiscard]] double percentile_factor(double spread, double percentile);

/// A measured rate with its conditions.
struct MeasuredPoint {
    std::string model;  ///< an id
    std::string device; ///< an id
    RateQuestion at;    ///<
    Software software = Software::tuned;
    bool static_batch = false;
    bool is_offline = false;   ///< all requests at once: load and layout are not stated (see Rates)
    bool is_own = false;       ///< the user's, not published
    double output_per_s = 0.0; ///< of the replica
    double watts = 0.0;        ///< of the replica; 0: not measured
    double ttft_s = 0.0;       ///< mean or median, by the spread where another percentile was measured; 0: not measured
    double itl_s = 0.0;        ///< the same
    std::string measurement;   ///< the id of its document
    std::size_t point = 0;     ///< its place there
};

/// Adds the points of a measurement that a rate can be corrected by: of serving or static batches with a load, or offline, and not
/// doubted.
void add_points(const Measurement& measurement, std::vector<MeasuredPoint>& points);

/// Whether the rate takes more of the device's bandwidth or peak than any does (kBandwidthCeiling, kPeakCeiling). Not of devices
/// that don't state these.
[[nodiscard]] bool is_above_ceiling(const MeasuredPoint& point, const Model& model, const Device& device);

template <> inline constexpr auto enum_names<Ceiling> = std::to_array<std::string_view>({"bandwidth", "peak"});

struct PointInfluence {
    const MeasuredPoint* point = nullptr;
    double weight = 0.0; ///< share of the correction
};

/// A rate with its interval, its evidence and what moved it.
struct RatedModel {
    StepRate rate{};                         ///< corrected; latencies at the percentile that was asked for
    double low = 0.0;                        ///< p10 of output tokens/s
    double high = 0.0;                       ///< p90
    Evidence evidence = Evidence::estimated; ///< assumed where facts of the model or the link are missing
    double input_weight = 0.0;               ///< what a computed token of the prompt takes, in tokens out
    double ceiling = 0.0;                    ///< share of the nearest ceiling, at most 1
    Ceiling ceiling_of = Ceiling::bandwidth;
    double mfu = 0.0;   ///< model FLOPs utilization: of the peak that the device states at the precision of its products
    double watts = 0.0; ///< of the replica's devices, without hosts
    Evidence watts_evidence = Evidence::assumed;
    std::vector<PointInfluence> from; ///< up to five of half a percent or more, the heaviest first
};

/// Watts of measurements move those of the same architecture, device and precision alone; software moves the rate, not the watts at
/// its share of the largest. Assumed.
inline constexpr CorrectionScales kWattsScales = [] {
    CorrectionScales scales;
    scales.devices = 1.0;
    scales.other_device = scales.other_family = scales.other_precision = 0.0;
    scales.other_framework = scales.other_software = 1.0;
    return scales;
}();

/// Watts of a replica's devices, without hosts, and what they are of.
struct RatedWatts {
    double watts = 0.0;
    Evidence evidence = Evidence::assumed; ///< of watts measured near it; estimated: the device's curve; assumed: the default shape
};
/// Those of the device's curve, or of the default shape, at a share of the largest rate: that at 128 requests a device, as the
/// server had that the shape was measured on.
[[nodiscard]] double unmeasured_watts(const ModelShape& shape, const StepDevice& on, const StepRequest& request,
                                      const Device& device, double output_per_s);
/// The same moved by what was measured within four times of it.
[[nodiscard]] RatedWatts corrected_watts(double unmeasured, const RateCorrection& correction, const Device& device);

/// Models, devices and measurements as a rate reads them; points that say the same thing, of whatever document, count once. Refers
/// to the points; any thread once made. Of an offline point the replicas of 1, 2, 4 or 8 devices that give the most are taken, each
/// with all requests that its memory holds, up to kMaxConcurrency; where the rate is then off by more than 1.65 it is left out.
class Rates {
public:
    Rates(const std::vector<Model>& models, const std::vector<Device>& devices, std::vector<MeasuredPoint> points);
    Rates(const Rates&) = delete;
    Rates& operator=(const Rates&) = delete;

    /// The rate at these conditions. Nothing where the device's memory, bandwidth or peak is not stated. A few microseconds and
    /// what the model's measurements take (rate_correction.hpp). `besides` counts as one more of them, of this model and device,
    /// unless it is faster than the device.
    [[nodiscard]] std::optional<RatedModel> rate(const Model& model, const Device& device, const RateQuestion& question,
                                                 const MeasuredPoint* besides = nullptr) const;

private:
    using Numbers = std::map<std::string, std::uint32_t, std::less<>>;
    [[nodiscard]] std::uint32_t number_of(const std::string& name) const;
    [[nodiscard]] RateConditions conditions(const ModelShape& shape, const std::string& device, const RateQuestion& question,
                                            Software software) const;

    std::vector<MeasuredPoint> points_;      ///< which `used_` refers to
    Numbers numbers_;                        ///< of architectures, devices, families and frameworks that points are of
    std::vector<const MeasuredPoint*> used_; ///< by the number that a correction gives back
    RateMeasurements measurements_;
    RateMeasurements watts_; ///< of the same points: ln(measured watts / those of the device's curve or the default shape)
};

} // namespace costcurve::model
