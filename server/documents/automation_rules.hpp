// Schedules, webhooks and comparisons as documents: what they must keep to be stored, and when a schedule runs.
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

/// Its next ticks after `after` (Unix seconds), RFC 3339 in its time zone; none where it isn't enabled. Of a checked schedule.
[[nodiscard]] std::vector<std::string> next_runs(const model::Schedule& schedule, std::int64_t after, std::size_t count);

} // namespace costcurve::documents
