// Events of pools that drift, for schedules that watch them. The same drift is reported once, until its baseline has moved.
#include <algorithm>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "server/actuals/runs/drift_answer.hpp"
#include "server/actuals/samples.hpp"
#include "server/answers/evaluate.hpp"
#include "server/documents/json/json_text.hpp"
#include "server/documents/json/parsed_json.hpp"
#include "server/documents/near_names.hpp"

namespace costcurve::actuals {

/// Content of a drift event.
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
constexpr std::int64_t kHoursOfSilence = 48; // hours of silence after which a source counts as gone
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

// Whether an event of this pool and cause was recorded since the reference days began.
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

model::Issue unknown_name(std::string pointer, std::string_view said, const std::string& name, const std::set<std::string>& known,
                          std::string_view rest = "") {
    constexpr std::size_t kShown = 60; // bytes
    const std::vector<std::string_view> names(known.begin(), known.end());
    return {std::move(pointer), model::Code::unknown_reference,
            fmt::format("{} {}{}{}", said, shortened(name, kShown), documents::near_names(name, names), rest)};
}

std::set<std::string> scenario_ids(documents::Source& source) {
    storage::ListQuery query;
    query.kind = storage::Kind::scenario;
    query.limit = 1000;
    std::set<std::string> ids;
    for (const storage::Revision& revision : source.snapshot()->list(query).items) {
        ids.insert(revision.record.key.id);
    }
    return ids;
}

std::int64_t lately(const storage::Store& store) { return store.now() / kMicrosecondsPerHour - kHoursOfSilence; }

// Names of the last days' telemetry.
std::set<std::string> telemetry_names(const storage::Store& store, std::string storage::SeriesKey::*name) {
    storage::HourQuery query;
    query.from = lately(store);
    query.limit = 10'000;
    std::set<std::string> names;
    for (const storage::HourRow& row : store.hours(query).items) {
        names.insert(row.key.*name);
    }
    return names;
}

bool has_telemetry(const storage::Store& store, storage::SeriesFilter filter, std::int64_t from) {
    storage::HourQuery query;
    query.filter = std::move(filter);
    query.from = from;
    query.limit = 1;
    return !store.hours(query).items.empty();
}

// Devices and sources without an hour since `from`; 0 for ever.
void check_telemetry(const storage::Store& store, const std::string& at, const model::DriftTelemetry& telemetry, std::int64_t from,
                     model::Failure& issues) {
    const std::string since =
        from == 0 ? "; send samples of it first: POST /v1/telemetry" : fmt::format(" in the last {} hours", kHoursOfSilence);
    const std::string device = device_id(telemetry.device);
    if (!device.empty() && !has_telemetry(store, {device, {}, {}}, from)) {
        issues.push_back(unknown_name(at + "/device", "no telemetry is of device", device,
                                      telemetry_names(store, &storage::SeriesKey::device), since));
    }
    for (std::size_t i = 0; i < telemetry.sources.size(); ++i) {
        if (!has_telemetry(store, {"", {telemetry.sources[i]}, {}}, from)) {
            issues.push_back(unknown_name(fmt::format("{}/sources/{}", at, i), "no telemetry is of source", telemetry.sources[i],
                                          telemetry_names(store, &storage::SeriesKey::source), since));
        }
    }
}

void check_watched(const storage::Store& store, const std::string& at, const model::DriftWatch& watch, std::int64_t from,
                   documents::Source& source, model::Failure& issues) {
    if (source.load({storage::Kind::scenario, watch.scenario})) {
        if (auto scenario = answers::resolve_stored(watch.scenario, at + "/scenario", source); !scenario) {
            issues.add_all(scenario.error());
        } else if (std::ranges::find(scenario->pools, watch.pool, &model::Pool::id) == scenario->pools.end()) {
            std::set<std::string> pools;
            for (const model::Pool& pool : scenario->pools) {
                pools.insert(pool.id);
            }
            issues.push_back(unknown_name(at + "/pool", "the scenario has no pool", watch.pool, pools));
        }
    } else {
        issues.push_back(unknown_name(at + "/scenario", "no scenario has the id", watch.scenario, scenario_ids(source)));
    }
    if (watch.telemetry) {
        check_telemetry(store, at + "/telemetry", *watch.telemetry, from, issues);
    }
}

model::Failure issues_since(const storage::Store& store, const model::Schedule& schedule, std::int64_t from) {
    documents::Source source(store, std::nullopt);
    model::Failure issues;
    for (std::size_t i = 0; i < schedule.drift.size(); ++i) {
        check_watched(store, fmt::format("/drift/{}", i), schedule.drift[i], from, source, issues);
    }
    return issues;
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
    if (watch.telemetry) {
        check_telemetry(store, "/telemetry", *watch.telemetry, lately(store), issues);
    }
    return first_message(issues);
}

} // namespace

model::Failure watch_issues(const storage::Store& store, const model::Schedule& schedule) {
    return issues_since(store, schedule, 0);
}

std::vector<std::string> watch_warnings(const storage::Store& store, const model::Schedule& schedule) {
    std::vector<std::string> warnings;
    for (const model::Issue& issue : issues_since(store, schedule, lately(store))) {
        warnings.push_back(fmt::format("{}: {}; nothing is watched there", issue.pointer, issue.message));
    }
    return warnings;
}

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
