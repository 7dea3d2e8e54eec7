// Events of pools that drift, for schedules that watch them. The same drift is reported once, until its baseline has moved.
#include <algorithm>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "server/actuals/runs/drift_answer.hpp"
#include "server/actuals/samples.hpp"
#include "server/answers/evaluate.hpp"
#include "server/documents/json/parsed_json.hpp"

namespace costcurve::actuals {

/// What an event says of it.
struct DriftEvent : DriftAnswer {
    std::string schedule;
};

} // namespace costcurve::actuals

template <>
inline constexpr auto costcurve::model::fields<costcurve::actuals::DriftEvent> =
    join(Rows{Field{"schedule", &actuals::DriftEvent::schedule, {}}}, fields<actuals::DriftAnswer>);

namespace costcurve::actuals {

namespace {

constexpr std::size_t kNewestEvents = 100;
constexpr std::int64_t kMicrosecondsPerDay = 24 * kMicrosecondsPerHour;

DriftRequest request_of(const model::DriftWatch& watch) {
    DriftRequest request;
    static_cast<model::DriftTerms&>(request) = watch;
    request.pool = watch.pool;
    if (watch.telemetry) {
        request.telemetry = TelemetryFilter{watch.telemetry->device, watch.telemetry->sources};
    }
    if (watch.bill) {
        request.bill =
            storage::BillQuery{watch.bill->provider, watch.bill->region, watch.bill->sku, watch.bill->purchase, watch.bill->device};
    }
    return request;
}

std::string first_message(const model::Failure& failure) { return failure.empty() ? "" : failure.front().message; }

// An event of the pool and cause since the reference's days began.
bool is_known(const storage::Store& store, const std::string& subject, const DriftAnswer& found) {
    const std::string kind(model::name_of(model::EventKind::drift_found));
    const std::int64_t since = storage::parse_time(found.until).value_or(0) - found.reference_days * kMicrosecondsPerDay;
    const std::vector<storage::Event> events = store.events({kNewestEvents, 0, kind, subject});
    return std::ranges::any_of(events, [&](const storage::Event& event) {
        const auto body = parse_json(event.body);
        return body && body->value("pool", "") == found.pool && body->value("cause", "") == model::name_of(found.cause) &&
               storage::parse_time(body->value("until", "")).value_or(0) > since;
    });
}

std::string look(storage::Store& store, const model::Schedule& schedule, const model::DriftWatch& watch) {
    documents::Source source(store, std::nullopt);
    const auto scenario = answers::resolve_stored(watch.scenario, "/scenario", source);
    if (!scenario) {
        return first_message(scenario.error());
    }
    DriftRequest request = request_of(watch);
    model::Failure issues;
    check(request, {}, issues);
    if (!issues.empty()) {
        return first_message(issues);
    }
    const auto found = drift(request, *scenario, store);
    if (!found) {
        return first_message(found.error());
    }
    const std::string subject = "scenario/" + watch.scenario;
    if (found->drifted && !is_known(store, subject, *found)) {
        static_cast<void>(store.record_event({"schedule", ""}, "drift",
                                             {std::string(model::name_of(model::EventKind::drift_found)), subject,
                                              answers::encode_answer(DriftEvent{*found, schedule.id}), schedule.webhook}));
    }
    return "";
}

} // namespace

std::vector<std::string> watch_drift(storage::Store& store, const model::Schedule& schedule) {
    std::vector<std::string> problems;
    for (const model::DriftWatch& watch : schedule.drift) {
        if (const std::string problem = look(store, schedule, watch); !problem.empty()) {
            problems.push_back(fmt::format("drift of {} in {}: {}", watch.pool, watch.scenario, problem));
        }
    }
    return problems;
}

} // namespace costcurve::actuals
