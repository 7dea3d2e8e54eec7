// What the service does by itself, as documents: schedules of recalculation, comparisons that are watched, and webhooks that are
// told of events; with their field tables, and when a comparison has changed enough to tell.
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

#include "model/documents/fields.hpp"

namespace costcurve::model {

/// Kinds of events that webhooks subscribe to. New ones go to the end.
enum class EventKind { ping, recalculation_done, comparison_flipped, comparison_changed, comparison_infeasible, budget_exceeded };
template <>
inline constexpr auto enum_names<EventKind> = std::to_array<std::string_view>({"ping", "recalculation_done", "comparison_flipped",
                                                                               "comparison_changed", "comparison_infeasible",
                                                                               "budget_exceeded"});

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

struct Schedule {
    std::string id, source, note;
    Stored stored;
    std::string cron;
    std::string time_zone = "UTC";
    ScenarioChoice scenarios;
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

/// Whether a figure is further from what it was than this fraction of it.
[[nodiscard]] inline bool is_beyond(double before, double now, double threshold_fraction) {
    return std::abs(now - before) > threshold_fraction * std::abs(before);
}

template <> inline constexpr std::string_view document_name<Schedule> = "schedule";
template <>
inline constexpr auto fields<Schedule> =
    std::tuple_cat(annotation_fields<Schedule>,
                   std::tuple{
                       Field{"cron",
                             &Schedule::cron,
                             {.required = true, .help = "minute hour day-of-month month day-of-week, or @daily and the like"}},
                       Field{"time_zone", &Schedule::time_zone, {.help = "IANA name; cron is read in it"}},
                       Field{"scenarios", &Schedule::scenarios, {.format = Format::slug, .help = "all, changed, or a list of ids"}},
                       Field{"webhook",
                             &Schedule::webhook,
                             {.format = Format::slug, .help = "id of the webhook that is notified when its runs end"}},
                       Field{"enabled", &Schedule::enabled, {.help = "false: it does not run"}},
                   });

template <> inline constexpr std::string_view document_name<Webhook> = "webhook";
template <>
inline constexpr auto fields<Webhook> = std::tuple_cat(
    annotation_fields<Webhook>,
    std::tuple{
        Field{"url", &Webhook::url, {.required = true, .help = "http or https, without a name and password"}},
        Field{"secret",
              &Webhook::secret,
              {.help = "key of the signatures, 16 to 256 bytes; needed once, kept where it is left out, never given back"}},
        Field{"events", &Webhook::events, {.help = "kinds of events that it subscribes to; empty for all"}},
        Field{"enabled", &Webhook::enabled, {.help = "false: nothing is delivered, and pending events wait"}},
    });

template <> inline constexpr std::string_view document_name<Comparison> = "comparison";
template <>
inline constexpr auto fields<Comparison> = std::tuple_cat(
    annotation_fields<Comparison>,
    std::tuple{
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

/// for_each_document, and these three after the parts of scenarios.
template <class F> void for_each_stored_document(F&& visit) {
    for_each_document(visit);
    visit(std::type_identity<Schedule>{});
    visit(std::type_identity<Webhook>{});
    visit(std::type_identity<Comparison>{});
}

} // namespace costcurve::model
