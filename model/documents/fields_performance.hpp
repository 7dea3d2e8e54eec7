// Field tables of what a replica or gang does: model, performance, estimate, classes of units.
#pragma once

#include <array>

#include "model/documents/field.hpp"
#include "model/documents/fields_hosted.hpp"
#include "model/documents/terms/fields_provisioned.hpp"
#include "model/documents/terms/fields_rented.hpp"

namespace costcurve::model {

template <> inline constexpr std::string_view part_name<Estimate> = "estimate";
template <>
inline constexpr auto fields<Estimate> = Rows{
    Field{"method", &Estimate::method, {.required = true, .help = "the roofline that stands in for a measurement"}},
    Field{"mfu",
          &Estimate::mfu,
          {.unit = "fraction",
           .min = 0,
           .max = 1,
           .above_min = true,
           .help = "model FLOPs utilization; training_flops and decode_roofline"}},
    Field{"mbu",
          &Estimate::mbu,
          {.unit = "fraction", .min = 0, .max = 1, .above_min = true, .help = "memory bandwidth utilization; decode_roofline"}},
    Field{"active_parameters",
          &Estimate::active_parameters,
          {.unit = "parameters", .min = 1, .max = kLargest, .required = true, .help = "parameters that a token passes"}},
    Field{"weight_bytes",
          &Estimate::weight_bytes,
          {.unit = "B", .min = 0, .max = 1e18, .above_min = true, .help = "bytes of weights read a step; of decode estimates"}},
    Field{"kv_bytes_per_sequence",
          &Estimate::kv_bytes_per_sequence,
          {.unit = "B", .min = 0, .max = 1e18, .help = "bytes of KV cache read a sequence and step; of decode estimates"}},
    Field{"memory_use_fraction",
          &Estimate::memory_use_fraction,
          {.unit = "fraction",
           .min = 0,
           .max = 1,
           .above_min = true,
           .help = "of the devices' memory that weights and cache may take; of decode estimates"}},
    Field{"layers", &Estimate::layers, {.unit = "layers", .min = 1, .max = 1e4, .help = "of the model; decode_step"}},
    Field{"alpha",
          &Estimate::alpha,
          {.unit = "fraction",
           .min = 0,
           .max = 2,
           .above_min = true,
           .help = "of the memory bandwidth that is reached; decode_step"}},
    Field{"beta",
          &Estimate::beta,
          {.unit = "fraction", .min = 0, .max = 2, .above_min = true, .help = "of the peak FLOP/s that is reached; decode_step"}},
    Field{"gamma_s",
          &Estimate::gamma_s,
          {.unit = "s/layer", .min = 0, .max = 1, .help = "that a layer takes by itself; decode_step"}},
};

/// Rows of what is stated by class of units.
template <class M> constexpr auto class_fields(FieldSpec spec, std::array<std::string_view, kUnitClasses> help) {
    const auto row = [&](UnitClass unit_class, M ByClass<M>::*member) {
        FieldSpec own = spec;
        own.help = help[static_cast<std::size_t>(unit_class)];
        return Field<ByClass<M>, M>{name_of(unit_class), member, own};
    };
    return Rows{row(UnitClass::input, &ByClass<M>::input), row(UnitClass::cached_input, &ByClass<M>::cached_input),
                row(UnitClass::cache_write, &ByClass<M>::cache_write), row(UnitClass::output, &ByClass<M>::output),
                row(UnitClass::reasoning, &ByClass<M>::reasoning)};
}

template <>
inline constexpr auto fields<UnitsPerRequest> = class_fields<double>({.unit = "units/request", .min = 0, .max = kLargest},
                                                                     {"units in that are computed", "units in that the cache has",
                                                                      "units written to the cache", "units out",
                                                                      "units out that are thought, not shown"});

template <>
inline constexpr auto fields<ClassWeights> = class_fields<std::optional<double>>(
    {.unit = "ratio", .min = 0, .max = 1e6}, {"of a unit in that is computed", "of a unit in that the cache has",
                                              "of a unit written to the cache", "of a unit out", "of a unit of reasoning"});

template <> inline constexpr std::string_view document_name<Experts> = "experts";
template <>
inline constexpr auto fields<Experts> = Rows{
    Field{"count", &Experts::count, {.unit = "experts", .min = 1, .max = 1e5, .required = true, .help = "routed, of a layer"}},
    Field{"active",
          &Experts::active,
          {.unit = "experts", .min = 1, .max = 1e5, .required = true, .help = "of them, that a token goes through"}},
    Field{"shared", &Experts::shared, {.unit = "experts", .min = 0, .max = 1e5, .help = "that all tokens go through besides"}},
};

template <> inline constexpr std::string_view document_name<Attention> = "attention";
template <>
inline constexpr auto fields<Attention> = Rows{
    Field{"kind",
          &Attention::kind,
          {.help = "full: a cache of keys and values; latent: of a compression of them; linear: most layers "
                   "keep a state in its place"}},
    Field{"decode_flop",
          &Attention::decode_flop,
          {.unit = "FLOP",
           .min = 0,
           .max = kLargest,
           .required = true,
           .help = "of a token out and token of its context, all layers"}},
    Field{"prompt_flop",
          &Attention::prompt_flop,
          {.unit = "FLOP", .min = 0, .max = kLargest, .required = true, .help = "of a token in and token before it, all layers"}},
    Field{"window_tokens",
          &Attention::window_tokens,
          {.unit = "tokens", .min = 0, .max = 1e9, .help = "that layers with a window see"}},
    Field{"window_bytes_per_token",
          &Attention::window_bytes_per_token,
          {.unit = "B/token", .min = 0, .max = 1e12, .help = "of cache at 16 bit in these layers, beside kv_bytes_per_token"}},
    Field{"state_bytes",
          &Attention::state_bytes,
          {.unit = "B", .min = 0, .max = 1e15, .help = "of a sequence at 16 bit, in layers whose state does not grow"}},
};

template <>
inline constexpr auto fields<Model> = join(
    annotation_fields<Model>,
    Rows{
        Field{"name", &Model::name, {.help = "what people call it"}},
        Field{"parameters", &Model::parameters, {.unit = "parameters", .min = 1, .max = kLargest, .required = true, .help = "all"}},
        Field{"active_parameters",
              &Model::active_parameters,
              {.unit = "parameters", .min = 1, .max = kLargest, .required = true, .help = "that a token passes; at most all"}},
        Field{"weight_bytes",
              &Model::weight_bytes,
              {.unit = "B", .min = 0, .max = 1e18, .above_min = true, .required = true, .help = "of all weights, by precision"}},
        Field{"kv_bytes_per_token",
              &Model::kv_bytes_per_token,
              {.unit = "B/token", .min = 0, .max = 1e12, .required = true, .help = "of KV cache, at 16 bit"}},
        Field{"layers", &Model::layers, {.unit = "layers", .min = 1, .max = 1e4, .required = true, .help = "of the decoder"}},
        Field{"context_tokens",
              &Model::context_tokens,
              {.unit = "tokens", .min = 1, .max = 1e9, .required = true, .help = "longest request, prompt and answer"}},
        Field{"hidden", &Model::hidden, {.unit = "values", .min = 1, .max = 1e7, .help = "width"}},
        Field{"heads", &Model::heads, {.unit = "heads", .min = 1, .max = 1e5, .help = "of attention, in a layer"}},
        Field{"kv_heads",
              &Model::kv_heads,
              {.unit = "heads", .min = 1, .max = 1e5, .help = "of keys and values in the cache; 1 where attention is latent"}},
        Field{"vocabulary", &Model::vocabulary, {.unit = "tokens", .min = 1, .max = 1e8, .help = "of its embedding"}},
        Field{"embedding_parameters",
              &Model::embedding_parameters,
              {.unit = "parameters",
               .min = 0,
               .max = kLargest,
               .help = "of an input embedding of its own, of which a token reads a row; 0 where it is the output's too"}},
        Field{"experts", &Model::experts, {.help = "of a mixture of experts"}},
        Field{"expert_parameters",
              &Model::expert_parameters,
              {.unit = "parameters", .min = 1, .max = kLargest, .help = "in routed experts"}},
        Field{"attention", &Model::attention, {.help = "what it computes, and keeps beside kv_bytes_per_token"}},
        Field{"published_precision", &Model::published_precision, {.help = "of the weights, as the maker publishes them"}},
        Field{"aliases", &Model::aliases, {.format = Format::name, .help = "hub names and other spellings"}},
        Field{"released", &Model::released, {.help = "date of release, YYYY-MM-DD"}},
        Field{"licence", &Model::licence, {.help = "under which its weights may be used"}},
    });

template <> inline constexpr std::string_view document_name<RequestMix> = "request_mix";
template <>
inline constexpr auto fields<RequestMix> = Rows{
    Field{"input", &RequestMix::input, {.unit = "tokens", .min = 0, .max = 1e9, .help = "of a request, cached ones included"}},
    Field{
        "output",
        &RequestMix::output,
        {.unit = "tokens", .min = 0, .max = 1e9, .above_min = true, .required = true, .help = "of a request, reasoning included"}},
    Field{"cached_input",
          &RequestMix::cached_input,
          {.unit = "tokens", .min = 0, .max = 1e9, .help = "of input, in the cache already"}},
};

template <>
inline constexpr auto fields<Performance> =
    join(annotation_fields<Performance>,
         Rows{
             Field{"device", &Performance::device, {.help = "the accelerator it was measured on"}},
             Field{"model", &Performance::model, {.format = Format::slug, .help = "the model it was measured with"}},
             Field{"devices",
                   &Performance::devices,
                   {.unit = "devices",
                    .min = 0,
                    .max = 1e6,
                    .above_min = true,
                    .is_count = true,
                    .always_stated = true,
                    .help = "of one replica or gang; a fraction of one is time slicing"}},
             Field{"slice", &Performance::slice, {.format = Format::name, .help = "of the device's slices, in place of devices"}},
             Field{"spans_hosts",
                   &Performance::spans_hosts,
                   {.help = "whether a replica may take devices of several instances or servers; a training gang may"}},
             Field{"units_per_s",
                   &Performance::units_per_s,
                   {.unit = "units/s",
                    .min = 0,
                    .max = kLargest,
                    .above_min = true,
                    .curve = CurveKind::throughput,
                    .help = "of one replica or gang; number, or curve over batch or devices"}},
             Field{"mix",
                   &Performance::mix,
                   {.help = "the mean request that units_per_s was measured with; other requests have the rate that follows from "
                            "it"}},
             Field{"concurrency",
                   &Performance::concurrency,
                   {.unit = "requests",
                    .min = 0,
                    .max = 1e6,
                    .above_min = true,
                    .help = "held at a time by the replica, where units_per_s is no curve over batch; default batch"}},
             Field{"measurement",
                   &Performance::measurement,
                   {.format = Format::slug, .help = "the id of the measurement that has its points"}},
             Field{"class_weights",
                   &Performance::class_weights,
                   {.help = "what a unit of a class takes of the device in units of units_per_s; default 1 of input, output and "
                            "reasoning, 0 of cached_input and cache_write; at a mix, which units are counted"}},
             Field{"estimate", &Performance::estimate, {.help = "a roofline, where nothing was measured"}},
             Field{"batch",
                   &Performance::batch,
                   {.unit = "sequences",
                    .min = 1,
                    .max = 1e6,
                    .help = "where the curves are read; else the largest that keeps the latency objectives and fits"}},
             Field{"scaling",
                   &Performance::scaling,
                   {.unit = "fraction",
                    .min = 0,
                    .max = 1,
                    .curve = CurveKind::scaling,
                    .help = "parallel efficiency, multiplies the rate; number, or curve over devices"}},
             Field{"input_units_per_s",
                   &Performance::input_units_per_s,
                   {.unit = "units/s",
                    .min = 0,
                    .max = kLargest,
                    .above_min = true,
                    .help = "what the input pipeline can feed; caps the rate"}},
             Field{"precision", &Performance::precision, {.help = "number format it was measured in"}},
             Field{"framework", &Performance::framework, {.help = "framework it was measured with"}},
             Field{"itl_s",
                   &Performance::itl_s,
                   {.unit = "s",
                    .min = 0,
                    .max = 1e6,
                    .curve = CurveKind::latency,
                    .help = "time between two units out; number, or curve over batch"}},
             Field{"ttft_s",
                   &Performance::ttft_s,
                   {.unit = "s",
                    .min = 0,
                    .max = 1e6,
                    .curve = CurveKind::latency,
                    .help = "time to the first token; number, or curve over batch"}},
             Field{"latency_percentile",
                   &Performance::latency_percentile,
                   {.unit = "percentile",
                    .min = 0,
                    .max = 100,
                    .above_min = true,
                    .help = "that itl_s and ttft_s are of: 50 is the median; none is stated of a mean"}},
             Field{"prompt_token_s",
                   &Performance::prompt_token_s,
                   {.unit = "s",
                    .min = 0,
                    .max = 1e6,
                    .help = "that a computed token of the prompt takes of the replica; where it is stated, and units_per_s is a "
                            "curve over batch, a replica takes no more requests than keep slo as they come at random"}},
             Field{"basis", &Performance::basis, {.help = "how well the figure is known"}},
         });

template <>
inline constexpr auto fields<UnitPrice> = class_fields<std::optional<Rate>>(
    {.unit = "currency/million units", .min = 0, .max = kLargest, .curve = CurveKind::price},
    {"of input units", "of cached input; default that of input", "of cache writes; default that of input", "of output units",
     "of reasoning; default that of output"});

template <> inline constexpr std::string_view document_name<PriceAbove> = "price_above";
template <> inline constexpr std::string_view part_name<PriceAbove> = "price_above";
template <>
inline constexpr auto fields<PriceAbove> =
    Rows{Field{"input_tokens",
               &PriceAbove::input_tokens,
               {.unit = "tokens",
                .min = 0,
                .max = 1e9,
                .above_min = true,
                .required = true,
                .help = "a prompt that is longer, cached tokens and cache writes included, is billed by this"}},
         Field{"price_per_million_units",
               &PriceAbove::price_per_million_units,
               {.unit = "currency/million units",
                .min = 0,
                .max = kLargest,
                .required = true,
                .curve = CurveKind::price,
                .help = "number, of all classes, or by class: others keep the price that they have below"}},
         Field{"scope",
               &PriceAbove::scope,
               {.help = "request: the whole of such a request; beyond: the prompt's tokens beyond, not what comes out"}}};

/// The rows of what a hosted model costs.
template <class T> [[nodiscard]] constexpr auto hosted_price_fields(std::string_view only_for) {
    return Rows{
        Field{"price_per_million_units",
              &T::price_per_million_units,
              {.unit = only_for.empty() ? "currency/million units" : "scenario currency/million units",
               .min = 0,
               .max = kLargest,
               .required = only_for.empty(),
               .only_for = only_for,
               .curve = CurveKind::price,
               .help = "number, date curve, or by class of either"}},
        Field{
            "above",
            &T::above,
            {.min = 0, .max = 16, .only_for = only_for, .help = "prices of long prompts, ascending by input_tokens, of one scope"}},
        Field{"cache", &T::cache, {.only_for = only_for, .help = "how long prompts' prefixes are kept"}},
        Field{"fees", &T::fees, {.only_for = only_for, .help = "what is charged beside units"}},
        Field{"service_tiers", &T::service_tiers, {.only_for = only_for, .help = "other prices of the same model"}},
        Field{"provisioned", &T::provisioned, {.only_for = only_for, .help = "units of throughput that may be bought"}},
        Field{"volume_tiers", &T::volume_tiers, volume_tiers_spec(only_for, kTiersOfUnits)},
        Field{"unknown_conditions",
              &T::unknown_conditions,
              {.max_entries = 64,
               .only_for = only_for,
               .format = Format::name,
               .help = "what the price depends on and no field holds: figures are assumed, with price_condition_unknown"}},
        Field{"batch_price_fraction",
              &T::batch_price_fraction,
              {.unit = "fraction", .min = 0, .max = 1, .only_for = only_for, .help = "of the price, for batch work"}}};
}

/// The rows of a hosted model: of an endpoint, and of pools of kind api (`only_for`), which may name one in their place.
template <class T> [[nodiscard]] constexpr auto hosted_fields(std::string_view only_for) {
    return join(
        hosted_price_fields<T>(only_for),
        Rows{
            Field{"e2e_s",
                  &T::e2e_s,
                  {.unit = "s", .min = 0, .max = 1e6, .only_for = only_for, .help = "of a whole request, as the host states it"}},
            Field{"ttft_s",
                  &T::ttft_s,
                  {.unit = "s",
                   .min = 0,
                   .max = 1e6,
                   .only_for = only_for,
                   .help = "time to the first token, as the host states it"}},
            Field{"itl_s",
                  &T::itl_s,
                  {.unit = "s",
                   .min = 0,
                   .max = 1e6,
                   .only_for = only_for,
                   .help = "between two tokens, as the host states it: of 50 tokens/s to one request, 0.02"}},
            Field{"latency_percentile",
                  &T::latency_percentile,
                  {.unit = "percentile",
                   .min = 0,
                   .max = 100,
                   .above_min = true,
                   .only_for = only_for,
                   .help = "that e2e_s, ttft_s and itl_s are of: 50 is the median"}},
            Field{"max_units_per_s",
                  &T::max_units_per_s,
                  {.unit = "units/s",
                   .min = 0,
                   .max = kLargest,
                   .only_for = only_for,
                   .help = "rate limit, shared by all workloads; default unbounded"}},
            Field{"energy_wh_per_unit",
                  &T::energy_wh_per_unit,
                  {.unit = "Wh/unit",
                   .min = 0,
                   .max = 1e9,
                   .only_for = only_for,
                   .help = "as the host states it; not known where unstated"}},
            Field{"carbon_g_per_unit",
                  &T::carbon_g_per_unit,
                  {.unit = "g/unit",
                   .min = 0,
                   .max = 1e9,
                   .only_for = only_for,
                   .help = "as the host states it; not known where unstated"}},
            Field{"provider", &T::provider, {.required = only_for.empty(), .only_for = only_for, .help = "who hosts it"}},
            Field{"model", &T::model, {.required = only_for.empty(), .only_for = only_for, .help = "which model"}},
        });
}

template <>
inline constexpr auto fields<Endpoint> =
    join(annotation_fields<Endpoint>, hosted_fields<Endpoint>(""),
         Rows{
             Field{"region", &Endpoint::region, {.help = "where it is served from, where the price depends on it"}},
             Field{"currency", &Endpoint::currency, {.format = Format::currency, .help = "ISO 4217 code; default the scenario's"}},
         });

} // namespace costcurve::model
