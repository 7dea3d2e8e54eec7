// Checks that need cron and URLs, which the model's own rules don't know.
#include "server/documents/automation_rules.hpp"

#include <algorithm>

#include "server/documents/cron.hpp"
#include "server/documents/webhook_url.hpp"

namespace costcurve::documents {

void check_alone(const model::Schedule& schedule, model::Rules& rules) {
    const model::Result<Cron> cron = parse_cron(schedule.cron);
    if (!cron) {
        rules.issues.add_all(cron.error());
    }
    rules.check_zone("/time_zone", schedule.time_zone);
}

void check_alone(const model::Webhook& webhook, model::Rules& rules) {
    if (std::string wrong = wrong_with_url(webhook.url); !wrong.empty()) {
        rules.add("/url", model::Code::bad_format, std::move(wrong));
    }
}

void check_alone(const model::Comparison& comparison, model::Rules& rules) {
    const std::vector<std::string>& ids = comparison.scenarios;
    for (auto id = ids.begin(); id != ids.end(); ++id) {
        if (std::find(ids.begin(), id, *id) != id) {
            rules.add(fmt::format("/scenarios/{}", id - ids.begin()), model::Code::inconsistent, *id + " comes twice");
        }
    }
}

std::vector<std::string> next_runs(const model::Schedule& schedule, std::int64_t after, std::size_t count) {
    std::vector<std::string> runs;
    if (!schedule.enabled) {
        return runs;
    }
    std::optional<std::int64_t> tick = after;
    const Cron cron = parse_cron(schedule.cron).value();
    while (runs.size() < count && (tick = next_tick(cron, schedule.time_zone, *tick))) {
        runs.push_back(local_time(schedule.time_zone, *tick));
    }
    return runs;
}

} // namespace costcurve::documents
