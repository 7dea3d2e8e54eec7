// POST /v1/simulate: the question from JSON, and the answer's text.
#include "server/api/simulate.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "model/calendar.hpp"
#include "server/api/asked.hpp"
#include "server/api/compare.hpp"
#include "server/api/encode_questions.hpp"
#include "server/api/handlers.hpp"
#include "server/api/json_text.hpp"
#include "server/api/request.hpp"
#include "server/api/service.hpp"

namespace costcurve::api {

namespace {

using model::Code;
using nlohmann::json;

std::optional<model::BreakEvenPair> read_break_even(Members& question, std::size_t scenarios) {
    const json* const value = question.find("break_even");
    if (value == nullptr) {
        return std::nullopt;
    }
    const auto last = static_cast<std::int64_t>(scenarios) - 1;
    Members members(*value, question.at("break_even"), {"a", "b"});
    members.require("a", "the number of a scenario, from 0");
    members.require("b", "the number of a scenario, from 0");
    const model::BreakEvenPair pair{static_cast<std::size_t>(members.whole("a", 0, last).value_or(0)),
                                    static_cast<std::size_t>(members.whole("b", 0, last).value_or(0))};
    question.add_all(std::move(members.issues));
    return pair;
}

void write_output(JsonWriter& out, const model::SimulatedOutput& output, const model::SimulateQuestion& question) {
    if (!output.spread) {
        out.null();
        return;
    }
    out.begin_object().member("unit", output.unit);
    write_spread(out, *output.spread);
    out.key("variance_by_input").begin_object();
    for (std::size_t i = 0; i < question.inputs.size(); ++i) {
        if (output.explained_shares[i]) {
            out.member(question.inputs[i].pointer, *output.explained_shares[i]);
        }
    }
    out.end_object().end_object();
}

void write_scenario(JsonWriter& out, const model::SimulatedScenario& answer, const model::SimulateQuestion& question,
                    const model::ScenarioDocument& scenario, std::size_t number) {
    out.begin_object().member("name", name_of_scenario(scenario, number)).key("outputs").begin_object();
    for (std::size_t o = 0; o < question.outputs.size(); ++o) {
        out.key(question.outputs[o]);
        write_output(out, answer.outputs[o], question);
    }
    out.end_object().member("probability_cheapest", answer.probability_cheapest);
    if (question.by_month) {
        out.key("by_month").begin_array();
        for (std::size_t m = 0; m < answer.by_month.size(); ++m) {
            out.begin_object().member("month", model::to_text(model::add_months(scenario.start, static_cast<int>(m))));
            out.member("p5", answer.by_month[m].p5).member("p50", answer.by_month[m].p50).member("p95", answer.by_month[m].p95);
            out.end_object();
        }
        out.end_array();
    }
    out.end_object();
}

} // namespace

model::SimulateQuestion read_simulation(Members& members, const QuestionLimits& limits, std::size_t scenarios) {
    model::SimulateQuestion question;
    static_cast<model::Uncertainty&>(question) = read_uncertainty(members, limits, scenarios, question.samples);
    question.outputs = members.texts("outputs", kMostOutputs);
    if (question.outputs.empty()) {
        question.outputs = {"/total/cost"};
    }
    question.by_month = members.flag("by_month");
    question.break_even = read_break_even(members, scenarios);
    return question;
}

model::Result<model::SimulateQuestion> parse_simulation(std::string_view text, const QuestionLimits& limits,
                                                        std::size_t scenarios) {
    const auto parsed = parse_json(text);
    if (!parsed) {
        return tl::unexpected(model::Failure{{"", Code::bad_format, parsed.error().message}});
    }
    Members members(*parsed, "", {"inputs", "correlations", "outputs", "samples", "seed", "sampling", "by_month", "break_even"});
    model::SimulateQuestion question = read_simulation(members, limits, scenarios);
    if (!members.issues.empty()) {
        return tl::unexpected(std::move(members.issues));
    }
    return question;
}

std::string encode_simulation(const model::Simulation& answer, const model::SimulateQuestion& question,
                              const std::vector<model::Placed>& scenarios) {
    JsonWriter out;
    out.begin_object().member("samples", static_cast<double>(question.samples)).member("seed", static_cast<double>(question.seed));
    out.member("sampling", model::name_of(question.sampling)).member("failed", static_cast<double>(answer.failed));
    write_first_failure(out, answer.first_failure);
    out.key("scenarios").begin_array();
    for (std::size_t s = 0; s < scenarios.size(); ++s) {
        write_scenario(out, answer.scenarios[s], question, scenarios[s].document, s);
    }
    out.end_array();
    if (question.break_even) {
        out.key("break_even").begin_object().member("a", static_cast<int>(question.break_even->a));
        out.member("b", static_cast<int>(question.break_even->b)).key("probability").begin_array();
        for (const double share : answer.break_even) {
            out.value(share);
        }
        out.end_array().end_object();
    }
    return out.end_object().take();
}

Attempt<http::Response> post_simulate(Service& service, const Call& call) {
    const Attempt<json> body = read_body(call.request);
    if (!body) {
        return tl::unexpected(body.error());
    }
    Members members(*body, "",
                    {"scenarios", "inputs", "correlations", "outputs", "samples", "seed", "sampling", "by_month", "break_even",
                     "deadline_s", "set", "as_of"});
    Asked asked;
    ask_several(members, "scenarios", 1, asked);
    ask_moment(members, asked);
    const double deadline_s = read_deadline(members, service.questions);
    model::SimulateQuestion question =
        read_simulation(members, service.questions, std::max<std::size_t>(asked.scenarios.size(), 1));
    if (!members.issues.empty()) {
        return refused(std::move(members.issues));
    }
    auto scenarios = resolve_asked(service, asked);
    if (!scenarios) {
        return tl::unexpected(scenarios.error());
    }
    return answer_long(service, call, deadline_s, "samples",
                       [scenarios = std::move(*scenarios), question = std::move(question)](const model::Runner& runner) {
                           return simulate(scenarios, question, runner)
                               .map([&](const model::Simulation& answer) { return encode_simulation(answer, question, scenarios); })
                               .map_error([](model::Failure issues) { return refused(std::move(issues)).value(); });
                       });
}

} // namespace costcurve::api
