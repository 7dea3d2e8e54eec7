// Measured rates as documents: a series of one model on one device in one layout by one publisher, its points by column.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "model/documents/field.hpp"
#include "model/documents/values.hpp"

namespace costcurve::model {

/// How it was measured. `server` and `interactive` are MLPerf's scenarios under a latency bound; `prefill` is of prompts alone.
enum class MeasurementKind { serving, static_batch, disaggregated, offline, server, interactive, prefill, training };
template <>
inline constexpr auto enum_names<MeasurementKind> = std::to_array<std::string_view>({"serving", "static_batch", "disaggregated",
                                                                                     "offline", "server", "interactive", "prefill",
                                                                                     "training"});
/// Devices that share the work, by how it is cut.
struct Parallel {
    int tp = 1; ///< tensors
    int pp = 1; ///< layers
    int ep = 1; ///< experts
    int dp = 1; ///< replicas, or of attention alone
    int cp = 1; ///< context
    friend bool operator==(const Parallel&, const Parallel&) = default;
};

struct MeasuredPercentiles {
    std::optional<double> ttft_s;
    std::optional<double> itl_s;
    std::optional<double> e2e_s;
    friend bool operator==(const MeasuredPercentiles&, const MeasuredPercentiles&) = default;
};

/// A number a point in each column that is stated.
struct MeasuredPoints {
    std::vector<double> input;
    std::vector<double> cached_input;
    std::vector<double> output;
    std::vector<double> concurrency;
    std::vector<double> output_per_s;
    std::vector<double> ttft_s;
    std::vector<double> itl_s;
    std::vector<double> e2e_s;
    std::vector<double> watts;
    std::vector<double> sequence;
    std::vector<double> tokens_per_step;
    std::vector<double> tokens_per_s;
    friend bool operator==(const MeasuredPoints&, const MeasuredPoints&) = default;
};
/// The most points of a document.
inline constexpr std::size_t kMaxMeasuredPoints = 10000;

struct Measurement {
    std::string id, source, note;
    Stored stored;
    MeasurementKind kind = MeasurementKind::serving;
    std::string model;  ///< an id
    std::string device; ///< an id
    int devices = 1;
    std::optional<Parallel> parallel;
    NumberFormat precision = NumberFormat::bf16;
    std::optional<NumberFormat> kv_precision;
    std::string framework;
    std::string version;
    Date date;
    std::string publisher;
    Evidence basis = Evidence::measured;
    bool own = false;  ///< of the user, not published
    std::string doubt; ///< why it is in no fit and no rate
    std::optional<TrainingMethod> method;
    MeasuredPercentiles percentiles;
    MeasuredPoints points;
    friend bool operator==(const Measurement&, const Measurement&) = default;
};

template <> inline constexpr std::string_view document_name<Parallel> = "parallel";
template <>
inline constexpr auto fields<Parallel> = [] {
    constexpr FieldSpec kDevices{.unit = "devices", .min = 1, .max = 1e6};
    const auto row = [&](std::string_view name, int Parallel::*member, std::string_view help) {
        FieldSpec spec = kDevices;
        spec.help = help;
        return Field<Parallel, int>{name, member, spec};
    };
    return Rows{row("tp", &Parallel::tp, "that share each tensor"), row("pp", &Parallel::pp, "stages of layers"),
                row("ep", &Parallel::ep, "that share the experts"),
                row("dp", &Parallel::dp, "groups that each hold attention, or the model, whole"),
                row("cp", &Parallel::cp, "that share a sequence")};
}();

template <> inline constexpr std::string_view document_name<MeasuredPercentiles> = "measured_percentiles";
template <>
inline constexpr auto fields<MeasuredPercentiles> = [] {
    const auto row = [](std::string_view name, std::optional<double> MeasuredPercentiles::*member, std::string_view help) {
        return Field<MeasuredPercentiles, std::optional<double>>{
            name, member, {.unit = "percentile", .min = 0, .max = 100, .above_min = true, .help = help}};
    };
    return Rows{row("ttft_s", &MeasuredPercentiles::ttft_s, "that ttft_s is of; a mean where unstated"),
                row("itl_s", &MeasuredPercentiles::itl_s, "that itl_s is of; a mean where unstated"),
                row("e2e_s", &MeasuredPercentiles::e2e_s, "that e2e_s is of; a mean where unstated")};
}();

template <> inline constexpr std::string_view document_name<MeasuredPoints> = "measured_points";
template <>
inline constexpr auto fields<MeasuredPoints> = [] {
    const auto row = [](std::string_view name, std::vector<double> MeasuredPoints::*member, std::string_view unit, double max,
                        bool above_min, std::string_view help) {
        return Field<MeasuredPoints, std::vector<double>>{name,
                                                          member,
                                                          {.unit = unit,
                                                           .min = 0,
                                                           .max = max,
                                                           .above_min = above_min,
                                                           .of_entries = true,
                                                           .max_entries = kMaxMeasuredPoints,
                                                           .help = help}};
    };
    using P = MeasuredPoints;
    return Rows{row("input", &P::input, "tokens", 1e9, false, "of a request, cached ones included"),
                row("cached_input", &P::cached_input, "tokens", 1e9, false, "of these, in the cache already"),
                row("output", &P::output, "tokens", 1e9, true, "of a request, reasoning included"),
                row("concurrency", &P::concurrency, "requests", 1e9, true, "held at a time by all devices"),
                row("output_per_s", &P::output_per_s, "tokens/s", kLargest, true, "of all devices"),
                row("ttft_s", &P::ttft_s, "s", 1e6, true, "to the first token"),
                row("itl_s", &P::itl_s, "s", 1e6, true, "between tokens of a request"),
                row("e2e_s", &P::e2e_s, "s", 1e6, true, "of a request"),
                row("watts", &P::watts, "W", 1e9, true, "of all devices"),
                row("sequence", &P::sequence, "tokens", 1e9, true, "of a training sample"),
                row("tokens_per_step", &P::tokens_per_step, "tokens", kLargest, true, "of a training step, all devices"),
                row("tokens_per_s", &P::tokens_per_s, "tokens/s", kLargest, true, "trained by all devices")};
}();

template <>
inline constexpr auto fields<Measurement> = join(
    annotation_fields<Measurement>,
    Rows{
        Field{"kind", &Measurement::kind, {.help = "how it was measured"}},
        Field{"model", &Measurement::model, {.required = true, .format = Format::slug, .help = "the id of a stored model"}},
        Field{"device", &Measurement::device, {.required = true, .format = Format::slug, .help = "the id of a stored device"}},
        Field{"devices", &Measurement::devices, {.unit = "devices", .min = 1, .max = 1e6, .help = "that the rates are of"}},
        Field{"parallel", &Measurement::parallel, {.help = "how they share the work; not known where unstated"}},
        Field{"precision", &Measurement::precision, {.required = true, .help = "of the weights"}},
        Field{"kv_precision",
              &Measurement::kv_precision,
              {.help = "of the cache; where unstated, 16 bit beside 16-bit weights, else 8 bit"}},
        Field{"framework", &Measurement::framework, {.max_bytes = kMaxNameBytes, .help = "what served or trained it"}},
        Field{"version", &Measurement::version, {.max_bytes = kMaxNameBytes, .help = "of the framework"}},
        Field{"date", &Measurement::date, {.help = "of the measurement, YYYY-MM-DD"}},
        Field{"publisher", &Measurement::publisher, {.max_bytes = kMaxNameBytes, .help = "who measured or published it"}},
        Field{"basis", &Measurement::basis, {.help = "how well the figures are known"}},
        Field{"own", &Measurement::own, {.help = "of your own machines: preferred to what is published"}},
        Field{"doubt", &Measurement::doubt, {.help = "why it should be in no fit and no rate"}},
        Field{"method", &Measurement::method, {.help = "of kind training: all parameters, or low-rank adapters"}},
        Field{"percentiles", &Measurement::percentiles, {.help = "of the latencies"}},
        Field{"points", &Measurement::points, {.required = true, .help = "by column, a number a point in each that is stated"}},
    });

} // namespace costcurve::model
