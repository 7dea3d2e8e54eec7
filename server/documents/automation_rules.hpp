// Schedules, webhooks, comparisons, decisions and feeds as documents: what they must keep to be stored, and when a schedule or a
// feed runs.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "model/documents/automation.hpp"
#include "model/rules.hpp"

namespace costcurve::documents {

/// Its cron can be read, some day comes, and its time zone is one.
void check_alone(const model::Schedule& schedule, model::Rules& rules);
/// Its URL is one of http or https with a host, and has no name and password, which every reader of the document would see.
void check_alone(const model::Webhook& webhook, model::Rules& rules);
/// Each of its scenarios comes once.
void check_alone(const model::Comparison& comparison, model::Rules& rules);

/// Each of its scenarios comes once, and what it says of scenarios is of these; its pointers are some, each once, its ranges have
/// a low end below a high one, and its branches names of their own.
void check_alone(const model::DecisionDocument& decision, model::Rules& rules);

/// It fetches from one place, which can be called or lies below a directory; its cron can be read.
void check_alone(const model::Feed& feed, model::Rules& rules);

/// When something runs: a schedule, or a feed, "" where it has no cron.
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

/// Its next ticks after `after` (Unix seconds), RFC 3339 in its time zone; none where it isn't enabled. Its document was checked.
[[nodiscard]] std::vector<std::string> next_runs(const Timing& timing, std::int64_t after, std::size_t count);

} // namespace costcurve::documents
