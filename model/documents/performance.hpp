// How fast a model or a program runs on a device, as a document.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/documents/unit_classes.hpp"
#include "model/documents/values.hpp"

namespace costcurve::model {

enum class EstimateMethod { training_flops, decode_roofline, decode_step };
template <>
inline constexpr auto enum_names<EstimateMethod> = std::to_array<std::string_view>({"training_flops", "decode_roofline",
                                                                                    "decode_step"});

struct Estimate {
    EstimateMethod method = EstimateMethod::training_flops;
    std::optional<double> mfu;
    std::optional<double> mbu;
    double active_parameters = 0.0;
    std::optional<double> weight_bytes;
    double kv_bytes_per_sequence = 0.0;
    double memory_use_fraction = 0.9; ///< of the memory that weights and cache may take
    // decode_step
    std::optional<double> layers;
    double alpha = 0.8;     ///< of the memory's bandwidth
    double beta = 0.3;      ///< of the peak
    double gamma_s = 70e-6; ///< that a layer takes by itself
    friend bool operator==(const Estimate&, const Estimate&) = default;
};

/// The part of a request that replicas do whose others do the rest.
enum class Phase { prefill, decode };
template <> inline constexpr auto enum_names<Phase> = std::to_array<std::string_view>({"prefill", "decode"});

/// The mean request that a rate was measured with.
struct RequestMix {
    double input = 0.0; ///< cached ones included
    double output = 0.0;
    double cached_input = 0.0;
    friend bool operator==(const RequestMix&, const RequestMix&) = default;
};

/// A stored document that a figure comes of.
struct Origin {
    std::string_view kind; ///< its document_name
    std::string id, source;
    Stored stored;
    friend bool operator==(const Origin&, const Origin&) = default;
};

struct Performance {
    std::string id, source, note;
    Stored stored;
    std::vector<Origin> rated_by; ///< of a rate of a model: that model, and measurements that moved it; as `stored`, not written
    Stored newest_read;           ///< of the documents that such a rate was made of
    Identity device;
    std::string model;
    double devices = 1.0;
    std::string slice; ///< of the device's, in place of devices
    bool spans_hosts = false;
    std::optional<Rate> units_per_s;
    std::optional<RequestMix> mix;
    std::optional<double> concurrency; ///< where units_per_s is no curve over batch
    std::string measurement;           ///< an id
    ClassWeights class_weights;
    std::optional<Estimate> estimate;
    std::optional<int> batch;
    std::optional<Rate> scaling;
    std::optional<double> input_units_per_s;
    std::string precision;
    std::string framework;
    std::optional<Rate> itl_s;
    std::optional<Rate> ttft_s;
    std::optional<double> latency_percentile; ///< of both figures; not known where unstated
    std::optional<double> prompt_token_s;     ///< of a computed token; stated, requests wait as they come (model/queueing)
    Evidence basis = Evidence::measured;
    bool is_above_ceiling = false; ///< faster than the device, as its model's facts show; found, not written
    friend bool operator==(const Performance&, const Performance&) = default;
};

/// Objectives of latency. What is not stated is not held.
struct Slo {
    std::optional<double> ttft_s;
    std::optional<double> itl_s;
    std::optional<double> e2e_s;
    double percentile = 95.0; ///< of the requests; 0: none is named
    friend bool operator==(const Slo&, const Slo&) = default;
    /// Whether there is an objective that the percentile is of.
    [[nodiscard]] bool is_stated() const { return ttft_s || itl_s || e2e_s; }
};

} // namespace costcurve::model
