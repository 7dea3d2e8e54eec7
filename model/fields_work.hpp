// Field tables of what is done and where it runs: performance, workload, pool, finance, scenario.
#pragma once

#include "model/field.hpp"

namespace costcurve::model {

template <>
inline constexpr auto fields<Estimate> = std::tuple{
    Field{"method", &Estimate::method, {.required = true, .help = "the roofline that stands in for a measurement"}},
    Field{"mfu",
          &Estimate::mfu,
          {.unit = "fraction", .min = 0, .max = 1, .above_min = true, .required = true, .help = "model FLOPs utilization"}},
    Field{"mbu",
          &Estimate::mbu,
          {.unit = "fraction", .min = 0, .max = 1, .above_min = true, .help = "memory bandwidth utilization; decode_roofline"}},
    Field{"active_parameters",
          &Estimate::active_parameters,
          {.unit = "parameters", .min = 1, .max = kLargest, .required = true, .help = "parameters that a token passes"}},
    Field{"weight_bytes",
          &Estimate::weight_bytes,
          {.unit = "B", .min = 0, .max = 1e18, .above_min = true, .help = "bytes of weights read a step; decode_roofline"}},
    Field{"kv_bytes_per_sequence",
          &Estimate::kv_bytes_per_sequence,
          {.unit = "B", .min = 0, .max = 1e18, .help = "bytes of KV cache read a sequence and step; decode_roofline"}},
};

template <>
inline constexpr auto fields<Performance> = std::tuple_cat(
    annotation_fields<Performance>,
    std::tuple{
        Field{"device", &Performance::device, {.help = "the accelerator it was measured on"}},
        Field{"devices", &Performance::devices, {.unit = "devices", .min = 1, .max = 1e6, .help = "of one replica or gang"}},
        Field{"units_per_s",
              &Performance::units_per_s,
              {.unit = "units/s",
               .min = 0,
               .max = kLargest,
               .above_min = true,
               .curve = CurveKind::throughput,
               .help = "of one replica or gang; number, or curve over batch or devices"}},
        Field{"estimate", &Performance::estimate, {.help = "a roofline, where nothing was measured"}},
        Field{"batch",
              &Performance::batch,
              {.unit = "sequences",
               .min = 1,
               .max = 1e6,
               .help = "where the curves are read; else the largest that keeps the latency objective"}},
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
        Field{"latency_s",
              &Performance::latency_s,
              {.unit = "s", .min = 0, .max = 1e6, .curve = CurveKind::latency, .help = "number, or curve over batch"}},
        Field{"basis", &Performance::basis, {.help = "how well the figure is known"}},
    });

template <>
inline constexpr auto fields<Checkpoint> = std::tuple{
    Field{"write_s", &Checkpoint::write_s, {.unit = "s", .min = 0, .max = 1e6, .help = "time to write a checkpoint"}},
    Field{
        "restart_s", &Checkpoint::restart_s, {.unit = "s", .min = 0, .max = 1e6, .help = "time to restart after an interruption"}},
    Field{"interval_s",
          &Checkpoint::interval_s,
          {.unit = "s", .min = 0, .max = 1e9, .above_min = true, .help = "between checkpoints; default Daly's optimum"}},
};

template <>
inline constexpr auto fields<Demand> = std::tuple{
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
    Field{"growth_per_month", &Demand::growth_per_month, {.unit = "1/month", .min = -1, .max = 10, .help = "compounding"}},
    Field{"time_zone", &Demand::time_zone, {.help = "IANA name; shape and utilization are read in it"}},
};

template <>
inline constexpr auto fields<UnitsPerRequest> = std::tuple{
    Field{"input",
          &UnitsPerRequest::input,
          {.unit = "units/request", .min = 0, .max = kLargest, .required = true, .help = "units in"}},
    Field{"output",
          &UnitsPerRequest::output,
          {.unit = "units/request", .min = 0, .max = kLargest, .required = true, .help = "units out"}},
};

template <>
inline constexpr auto fields<UnitPrice> = std::tuple{
    Field{"input",
          &UnitPrice::input,
          {.unit = "currency/million units",
           .min = 0,
           .max = kLargest,
           .required = true,
           .curve = CurveKind::price,
           .help = "of input units"}},
    Field{"output",
          &UnitPrice::output,
          {.unit = "currency/million units",
           .min = 0,
           .max = kLargest,
           .required = true,
           .curve = CurveKind::price,
           .help = "of output units"}},
};

template <>
inline constexpr auto fields<Porting> = std::tuple{
    Field{"engineer_weeks",
          &Porting::engineer_weeks,
          {.unit = "weeks", .min = 0, .max = 1e5, .help = "work to bring the workload to this pool"}},
};

template <>
inline constexpr auto fields<RunsOn> = std::tuple{
    Field{"pool", &RunsOn::pool, {.required = true, .format = Format::slug, .help = "id of a pool of the scenario"}},
    Field{"performance", &RunsOn::performance, {.help = "what a replica or gang does there; required but for an api pool"}},
    Field{"porting", &RunsOn::porting, {.help = "engineering to get there"}},
};

template <>
inline constexpr auto fields<Workload> = std::tuple_cat(
    annotation_fields<Workload>,
    std::tuple{
        Field{
            "kind", &Workload::kind, {.required = true, .help = "inference follows demand by the hour; training fills the month"}},
        Field{"unit", &Workload::unit, {.help = "what is counted: token, sample, image, request"}},
        Field{
            "runs_on",
            &Workload::runs_on,
            {.min = 1, .max = 64, .required = true, .help = "pools in order of preference; later ones are overflow and fallback"}},
        Field{"routing", &Workload::routing, {.help = "in order, or by marginal cost each hour"}},
        Field{"framework", &Workload::framework, {.help = "must be supported by the device"}},
        Field{"precision", &Workload::precision, {.help = "must be supported by the device"}},
        Field{"memory_gib",
              &Workload::memory_gib,
              {.unit = "GiB", .min = 0, .max = 1e9, .help = "must fit the devices of a replica or gang"}},
        Field{"egress_gb_per_unit",
              &Workload::egress_gb_per_unit,
              {.unit = "GB/unit", .min = 0, .max = 1e9, .help = "data out a unit"}},
        Field{"unserved_cost_per_unit",
              &Workload::unserved_cost_per_unit,
              {.unit = "currency/unit", .min = 0, .max = kLargest, .help = "what work not done costs"}},
        Field{"checkpoint", &Workload::checkpoint, {.help = "what an interruption costs in time"}},
        Field{"units_per_request",
              &Workload::units_per_request,
              {.unit = "units/request",
               .min = 0,
               .max = kLargest,
               .above_min = true,
               .only_for = "inference",
               .help = "number, or {input, output}"}},
        Field{"output_cost_ratio",
              &Workload::output_cost_ratio,
              {.unit = "ratio",
               .min = 0,
               .max = 1e6,
               .above_min = true,
               .only_for = "inference",
               .help = "cost of an output unit in input units"}},
        Field{"demand", &Workload::demand, {.required = true, .only_for = "inference", .help = "requests by the hour"}},
        Field{"peak_utilization",
              &Workload::peak_utilization,
              {.unit = "fraction",
               .min = 0,
               .max = 1,
               .above_min = true,
               .only_for = "inference",
               .help = "headroom that the latency objective needs"}},
        Field{"latency_objective_s",
              &Workload::latency_objective_s,
              {.unit = "s",
               .min = 0,
               .max = 1e6,
               .above_min = true,
               .only_for = "inference",
               .help = "picks the batch; entries that miss it are ineligible"}},
        Field{"units_per_epoch",
              &Workload::units_per_epoch,
              {.unit = "units/epoch",
               .min = 0,
               .max = 1e18,
               .above_min = true,
               .required = true,
               .only_for = "training",
               .help = "size of the data set"}},
        Field{"epochs_per_month",
              &Workload::epochs_per_month,
              {.unit = "epochs/month",
               .min = 0,
               .max = kLargest,
               .required = true,
               .only_for = "training",
               .curve = CurveKind::demand,
               .date_only = true,
               .help = "number, or curve over date"}},
    });

template <>
inline constexpr auto fields<ServerPurchase> = std::tuple{
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
};

template <>
inline constexpr auto fields<Pool> = std::tuple_cat(
    annotation_fields<Pool>,
    std::tuple{
        Field{"kind", &Pool::kind, {.required = true, .help = "rented, owned, or a hosted model"}},
        Field{"offer", &Pool::offer, {.required = true, .only_for = "cloud", .help = "what is rented"}},
        Field{"min_instances",
              &Pool::min_instances,
              {.unit = "instances", .min = 0, .max = 1e6, .only_for = "cloud", .help = "paid at all times"}},
        Field{"max_instances",
              &Pool::max_instances,
              {.unit = "instances", .min = 0, .max = 1e6, .required = true, .only_for = "cloud", .help = "the bound of scaling"}},
        Field{"server", &Pool::server, {.required = true, .only_for = "owned", .help = "what is bought"}},
        Field{"site", &Pool::site, {.required = true, .only_for = "owned", .help = "where it stands"}},
        Field{"purchases",
              &Pool::purchases,
              {.min = 1, .max = 1000, .required = true, .only_for = "owned", .help = "servers by month, a vintage each"}},
        Field{"refresh", &Pool::refresh, {.only_for = "owned", .help = "buy again at the end of life, like for like"}},
        Field{"load_balancing",
              &Pool::load_balancing,
              {.only_for = "owned", .help = "spread the load evenly, or pack it on few devices"}},
        Field{"price_per_million_units",
              &Pool::price_per_million_units,
              {.unit = "scenario currency/million units",
               .min = 0,
               .max = kLargest,
               .required = true,
               .only_for = "api",
               .curve = CurveKind::price,
               .help = "number, date curve, or {input, output}"}},
        Field{"max_units_per_s",
              &Pool::max_units_per_s,
              {.unit = "units/s",
               .min = 0,
               .max = kLargest,
               .only_for = "api",
               .help = "rate limit, shared by all workloads; default unbounded"}},
        Field{"provider", &Pool::provider, {.only_for = "api", .help = "who hosts it"}},
        Field{"model", &Pool::model, {.only_for = "api", .help = "which model"}},
        Field{"ramp_months",
              &Pool::ramp_months,
              {.unit = "months", .min = 0, .max = 240, .help = "paid but serving nothing: porting, burn-in (cloud and owned)"}},
    });

template <>
inline constexpr auto fields<Finance> = std::tuple{
    Field{"discount_rate", &Finance::discount_rate, {.unit = "1/year", .min = 0, .max = 10, .help = "cost of capital"}},
    Field{"capital", &Finance::capital, {.help = "how hardware becomes a monthly cost"}},
    Field{"tax_rate", &Finance::tax_rate, {.unit = "fraction", .min = 0, .max = 1, .help = "on profit"}},
    Field{"tax_depreciation", &Finance::tax_depreciation, {.help = "how hardware is written off for tax"}},
    Field{"tax_depreciation_rate",
          &Finance::tax_depreciation_rate,
          {.unit = "1/year", .min = 0, .max = 12, .above_min = true, .help = "of declining_balance"}},
    Field{"carbon_price_per_tonne",
          &Finance::carbon_price_per_tonne,
          {.unit = "scenario currency/t", .min = 0, .max = kLargest, .help = "internal price of CO2e"}},
    Field{"engineer_week_cost",
          &Finance::engineer_week_cost,
          {.unit = "scenario currency/week", .min = 0, .max = kLargest, .help = "of porting"}},
};

template <>
inline constexpr auto fields<ScenarioDocument> = std::tuple_cat(
    annotation_fields<ScenarioDocument>,
    std::tuple{
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
        Field{"workloads", &ScenarioDocument::workloads, {.min = 1, .max = 64, .required = true, .help = "what is to be done"}},
        Field{"pools", &ScenarioDocument::pools, {.min = 1, .max = 64, .required = true, .help = "where it can be done"}},
    });

} // namespace costcurve::model
