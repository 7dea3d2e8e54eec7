// POST /v1/simulate: distributions from JSON by the table of their members, and the answer's text.
#include "server/api/simulate.hpp"

#include <algorithm>
#include <array>

#include <fmt/format.h>
#include <fmt/ranges.h>
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
using model::Distribution;
using model::DistributionKind;
using nlohmann::json;

constexpr double kMost = 1e15;
constexpr std::int64_t kMostSeed = (std::int64_t{1} << 53) - 1; // what any reader of JSON keeps

std::string pointer(Members& members, std::string_view name) {
    members.require(name, "a JSON Pointer");
    return members.text(name).value_or("");
}

// The members that its kind has; those of any kind where it has none.
std::vector<std::string_view> allowed_of(const json& value) {
    const auto words = model::enum_names<DistributionKind>;
    const auto known = [&](std::string_view word) { return std::find(words.begin(), words.end(), word) != words.end(); };
    const json* const kind = value.is_object() && value.contains("kind") ? &value["kind"] : nullptr;
    const bool has_kind = kind != nullptr && kind->is_string() && known(kind->get_ref<const std::string&>());
    std::vector<std::string_view> allowed = {"kind", "relative"};
    for (std::size_t k = 0; k < words.size(); ++k) {
        for (const model::DistributionMember& member : model::members_of(static_cast<DistributionKind>(k))) {
            if (!has_kind || kind->get_ref<const std::string&>() == words[k]) {
                allowed.push_back(member.name);
            }
        }
    }
    return allowed;
}

Distribution read_distribution(const json& value, const std::string& at, Members& question) {
    Distribution distribution;
    Members members(value, at, allowed_of(value));
    members.require("kind", fmt::format("one of {}", fmt::join(model::enum_names<DistributionKind>, ", ")));
    if (const auto kind = members.choice("kind", model::enum_names<DistributionKind>)) {
        distribution.kind = static_cast<DistributionKind>(*kind);
        distribution.relative = members.flag("relative");
        for (const model::DistributionMember& member : model::members_of(distribution.kind)) {
            members.require(member.name, member.help);
            if (member.number != nullptr) {
                distribution.*member.number = members.number(member.name, -kMost, kMost, "").value_or(0.0);
            } else {
                distribution.*member.list = members.numbers(member.name, model::kMostListed);
            }
        }
    }
    question.add_all(std::move(members.issues));
    return distribution;
}

model::UncertainInput read_input(const json& value, const std::string& at, std::size_t scenarios, Members& question) {
    Members members(value, at, {"pointer", "distribution", "scenario"});
    model::UncertainInput input{pointer(members, "pointer"), at, {}, std::nullopt};
    if (const auto scenario = members.whole("scenario", 0, static_cast<std::int64_t>(scenarios) - 1)) {
        input.scenario = static_cast<std::size_t>(*scenario);
    }
    members.require("distribution", "an object {kind, …}");
    if (const json* const distribution = members.find("distribution")) {
        input.distribution = read_distribution(*distribution, members.at("distribution"), members);
    }
    question.add_all(std::move(members.issues));
    return input;
}

model::CorrelatedInputs read_correlation(const json& value, const std::string& at, Members& question) {
    Members members(value, at, {"a", "b", "rho"});
    members.require("rho", "Spearman's correlation of their ranks, -1 to 1");
    model::CorrelatedInputs row{pointer(members, "a"), pointer(members, "b"), members.number("rho", -1, 1, "").value_or(0.0), at};
    question.add_all(std::move(members.issues));
    return row;
}

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

void write_spread(JsonWriter& out, const model::Spread& spread) {
    struct Row {
        std::string_view name;
        double model::Spread::*value;
    };
    static constexpr auto kRows = std::to_array<Row>({{"mean", &model::Spread::mean},
                                                      {"standard_error", &model::Spread::standard_error},
                                                      {"p5", &model::Spread::p5},
                                                      {"p10", &model::Spread::p10},
                                                      {"p50", &model::Spread::p50},
                                                      {"p90", &model::Spread::p90},
                                                      {"p95", &model::Spread::p95},
                                                      {"cvar_95", &model::Spread::cvar_95}});
    out.member("samples", static_cast<double>(spread.samples));
    for (const Row& row : kRows) {
        out.member(row.name, spread.*row.value);
    }
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
    members.require("inputs", "a list of objects {pointer, distribution}");
    if (const json* const inputs = members.list("inputs", kMostUncertain)) {
        for (std::size_t i = 0; i < inputs->size(); ++i) {
            question.inputs.push_back(read_input((*inputs)[i], fmt::format("/inputs/{}", i), scenarios, members));
        }
    }
    if (const json* const rows = members.list("correlations", kMostUncertain * kMostUncertain)) {
        for (std::size_t i = 0; i < rows->size(); ++i) {
            question.correlations.push_back(read_correlation((*rows)[i], fmt::format("/correlations/{}", i), members));
        }
    }
    question.outputs = members.texts("outputs", kMostOutputs);
    if (question.outputs.empty()) {
        question.outputs = {"/total/cost"};
    }
    question.samples = static_cast<std::size_t>(members.whole("samples", 2, std::int64_t{1} << 40).value_or(10'000));
    if (question.samples > limits.samples) {
        members.add("samples", Code::too_large,
                    fmt::format("samples is {}; allowed up to {}, the setting --max-samples", question.samples, limits.samples));
    }
    question.seed = static_cast<std::uint64_t>(members.whole("seed", 0, kMostSeed).value_or(0));
    question.sampling = static_cast<model::Sampling>(members.choice("sampling", model::enum_names<model::Sampling>).value_or(0));
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
