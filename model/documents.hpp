// The documents a scenario is made of, as plain values: field names and units are those of the JSON.
// Ranges, units and help of each field stand in model/fields.hpp; cross-field rules in model/scenario.cpp.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "model/curve.hpp"

namespace costcurve::model {

enum class DeviceKind { gpu, tpu, asic, cpu };
enum class Purchase { on_demand, spot, reserved, committed, dedicated };
enum class Capital { straight_line, annuity };
enum class TaxDepreciation { straight_line, macrs_5, declining_balance };
enum class WorkloadKind { inference, training };
enum class Routing { in_order, cheapest };
enum class PoolKind { cloud, owned, api };
enum class LoadBalancing { spread, pack };
enum class EstimateMethod { training_flops, decode_roofline };

template <> inline constexpr auto enum_names<DeviceKind> = std::to_array<std::string_view>({"gpu", "tpu", "asic", "cpu"});
template <>
inline constexpr auto enum_names<Purchase> = std::to_array<std::string_view>({"on_demand", "spot", "reserved", "committed",
                                                                              "dedicated"});
template <> inline constexpr auto enum_names<Capital> = std::to_array<std::string_view>({"straight_line", "annuity"});
template <>
inline constexpr auto enum_names<TaxDepreciation> = std::to_array<std::string_view>({"straight_line", "macrs_5",
                                                                                     "declining_balance"});
template <> inline constexpr auto enum_names<WorkloadKind> = std::to_array<std::string_view>({"inference", "training"});
template <> inline constexpr auto enum_names<Routing> = std::to_array<std::string_view>({"in_order", "cheapest"});
template <> inline constexpr auto enum_names<PoolKind> = std::to_array<std::string_view>({"cloud", "owned", "api"});
template <> inline constexpr auto enum_names<LoadBalancing> = std::to_array<std::string_view>({"spread", "pack"});
template <>
inline constexpr auto enum_names<EstimateMethod> = std::to_array<std::string_view>({"training_flops", "decode_roofline"});

/// A number, or a curve where one is given. A number is a flat curve.
struct Rate {
    double number = 0.0;
    std::optional<Curve> curve;
};

/// The id of a document that is only compared, never read ("" where it is not named).
struct Identity {
    std::string id;
};

/// A calendar month.
struct YearMonth {
    int year = 1970;
    int month = 1; ///< 1 to 12
};

/// A calendar day, as text `YYYY-MM-DD` ("" where it is not named).
struct Date {
    std::string text;
};

struct Device {
    std::string id, source, note;
    Stored stored;
    DeviceKind kind = DeviceKind::gpu;
    std::string vendor;
    std::optional<double> memory_gib;
    std::optional<double> memory_bandwidth_gb_per_s;
    double idle_w = 0.0;
    double tdp_w = 0.0;
    std::optional<Curve> power;
    std::map<std::string, double> peak_flops;
    std::vector<std::string> frameworks;
    std::vector<std::string> precisions;
    std::optional<bool> ownable;
    Date released;
};

struct Site {
    std::string id, source, note;
    Stored stored;
    std::string time_zone = "UTC";
    Rate energy_price;
    double energy_price_growth_rate = 0.0;
    double demand_charge_per_kw_month = 0.0;
    Rate pue{1.0, std::nullopt};
    Rate carbon_g_per_kwh;
    double space_per_kw_month = 0.0;
    double space_per_rack_month = 0.0;
    double rack_units_per_rack = 42.0;
    double facility_price_per_w = 0.0;
    std::optional<int> facility_life_months;
    std::optional<double> rack_kw;
    double fte = 0.0;
    double fte_per_server = 0.0;
    double salary_per_year = 0.0;
    double network_per_month = 0.0;
    double storage_per_month = 0.0;
    std::string currency;
};

struct Offer {
    std::string id, source, note;
    Stored stored;
    std::string provider;
    std::string region;
    std::string sku;
    Device device;
    int devices = 1;
    Purchase purchase = Purchase::on_demand;
    Rate hourly_price;
    double price_growth_rate = 0.0;
    double upfront = 0.0;
    std::optional<int> term_months;
    double interruptions_per_hour = 0.0;
    double egress_per_gb = 0.0;
    std::optional<Site> site;
    std::string currency;
};

struct Server {
    std::string id, source, note;
    Stored stored;
    Device device;
    int devices = 1;
    double price = 0.0;
    double network_price = 0.0;
    double storage_price = 0.0;
    double price_change_rate = 0.0;
    int life_months = 48;
    Rate residual_fraction;
    double host_idle_w = 0.0;
    double host_max_w = 0.0;
    std::optional<double> rack_units;
    double maintenance_rate = 0.0;
    double software_per_device_year = 0.0;
    double failures_per_hour = 0.0;
    double embodied_kg = 0.0;
    std::string currency;
};

struct Estimate {
    EstimateMethod method = EstimateMethod::training_flops;
    double mfu = 0.0;
    std::optional<double> mbu;
    double active_parameters = 0.0;
    std::optional<double> weight_bytes;
    double kv_bytes_per_sequence = 0.0;
};

struct Performance {
    std::string id, source, note;
    Stored stored;
    Identity device;
    int devices = 1;
    std::optional<Rate> units_per_s;
    std::optional<Estimate> estimate;
    std::optional<int> batch;
    std::optional<Rate> scaling;
    std::optional<double> input_units_per_s;
    std::string precision;
    std::string framework;
    std::optional<Rate> latency_s;
    Evidence basis = Evidence::measured;
};

struct Checkpoint {
    double write_s = 0.0;
    double restart_s = 0.0;
    std::optional<double> interval_s;
};

struct Demand {
    std::optional<double> mean_per_s;
    std::optional<Rate> utilization;
    std::optional<double> reference_devices;
    std::optional<double> units_per_s_per_device;
    std::optional<Rate> shape;
    double growth_per_month = 0.0;
    std::string time_zone = "UTC";
};

/// Units a request counts: one number, or tokens in and out apart.
struct UnitsPerRequest {
    bool split = false;
    double total = 1.0; ///< where not split
    double input = 0.0;
    double output = 0.0;
};

/// The price of a hosted model: one, or one for input and one for output units.
struct UnitPrice {
    bool split = false;
    Rate total; ///< where not split
    Rate input;
    Rate output;
};

struct Porting {
    double engineer_weeks = 0.0;
};

struct RunsOn {
    std::string pool;
    std::optional<Performance> performance;
    Porting porting;
};

struct Workload {
    std::string id, source, note;
    WorkloadKind kind = WorkloadKind::inference;
    std::string unit = "unit";
    std::vector<RunsOn> runs_on;
    Routing routing = Routing::in_order;
    std::string framework;
    std::string precision;
    std::optional<double> memory_gib;
    double egress_gb_per_unit = 0.0;
    double unserved_cost_per_unit = 0.0;
    Checkpoint checkpoint;
    // inference
    UnitsPerRequest units_per_request;
    double output_cost_ratio = 4.0;
    Demand demand;
    double peak_utilization = 1.0;
    std::optional<double> latency_objective_s;
    // training
    double units_per_epoch = 0.0;
    Rate epochs_per_month;
};

/// Servers bought in a month of the horizon (0-based; negative: before it). One vintage.
struct ServerPurchase {
    int month = 0;
    int servers = 1;
    std::optional<double> price; ///< of one server, in the server's currency; the server's price where unstated
};

struct Pool {
    std::string id, source, note;
    PoolKind kind = PoolKind::cloud;
    int ramp_months = 0;
    // cloud
    std::optional<Offer> offer;
    int min_instances = 0;
    int max_instances = 0;
    // owned
    std::optional<Server> server;
    std::optional<Site> site;
    std::vector<ServerPurchase> purchases;
    bool refresh = false;
    LoadBalancing load_balancing = LoadBalancing::spread;
    // api
    UnitPrice price_per_million_units;
    std::optional<double> max_units_per_s;
    std::string provider;
    std::string model;
};

struct Finance {
    double discount_rate = 0.0;
    Capital capital = Capital::straight_line;
    double tax_rate = 0.0;
    TaxDepreciation tax_depreciation = TaxDepreciation::straight_line;
    std::optional<double> tax_depreciation_rate;
    double carbon_price_per_tonne = 0.0;
    double engineer_week_cost = 0.0;
};

struct ScenarioDocument {
    std::string id, source, note;
    Stored stored;
    std::string name;
    YearMonth start;
    int months = 36;
    std::string time_zone = "UTC";
    std::string currency = "USD";
    std::map<std::string, double> exchange_rates;
    Finance finance;
    std::vector<Workload> workloads;
    std::vector<Pool> pools;
};

} // namespace costcurve::model
