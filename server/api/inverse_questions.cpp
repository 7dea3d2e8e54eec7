// POST /v1/break-even, /v1/solve and /v1/sensitivity: where things become equal, and what moves them.
#include <cmath>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "server/api/asked.hpp"
#include "server/api/encode_questions.hpp"
#include "server/api/handlers.hpp"
#include "server/api/request.hpp"

namespace costcurve::api {

namespace {

using model::Code;
using nlohmann::json;

constexpr double kMost = 1e15;
constexpr std::size_t kMostInputs = 1000;
constexpr double kUsualChange = 0.2;

// A number that is needed.
double needed(Members& members, std::string_view name, std::string_view what) {
    members.require(name, what);
    return members.number(name, -kMost, kMost, "").value_or(0.0);
}

// A JSON Pointer that is needed, or has a default.
std::string pointer(Members& members, std::string_view name, std::string_view default_value = "") {
    if (default_value.empty()) {
        members.require(name, "a JSON Pointer");
    }
    return members.text(name).value_or(std::string(default_value));
}

std::optional<model::Moved> read_moved(const json& value, const std::string& at, Members& members) {
    Members input(value, at, {"pointer", "low", "high", "change"});
    model::Moved moved{pointer(input, "pointer"), at, input.number("low", -kMost, kMost, ""),
                       input.number("high", -kMost, kMost, ""), input.number("change", 0.0, 1.0, "of the value")};
    const bool good = input.issues.empty();
    members.issues.insert(members.issues.end(), input.issues.begin(), input.issues.end());
    return good ? std::optional(std::move(moved)) : std::nullopt;
}

std::vector<model::Moved> read_inputs(Members& members) {
    std::vector<model::Moved> inputs;
    const json* const list = members.find("inputs");
    if (list == nullptr) {
        return inputs;
    }
    if (!list->is_array() || list->empty() || list->size() > kMostInputs) {
        members.add(
            "inputs", Code::wrong_type,
            fmt::format("inputs must be a list of 1 to {} objects {{pointer, low, high}} or {{pointer, change}}", kMostInputs));
        return inputs;
    }
    inputs.reserve(list->size());
    for (std::size_t i = 0; i < list->size(); ++i) {
        if (auto moved = read_moved((*list)[i], fmt::format("/inputs/{}", i), members)) {
            inputs.push_back(std::move(*moved));
        }
    }
    return inputs;
}

template <class T> Attempt<http::Response> answered(model::Result<T> answer, const auto& encode) {
    if (!answer) {
        return refused(std::move(answer.error()));
    }
    return json_answer(encode(*answer));
}

} // namespace

Attempt<http::Response> post_break_even(Service& service, const Call& call) {
    const Attempt<json> body = read_body(call.request);
    if (!body) {
        return tl::unexpected(body.error());
    }
    Members members(*body, "", {"a", "b", "over", "input", "low", "high", "set", "as_of"});
    Asked asked;
    ask_one(members, "a", asked);
    ask_one(members, "b", asked);
    ask_moment(members, asked);
    const bool over_horizon = members.find("input") == nullptr && members.find("low") == nullptr && members.find("high") == nullptr;
    const std::string over = members.text("over").value_or("horizon");
    if (over != "horizon" || (!over_horizon && members.find("over") != nullptr)) {
        members.add("over", Code::inconsistent, "give over: \"horizon\", or input with low and high");
    }
    const std::string input = over_horizon ? "" : pointer(members, "input");
    const double low = over_horizon ? 0.0 : needed(members, "low", "the least value of the input");
    const double high = over_horizon ? 0.0 : needed(members, "high", "the greatest value of the input");
    if (!members.issues.empty()) {
        return refused(std::move(members.issues));
    }
    const auto scenarios = resolve_asked(service, asked);
    if (!scenarios) {
        return tl::unexpected(scenarios.error());
    }
    const std::string& currency = scenarios->front().document.currency;
    model::Alternatives pair(*scenarios);
    if (over_horizon) {
        return answered(break_even_over_horizon(pair),
                        [&](const model::BreakEven& answer) { return encode_break_even(answer, over, "months", currency); });
    }
    return answered(break_even_over_input(pair, input, "/input", low, high), [&](const model::BreakEven& answer) {
        return encode_break_even(answer, input, with_currency(pair.input(0).unit, currency), currency);
    });
}

Attempt<http::Response> post_solve(Service& service, const Call& call) {
    const Attempt<json> body = read_body(call.request);
    if (!body) {
        return tl::unexpected(body.error());
    }
    Members members(*body, "", {"scenario", "input", "low", "high", "output", "target", "set", "as_of"});
    Asked asked;
    ask_one(members, "scenario", asked);
    ask_moment(members, asked);
    const model::SolveQuestion question{pointer(members, "input"),
                                        "/input",
                                        needed(members, "low", "the least value of the input"),
                                        needed(members, "high", "the greatest value of the input"),
                                        pointer(members, "output"),
                                        "/output",
                                        needed(members, "target", "the wanted value of the output"),
                                        "/target"};
    if (!members.issues.empty()) {
        return refused(std::move(members.issues));
    }
    const auto scenarios = resolve_asked(service, asked);
    if (!scenarios) {
        return tl::unexpected(scenarios.error());
    }
    model::Alternatives scenario(*scenarios);
    return answered(model::solve(scenario, question), [&](model::Solved& solved) {
        solved.unit = with_currency(solved.unit, scenarios->front().document.currency);
        return encode_solved(solved, question);
    });
}

Attempt<http::Response> post_sensitivity(Service& service, const Call& call) {
    const Attempt<json> body = read_body(call.request);
    if (!body) {
        return tl::unexpected(body.error());
    }
    Members members(*body, "", {"scenario", "against", "inputs", "output", "set", "as_of"});
    Asked asked;
    ask_one(members, "scenario", asked);
    ask_several(members, "against", 0, asked);
    ask_moment(members, asked);
    std::vector<model::Moved> inputs = read_inputs(members);
    const std::string output = pointer(members, "output", "/total/cost");
    if (!members.issues.empty()) {
        return refused(std::move(members.issues));
    }
    const auto scenarios = resolve_asked(service, asked);
    if (!scenarios) {
        return tl::unexpected(scenarios.error());
    }
    const model::ScenarioDocument& scenario = scenarios->front().document;
    if (members.find("inputs") == nullptr) {
        inputs = model::every_input(scenario, kUsualChange);
    }
    model::Alternatives alternatives(*scenarios);
    return answered(sensitivity(alternatives, inputs, output, "/output"), [&](model::Sensitivity& answer) {
        for (model::Swing& swing : answer.swings) {
            swing.unit = with_currency(swing.unit, scenario.currency);
        }
        return encode_sensitivity(answer, output);
    });
}

} // namespace costcurve::api
