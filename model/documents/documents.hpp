// The documents a scenario is made of, as plain values: field names and units are those of the JSON.
// Ranges, units and help of each field stand in model/documents/fields.hpp; cross-field rules in model/scenario.cpp.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "model/documents/hosted.hpp"
#include "model/documents/language_model.hpp"
#include "model/documents/money.hpp"
#include "model/documents/performance.hpp"
#include "model/documents/sites/site.hpp"
#include "model/documents/terms/exchange_forward.hpp"
#include "model/documents/terms/spend_commitment.hpp"
#include "model/documents/values.hpp"

namespace costcurve::model {

enum class DeviceKind { gpu, tpu, asic, cpu };
enum class Purchase { on_demand, spot, reserved, committed, dedicated, block };
enum class LeaseEnd { leave, renew, buy };
enum class LoanKind { annuity, linear, bullet };
enum class WorkloadKind { inference, training, batch };
enum class Routing { in_order, cheapest };
enum class PoolKind { cloud, owned, api };
enum class LoadBalancing { spread, pack };
enum class LinkKind { nvlink, infinity_fabric, ici, neuronlink, pcie, ethernet, infiniband };

template <> inline constexpr auto enum_names<DeviceKind> = std::to_array<std::string_view>({"gpu", "tpu", "asic", "cpu"});
template <>
inline constexpr auto enum_names<Purchase> = std::to_array<std::string_view>({"on_demand", "spot", "reserved", "committed",
                                                                              "dedicated", "block"});
template <> inline constexpr auto enum_names<LeaseEnd> = std::to_array<std::string_view>({"return", "renew", "buy"});
template <> inline constexpr auto enum_names<LoanKind> = std::to_array<std::string_view>({"annuity", "linear", "bullet"});
template <> inline constexpr auto enum_names<WorkloadKind> = std::to_array<std::string_view>({"inference", "training", "batch"});
template <> inline constexpr auto enum_names<Routing> = std::to_array<std::string_view>({"in_order", "cheapest"});
template <> inline constexpr auto enum_names<PoolKind> = std::to_array<std::string_view>({"cloud", "owned", "api"});
template <> inline constexpr auto enum_names<LoadBalancing> = std::to_array<std::string_view>({"spread", "pack"});
template <>
inline constexpr auto enum_names<LinkKind> = std::to_array<std::string_view>({"nvlink", "infinity_fabric", "ici", "neuronlink",
                                                                              "pcie", "ethernet", "infiniband"});

/// A part of a device that works by itself (MIG and the like).
struct Slice {
    double fraction = 1.0;
    double memory_gib = 0.0;
    friend bool operator==(const Slice&, const Slice&) = default;
};

/// What connects devices, one way each.
struct Interconnect {
    std::optional<double> intra_gb_per_s; ///< of one device to the others of its host or scale-up domain
    std::optional<double> inter_gb_per_s; ///< of one device to those of other hosts
    std::optional<LinkKind> kind;         ///< of the former
    friend bool operator==(const Interconnect&, const Interconnect&) = default;
};

struct Device {
    std::string id, source, note;
    Stored stored;
    DeviceKind kind = DeviceKind::gpu;
    std::string vendor;
    std::optional<double> memory_gib;
    std::optional<double> memory_bandwidth_gb_per_s;
    double idle_w = 0.0;
    std::optional<double> loaded_idle_w; ///< no load, a model in its memory; not known where unstated
    double tdp_w = 0.0;
    std::optional<Curve> power;
    std::map<std::string, double> peak_flops;
    std::vector<std::string> frameworks;
    std::vector<std::string> precisions;
    std::vector<std::string> capabilities;
    std::optional<Interconnect> links;
    std::map<std::string, Slice> slices; ///< by name
    std::optional<bool> ownable;
    Date released;
    friend bool operator==(const Device&, const Device&) = default;
};

struct Offer {
    std::string id, source, note;
    Stored stored;
    std::string provider, region, country, zone, sku;
    Device device;
    int devices = 1;
    Purchase purchase = Purchase::on_demand;
    Rate hourly_price;
    double price_growth_rate = 0.0;
    double upfront = 0.0;
    std::optional<int> term_months;
    std::optional<int> term_days;                                 ///< in place of months
    std::optional<double> begins_at_utc_hour;                     ///< of days; midnight of the scenario's zone where unstated
    std::optional<TermResale> resale;                             ///< none where unstated
    std::optional<double> interruptions_per_hour;                 ///< not known where unstated, of a spot offer
    std::optional<double> replacement_s;                          ///< 0 where unstated
    std::optional<double> availability_fraction;                  ///< not known where unstated, of a spot offer
    std::optional<double> boot_s, idle_timeout_s, billing_step_s; ///< of an instance; not known where unstated
    std::optional<double> minimum_seconds;                        ///< that an instance is paid for; 0 where unstated
    double egress_per_gb = 0.0;
    std::vector<EgressTier> egress_tiers;       ///< in place of egress_per_gb, ascending by destination
    std::vector<VolumeTier> volume_tiers;       ///< of device-hours a month, ascending
    std::optional<double> storage_per_gb_month; ///< of weights and checkpoints; not billed where unstated
    std::optional<double> host_idle_w;          ///< of an instance, without devices; not known where neither is stated
    std::optional<double> host_max_w;
    std::optional<Site> site;
    std::string currency;
    friend bool operator==(const Offer&, const Offer&) = default;
};

struct Server {
    std::string id, source, note;
    Stored stored;
    Device device;
    int devices = 1;
    double price = 0.0;
    Date price_date; ///< of the price; not known where unstated
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
    std::optional<double> failures_per_hour; ///< 0 where unstated
    std::optional<double> repair_hours;      ///< 0 where unstated
    std::optional<double> failure_shape;     ///< Weibull: of failures_per_hour, then their mean over the life
    std::optional<Curve> failure_factor;     ///< of failures_per_hour, by age in months
    double spares_fraction = 0.0;            ///< servers bought beside those in service, of these
    double embodied_kg = 0.0;
    std::string currency;
    friend bool operator==(const Server&, const Server&) = default;
};

/// Names of a device, or of an instance type with several, as they stand in published files: what imports know them by.
struct Alias {
    std::string id, source, note;
    Stored stored;
    std::vector<std::string> names;
    std::string device; ///< an id
    int devices = 1;    ///< above 1 the names are of instance types
    friend bool operator==(const Alias&, const Alias&) = default;
};

struct Checkpoint {
    double write_s = 0.0;
    std::optional<double> restart_s; ///< 0 where unstated
    std::optional<double> interval_s;
    std::optional<double> size_gb; ///< of one that is stored; none is where unstated
    int kept = 1;                  ///< at once
    friend bool operator==(const Checkpoint&, const Checkpoint&) = default;
};

/// Inside each hour: for a share of it the rate is `factor` times the hour's mean, else what keeps the mean.
struct Burst {
    double factor = 1.0;
    double seconds = 0.0; ///< of one
    double per_day = 0.0;
    friend bool operator==(const Burst&, const Burst&) = default;
    /// The share of time in bursts.
    [[nodiscard]] double share() const { return seconds * per_day / 86400; }
};

struct Demand {
    std::optional<double> mean_per_s;
    std::optional<Rate> utilization;
    std::optional<double> reference_devices;
    std::optional<double> units_per_s_per_device;
    std::optional<Rate> shape;
    std::optional<Burst> burst;
    double growth_per_month = 0.0;
    std::string time_zone = "UTC";
    friend bool operator==(const Demand&, const Demand&) = default;
    /// Whether the rate changes within an hour.
    [[nodiscard]] bool has_bursts() const { return burst && burst->factor > 1.0; }
};

struct Porting {
    double engineer_weeks = 0.0;
    friend bool operator==(const Porting&, const Porting&) = default;
};

struct RunsOn {
    std::string pool;
    std::optional<Performance> performance;
    Porting porting;
    std::optional<ServiceTier> service_tier = std::nullopt; ///< of an api pool
    std::optional<double> share = std::nullopt;             ///< of the work; of all entries of a workload or of none
    std::optional<Phase> phase = std::nullopt;              ///< of a pair (pairs/pair_work.hpp); all of a request where unstated
    std::optional<double> cache_bytes_per_token = std::nullopt, link_gb_per_s = std::nullopt; ///< of a pair's first entry
    friend bool operator==(const RunsOn&, const RunsOn&) = default;
};

/// Some of the requests: a share of them has so many units by class.
struct TokenBucket : ByClass<double> {
    double share = 0.0;
    friend bool operator==(const TokenBucket&, const TokenBucket&) = default;
};

struct Workload {
    std::string id, source, note;
    WorkloadKind kind = WorkloadKind::inference;
    std::string unit = "unit";
    std::vector<RunsOn> runs_on;
    Routing routing = Routing::in_order;
    std::string model;
    std::string framework;
    std::string precision;
    std::vector<std::string> required_capabilities;
    std::vector<std::string> regions;
    std::optional<double> memory_gib;
    double egress_gb_per_unit = 0.0;
    std::string egress_destination;  ///< "" the internet
    std::optional<double> stored_gb; ///< of weights where it runs; those of its performance where unstated
    double unserved_cost_per_unit = 0.0;
    double max_unserved_fraction = 0.0;
    Checkpoint checkpoint;
    // inference and batch
    UnitsPerRequest units_per_request; ///< not read where there is a token_mix (classes.hpp: mean_request)
    std::vector<TokenBucket> token_mix;
    std::optional<Prefix> prefix;
    double output_cost_ratio = 4.0;
    ClassWeights cost_weights;
    double searches_per_request = 0.0;
    double images_per_request = 0.0;
    double tool_calls_per_request = 0.0;
    // inference
    Demand demand;
    double peak_utilization = 1.0;
    int spare_replicas = 0;
    std::optional<double> availability;
    Slo slo;
    // batch
    Rate requests_per_month;
    // training
    double units_per_epoch = 0.0;
    std::optional<Rate> epochs_per_month; ///< this, or epochs
    std::optional<double> epochs;         ///< of one run, from the horizon's first month
    int start_day = 1;                    ///< of the run, in that month
    std::optional<double> within_days;
    std::optional<double> fall_back_after_days; ///< of the run: then its last entry does what is left, the others before it
    std::optional<double> sequence;             ///< tokens of a sample
    TrainingMethod method = TrainingMethod::full;
    int spare_hosts = 0; ///< beside a gang's own
    // batch
    std::optional<double> deadline_hours; ///< in which a day's requests are done
    // training and batch
    bool carry_over = true;
    Tags tags;
    friend bool operator==(const Workload&, const Workload&) = default;
    /// Whether it is a run that begins and ends, not work that comes again each month.
    [[nodiscard]] bool is_run() const { return epochs.has_value(); }
};

/// Servers that are leased, not bought; amounts in the server's currency.
struct Lease {
    double payment_per_server_month = 0.0;
    int term_months = 1;
    bool in_advance = true;
    double upfront_per_server = 0.0;
    LeaseEnd at_end = LeaseEnd::leave;
    std::optional<double> buyout_per_server; ///< at the term's end, of buy
    friend bool operator==(const Lease&, const Lease&) = default;
};

/// What a purchase is paid with: a fraction of its price, repaid by the month.
struct Loan {
    double fraction = 0.0;
    double rate = 0.0; ///< a year, nominal
    int term_months = 1;
    LoanKind kind = LoanKind::annuity;
    friend bool operator==(const Loan&, const Loan&) = default;
};

/// Servers bought in a month of the horizon (0-based; negative: before it). One vintage.
struct ServerPurchase {
    int month = 0;
    int servers = 1;
    std::optional<double> price = std::nullopt; ///< of one server, in the server's currency; the server's price where unstated
    std::optional<Lease> lease = std::nullopt;
    std::optional<Loan> loan = std::nullopt; ///< the pool's where unstated
    int lead_months = 0;                     ///< from the order to the month of service
    double paid_at_order_fraction = 0.0;     ///< of the price; the rest when the servers come
    friend bool operator==(const ServerPurchase&, const ServerPurchase&) = default;
};

struct Pool : HostedModel { // of kind api, without an endpoint
    std::string id, source, note;
    PoolKind kind = PoolKind::cloud;
    int ramp_months = 0;
    std::optional<Curve> ramp;      ///< cloud and owned: of the rate, by months since it serves
    double discount_fraction = 0.0; ///< cloud and api
    std::vector<ExtraCost> extra_costs;
    // cloud
    std::optional<Offer> offer;
    int min_instances = 0;
    int max_instances = 0;
    int from_month = 0;
    std::optional<int> months; ///< to the horizon's end where unstated
    int from_day = 1;          ///< of from_month; of an offer with term_days
    std::optional<int> days;   ///< of an offer with term_days; a block's one term, else to the horizon's end where unstated
    // owned
    std::optional<Server> server;
    std::optional<Site> site;
    std::vector<ServerPurchase> purchases;
    bool refresh = false;
    LoadBalancing load_balancing = LoadBalancing::spread;
    std::optional<Loan> loan; ///< of all purchases that state none
    // api
    std::optional<Endpoint> endpoint;     ///< in place of its own HostedModel
    std::optional<int> provisioned_units; ///< bought of it, in place of paying for tokens
    std::optional<int> provisioned_term_months;
    Tags tags;
    friend bool operator==(const Pool&, const Pool&) = default;
};

/// What an api pool serves with: its endpoint, else what it states by itself.
[[nodiscard]] inline const HostedModel& hosted(const Pool& pool) {
    return pool.endpoint ? static_cast<const HostedModel&>(*pool.endpoint) : pool;
}

struct ScenarioDocument {
    std::string id, source, note;
    Stored stored;
    std::string name;
    YearMonth start;
    int months = 36;
    std::string time_zone = "UTC";
    std::string currency = "USD";
    std::map<std::string, double> exchange_rates;
    std::vector<ExchangeForward> exchange_forwards; ///< of other currencies than exchange_rates
    Finance finance;
    Allocation allocation;
    std::vector<Workload> workloads;
    std::vector<Pool> pools;
    std::vector<ExtraCost> extra_costs;
    std::vector<SpendCommitment> spend_commitments;
    std::vector<SupportPlan> support_plans;
    Tags tags;
    friend bool operator==(const ScenarioDocument&, const ScenarioDocument&) = default;
};

} // namespace costcurve::model
