// POST /v1/profile: who serves what by month, and the hours of the week of one month.
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "model/calendar.hpp"
#include "model/questions/profile.hpp"
#include "server/api/asked.hpp"
#include "server/api/evaluate_scenario.hpp"
#include "server/api/handlers.hpp"
#include "server/api/json_text.hpp"
#include "server/api/request.hpp"

namespace costcurve::api {

namespace {

using model::Profile;
using nlohmann::json;

struct Question {
    Asked of;
    std::optional<model::YearMonth> month;
};

Attempt<Question> read_question(const json& body) {
    Members members(body, "", {"scenario", "month", "set", "as_of"});
    Question question;
    ask_one(members, "scenario", question.of);
    ask_moment(members, question.of);
    question.month = members.month("month");
    if (!members.issues.empty()) {
        return refused(std::move(members.issues));
    }
    return question;
}

template <class Numbers> void write_numbers(JsonWriter& out, std::string_view name, const Numbers& numbers) {
    out.key(name).begin_array();
    for (const double number : numbers) {
        out.value(number);
    }
    out.end_array();
}

void write_week(JsonWriter& out, std::string_view name, const std::optional<model::Week>& week) {
    if (week) {
        write_numbers(out, name, *week);
    } else {
        out.key(name).null();
    }
}

std::string encode_profile(const model::ScenarioDocument& scenario, std::size_t month, const Profile& profile) {
    const auto month_at = [&](int m) { return to_text(add_months(scenario.start, m)); };
    JsonWriter out;
    out.begin_object().member("month", month_at(static_cast<int>(month))).member("time_zone", scenario.time_zone);
    out.member("currency", scenario.currency).key("months").begin_array();
    for (int m = 0; m < scenario.months; ++m) {
        out.value(month_at(m));
    }
    out.end_array().key("served").begin_array();
    for (const Profile::Served& served : profile.served) {
        const model::Workload& workload = scenario.workloads[served.workload];
        out.begin_object().member("workload", workload.id).member("unit", workload.unit);
        out.member("pool", scenario.pools[served.pool].id);
        write_numbers(out, "units", served.units);
        out.end_object();
    }
    out.end_array();
    write_numbers(out, "hours", profile.hours);
    out.key("workloads").begin_array();
    for (std::size_t w = 0; w < scenario.workloads.size(); ++w) {
        out.begin_object().member("id", scenario.workloads[w].id).member("unit", scenario.workloads[w].unit);
        write_week(out, "demand_units_per_s", profile.demand[w]);
        out.end_object();
    }
    out.end_array().key("pools").begin_array();
    for (std::size_t p = 0; p < scenario.pools.size(); ++p) {
        const Profile::PoolWeek& pool = profile.pools[p];
        out.begin_object().member("id", scenario.pools[p].id).member("kind", name_of(scenario.pools[p].kind));
        write_week(out, "busy_devices", pool.busy_devices);
        write_week(out, "available_devices", pool.available_devices);
        write_week(out, "power_kw", pool.power_kw);
        write_week(out, "energy_price", pool.energy_price);
        out.end_object();
    }
    out.end_array().end_object();
    return out.take();
}

Attempt<std::string> answer(const Service& service, const Question& question) {
    const auto scenarios = resolve_asked(service, question.of);
    if (!scenarios) {
        return tl::unexpected(scenarios.error());
    }
    const auto evaluated = evaluate_resolved(scenarios->front().document, "/scenario");
    if (!evaluated) {
        return refused(evaluated.error());
    }
    const model::ScenarioDocument& document = evaluated->scenario.document();
    const model::YearMonth start = document.start;
    const model::YearMonth asked = question.month.value_or(start);
    const int month = 12 * (asked.year - start.year) + asked.month - start.month;
    if (month < 0 || month >= document.months) {
        return refused({{"/month", model::Code::out_of_range,
                         fmt::format("month is {}; allowed {} to {}, the scenario's horizon", to_text(asked), to_text(start),
                                     to_text(add_months(start, document.months - 1)))}});
    }
    const auto at = static_cast<std::size_t>(month);
    return encode_profile(document, at, model::profile(evaluated->scenario, at));
}

} // namespace

Attempt<http::Response> post_profile(Service& service, const Call& call) {
    const Attempt<json> body = read_body(call.request); // the question points into it
    if (!body) {
        return tl::unexpected(body.error());
    }
    return read_question(*body)
        .and_then([&](const Question& question) { return answer(service, question); })
        .map([](std::string&& text) { return json_answer(std::move(text)); });
}

} // namespace costcurve::api
