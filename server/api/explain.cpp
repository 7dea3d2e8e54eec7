// POST /v1/explain: a figure of a scenario's result as a tree of terms.
#include "server/api/explain.hpp"

#include <cmath>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "server/api/asked.hpp"
#include "server/api/evaluate_scenario.hpp"
#include "server/api/handlers.hpp"
#include "server/api/json_text.hpp"
#include "server/api/request.hpp"

namespace costcurve::api {

namespace {

using model::Code;
using nlohmann::json;

struct Question {
    Asked of;
    std::string figure;
    std::optional<int> depth;
};

Attempt<Question> read_question(const json& body) {
    Members members(body, "", {"scenario", "figure", "depth", "set", "as_of"});
    Question question;
    ask_one(members, "scenario", question.of);
    ask_moment(members, question.of);
    members.require("figure", "a JSON Pointer to a number of the result, such as /total/cost");
    if (const json* const figure = members.find("figure")) {
        if (figure->is_string()) {
            question.figure = figure->get<std::string>();
        } else {
            members.add("figure", Code::wrong_type, "figure must be a JSON Pointer to a number of the result, such as /total/cost");
        }
    }
    if (const auto depth = members.number("depth", 0, kMostLevels, "levels")) {
        if (*depth == std::floor(*depth)) {
            question.depth = static_cast<int>(*depth);
        } else {
            members.add("depth", Code::wrong_type, fmt::format("depth is {}; it must be a whole number", *depth));
        }
    }
    if (!members.issues.empty()) {
        return refused(std::move(members.issues));
    }
    return question;
}

void write_term(JsonWriter& out, const model::Term& term) {
    out.begin_object().member("term", term.term).member("formula", term.formula).member("value", term.value);
    out.member("unit", term.unit).member("rule", name_of(term.rule)).key("inputs").begin_array();
    for (const model::TermInput& input : term.inputs) {
        const auto revision = input.revision > 0 ? std::optional(static_cast<double>(input.revision)) : std::nullopt;
        const auto source = input.source.empty() ? std::nullopt : std::optional(input.source);
        out.begin_object().member("name", input.name).member("value", input.value).member("unit", input.unit);
        out.member("source", source).member("revision", revision).end_object();
    }
    out.end_array().key("terms").begin_array();
    for (const model::Term& part : term.terms) {
        write_term(out, part);
    }
    out.end_array().end_object();
}

Attempt<std::string> answer(const Service& service, const Question& question) {
    const auto scenarios = resolve_asked(service, question.of);
    if (!scenarios) {
        return tl::unexpected(scenarios.error());
    }
    auto tree = evaluate_resolved(scenarios->front().document, "/scenario").and_then([&](const Evaluated& evaluated) {
        return explain_evaluated(evaluated, question.figure, question.depth, "/figure");
    });
    if (!tree) {
        return refused(std::move(tree.error()));
    }
    return encode_term(*tree);
}

} // namespace

model::Result<model::Term> explain_evaluated(const Evaluated& evaluated, std::string_view figure, std::optional<int> depth,
                                             const std::string& pointer) {
    auto tree =
        model::explain(evaluated.scenario, model::compile(evaluated.scenario), evaluated.ledger, evaluated.summary, figure, depth);
    if (!tree) {
        for (model::Issue& issue : tree.error()) {
            issue.pointer = pointer;
        }
    }
    return tree;
}

std::string encode_term(const model::Term& tree) {
    JsonWriter out;
    write_term(out, tree);
    return out.take();
}

Attempt<http::Response> post_explain(Service& service, const Call& call) {
    const Attempt<json> body = read_body(call.request); // the question points into it
    if (!body) {
        return tl::unexpected(body.error());
    }
    return read_question(*body)
        .and_then([&](const Question& question) { return answer(service, question); })
        .map([](std::string&& text) { return json_answer(std::move(text)); });
}

} // namespace costcurve::api
