// What the service does by itself, as documents: schedules of recalculation, comparisons that are watched, webhooks that are called
// of events, and feeds that are fetched; with their field tables, and when a comparison has changed enough to tell.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <vector>

#include "model/documents/decision.hpp"
#include "model/documents/fields.hpp"
#include "model/documents/measurement.hpp"

namespace costcurve::model {

/// Kinds of events that webhooks subscribe to. New ones go to the end.
enum class EventKind {
    ping,
    recalculation_done,
    comparison_flipped,
    comparison_changed,
    comparison_infeasible,
    budget_exceeded,
    feed_landed,
    feed_failed,
    price_moved,
    feed_held,
    feed_undone,
    drift_found
};
template <>
inline constexpr auto enum_names<EventKind> = std::to_array<std::string_view>(
    {"ping", "recalculation_done", "comparison_flipped", "comparison_changed", "comparison_infeasible", "budget_exceeded",
     "feed_landed", "feed_failed", "price_moved", "feed_held", "feed_undone", "drift_found"});

/// What a webhook gets: the event as it is, or a sentence of it in the form of a chat's incoming webhook.
enum class WebhookFormat { json, slack, teams };
template <> inline constexpr auto enum_names<WebhookFormat> = std::to_array<std::string_view>({"json", "slack", "teams"});

/// Which scenarios a schedule recalculates: all, those that a change reaches, or some by id. In JSON `some` is the list itself.
enum class Coverage { all, changed, some };
template <> inline constexpr auto enum_names<Coverage> = std::to_array<std::string_view>({"all", "changed", "some"});
struct ScenarioChoice {
    Coverage coverage = Coverage::changed;
    std::vector<std::string> ids; ///< of Coverage::some
    friend bool operator==(const ScenarioChoice&, const ScenarioChoice&) = default;
};
inline constexpr auto coverage_words = std::to_array<std::string_view>({"all", "changed"});

/// What is taken and never given back: it is in no answer, no message and no stored document.
struct Secret {
    std::string text;
    friend bool operator==(const Secret&, const Secret&) = default;
};
inline constexpr std::size_t kMinSecretBytes = 16; // bytes
inline constexpr std::size_t kMaxSecretBytes = 256;

/// What is watched for drift: a pool's measured days against those before them and against the plan.
struct DriftTelemetry {
    std::string device;
    std::vector<std::string> sources;
    friend bool operator==(const DriftTelemetry&, const DriftTelemetry&) = default;
};
/// Lines of bills by their names; "" asks for nothing.
struct DriftBill {
    std::string provider, region, sku, purchase, device;
    friend bool operator==(const DriftBill&, const DriftBill&) = default;
};
struct DriftTerms {
    double threshold_fraction = 0.1;
    int reference_days = 28; ///< before the last day
    friend bool operator==(const DriftTerms&, const DriftTerms&) = default;
};
struct DriftWatch : DriftTerms {
    std::string scenario; ///< the id of a stored one
    std::string pool;
    std::optional<DriftTelemetry> telemetry;
    std::optional<DriftBill> bill;
    friend bool operator==(const DriftWatch&, const DriftWatch&) = default;
};

struct Schedule {
    std::string id, source, note;
    Stored stored;
    std::string cron;
    std::string time_zone = "UTC";
    ScenarioChoice scenarios;
    std::vector<DriftWatch> drift;
    std::string webhook; ///< an id; "" for none
    bool enabled = true;
    friend bool operator==(const Schedule&, const Schedule&) = default;
};

struct Webhook {
    std::string id, source, note;
    Stored stored;
    std::string url;
    Secret secret;
    std::vector<EventKind> events; ///< empty: all
    WebhookFormat format = WebhookFormat::json;
    bool enabled = true;
    friend bool operator==(const Webhook&, const Webhook&) = default;
};

[[nodiscard]] constexpr bool is_money(Objective objective) { return objective < Objective::energy_kwh; }

struct Comparison {
    std::string id, source, note;
    Stored stored;
    std::string name;
    std::vector<std::string> scenarios;       ///< ids
    std::optional<Objective> objective;       ///< its first scenario's decide_by where unstated
    std::optional<double> threshold_fraction; ///< nothing: changes without a flip aren't told
    std::optional<double> budget;             ///< of the objective's figure over the horizon; in a scenario's currency, kWh or kg
    friend bool operator==(const Comparison&, const Comparison&) = default;
};

/// Where a feed fetches: one of a URL, a directory and a Prometheus server.
struct FeedSource {
    std::string url;
    std::string directory; ///< below the one that the service was started with
    std::string pattern;   ///< of names in it, such as "gcp_*.csv"
    std::string prometheus;
    std::vector<std::string> queries; ///< PromQL
    int step_s = 60;
    friend bool operator==(const FeedSource&, const FeedSource&) = default;
};
/// A header of its requests.
struct FeedHeader {
    std::string name;
    Secret secret;
    friend bool operator==(const FeedHeader&, const FeedHeader&) = default;
};

struct Feed {
    std::string id, source, note;
    Stored stored;
    std::string format;
    std::string provider, date, region, currency, device, devices, model, unit, tdp_w; ///< options of the format, by their names
    FeedSource from;
    std::string cron; ///< "": it runs by hand only
    std::string time_zone = "UTC";
    std::optional<FeedHeader> header;
    double price_moved_fraction = 0.05;
    bool enabled = true;
    double max_mib = 64.0;
    bool recalculate = true;
    friend bool operator==(const Feed&, const Feed&) = default;
};

/// Whether a figure is further from what it was than this fraction of it.
[[nodiscard]] inline bool is_beyond(double before, double now, double threshold_fraction) {
    return std::abs(now - before) > threshold_fraction * std::abs(before);
}

template <> inline constexpr std::string_view document_name<DriftTelemetry> = "drift_telemetry";
template <>
inline constexpr auto fields<DriftTelemetry> =
    Rows{Field{"device", &DriftTelemetry::device, {.help = "of this device; one of device and sources is needed"}},
         Field{"sources", &DriftTelemetry::sources, {.max = 1000, .help = "names of sources"}}};
template <> inline constexpr std::string_view document_name<DriftBill> = "drift_bill";
template <>
inline constexpr auto fields<DriftBill> =
    Rows{Field{"provider", &DriftBill::provider, {.help = "lines of this provider"}},
         Field{"region", &DriftBill::region, {.help = "of this region"}}, Field{"sku", &DriftBill::sku, {.help = "of this SKU"}},
         Field{"purchase", &DriftBill::purchase, {.help = "on_demand, spot or committed"}},
         Field{"device", &DriftBill::device, {.help = "of this device"}}};
template <class T>
inline constexpr auto drift_terms =
    Rows{Field<T, double>{
             "threshold_fraction",
             &T::threshold_fraction,
             {.min = 0.01, .max = 10, .help = "a change smaller than this is none; one within the days' own noise neither"}},
         Field<T, int>{"reference_days",
                       &T::reference_days,
                       {.unit = "days", .min = 3, .max = 366, .help = "before the last one, that it is compared with"}}};
template <> inline constexpr std::string_view document_name<DriftWatch> = "drift_watch";
template <>
inline constexpr auto fields<DriftWatch> = join(
    Rows{Field{"scenario", &DriftWatch::scenario, {.required = true, .format = Format::slug, .help = "the id of a stored one"}},
         Field{"pool", &DriftWatch::pool, {.required = true, .format = Format::name, .help = "of the scenario"}},
         Field{"telemetry", &DriftWatch::telemetry, {.help = "whose energy, tokens and batch"}},
         Field{"bill", &DriftWatch::bill, {.help = "lines whose price of a device-hour is watched"}}},
    drift_terms<DriftWatch>);

template <>
inline constexpr auto fields<Schedule> =
    join(annotation_fields<Schedule>,
         Rows{
             Field{"cron",
                   &Schedule::cron,
                   {.required = true, .help = "minute hour day-of-month month day-of-week, or @daily and the like"}},
             Field{"time_zone", &Schedule::time_zone, {.help = "IANA name; cron is read in it"}},
             Field{"scenarios", &Schedule::scenarios, {.format = Format::slug, .help = "all, changed, or a list of ids"}},
             Field{"drift", &Schedule::drift, {.max = 100, .help = "pools whose measured days are watched at its ticks"}},
             Field{"webhook",
                   &Schedule::webhook,
                   {.format = Format::slug, .help = "id of the webhook that is notified when its runs end"}},
             Field{"enabled", &Schedule::enabled, {.help = "false: it does not run"}},
         });

template <>
inline constexpr auto fields<Webhook> = join(
    annotation_fields<Webhook>,
    Rows{
        Field{"url", &Webhook::url, {.required = true, .help = "http or https, without a name and password"}},
        Field{"secret",
              &Webhook::secret,
              {.help = "key of the signatures, 16 to 256 bytes; needed once, kept where it is left out, never given back"}},
        Field{"events", &Webhook::events, {.help = "kinds of events that it subscribes to; empty for all"}},
        Field{"format",
              &Webhook::format,
              {.help =
                   "json: the event as it stands in /v1/events; slack or teams: a sentence in the form of its incoming webhooks"}},
        Field{"enabled", &Webhook::enabled, {.help = "false: nothing is delivered, and pending events wait"}},
    });

template <>
inline constexpr auto fields<Comparison> = join(
    annotation_fields<Comparison>,
    Rows{
        Field{"name", &Comparison::name, {.help = "for people"}},
        Field{"scenarios",
              &Comparison::scenarios,
              {.min = 1, .max = 100, .required = true, .format = Format::slug, .help = "ids of stored scenarios, each once"}},
        Field{"objective",
              &Comparison::objective,
              {.help = "which figure of a result's total is to be the least; default the first scenario's decide_by"}},
        Field{"threshold_fraction",
              &Comparison::threshold_fraction,
              {.min = 0,
               .max = 100,
               .help = "a change of the cheapest one's figure beyond this is an event; without it, flips only"}},
        Field{
            "budget",
            &Comparison::budget,
            {.min = 0,
             .max = kLargest,
             .above_min = true,
             .help = "a scenario whose figure over the horizon goes above it is an event; in the scenario's currency, kWh or kg"}},
    });

template <> inline constexpr std::string_view document_name<FeedSource> = "feed_source";
template <>
inline constexpr auto fields<FeedSource> = Rows{
    Field{"url", &FeedSource::url, {.help = "of a file, http or https, without a name and password"}},
    Field{"directory",
          &FeedSource::directory,
          {.help = "below the one of serve --feed-directory, without ..; its newest file that the pattern names"}},
    Field{"pattern", &FeedSource::pattern, {.help = "of file names in the directory, with * and ?"}},
    Field{"prometheus", &FeedSource::prometheus, {.help = "URL of a Prometheus server, without /api/v1"}},
    Field{"queries", &FeedSource::queries, {.max = 20, .help = "PromQL, asked for over the time since the run before"}},
    Field{"step_s", &FeedSource::step_s, {.unit = "s", .min = 1, .max = 3600, .help = "between samples of a query"}},
};
template <> inline constexpr std::string_view document_name<FeedHeader> = "feed_header";
template <>
inline constexpr auto fields<FeedHeader> = Rows{
    Field{"name", &FeedHeader::name, {.required = true, .help = "such as Authorization; sent to the feed's host alone"}},
    Field{"secret",
          &FeedHeader::secret,
          {.help = "its value, 16 to 256 bytes; needed once, kept where it is left out, never given back"}},
};
template <>
inline constexpr auto fields<Feed> = join(
    annotation_fields<Feed>,
    Rows{
        Field{"format", &Feed::format, {.help = "of its file, as imports name it; none from Prometheus"}},
        Field{"from", &Feed::from, {.required = true, .help = "a url, a directory with a pattern, or a Prometheus server"}},
        Field{"provider", &Feed::provider, {.help = "an option of the format, as the next"}},
        Field{"date", &Feed::date, {.help = "default the day of the file (Last-Modified), else of the fetch"}},
        Field{"region", &Feed::region, {.help = "of what the file does not name one"}},
        Field{"currency", &Feed::currency, {.help = "of prices whose file does not name one, such as USD"}},
        Field{"device", &Feed::device, {.help = "which device it is about, where the file does not say"}},
        Field{"devices", &Feed::devices, {.help = "how many of the device the figures are of"}},
        Field{"model", &Feed::model, {.help = "which model results are of, where the file does not say"}},
        Field{"unit", &Feed::unit, {.help = "kWh or MWh: what prices of energy are per, where the header does not say"}},
        Field{"tdp_w", &Feed::tdp_w, {.help = "thermal design power of the device in W, where the file does not say"}},
        Field{"cron", &Feed::cron, {.help = "when it is fetched, as a schedule's; without one, by POST /v1/feeds/{id}/run only"}},
        Field{"time_zone", &Feed::time_zone, {.help = "IANA name; cron and local times of the file are read in it"}},
        Field{"header", &Feed::header, {.help = "sent with its requests"}},
        Field{"price_moved_fraction",
              &Feed::price_moved_fraction,
              {.min = 0, .max = 100, .help = "a price that moves by more than this is part of an event price_moved"}},
        Field{"enabled", &Feed::enabled, {.help = "false: its cron does not run it"}},
        Field{"max_mib", &Feed::max_mib, {.unit = "MiB", .min = 0, .max = 1024, .above_min = true, .help = "a larger file fails"}},
        Field{"recalculate", &Feed::recalculate, {.help = "recalculate the scenarios that a landed file reaches"}},
    });

/// Documents and their parts in the order of the documentation.
using Described =
    std::variant<Device, Interconnect, Slice, Curve, Offer, Server, Site, Model, Experts, Attention, Endpoint, PriceAbove,
                 HostedCache, CacheLifetime, HostedFees, ServiceTiers, TierPrices, Provisioned, TokensPerMinute, ProvisionedTerm,
                 Alias, Performance, RequestMix, Estimate, Measurement, Parallel, MeasuredPercentiles, MeasuredPoints,
                 ScenarioDocument, Finance, Allocation, Workload, TokenBucket, Prefix, Demand, Burst, Checkpoint, Slo, RunsOn,
                 Porting, Pool, ServerPurchase, Lease, Loan, ExtraCost, ExchangeForward, SpendCommitment, SpendDiscount, VolumeTier,
                 EgressTier, TermResale, SupportPlan, SupportBracket, DemandCharge, DemandTier, EnergyTier, MinimumBill,
                 ReactiveCharge, Rider, Schedule, DriftWatch, DriftTelemetry, DriftBill, Webhook, Comparison, Feed, FeedSource,
                 FeedHeader, DecisionDocument, DecisionRange, DecisionBranch>;

/// Calls `visit` with std::type_identity<T> of every document and part that has a table, in that order; then of kinds that it does
/// not have.
template <class F> void for_each_stored_document(F&& visit) {
    for_each_type(std::type_identity<Described>{}, visit);
    for_each_type(std::type_identity<AnyDocument>{}, [&]<class T>(std::type_identity<T> type) {
        if constexpr (index_among<T, Described> == std::variant_size_v<Described>) {
            visit(type);
        }
    });
}

} // namespace costcurve::model
