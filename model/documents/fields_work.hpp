// Field tables of what is done and where it runs: workload, pool, scenario.
#pragma once

#include "model/documents/fields_deferrable.hpp"
#include "model/documents/fields_performance.hpp"

namespace costcurve::model {

template <> inline constexpr std::string_view part_name<Checkpoint> = "checkpoint";
template <>
inline constexpr auto fields<Checkpoint> = Rows{
    Field{"write_s", &Checkpoint::write_s, {.unit = "s", .min = 0, .max = 1e6, .help = "time to write a checkpoint"}},
    Field{"restart_s",
          &Checkpoint::restart_s,
          {.unit = "s", .min = 0, .max = 1e6, .help = "time to restart after an interruption; 0 where unstated"}},
    Field{"interval_s",
          &Checkpoint::interval_s,
          {.unit = "s", .min = 0, .max = 1e9, .above_min = true, .help = "between checkpoints; default Daly's optimum"}},
};

template <> inline constexpr std::string_view part_name<Burst> = "burst";
template <> inline constexpr std::string_view document_name<Burst> = "burst";
template <>
inline constexpr auto fields<Burst> = Rows{
    Field{"factor",
          &Burst::factor,
          {.unit = "multiplier",
           .min = 1,
           .max = 1e6,
           .required = true,
           .help =
               "rate in a burst over the hour's mean; 1: no burst. Bursts that are k times the rest of the time, for a share s of "
               "it, are k / (1 + s × (k − 1)) times the mean"}},
    Field{"seconds",
          &Burst::seconds,
          {.unit = "s",
           .min = 0,
           .max = 3600,
           .above_min = true,
           .required = true,
           .help = "that a burst lasts; what lasts longer than an hour belongs into shape"}},
    Field{"per_day",
          &Burst::per_day,
          {.unit = "bursts/day",
           .min = 0,
           .max = 1e6,
           .above_min = true,
           .required = true,
           .help = "spread evenly over the hours; factor × seconds × per_day is 86400 at most"}},
};

template <> inline constexpr std::string_view part_name<Demand> = "demand";
template <>
inline constexpr auto fields<Demand> = Rows{
    Field{"mean_per_s",
          &Demand::mean_per_s,
          {.unit = "requests/s", .min = 0, .max = kLargest, .help = "mean demand in the first month"}},
    Field{"utilization",
          &Demand::utilization,
          {.unit = "fraction",
           .min = 0,
           .max = 1,
           .curve = CurveKind::utilization,
           .help = "instead of mean_per_s: utilization of a reference fleet"}},
    Field{"reference_devices",
          &Demand::reference_devices,
          {.unit = "devices", .min = 0, .max = 1e9, .above_min = true, .help = "of the reference fleet"}},
    Field{"units_per_s_per_device",
          &Demand::units_per_s_per_device,
          {.unit = "units/s", .min = 0, .max = kLargest, .above_min = true, .help = "of a device of the reference fleet"}},
    Field{"shape",
          &Demand::shape,
          {.unit = "multiplier",
           .min = 0,
           .max = kLargest,
           .curve = CurveKind::demand,
           .help = "multiplier of the mean, default 1; with mean_per_s only"}},
    Field{"burst", &Demand::burst, {.help = "inside each hour; none where unstated"}},
    Field{"growth_per_month", &Demand::growth_per_month, {.unit = "1/month", .min = -1, .max = 10, .help = "compounding"}},
    Field{"time_zone", &Demand::time_zone, {.help = "IANA name; shape and utilization are read in it"}},
};

template <> inline constexpr std::string_view part_name<Porting> = "porting";
template <>
inline constexpr auto fields<Porting> = Rows{
    Field{"engineer_weeks",
          &Porting::engineer_weeks,
          {.unit = "weeks", .min = 0, .max = 1e5, .help = "work to bring the workload to this pool"}},
};

template <> inline constexpr std::string_view part_name<Slo> = "slo";
template <> inline constexpr std::string_view document_name<Slo> = "slo";
template <>
inline constexpr auto fields<Slo> = Rows{
    Field{"ttft_s",
          &Slo::ttft_s,
          {.unit = "s", .min = 0, .max = 1e6, .above_min = true, .help = "to the first token, at most; picks the batch"}},
    Field{"itl_s",
          &Slo::itl_s,
          {.unit = "s", .min = 0, .max = 1e6, .above_min = true, .help = "between two tokens, at most; picks the batch"}},
    Field{"e2e_s",
          &Slo::e2e_s,
          {.unit = "s",
           .min = 0,
           .max = 1e6,
           .above_min = true,
           .help = "of a whole request, at most: what an api states, else ttft_s + itl_s × (units out − 1); picks the batch"}},
    Field{"percentile",
          &Slo::percentile,
          {.unit = "percentile",
           .min = 0,
           .max = 100,
           .help = "of the requests that keep them; figures of another one are warned of; 0: of none in particular"}},
};

template <> inline constexpr std::string_view part_name<RunsOn> = "runs_on";
template <>
inline constexpr auto fields<RunsOn> = Rows{
    Field{"pool", &RunsOn::pool, {.required = true, .format = Format::slug, .help = "id of a pool of the scenario"}},
    Field{"performance", &RunsOn::performance, {.help = "what a replica or gang does there; required but for an api pool"}},
    Field{"service_tier",
          &RunsOn::service_tier,
          {.help = "of an api pool that states it in service_tiers; default batch of batch work where it does, else standard"}},
    Field{"porting", &RunsOn::porting, {.help = "engineering to get there"}},
    Field{"share",
          &RunsOn::share,
          {.unit = "fraction",
           .min = 0,
           .max = 1,
           .help = "of the work, which is asked of it first; of all entries or of none, adding up to 1. What they could not serve "
                   "is then asked of each in list order"}},
};

template <> inline constexpr std::string_view part_name<TokenBucket> = "token_bucket";
template <> inline constexpr std::string_view document_name<TokenBucket> = "token_bucket";
template <>
inline constexpr auto fields<TokenBucket> = join(fields<UnitsPerRequest>,
                                                 Rows{Field{"share",
                                                            &TokenBucket::share,
                                                            {.unit = "fraction",
                                                             .min = 0,
                                                             .max = 1,
                                                             .above_min = true,
                                                             .required = true,
                                                             .help = "of the requests; shares add up to 1"}}});

template <> inline constexpr std::string_view document_name<Workload> = "workload";
template <>
inline constexpr auto fields<Workload> = join(
    annotation_fields<Workload>,
    Rows{
        Field{"kind",
              &Workload::kind,
              {.required = true, .help = "inference follows demand by the hour; training and batch inference fill the month"}},
        Field{"unit", &Workload::unit, {.help = "what is counted: token, sample, image, request"}},
        Field{
            "runs_on",
            &Workload::runs_on,
            {.min = 1, .max = 64, .required = true, .help = "pools in order of preference; later ones are overflow and fallback"}},
        Field{
            "routing",
            &Workload::routing,
            {.help =
                 "in list order, or to the cheapest: of inference the least bill of each hour, else by marginal cost each month"}},
        Field{"model", &Workload::model, {.format = Format::slug, .help = "the model that is run"}},
        Field{"framework", &Workload::framework, {.help = "must be supported by the device"}},
        Field{"precision", &Workload::precision, {.help = "must be supported by the device"}},
        Field{"requires",
              &Workload::required_capabilities,
              {.format = Format::name, .help = "capabilities that the device must have: dynamic_shapes, sparsity, fp64"}},
        Field{"regions",
              &Workload::regions,
              {.format = Format::name,
               .help =
                   "where it may run: a seller's region, a country (ISO 3166), or eu, eea, us, uk, apac; everywhere where empty"}},
        Field{"memory_gib",
              &Workload::memory_gib,
              {.unit = "GiB", .min = 0, .max = 1e9, .help = "must fit the devices of a replica or gang"}},
        Field{"egress_gb_per_unit",
              &Workload::egress_gb_per_unit,
              {.unit = "GB/unit", .min = 0, .max = 1e9, .help = "data out a unit"}},
        Field{"unserved_cost_per_unit",
              &Workload::unserved_cost_per_unit,
              {.unit = "currency/unit", .min = 0, .max = kLargest, .help = "what work not done costs"}},
        Field{"max_unserved_fraction",
              &Workload::max_unserved_fraction,
              {.unit = "fraction",
               .min = 0,
               .max = 1,
               .help = "of the demand that may be left undone; more of it, without a price, makes the scenario infeasible"}},
        Field{
            "checkpoint", &Workload::checkpoint, {.only_for = "inference training", .help = "what an interruption costs in time"}},
        Field{"units_per_request",
              &Workload::units_per_request,
              {.unit = "units/request",
               .min = 0,
               .max = kLargest,
               .above_min = true,
               .only_for = "inference batch",
               .help = "number, or by class {input, cached_input, cache_write, output, reasoning}; beside token_mix its mean"}},
        Field{"token_mix",
              &Workload::token_mix,
              {.min = 0,
               .max = 64,
               .only_for = "inference batch",
               .help = "requests by length, in place of units_per_request: hosts bill each by itself, rates are of the mean"}},
        Field{"prefix",
              &Workload::prefix,
              {.only_for = "inference batch", .help = "the beginning that requests share, which an api's cache may have"}},
        Field{"output_cost_ratio",
              &Workload::output_cost_ratio,
              {.unit = "ratio",
               .min = 0,
               .max = 1e6,
               .above_min = true,
               .only_for = "inference batch",
               .help = "cost of an output unit in input units"}},
        Field{"cost_weights",
              &Workload::cost_weights,
              {.only_for = "inference batch",
               .help = "by which costs are split over classes, but for what an api billed; default 1 of input, "
                       "output_cost_ratio of output and reasoning, else 0"}},
        Field{"searches_per_request",
              &Workload::searches_per_request,
              {.unit = "searches/request",
               .min = 0,
               .max = 1e6,
               .only_for = "inference batch",
               .help = "that api pools charge fees.search for"}},
        Field{"images_per_request",
              &Workload::images_per_request,
              {.unit = "images/request",
               .min = 0,
               .max = 1e6,
               .only_for = "inference batch",
               .help = "that api pools charge fees.image for, beside units"}},
        Field{"tool_calls_per_request",
              &Workload::tool_calls_per_request,
              {.unit = "calls/request",
               .min = 0,
               .max = 1e6,
               .only_for = "inference batch",
               .help = "that api pools charge fees.tool_call for"}},
        Field{"demand", &Workload::demand, {.required = true, .only_for = "inference", .help = "requests by the hour"}},
        Field{"peak_utilization",
              &Workload::peak_utilization,
              {.unit = "fraction",
               .min = 0,
               .max = 1,
               .above_min = true,
               .only_for = "inference",
               .help = "headroom that the latency objective needs"}},
        Field{"spare_replicas",
              &Workload::spare_replicas,
              {.unit = "replicas",
               .min = 0,
               .max = 1e6,
               .only_for = "inference",
               .help = "held beside those that the hour's demand needs, paid and kept from others"}},
        Field{"availability",
              &Workload::availability,
              {.unit = "fraction",
               .min = 0,
               .max = 1,
               .only_for = "inference",
               .help = "of the demand that outages must leave served; with less the scenario is infeasible"}},
        Field{"slo",
              &Workload::slo,
              {.only_for = "inference", .help = "objectives of latency; entries that miss one are ineligible"}},
    },
    deferrable_fields,
    Rows{
        Field{"tags", &Workload::tags, {.format = Format::name, .help = "by which results are summed (by_tag): team, product"}},
    });

template <> inline constexpr std::string_view part_name<ServerPurchase> = "purchase";
template <>
inline constexpr auto fields<ServerPurchase> = Rows{
    Field{"month",
          &ServerPurchase::month,
          {.unit = "months",
           .min = -1200,
           .max = 239,
           .required = true,
           .help = "0 is the horizon's first; negative: bought before it"}},
    Field{"servers", &ServerPurchase::servers, {.unit = "servers", .min = 0, .max = 1e6, .required = true, .help = "how many"}},
    Field{"price",
          &ServerPurchase::price,
          {.unit = "currency of the server/server",
           .min = 0,
           .max = kLargest,
           .help = "what a server of this purchase cost; default by the server's price"}},
    Field{"lease", &ServerPurchase::lease, {.help = "leased, not bought: in place of a price"}},
    Field{"loan", &ServerPurchase::loan, {.help = "what it is paid with; default the pool's"}},
};

template <> inline constexpr std::string_view document_name<Pool> = "pool";
template <>
inline constexpr auto fields<Pool> = join(
    annotation_fields<Pool>,
    Rows{
        Field{"kind", &Pool::kind, {.required = true, .help = "rented, owned, or a hosted model"}},
        Field{"offer", &Pool::offer, {.required = true, .only_for = "cloud", .help = "what is rented"}},
        Field{"min_instances",
              &Pool::min_instances,
              {.unit = "instances", .min = 0, .max = 1e6, .only_for = "cloud", .help = "paid at all times"}},
        Field{"max_instances",
              &Pool::max_instances,
              {.unit = "instances", .min = 0, .max = 1e6, .required = true, .only_for = "cloud", .help = "the bound of scaling"}},
        Field{"from_month",
              &Pool::from_month,
              {.unit = "months",
               .min = -1200,
               .max = 1200,
               .only_for = "cloud",
               .help = "the first in which it is there; negative: signed before the start"}},
        Field{"months",
              &Pool::months,
              {.unit = "months",
               .min = 1,
               .max = 2400,
               .only_for = "cloud",
               .help = "for how long, whole terms of a commitment; default to the horizon's end"}},
        Field{"discount_fraction",
              &Pool::discount_fraction,
              {.unit = "fraction", .min = 0, .max = 1, .help = "off the list prices of an offer or an api (cloud and api)"}},
        Field{"server", &Pool::server, {.required = true, .only_for = "owned", .help = "what is bought"}},
        Field{"site", &Pool::site, {.required = true, .only_for = "owned", .help = "where it stands"}},
        Field{"purchases",
              &Pool::purchases,
              {.min = 1, .max = 1000, .required = true, .only_for = "owned", .help = "servers by month, a vintage each"}},
        Field{"refresh", &Pool::refresh, {.only_for = "owned", .help = "buy again at the end of life, like for like"}},
        Field{"loan", &Pool::loan, {.only_for = "owned", .help = "what purchases are paid with that state none"}},
        Field{"load_balancing",
              &Pool::load_balancing,
              {.only_for = "owned", .help = "spread the load evenly, or pack it on few devices"}},
        Field{"endpoint", &Pool::endpoint, {.only_for = "api", .help = "a hosted model, in place of its price and what follows"}},
    },
    hosted_fields<Pool>("api"),
    Rows{
        Field{"ramp_months",
              &Pool::ramp_months,
              {.unit = "months", .min = 0, .max = 240, .help = "paid but serving nothing: porting, burn-in (cloud and owned)"}},
        Field{"ramp",
              &Pool::ramp,
              {.curve = CurveKind::ramp, .help = "learning: fraction of the rate by months since it serves (cloud and owned)"}},
        Field{"extra_costs",
              &Pool::extra_costs,
              {.min = 0, .max = 1000, .help = "borne in months in which it has something to serve with"}},
        Field{"tags", &Pool::tags, {.format = Format::name, .help = "on its rows of the ledger"}},
    });

template <>
inline constexpr auto fields<ScenarioDocument> = join(
    annotation_fields<ScenarioDocument>,
    Rows{
        Field{"name", &ScenarioDocument::name, {.help = "what people call it"}},
        Field{"start", &ScenarioDocument::start, {.required = true, .help = "first month, YYYY-MM"}},
        Field{
            "months", &ScenarioDocument::months, {.unit = "months", .min = 1, .max = 240, .required = true, .help = "the horizon"}},
        Field{"time_zone", &ScenarioDocument::time_zone, {.help = "IANA name; months begin at its midnight"}},
        Field{"currency", &ScenarioDocument::currency, {.format = Format::currency, .help = "ISO 4217 code of all results"}},
        Field{"exchange_rates",
              &ScenarioDocument::exchange_rates,
              {.unit = "scenario currency/currency",
               .min = 0,
               .max = 1e9,
               .above_min = true,
               .format = Format::currency,
               .help = "of the documents in other currencies"}},
        Field{"finance", &ScenarioDocument::finance, {.help = "cost of capital, tax, carbon"}},
        Field{"allocation", &ScenarioDocument::allocation, {.help = "which workload bears what of a pool"}},
        Field{"workloads", &ScenarioDocument::workloads, {.min = 1, .max = 64, .required = true, .help = "what is to be done"}},
        Field{"pools", &ScenarioDocument::pools, {.min = 1, .max = 64, .required = true, .help = "where it can be done"}},
        Field{"extra_costs", &ScenarioDocument::extra_costs, {.min = 0, .max = 1000, .help = "borne each month, by no pool"}},
        Field{"tags", &ScenarioDocument::tags, {.format = Format::name, .help = "for people: what it belongs to"}},
    });

} // namespace costcurve::model
