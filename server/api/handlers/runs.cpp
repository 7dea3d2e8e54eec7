// GET routes of a stored scenario's forecast, drift and tenant costs.
#include "server/actuals/parsed_question.hpp"
#include "server/actuals/runs/drift_answer.hpp"
#include "server/actuals/runs/forecast_answer.hpp"
#include "server/actuals/runs/tenant_costs.hpp"
#include "server/api/handlers/questions.hpp"
#include "server/api/page_answer.hpp"
#include "server/api/request.hpp"
#include "server/api/service.hpp"

namespace costcurve::api {

namespace {

constexpr Parameter kScenario{"scenario", "query", "string", "the id of a stored one"};
constexpr Parameter kAsOfMoment{"as_of", "query", "string", "the store as it was known then: RFC 3339, or @ and a change's number"};
constexpr std::string_view kMonthPattern = "^[0-9]{4}-(0[1-9]|1[0-2])$";
constexpr auto kForecastParameters = std::to_array<Parameter>({
    kScenario,
    {"month", "query", "string", "whose bill, YYYY-MM", 0, 0, kMonthPattern},
    {"through", "query", "string", "the last whole day of the bill; the one before its newest where absent", 0, 0, "date"},
    {"interval", "query", "number", "the probability that the bill is from low to high; 0.8 where absent", 0.01, 0.999},
    {"history_days", "query", "integer", "up to it, that the rest goes by; 28 where absent", 7, 366},
    kAsOfMoment,
});
constexpr auto kDriftParameters = std::to_array<Parameter>({
    kScenario,
    {"pool", "query", "string", "of the scenario"},
    {"device", "query", "string", "telemetry of this device"},
    {"source", "query", "string", "telemetry of this source"},
    {"bill", "query", "boolean", "true: the price of a device-hour of all lines, too"},
    {"until", "query", "string", "the end of the last day; else now", 0, 0, "date-time"},
    {"threshold_fraction", "query", "number", "a smaller change is none; 0.1 where absent", 0.01, 10},
    {"reference_days", "query", "integer", "before the last one; 28 where absent", 3, 366},
    kAsOfMoment,
});
constexpr auto kTenantCostsParameters = std::to_array<Parameter>({
    kScenario,
    {"from", "query", "string", "the first month, YYYY-MM", 0, 0, kMonthPattern},
    {"to", "query", "string", "the last month, YYYY-MM", 0, 0, kMonthPattern},
    kAsOfMoment,
});

// The query's parameters as JSON of a request; those of telemetry and bills become nested objects.
std::string request_of(const Call& call) {
    JsonWriter out;
    out.begin_object();
    const std::string_view device = parameter(call, "device");
    const std::string_view source = parameter(call, "source");
    if (!device.empty() || !source.empty()) {
        out.key("telemetry").begin_object();
        if (!device.empty()) {
            out.member("device", device);
        }
        if (!source.empty()) {
            out.key("sources").begin_array().value(source).end_array();
        }
        out.end_object();
    }
    for (const Parameter& row : call.route.parameters) {
        const std::string_view text = parameter(call, row.name);
        if (text.empty() || row.in != "query" || row.name == "device" || row.name == "source" || row.name == "format") {
            continue;
        }
        if (row.name == "bill") {
            if (text == "true") {
                out.key("bill").begin_object().end_object();
            }
        } else if (row.type == "string") {
            out.member(row.name, text);
        } else {
            out.key(row.name).raw(text);
        }
    }
    return out.end_object().take();
}

template <class R> Attempt<http::Response> get_question(Service& service, const Call& call) {
    return answer_while_wanted(call, [&]() -> Attempt<http::Response> {
        documents::Source source(service.store, std::nullopt);
        const std::string text = request_of(call);
        auto found = actuals::parse_question<R>(text, source).and_then([&](const auto& question) {
            return answer(question.request, question.scenario, service.store);
        });
        if (!found) {
            return refused(std::move(found.error()));
        }
        return json_answer(std::move(*found));
    });
}

constexpr auto kStatuses = std::to_array({422});
template <class R> void add_route(std::vector<Route>& routes, std::span<const Parameter> parameters) {
    routes.push_back({"GET", R::names.path, get_question<R>, storage::Role::viewer, R::names.help, "", R::names.answer,
                      "application/json", parameters, kStatuses});
}

} // namespace

void add_runs_of_stored(std::vector<Route>& routes) {
    add_route<actuals::ForecastRequest>(routes, kForecastParameters);
    add_route<actuals::DriftRequest>(routes, kDriftParameters);
    add_route<actuals::TenantCostsRequest>(routes, kTenantCostsParameters);
}

} // namespace costcurve::api
