// Rate of a model on a device, with its uncertainty: POST /v1/rates and `costcurve rate`.
#pragma once

#include "model/performance/rates.hpp"
#include "model/performance/training_rates.hpp"
#include "server/answers/answer.hpp"
#include "server/answers/catalog.hpp"
#include "server/answers/request.hpp"

namespace costcurve::answers {

/// Latency objectives for the mean or for a percentile.
struct RateObjectives {
    std::optional<double> ttft_s;
    std::optional<double> itl_s;
    std::optional<double> e2e_s;
};

struct RatesRequest {
    using Answer = struct RatesAnswer;
    static constexpr QuestionNames names{"/v1/rates", "how fast a model runs on a device, and how sure that is", "rates_request",
                                         "rates", "at the requests held at a time, and by load"};
    std::string model;
    std::string device;
    std::optional<int> devices;
    std::string precision;
    std::string kv_precision;
    std::optional<model::Parallel> parallel;
    std::string framework;
    std::optional<double> input;
    std::optional<double> output;
    double cached_input = 0.0;
    std::optional<double> concurrency;
    std::optional<RateObjectives> slo;
    std::optional<double>
        percentile; ///< percentile of latencies; default 95 if there are objectives, otherwise the mean, written as 0
    std::vector<double> concurrencies;
    std::optional<double> sequence; ///< if stated, the rate is that of a training run
    std::optional<model::TrainingMethod> method;
    std::optional<double> tokens_per_step;
    Moment as_of;
};
void check(RatesRequest& request, const QuestionLimits& limits, model::Failure& issues);

/// A rate at a load.
struct RateAtLoad {
    double concurrency = 0.0;
    double output_per_s = 0.0;
    double requests_per_s = 0.0;
    double ttft_s = 0.0;
    double itl_s = 0.0;
    double e2e_s = 0.0;
    model::Evidence evidence{};
    double low = 0.0;
    double high = 0.0;
    double ceiling = 0.0;
    std::optional<model::Ceiling> ceiling_of;
    double mfu = 0.0;
    std::optional<model::StepBound> bound;
    double running = 0.0;
    double watts = 0.0;
    double joules_per_output = 0.0;
    std::optional<model::Evidence> watts_evidence;
};
struct StepParts {
    double total_s = 0.0;
    double reading_s = 0.0;
    double arithmetic_s = 0.0;
    double prompts_s = 0.0;
    double communication_s = 0.0;
    double overhead_s = 0.0;
};
struct RateSource {
    std::string measurement;
    std::size_t point = 0;
    double weight = 0.0;
};
/// Rates of serving or training; members of the other kind are absent.
struct RatesAnswer : RateAtLoad {
    std::string model;
    std::string device;
    int devices = 1;
    std::string precision;
    std::optional<double> input;
    std::optional<double> output;
    std::optional<double> cached_input;
    std::optional<double> percentile; ///< percentile of latencies; empty for the mean
    std::optional<StepParts> step;
    std::optional<model::TrainingMethod> method;
    double sequence = 0.0;
    double tokens_per_step = 0.0;
    double tokens_per_s = 0.0;
    double tokens_per_s_device = 0.0;
    std::vector<RateSource> from;
    std::vector<RateAtLoad> loads;
};

/// Serving rate from these models, devices and measurements; all issues at once. Cost: one rate (some microseconds) for a stated
/// load, up to 1,024 rates for objectives.
[[nodiscard]] model::Result<RatesAnswer> rate_of(const RatesRequest& request, const RatedCatalog& catalog);
/// Reads models, devices and measurements from the source.
[[nodiscard]] model::Result<RatesAnswer> rate_of(const RatesRequest& request, documents::Source& source);
[[nodiscard]] model::Result<std::string> answer(const RatesRequest& request, documents::Source& source);
/// The request as a body of POST /v1/rates.
[[nodiscard]] std::string text_of(const RatesRequest& request);

} // namespace costcurve::answers

