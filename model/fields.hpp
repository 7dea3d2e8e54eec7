// The field tables: name, unit, range, default and help of every field of every document. One truth for
// decoding, encoding, the OpenAPI text, `/v1/fields`, the dashboard's forms and the check of the docs.
// A default is the member's initializer in model/documents.hpp. Conversion of currencies goes by `unit` too.
#pragma once

#include <limits>
#include <string_view>
#include <tuple>

#include "model/documents.hpp"

namespace costcurve::model {

inline constexpr double kInfinite = std::numeric_limits<double>::infinity();
/// The largest magnitude of a price, a count of work or a rate: far above any real one, far below trouble.
inline constexpr double kLargest = 1e15;

/// What a text must look like.
enum class Format { text, slug, currency };

/// What a field means and may hold. `only_for` names the document's `kind` that has it ("" for all).
/// A unit that begins with `currency` is money: it is converted to the scenario's currency.
struct FieldSpec {
    std::string_view unit = "";
    double min = -kInfinite;
    double max = kInfinite;
    bool above_min = false; ///< min itself is not allowed
    bool required = false;
    std::string_view only_for = "";
    CurveKind curve = CurveKind::price; ///< of a rate or a curve
    bool date_only = false;             ///< of that kind's axes, only the date
    Format format = Format::text;
    std::string_view help = "";
};

template <class T, class M> struct Field {
    std::string_view name;
    M T::*member;
    FieldSpec spec;
};

/// fields<T>: a tuple of Field, one a member, in the order of the documentation.
template <class T> inline constexpr int fields = 0;
/// What the document is called in messages and paths.
template <class T> inline constexpr std::string_view document_name = "object";

template <class T, class F> constexpr void for_each_field(F&& visit) {
    std::apply([&](const auto&... field) { (visit(field), ...); }, fields<T>);
}

template <class T>
inline constexpr auto annotation_fields = std::tuple{
    Field<T, std::string>{"id", &T::id, {.format = Format::slug, .help = "slug: [a-z0-9][a-z0-9._-]{0,127}"}},
    Field<T, std::string>{"source", &T::source, {.help = "where the figures are from: URL, file and row, 'measured'"}},
    Field<T, std::string>{"note", &T::note, {.help = "free text"}},
};

template <> inline constexpr std::string_view document_name<Device> = "device";
template <> inline constexpr std::string_view document_name<Site> = "site";
template <> inline constexpr std::string_view document_name<Offer> = "offer";
template <> inline constexpr std::string_view document_name<Server> = "server";
template <> inline constexpr std::string_view document_name<Performance> = "performance";
template <> inline constexpr std::string_view document_name<Workload> = "workload";
template <> inline constexpr std::string_view document_name<Pool> = "pool";
template <> inline constexpr std::string_view document_name<Finance> = "finance";
template <> inline constexpr std::string_view document_name<ScenarioDocument> = "scenario";

// `points`, [[x, y], …], stands beside these: its form depends on the axis.
template <> inline constexpr std::string_view document_name<Curve> = "curve";
template <>
inline constexpr auto fields<Curve> = std::tuple_cat(
    annotation_fields<Curve>, std::tuple{
                                  Field{"kind", &Curve::kind, {.required = true, .help = "what y is"}},
                                  Field{"axis", &Curve::axis, {.required = true, .help = "what x is"}},
                                  Field{"interpolation",
                                        &Curve::interpolation,
                                        {.help = "between points: a line, the value at the left, or a line of logarithms"}},
                                  Field{"outside", &Curve::outside, {.help = "beyond the ends: hold the last value, or refuse"}},
                              });

template <>
inline constexpr auto fields<Device> = std::tuple_cat(
    annotation_fields<Device>,
    std::tuple{
        Field{"kind", &Device::kind, {.required = true, .help = "what it is"}},
        Field{"vendor", &Device::vendor, {.help = "who makes it"}},
        Field{"memory_gib",
              &Device::memory_gib,
              {.unit = "GiB", .min = 0, .max = 1e5, .above_min = true, .help = "memory of one device; unknown is not checked"}},
        Field{"memory_bandwidth_gb_per_s",
              &Device::memory_bandwidth_gb_per_s,
              {.unit = "GB/s", .min = 0, .max = 1e6, .above_min = true, .help = "peak memory bandwidth of one device"}},
        Field{"idle_w", &Device::idle_w, {.unit = "W", .min = 0, .max = 20000, .help = "power at no load"}},
        Field{"tdp_w",
              &Device::tdp_w,
              {.unit = "W", .min = 1, .max = 20000, .required = true, .help = "thermal design power, the draw at full load"}},
        Field{"power",
              &Device::power,
              {.curve = CurveKind::power, .help = "measured power by utilization; else idle_w to tdp_w in a straight line"}},
        Field{"peak_flops",
              &Device::peak_flops,
              {.unit = "FLOP/s", .min = 0, .max = 1e18, .above_min = true, .help = "dense peak by precision"}},
        Field{"frameworks", &Device::frameworks, {.help = "frameworks it runs; empty is unknown"}},
        Field{"precisions", &Device::precisions, {.help = "number formats it computes in; empty is unknown"}},
        Field{"ownable", &Device::ownable, {.help = "can be bought; default true, false for a tpu"}},
        Field{"released", &Device::released, {.help = "date of release, YYYY-MM-DD"}},
    });

template <>
inline constexpr auto fields<Site> = std::tuple_cat(
    annotation_fields<Site>,
    std::tuple{
        Field{"time_zone", &Site::time_zone, {.help = "IANA name; tariffs, PUE and carbon are read in it"}},
        Field{"energy_price",
              &Site::energy_price,
              {.unit = "currency/kWh",
               .min = -1e6,
               .max = 1e6,
               .required = true,
               .curve = CurveKind::tariff,
               .help = "price of energy; may be negative"}},
        Field{"energy_price_growth_rate",
              &Site::energy_price_growth_rate,
              {.unit = "1/year", .min = -0.99, .max = 10, .help = "of energy_price, compounding monthly"}},
        Field{"demand_charge_per_kw_month",
              &Site::demand_charge_per_kw_month,
              {.unit = "currency/kW/month", .min = 0, .max = kLargest, .help = "on the month's largest facility power"}},
        Field{"pue",
              &Site::pue,
              {.unit = "ratio", .min = 1, .max = 10, .curve = CurveKind::pue, .help = "facility power over IT power"}},
        Field{"carbon_g_per_kwh",
              &Site::carbon_g_per_kwh,
              {.unit = "g/kWh", .min = 0, .max = 1e5, .curve = CurveKind::carbon, .help = "carbon intensity of the grid"}},
        Field{"space_per_kw_month",
              &Site::space_per_kw_month,
              {.unit = "currency/kW/month", .min = 0, .max = kLargest, .help = "colocation, on nameplate power"}},
        Field{"space_per_rack_month",
              &Site::space_per_rack_month,
              {.unit = "currency/rack/month", .min = 0, .max = kLargest, .help = "colocation, by the rack"}},
        Field{"rack_units_per_rack", &Site::rack_units_per_rack, {.unit = "U", .min = 1, .max = 100, .help = "height of a rack"}},
        Field{"facility_price_per_w",
              &Site::facility_price_per_w,
              {.unit = "currency/W", .min = 0, .max = kLargest, .help = "own build, on nameplate power"}},
        Field{"facility_life_months",
              &Site::facility_life_months,
              {.unit = "months", .min = 1, .max = 1200, .help = "life of an own-build facility"}},
        Field{"rack_kw", &Site::rack_kw, {.unit = "kW", .min = 0, .max = 1e4, .above_min = true, .help = "power a rack can carry"}},
        Field{"fte", &Site::fte, {.unit = "people", .min = 0, .max = 1e5, .help = "staff, fixed"}},
        Field{"fte_per_server",
              &Site::fte_per_server,
              {.unit = "people/server", .min = 0, .max = 1e3, .help = "staff by server in service"}},
        Field{"salary_per_year",
              &Site::salary_per_year,
              {.unit = "currency/person/year", .min = 0, .max = kLargest, .help = "loaded cost of one of the staff"}},
        Field{"network_per_month",
              &Site::network_per_month,
              {.unit = "currency/month", .min = 0, .max = kLargest, .help = "connectivity"}},
        Field{"storage_per_month",
              &Site::storage_per_month,
              {.unit = "currency/month", .min = 0, .max = kLargest, .help = "storage service"}},
        Field{"currency", &Site::currency, {.format = Format::currency, .help = "ISO 4217 code; default the scenario's"}},
    });

template <>
inline constexpr auto fields<Offer> = std::tuple_cat(
    annotation_fields<Offer>,
    std::tuple{
        Field{"provider", &Offer::provider, {.required = true, .help = "who sells it"}},
        Field{"region", &Offer::region, {.help = "the provider's name of the region"}},
        Field{"sku", &Offer::sku, {.help = "the provider's name of the instance"}},
        Field{"device", &Offer::device, {.required = true, .help = "the accelerator in it"}},
        Field{"devices",
              &Offer::devices,
              {.unit = "devices/instance", .min = 1, .max = 1e6, .required = true, .help = "accelerators in an instance"}},
        Field{"purchase", &Offer::purchase, {.required = true, .help = "how it is bought"}},
        Field{"hourly_price",
              &Offer::hourly_price,
              {.unit = "currency/instance-hour",
               .min = 0,
               .max = kLargest,
               .required = true,
               .curve = CurveKind::price,
               .help = "of an instance"}},
        Field{"price_growth_rate",
              &Offer::price_growth_rate,
              {.unit = "1/year", .min = -0.99, .max = 10, .help = "of hourly_price, compounding monthly"}},
        Field{"upfront",
              &Offer::upfront,
              {.unit = "currency/instance/term",
               .min = 0,
               .max = kLargest,
               .help = "paid at the start of each term; reserved, committed and dedicated"}},
        Field{"term_months",
              &Offer::term_months,
              {.unit = "months", .min = 1, .max = 1200, .help = "length of the commitment; 1 for dedicated"}},
        Field{"interruptions_per_hour",
              &Offer::interruptions_per_hour,
              {.unit = "1/instance-hour", .min = 0, .max = 3600, .help = "rate at which an instance is taken away"}},
        Field{"egress_per_gb", &Offer::egress_per_gb, {.unit = "currency/GB", .min = 0, .max = kLargest, .help = "data out"}},
        Field{"site", &Offer::site, {.help = "energy and carbon profile of the region"}},
        Field{"currency", &Offer::currency, {.format = Format::currency, .help = "ISO 4217 code; default the scenario's"}},
    });

template <>
inline constexpr auto fields<Server> = std::tuple_cat(
    annotation_fields<Server>,
    std::tuple{
        Field{"device", &Server::device, {.required = true, .help = "the accelerator in it"}},
        Field{"devices",
              &Server::devices,
              {.unit = "devices/server", .min = 1, .max = 1e4, .required = true, .help = "accelerators in a server"}},
        Field{"price",
              &Server::price,
              {.unit = "currency/server", .min = 0, .max = kLargest, .required = true, .help = "with its devices"}},
        Field{"network_price",
              &Server::network_price,
              {.unit = "currency/server", .min = 0, .max = kLargest, .help = "network capital by server"}},
        Field{"storage_price",
              &Server::storage_price,
              {.unit = "currency/server", .min = 0, .max = kLargest, .help = "storage capital by server"}},
        Field{"price_change_rate",
              &Server::price_change_rate,
              {.unit = "1/year", .min = -0.99, .max = 10, .help = "of the three prices, from the horizon's start"}},
        Field{"life_months",
              &Server::life_months,
              {.unit = "months", .min = 1, .max = 600, .required = true, .help = "service life"}},
        Field{"residual_fraction",
              &Server::residual_fraction,
              {.unit = "fraction",
               .min = 0,
               .max = 1,
               .curve = CurveKind::residual,
               .help = "resale value as a fraction of the price, at the end of life; number, or curve over age"}},
        Field{"host_idle_w",
              &Server::host_idle_w,
              {.unit = "W", .min = 0, .max = 1e5, .help = "power without the devices, at no load"}},
        Field{"host_max_w",
              &Server::host_max_w,
              {.unit = "W", .min = 0, .max = 1e5, .help = "power without the devices, at full load"}},
        Field{"rack_units", &Server::rack_units, {.unit = "U", .min = 0, .max = 100, .above_min = true, .help = "height"}},
        Field{"maintenance_rate",
              &Server::maintenance_rate,
              {.unit = "1/year", .min = 0, .max = 10, .help = "of the purchase price"}},
        Field{"software_per_device_year",
              &Server::software_per_device_year,
              {.unit = "currency/device/year", .min = 0, .max = kLargest, .help = "licences"}},
        Field{"failures_per_hour",
              &Server::failures_per_hour,
              {.unit = "1/server-hour", .min = 0, .max = 3600, .help = "rate at which a server fails"}},
        Field{"embodied_kg",
              &Server::embodied_kg,
              {.unit = "kg CO2e/server", .min = 0, .max = 1e7, .help = "carbon of making it, straight-line over its life"}},
        Field{"currency", &Server::currency, {.format = Format::currency, .help = "ISO 4217 code; default the scenario's"}},
    });

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
    Field{"servers", &ServerPurchase::servers, {.unit = "servers", .min = 1, .max = 1e6, .required = true, .help = "how many"}},
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
