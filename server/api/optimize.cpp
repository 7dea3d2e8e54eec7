// POST /v1/optimize: what is free, what is minimised, what must be kept; and the plan that comes to the least.
#include "server/api/optimize.hpp"

#include <cmath>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "server/api/asked.hpp"
#include "server/api/encode_questions.hpp"
#include "server/api/evaluate_scenario.hpp"
#include "server/api/handlers.hpp"
#include "server/api/json_text.hpp"
#include "server/api/request.hpp"
#include "server/api/service.hpp"
#include "server/api/uncertainty.hpp"

namespace costcurve::api {

namespace {

using model::Code;
using nlohmann::json;

constexpr double kMost = 1e15;
constexpr double kMostWhole = 1e6;

// A whole number; an issue where there is none.
int whole(Members& members, std::string_view name, double low) {
    members.require(name, "a whole number");
    const double value = members.number(name, low, kMostWhole, "").value_or(low);
    if (value != std::floor(value)) {
        members.add(name, Code::wrong_type, fmt::format("{} is {}; give a whole number", name, value));
    }
    return static_cast<int>(value);
}

std::vector<model::Decide> read_decide(Members& members) {
    constexpr double kEarliest = -1200; // months
    members.require("decide", "a list of {pointer, min, max}");
    const json* const list = members.find("decide");
    std::vector<model::Decide> decide;
    if (list == nullptr) {
        return decide;
    }
    if (!list->is_array() || list->empty() || list->size() > kMostDecisions) {
        members.add("decide", Code::wrong_type,
                    fmt::format("decide must be a list of 1 to {} objects {{pointer, min, max}}", kMostDecisions));
        return decide;
    }
    decide.reserve(list->size());
    for (std::size_t i = 0; i < list->size(); ++i) {
        Members one((*list)[i], fmt::format("/decide/{}", i), {"pointer", "min", "max"});
        one.require("pointer", "a JSON Pointer to a number of servers, a month or a number of instances");
        decide.push_back({one.text("pointer").value_or(""), whole(one, "min", kEarliest), whole(one, "max", kEarliest)});
        members.issues.insert(members.issues.end(), one.issues.begin(), one.issues.end());
    }
    return decide;
}

model::Goal read_goal(Members& members) {
    const std::string word = members.text("minimize").value_or("cost");
    for (std::size_t i = 0; i < model::enum_names<model::Goal>.size(); ++i) {
        if (word == model::enum_names<model::Goal>[i]) {
            return static_cast<model::Goal>(i);
        }
    }
    members.add(
        "minimize", Code::unknown_value,
        fmt::format("minimize is \"{}\"; give one of: {}", shortened(word, 60), fmt::join(model::enum_names<model::Goal>, ", ")));
    return model::Goal::cost;
}

model::Limits read_limits(Members& members) {
    model::Limits limits;
    if (const json* const value = members.find("subject_to")) {
        Members read(*value, "/subject_to", {"max_unserved_fraction", "max_carbon_kg", "max_capital", "max_rack_kw"});
        for (const model::LimitRow& row : model::limit_rows()) {
            const double most = row.limit == &model::Limits::max_unserved_fraction ? 1.0 : kMost;
            if (const auto limit = read.number(row.name, 0.0, most, row.unit)) {
                limits.*row.limit = limit;
            }
        }
        members.issues.insert(members.issues.end(), read.issues.begin(), read.issues.end());
    }
    return limits;
}

model::Uncertainty read_futures(const json& value, const std::string& at, const QuestionLimits& limits, model::Failure& issues) {
    Members members(value, at, {"inputs", "correlations", "samples", "seed", "sampling"});
    model::Uncertainty uncertainty = read_uncertainty(members, limits, 1, kFutures);
    issues.insert(issues.end(), members.issues.begin(), members.issues.end());
    return uncertainty;
}

void write_plan(JsonWriter& out, const model::Optimum& optimum, const model::Plan& plan) {
    out.begin_object();
    for (std::size_t d = 0; d < plan.size(); ++d) {
        out.member(optimum.decisions[d].pointer, plan[d]);
    }
    out.end_object();
}

void write_decisions(JsonWriter& out, const model::Optimum& optimum, const model::RankedPlan& plan) {
    out.key("decisions");
    write_plan(out, optimum, plan.plan);
    out.member("objective", plan.objective);
}

void write_hedge(JsonWriter& out, const model::Optimum& optimum) {
    const model::Hedge& hedge = *optimum.hedge;
    out.key("hedge").begin_object();
    write_spread(out, hedge.spread);
    out.key("plan_at_means");
    if (hedge.plan_at_means.empty()) {
        out.null();
    } else {
        write_plan(out, optimum, hedge.plan_at_means);
    }
    out.member("value_of_hedging", hedge.value_of_hedging);
    out.member("value_of_foresight", hedge.value_of_foresight).end_object();
}

void write_limits(JsonWriter& out, const Optimized& answer) {
    const std::string& currency = answer.best.scenario.document().currency;
    out.key("limits").begin_array();
    for (std::size_t l = 0; l < model::limit_rows().size(); ++l) {
        const model::LimitRow& row = model::limit_rows()[l];
        if (const std::optional<double>& limit = answer.question.subject_to.*row.limit) {
            out.begin_object().member("name", row.name).member("limit", *limit).member("taken", answer.optimum.taken[l]);
            out.member("unit", with_currency(row.unit, currency)).end_object();
        }
    }
    out.end_array();
}

} // namespace

model::Result<model::Uncertainty> parse_futures(std::string_view text) {
    const auto parsed = parse_json(text);
    if (!parsed) {
        return tl::unexpected(model::Failure{{"", Code::bad_format, parsed.error().message}});
    }
    model::Failure issues;
    model::Uncertainty uncertainty = read_futures(*parsed, "", {}, issues);
    if (!issues.empty()) {
        return tl::unexpected(std::move(issues));
    }
    return uncertainty;
}

model::Result<Optimized> optimize(const model::Placed& scenario, const model::OptimizeQuestion& question,
                                  const model::OptimizeEffort& effort, const model::Runner& runner) {
    model::Result<model::Optimum> optimum = model::optimize(scenario, question, effort, runner);
    if (!optimum) {
        return tl::unexpected(std::move(optimum.error()));
    }
    model::Result<Evaluated> best =
        evaluate_resolved(model::with_plan(scenario.document, optimum->decisions, optimum->best.plan), scenario.at);
    if (!best) {
        return tl::unexpected(std::move(best.error()));
    }
    return Optimized{question, std::move(*optimum), std::move(*best)};
}

std::string encode_optimized(const Optimized& answer) {
    const model::Optimum& optimum = answer.optimum;
    JsonWriter out;
    out.begin_object();
    write_decisions(out, optimum, optimum.best);
    out.member("minimize", name_of(answer.question.minimize));
    out.member("unit", with_currency(unit_of(answer.question.minimize), answer.best.scenario.document().currency));
    out.key("bound");
    if (std::isfinite(optimum.bound)) {
        out.value(optimum.bound);
        out.member("gap_fraction", optimum.gap_fraction);
    } else {
        out.null();
        out.key("gap_fraction").null();
    }
    out.member("proof", name_of(optimum.proof));
    if (optimum.hedge) {
        write_hedge(out, optimum);
    }
    write_limits(out, answer);
    out.key("runners_up").begin_array();
    for (const model::RankedPlan& plan : optimum.runners_up) {
        out.begin_object();
        write_decisions(out, optimum, plan);
        out.end_object();
    }
    out.end_array().member("evaluations", static_cast<int>(optimum.evaluations));
    out.member("linear_programmes", static_cast<int>(optimum.bounds));
    return out.key("result").raw(encode_result(answer.best, false)).end_object().take();
}

Attempt<http::Response> post_optimize(Service& service, const Call& call) {
    const Attempt<json> body = read_body(call.request);
    if (!body) {
        return tl::unexpected(body.error());
    }
    Members members(
        *body, "",
        {"scenario", "decide", "minimize", "subject_to", "uncertain", "gap", "evaluations", "deadline_s", "set", "as_of"});
    Asked asked;
    ask_one(members, "scenario", asked);
    ask_moment(members, asked);
    model::OptimizeQuestion question;
    question.decide = read_decide(members);
    question.minimize = read_goal(members);
    question.subject_to = read_limits(members);
    question.gap = members.number("gap", 0.0, 1.0, "of the objective").value_or(question.gap);
    if (const json* const uncertain = members.find("uncertain")) {
        question.uncertain = read_futures(*uncertain, "/uncertain", service.questions, members.issues);
    }
    model::OptimizeEffort effort;
    const auto most = static_cast<double>(service.questions.plans);
    effort.evaluations = static_cast<std::size_t>(members.number("evaluations", 1.0, most, "plans (--max-plans)")
                                                      .value_or(std::min(most, static_cast<double>(effort.evaluations))));
    effort.exhaustive_plans = std::min(effort.exhaustive_plans, effort.evaluations);
    const double deadline_s = read_deadline(members, service.questions);
    if (!members.issues.empty()) {
        return refused(std::move(members.issues));
    }
    auto scenarios = resolve_asked(service, asked);
    if (!scenarios) {
        return tl::unexpected(scenarios.error());
    }
    return answer_long(service, call, deadline_s, "plans",
                       [scenario = std::move(scenarios->front()), question = std::move(question),
                        effort](const model::Runner& runner) -> Attempt<std::string> {
                           model::Result<Optimized> answer = api::optimize(scenario, question, effort, runner);
                           if (!answer) {
                               return refused(std::move(answer.error()));
                           }
                           return encode_optimized(*answer);
                       });
}

} // namespace costcurve::api