namespace costcurve::model {

template <>
inline constexpr auto enum_names<StepBound> = std::to_array<std::string_view>({"reading", "arithmetic", "prompts", "communication",
                                                                               "overhead"});
inline constexpr FieldSpec latency_objective(std::string_view help) {
    return {.unit = "s", .min = 0, .max = 86400, .above_min = true, .help = help};
}
template <>
inline constexpr auto fields<answers::RateObjectives> =
    Rows{Field{"ttft_s", &answers::RateObjectives::ttft_s, latency_objective("to the first token, at most")},
         Field{"itl_s", &answers::RateObjectives::itl_s, latency_objective("between tokens, at most")},
         Field{"e2e_s", &answers::RateObjectives::e2e_s, latency_objective("of a whole request, at most")}};
inline constexpr FieldSpec kConcurrencySpec{
    .unit = "requests", .min = 1, .max = 1e6, .help = "held at a time by the replica; 1 where absent"};
template <>
inline constexpr auto fields<answers::RatesRequest> = Rows{
    Field{"model",
          &answers::RatesRequest::model,
          {.required = true, .format = Format::name, .help = "a stored model's id, or its published name in any case"}},
    Field{"device",
          &answers::RatesRequest::device,
          {.required = true, .format = Format::name, .help = "a stored device's id, or a spelling that imports know"}},
    Field{"devices",
          &answers::RatesRequest::devices,
          {.min = 1,
           .max = 131072,
           .help =
               "of a replica, at most 4096, or of a training run; where absent the fewest power of two that holds weights and one "
               "request, or the run's state"}},
    Field{"precision",
          &answers::RatesRequest::precision,
          {.help = "of the weights: bf16, fp16, fp8, int8, fp4 or int4; the one they were published in where absent"}},
    Field{"kv_precision",
          &answers::RatesRequest::kv_precision,
          {.help = "of the cache, by the same words; 16 bit beside 16-bit weights, else 8 bit, where absent"}},
    Field{"parallel",
          &answers::RatesRequest::parallel,
          {.help = "how the devices of a replica share the work; devices is tp × pp × dp, tp where absent. dp groups hold "
                   "attention whole, each for its own requests; pp and ep do not move the rate"}},
    Field{"framework", &answers::RatesRequest::framework, {.help = "the server's, such as vllm; not stated where absent"}},
    Field{"input",
          &answers::RatesRequest::input,
          {.unit = "tokens", .min = 0, .max = 1e9, .help = "of a request's prompt, cached ones included; required of serving"}},
    Field{"output",
          &answers::RatesRequest::output,
          {.unit = "tokens", .min = 1, .max = 1e9, .help = "of its answer, reasoning included; required of serving"}},
    Field{"cached_input", &answers::RatesRequest::cached_input, {.unit = "tokens", .min = 0, .max = 1e9, .help = "of input"}},
    Field{"concurrency", &answers::RatesRequest::concurrency, kConcurrencySpec},
    Field{"slo",
          &answers::RatesRequest::slo,
          {.help = "in place of concurrency: the rate is that at the most requests, up to 1024, that keep these"}},
    Field{"percentile",
          &answers::RatesRequest::percentile,
          {.unit = "percentile",
           .min = 0,
           .max = 99.99,
           .help = "of the requests that keep the latencies: 50 is the median, 0 the mean; 95 beside slo, else 0, where absent"}},
    Field{"concurrencies",
          &answers::RatesRequest::concurrencies,
          {.unit = "requests", .min = 1, .max = 1e6, .of_entries = true, .help = "loads to answer besides: a curve"}},
    Field{"sequence",
          &answers::RatesRequest::sequence,
          {.unit = "tokens", .min = 1, .max = 1e9, .help = "of a sample: the rate of training, in place of input and output"}},
    Field{
        "method", &answers::RatesRequest::method, {.help = "of training: all parameters, or low-rank adapters; full where absent"}},
    Field{"tokens_per_step",
          &answers::RatesRequest::tokens_per_step,
          {.unit = "tokens", .min = 1, .max = 1e15, .help = "of a training step, all devices; 16384 a device where absent"}},
    Field{"as_of", &answers::RatesRequest::as_of, answers::kMomentSpec}};
template <class T, bool kOmit = false>
inline constexpr auto rate_at_load_fields = Rows{
    Field<T, double>{"concurrency", &T::concurrency, {.unit = "requests", .help = "held at a time", .omit = kOmit}},
    Field<T, double>{"output_per_s", &T::output_per_s, {.unit = "tokens/s", .help = "of the replica", .omit = kOmit}},
    Field<T, double>{"requests_per_s", &T::requests_per_s, {.unit = "requests/s", .omit = kOmit}},
    Field<T, double>{"ttft_s", &T::ttft_s, {.unit = "s", .help = "to the first token, the mean", .omit = kOmit}},
    Field<T, double>{"itl_s", &T::itl_s, {.unit = "s", .help = "between tokens, the mean", .omit = kOmit}},
    Field<T, double>{"e2e_s",
                     &T::e2e_s,
                     {.unit = "s",
                      .help = "of a request, the mean: concurrency / requests_per_s, at least first token and others",
                      .omit = kOmit}},
    Field<T, Evidence>{"evidence", &T::evidence, {.help = "by the distance of the nearest measurements"}},
    Field<T, double>{"low", &T::low, {.unit = "tokens/s", .help = "p10 of output_per_s, or of tokens_per_s"}},
    Field<T, double>{"high", &T::high, {.unit = "tokens/s", .help = "p90 of output_per_s, or of tokens_per_s"}},
    Field<T, double>{"ceiling", &T::ceiling, {.unit = "fraction", .help = "of the nearest bound that no rate passes"}},
    Field<T, std::optional<Ceiling>>{
        "ceiling_of", &T::ceiling_of, {.help = "which that is: memory bandwidth or peak", .omit = true}},
    Field<T, double>{
        "mfu",
        &T::mfu,
        {.unit = "fraction", .help = "model FLOPs utilization: of the device's peak at the precision that products run in"}},
    Field<T, std::optional<StepBound>>{"bound", &T::bound, {.help = "what takes most of a step", .omit = true}},
    Field<T, double>{
        "running",
        &T::running,
        {.unit = "requests", .help = "that run at a time; fewer than concurrency where the caches' memory is full", .omit = kOmit}},
    Field<T, double>{"watts", &T::watts, {.unit = "W", .help = "of the replica's devices, without hosts", .omit = kOmit}},
    Field<T, double>{
        "joules_per_output", &T::joules_per_output, {.unit = "J/token", .help = "watts / output_per_s", .omit = kOmit}},
    Field<T, std::optional<Evidence>>{
        "watts_evidence",
        &T::watts_evidence,
        {.help = "of watts measured near it; estimated: the device's curve, assumed: the default shape", .omit = true}}};
template <> inline constexpr auto fields<answers::RateAtLoad> = rate_at_load_fields<answers::RateAtLoad>;
template <>
inline constexpr auto fields<answers::StepParts> =
    Rows{Field{"total_s", &answers::StepParts::total_s, {.unit = "s", .help = "less than its parts where a ceiling binds"}},
         Field{"reading_s", &answers::StepParts::reading_s, {.unit = "s", .help = "weights and caches"}},
         Field{"arithmetic_s", &answers::StepParts::arithmetic_s, {.unit = "s", .help = "of the tokens out"}},
         Field{"prompts_s", &answers::StepParts::prompts_s, {.unit = "s", .help = "of the prompts' share"}},
         Field{"communication_s", &answers::StepParts::communication_s, {.unit = "s", .help = "between devices"}},
         Field{"overhead_s", &answers::StepParts::overhead_s, {.unit = "s", .help = "by layer and by sequence"}}};
template <>
inline constexpr auto fields<answers::RateSource> =
    Rows{Field{"measurement", &answers::RateSource::measurement, {.help = "the id of its document"}},
         Field{"point", &answers::RateSource::point, {.min = 0, .help = "its place there, from 0"}},
         Field{"weight", &answers::RateSource::weight, {.unit = "fraction", .help = "of the correction"}}};
template <>
inline constexpr auto fields<answers::RatesAnswer> = join(
    Rows{Field{"model", &answers::RatesAnswer::model, {.format = Format::slug}},
         Field{"device", &answers::RatesAnswer::device, {.format = Format::slug}},
         Field{"devices", &answers::RatesAnswer::devices, {.min = 1, .help = "of the replica, or of the run"}},
         Field{"precision", &answers::RatesAnswer::precision, {.help = "of the weights"}},
         Field{"input", &answers::RatesAnswer::input, {.unit = "tokens", .omit = true}},
         Field{"output", &answers::RatesAnswer::output, {.unit = "tokens", .omit = true}},
         Field{"cached_input", &answers::RatesAnswer::cached_input, {.unit = "tokens", .omit = true}},
         Field{"percentile",
               &answers::RatesAnswer::percentile,
               {.unit = "percentile", .help = "of the latencies; left out of a mean", .omit = true}}},
    rate_at_load_fields<answers::RatesAnswer, true>,
    Rows{
        Field{"method", &answers::RatesAnswer::method, {.help = "of training", .omit = true}},
        Field{"sequence", &answers::RatesAnswer::sequence, {.unit = "tokens", .help = "of a training sample", .omit = true}},
        Field{"tokens_per_step",
              &answers::RatesAnswer::tokens_per_step,
              {.unit = "tokens", .help = "of a training step, all devices", .omit = true}},
        Field{"tokens_per_s",
              &answers::RatesAnswer::tokens_per_s,
              {.unit = "tokens/s", .help = "trained by all devices", .omit = true}},
        Field{"tokens_per_s_device",
              &answers::RatesAnswer::tokens_per_s_device,
              {.unit = "tokens/s", .help = "the same, of one of them", .omit = true}},
        Field{"step", &answers::RatesAnswer::step, {.help = "seconds of one, in which each that runs makes a token", .omit = true}},
        Field{"from", &answers::RatesAnswer::from, {.help = "measurements that moved the rate, up to five, the heaviest first"}},
        Field{"loads", &answers::RatesAnswer::loads, {.help = "the rate at concurrency and at each of concurrencies, by load"}}});

} // namespace costcurve::model
