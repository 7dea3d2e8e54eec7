// POST /v1/variances: a pool of a scenario against what telemetry and bills say of the same months, and why the cost differs.
#include <algorithm>
#include <array>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "server/api/asked.hpp"
#include "server/api/handlers.hpp"
#include "server/api/json_text.hpp"
#include "server/api/measured.hpp"
#include "server/api/request.hpp"
#include "server/api/service.hpp"
#include "server/api/variance_sides.hpp"

namespace costcurve::api {

namespace {

using model::Code;
using nlohmann::json;

constexpr double kMost = 1e15;

// The figures of an answer, in their order; one row a figure.
struct FigureRow {
    std::string_view name;
    std::optional<double> Side::*value;
    std::string_view unit;
};
constexpr auto kFigures = std::to_array<FigureRow>({
    {"cost", &Side::cost, "of the scenario's currency"},
    {"device_hours", &Side::device_hours, "device-hours"},
    {"units", &Side::units, "units"},
    {"energy_kwh", &Side::energy_kwh, "kWh"},
    {"utilization_fraction", &Side::utilization_fraction, "of 1"},
});

struct Question {
    Asked asked;
    VarianceOf of;
    Actual actual;
};

void read_bill(const json& value, Members& members, Actual& actual) {
    Members bill(value, members.at("bill"), {"provider", "region", "sku", "purchase", "device"});
    storage::BillQuery query;
    query.provider = bill.text("provider").value_or("");
    query.region = bill.text("region").value_or("");
    query.sku = bill.text("sku").value_or("");
    query.purchase = bill.text("purchase").value_or("");
    query.device = device_id(bill.text("device").value_or(""));
    actual.bill = query;
    members.issues.insert(members.issues.end(), bill.issues.begin(), bill.issues.end());
}

void read_actual(const json& value, Members& whole, Actual& actual) {
    Members members(value, "/actual", {"telemetry", "bill", "cost", "device_hours", "units", "energy_kwh", "utilization_fraction"});
    if (const json* const telemetry = members.find("telemetry")) {
        Members of(*telemetry, members.at("telemetry"), {"device", "sources"});
        actual.telemetry = read_measured_of(of);
        members.issues.insert(members.issues.end(), of.issues.begin(), of.issues.end());
    }
    if (const json* const bill = members.find("bill")) {
        read_bill(*bill, members, actual);
    }
    bool any = actual.telemetry || actual.bill;
    for (const FigureRow& row : kFigures) {
        const bool is_fraction = row.value == &Side::utilization_fraction;
        actual.given.*row.value =
            members.number(row.name, row.value == &Side::cost ? -kMost : 0.0, is_fraction ? 1.0 : kMost, row.unit);
        any = any || actual.given.*row.value;
    }
    if (members.issues.empty() && !any) {
        whole.add("actual", Code::missing, "give telemetry, bill, or figures: there is nothing to compare with");
    }
    whole.issues.insert(whole.issues.end(), members.issues.begin(), members.issues.end());
}

void read_months(Members& members, VarianceOf& of) {
    members.require("from", "the first month, YYYY-MM");
    members.require("to", "the last month, YYYY-MM");
    const auto from = members.month("from");
    const auto to = members.month("to");
    of.from = from.value_or(of.from);
    of.to = to.value_or(of.from);
    if (from && to && months_between(*from, *to) < 0) {
        members.add("to", Code::out_of_range,
                    fmt::format("to is {}; it must not come before from, {}", model::to_text(*to), model::to_text(*from)));
    }
}

Attempt<Question> read_question(const json& body) {
    Members members(body, "", {"scenario", "set", "as_of", "pool", "from", "to", "actual"});
    Question question;
    members.require("pool", "the id of a pool of the scenario");
    members.require("actual", "what was measured, or where it is");
    ask_one(members, "scenario", question.asked);
    ask_moment(members, question.asked);
    question.of.pool = members.text("pool").value_or("");
    read_months(members, question.of);
    if (const json* const actual = members.find("actual")) {
        read_actual(*actual, members, question.actual);
    }
    if (!members.issues.empty()) {
        return refused(std::move(members.issues));
    }
    return question;
}

void write_side(JsonWriter& out, const Side& side, bool measured) {
    out.begin_object();
    for (const FigureRow& row : kFigures) {
        out.member(row.name, side.*row.value);
    }
    const auto ratio = [](const std::optional<double>& a, const std::optional<double>& b) {
        return a && b && *b > 0.0 ? std::optional(*a / *b) : std::nullopt;
    };
    out.member("price_per_device_hour", ratio(side.cost, side.device_hours));
    out.member("hours_per_unit", ratio(side.device_hours, side.units));
    out.member("device_energy_kwh", side.device_energy_kwh);
    if (measured) {
        out.member("telemetry_device_hours", side.telemetry_device_hours);
        out.key("basis").begin_object();
        for (const auto& [name, basis] : side.basis) {
            out.member(name, basis);
        }
        out.end_object();
    }
    out.end_object();
}

std::string encode_variance(const VarianceOf& of, const std::string& currency, const Side& predicted, const Side& measured,
                            const std::vector<std::string>& notes) {
    JsonWriter out;
    out.begin_object().member("pool", of.pool).member("from", model::to_text(of.from)).member("to", model::to_text(of.to));
    out.member("currency", currency).key("predicted");
    write_side(out, predicted, false);
    out.key("measured");
    write_side(out, measured, true);
    const auto less = [](const std::optional<double>& a, const std::optional<double>& b) {
        return a && b ? std::optional(*a - *b) : std::nullopt;
    };
    out.key("difference").begin_object();
    for (const FigureRow& row : kFigures) {
        out.member(row.name, less(measured.*row.value, predicted.*row.value));
    }
    out.member("device_energy_kwh", less(measured.device_energy_kwh, predicted.device_energy_kwh)).end_object();
    const work::CostVariance variance = work::cost_variance({predicted.cost, predicted.device_hours, predicted.units},
                                                            {measured.cost, measured.device_hours, measured.units});
    out.key("cost_variance").begin_object().member("total", variance.total).member("price", variance.price);
    out.member("volume", variance.volume).member("efficiency", variance.efficiency).end_object();
    out.key("notes").begin_array();
    for (const std::string& note : notes) {
        out.value(note);
    }
    if (!variance.missing.empty()) {
        out.value(variance.missing);
    }
    return out.end_array().end_object().take();
}

} // namespace

Attempt<http::Response> post_variances(Service& service, const Call& call) {
    const Attempt<json> body = read_body(call.request);
    if (!body) {
        return tl::unexpected(body.error());
    }
    const Attempt<Question> question = read_question(*body);
    if (!question) {
        return tl::unexpected(question.error());
    }
    const auto scenarios = resolve_asked(service, question->asked);
    if (!scenarios) {
        return tl::unexpected(scenarios.error());
    }
    const model::ScenarioDocument& scenario = scenarios->front().document;
    std::vector<std::string> notes;
    const Attempt<Side> predicted = predict(scenario, question->of, notes);
    if (!predicted) {
        return tl::unexpected(predicted.error());
    }
    return measure(service.store, scenario, question->of, question->actual, notes).map([&](const Side& measured) {
        return json_answer(encode_variance(question->of, scenario.currency, *predicted, measured, notes));
    });
}

} // namespace costcurve::api
