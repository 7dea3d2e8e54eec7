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

#include "model/fields.hpp"

namespace costcurve::model {

/// What happens that others are told of. New ones go to the end.
enum class EventKind { ping, recalculation_done, comparison_flipped, comparison_changed };
template <>
inline constexpr auto enum_names<EventKind> = std::to_array<std::string_view>({"ping", "recalculation_done", "comparison_flipped",
                                                                               "comparison_changed"});

/// Which scenarios a schedule recalculates: all, those that a change reaches, or some by id. In JSON `some` is the list itself.
enum class Coverage { all, changed, some };
template <> inline constexpr auto enum_names<Coverage> = std::to_array<std::string_view>({"all", "changed", "some"});
struct ScenarioChoice {
    Coverage coverage = Coverage::changed;
    std::vector<std::string> ids; ///< of Coverage::some
};
inline constexpr auto coverage_words = std::to_array<std::string_view>({"all", "changed"});

/// What is taken and never given back: it is in no answer, no message and no stored document.
struct Secret {
    std::string text;
};
inline constexpr std::size_t kLeastSecret = 16; // bytes
inline constexpr std::size_t kMostSecret = 256;

struct Schedule {
    std::string id, source, note;
    Stored stored;
    std::string cron;
    std::string time_zone = "UTC";
    ScenarioChoice scenarios;
    std::string webhook; ///< an id; "" for none
    bool enabled = true;
};

struct Webhook {
    std::string id, source, note;
    Stored stored;
    std::string url;
    Secret secret;
    std::vector<EventKind> events; ///< empty: all
    bool enabled = true;
};

/// What scenarios are compared by: the figures of a result's total. Less is better of each.
enum class Objective { cost, cash, npv, npv_after_tax, energy_kwh, carbon_kg };
template <>
inline constexpr auto enum_names<Objective> = std::to_array<std::string_view>({"cost", "cash", "npv", "npv_after_tax", "energy_kwh",
                                                                               "carbon_kg"});
[[nodiscard]] constexpr bool is_money(Objective objective) { return objective < Objective::energy_kwh; }

struct Comparison {
    std::string id, source, note;
    Stored stored;
    std::string name;
    std::vector<std::string> scenarios; ///< ids
    Objective objective = Objective::cost;
    std::optional<double> threshold_fraction; ///< nothing: changes without a flip aren't told
};

/// The index of the least of some figures; of equal ones the incumbent, else the first: nothing flips without a gain.
[[nodiscard]] inline std::size_t least_of(std::span<const double> figures, std::optional<std::size_t> incumbent) {
    const auto least = static_cast<std::size_t>(std::min_element(figures.begin(), figures.end()) - figures.begin());
    return incumbent && figures[*incumbent] <= figures[least] ? *incumbent : least;
}
/// Whether a figure is further from what it was than this fraction of it.
[[nodiscard]] inline bool is_beyond(double before, double now, double threshold_fraction) {
    return std::abs(now - before) > threshold_fraction * std::abs(before);
}

template <> inline constexpr std::string_view document_name<Schedule> = "schedule";
template <>
inline constexpr auto fields<Schedule> = std::tuple_cat(
    annotation_fields<Schedule>,
    std::tuple{
        Field{"cron",
              &Schedule::cron,
              {.required = true, .help = "minute hour day-of-month month day-of-week, or @daily and the like"}},
        Field{"time_zone", &Schedule::time_zone, {.help = "IANA name; cron is read in it"}},
        Field{"scenarios", &Schedule::scenarios, {.format = Format::slug, .help = "all, changed, or a list of ids"}},
        Field{"webhook", &Schedule::webhook, {.format = Format::slug, .help = "id of a webhook that is told how its runs end"}},
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
        Field{"events", &Webhook::events, {.help = "kinds of events that it is told of; empty for all"}},
        Field{"enabled", &Webhook::enabled, {.help = "false: it is told nothing, and what is pending waits"}},
    });

template <> inline constexpr std::string_view document_name<Comparison> = "comparison";
template <>
inline constexpr auto fields<Comparison> = std::tuple_cat(
    annotation_fields<Comparison>,
    std::tuple{
        Field{"name", &Comparison::name, {.help = "for people"}},
        Field{"scenarios",
              &Comparison::scenarios,
              {.min = 2, .max = 100, .required = true, .format = Format::slug, .help = "ids of stored scenarios, each once"}},
        Field{"objective", &Comparison::objective, {.help = "which figure of a result's total is to be the least"}},
        Field{"threshold_fraction",
              &Comparison::threshold_fraction,
              {.min = 0, .max = 100, .help = "a change of the cheapest one's figure beyond this is told; without it, flips only"}},
    });

/// for_each_document, and these three after the parts of scenarios.
template <class F> void for_each_stored_document(F&& visit) {
    for_each_document(visit);
    visit(std::type_identity<Schedule>{});
    visit(std::type_identity<Webhook>{});
    visit(std::type_identity<Comparison>{});
}

} // namespace costcurve::model
