// What the service does by itself, as documents: schedules of recalculation, and webhooks that are told of events; with their field
// tables. The model computes nothing of them.
#pragma once

#include <array>
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

/// for_each_document, and these two after the parts of scenarios.
template <class F> void for_each_stored_document(F&& visit) {
    for_each_document(visit);
    visit(std::type_identity<Schedule>{});
    visit(std::type_identity<Webhook>{});
}

} // namespace costcurve::model
