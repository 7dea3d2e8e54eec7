// Rules for storing schedules, webhooks, comparisons, decisions and feeds, and the next runs of schedules and feeds.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "model/documents/automation.hpp"
#include "model/rules.hpp"

namespace costcurve::documents {

/// Checks that the cron expression is valid and has a next tick, and that the time zone exists.
void check_alone(const model::Schedule& schedule, model::Rules& rules);
/// Checks that the URL is http or https with a host, and has no user and password, which every reader of the document would see.
void check_alone(const model::Webhook& webhook, model::Rules& rules);
/// Checks that each scenario is listed once.
void check_alone(const model::Comparison& comparison, model::Rules& rules);

/// Checks that each scenario is listed once and that all statements about scenarios name listed ones; that pointers are valid and
/// unique, ranges have low below high, and names of branches are unique.
void check_alone(const model::DecisionDocument& decision, model::Rules& rules);

/// Checks that there is exactly one source, a valid URL or a path below a directory, and that the cron expression is valid.
void check_alone(const model::Feed& feed, model::Rules& rules);

/// When a schedule or feed runs; cron is "" for a feed without one.
struct Timing {
    std::string cron;
    std::string time_zone;
    bool enabled = true;
};
[[nodiscard]] inline Timing timing_of(const model::Schedule& schedule) {
    return {schedule.cron, schedule.time_zone, schedule.enabled};
}
[[nodiscard]] inline Timing timing_of(const model::Feed& feed) {
    return {feed.cron, feed.time_zone, feed.enabled && !feed.cron.empty()};
}

/// The next ticks after `after` (Unix seconds) in RFC 3339 in its time zone; none if disabled. The document must have been checked.
[[nodiscard]] std::vector<std::string> next_runs(const Timing& timing, std::int64_t after, std::size_t count);

} // namespace costcurve::documents
