// The questions that the table of routes names, by their requests.
#include "server/api/handlers/questions.hpp"

#include <algorithm>
#include <array>
#include <memory>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "server/answers/break_even.hpp"
#include "server/answers/compare.hpp"
#include "server/answers/evaluate.hpp"
#include "server/answers/explain.hpp"
#include "server/answers/map.hpp"
#include "server/answers/optimize/optimize.hpp"
#include "server/answers/profile.hpp"
#include "server/answers/rank.hpp"
#include "server/answers/scenario_selection.hpp"
#include "server/answers/sensitivity.hpp"
#include "server/answers/simulate.hpp"
#include "server/answers/solve.hpp"
#include "server/answers/tables/ledger_csv.hpp"
#include "server/answers/telemetry/actuals.hpp"
#include "server/answers/telemetry/calibrate.hpp"
#include "server/answers/telemetry/variance.hpp"
#include "server/api/handlers/handlers.hpp"
#include "server/api/handlers/jobs.hpp"
#include "server/api/request.hpp"
#include "server/api/service.hpp"
#include "server/api/tables.hpp"

namespace costcurve::api {

namespace {

// What a long question is busy with, for its progress.
template <class R> constexpr std::string_view kStage = "";
template <> constexpr std::string_view kStage<answers::SimulateRequest> = "samples";
template <> constexpr std::string_view kStage<answers::MapRequest> = "cells";
template <> constexpr std::string_view kStage<answers::OptimizeRequest> = "plans";

// A request with its scenarios, which no longer needs the body.
template <class R> struct Resolved {
    R request;
    std::vector<model::Placed> scenarios;
};

template <class R> Attempt<R> decode_question(const Service& service, const nlohmann::json& body) {
    model::Result<R> request = answers::decode_request<R>(body, service.questions);
    if (!request) {
        return refused(std::move(request.error()));
    }
    return std::move(*request);
}

template <class R>
Attempt<Resolved<R>> resolve_question(const Service& service, const nlohmann::json& body,
                                      const std::optional<std::string>& as_of = std::nullopt) {
    Attempt<R> request = decode_question<R>(service, body);
    if (!request) {
        return tl::unexpected(std::move(request.error()));
    }
    const answers::ScenarioSelection selection = answers::selection_of(*request);
    documents::Source source(service.store, selection.as_of.as_of ? selection.as_of.as_of : as_of);
    auto scenarios = answers::resolve_selection(selection, source);
    if (!scenarios) {
        return refused(std::move(scenarios.error()));
    }
    if (model::Failure issues = answers::resolve_more(*request, *scenarios, source); !issues.empty()) {
        return refused(std::move(issues));
    }
    return Resolved<R>{std::move(*request), std::move(*scenarios)};
}

Attempt<std::string> or_refused(model::Result<std::string> answer) {
    return std::move(answer).map_error([](model::Failure issues) { return refused(std::move(issues)).value(); });
}

template <class R>
Attempt<LongQuestion> prepare(const Service& service, const nlohmann::json& body, const std::optional<std::string>& as_of) {
    auto question = resolve_question<R>(service, body, as_of);
    if (!question) {
        return tl::unexpected(std::move(question.error()));
    }
    const double deadline_s = question->request.deadline_s.value_or(service.questions.seconds);
    return LongQuestion{deadline_s, kStage<R>, [question = std::move(*question)](const model::Runner& runner) {
                            return or_refused(answer(question.request, question.scenarios, runner));
                        }};
}

Attempt<LongQuestion> prepare_rank(const Service& service, const nlohmann::json& body, const std::optional<std::string>& as_of) {
    const Attempt<answers::RankRequest> request = decode_question<answers::RankRequest>(service, body);
    if (!request) {
        return tl::unexpected(request.error());
    }
    const auto source = std::make_shared<documents::Source>(service.store, request->as_of.as_of ? request->as_of.as_of : as_of);
    model::Result<model::RankQuestion> question = answers::resolve_rank(*request, *source);
    if (!question) {
        return refused(std::move(question.error()));
    }
    const double deadline_s = request->deadline_s.value_or(service.questions.seconds);
    return LongQuestion{deadline_s, "plans", [question = std::move(*question), source](const model::Runner& runner) {
                            // reads the catalogue, within the limit of long questions
                            return or_refused(answers::answer(question, *source, runner));
                        }};
}

using Prepare = Attempt<LongQuestion> (*)(const Service&, const nlohmann::json&, const std::optional<std::string>&);
struct LongRoute {
    std::string_view path;
    Prepare prepare;
};
constexpr auto kLongRoutes = std::to_array<LongRoute>({
    {"/v1/simulate", prepare<answers::SimulateRequest>},
    {"/v1/map", prepare<answers::MapRequest>},
    {"/v1/optimize", prepare<answers::OptimizeRequest>},
    {"/v1/rank", prepare_rank},
});

Attempt<LongQuestion> prepare_at(const Service& service, std::string_view path, const nlohmann::json& body,
                                 const std::optional<std::string>& as_of) {
    const auto* const row = std::find_if(kLongRoutes.begin(), kLongRoutes.end(), [&](const auto& it) { return it.path == path; });
    if (row == kLongRoutes.end()) { // of a job that another version queued
        return tl::unexpected(Refusal{404, fmt::format("no long question has the path {}", path)});
    }
    return row->prepare(service, body, as_of);
}

} // namespace

template <class R> Attempt<http::Response> post_question(Service& service, const Call& call) {
    return read_body(call.request)
        .and_then([&](const ParsedJson& body) { return resolve_question<R>(service, *body); })
        .and_then([](const Resolved<R>& question) { return or_refused(answer(question.request, question.scenarios)); })
        .map([](std::string&& text) { return json_answer(std::move(text)); });
}

Attempt<LongQuestion> prepare_question(const Service& service, std::string_view path, std::string_view body,
                                       const std::optional<std::string>& as_of) {
    const model::Result<ParsedJson> parsed = answers::parse_body(body);
    if (!parsed) {
        return refused(parsed.error());
    }
    return prepare_at(service, path, **parsed, as_of);
}

Attempt<http::Response> post_long_question(Service& service, const Call& call) {
    return read_body(call.request)
        .and_then([&](const ParsedJson& body) { return prepare_at(service, call.route.path, *body, std::nullopt); })
        .and_then([&](LongQuestion&& question) {
            return prefers_async(call.request) ? queue_question(service, call) : answer_long(service, call, std::move(question));
        });
}

template Attempt<http::Response> post_question<answers::BreakEvenRequest>(Service&, const Call&);
template Attempt<http::Response> post_question<answers::SolveRequest>(Service&, const Call&);
template Attempt<http::Response> post_question<answers::SensitivityRequest>(Service&, const Call&);
template Attempt<http::Response> post_question<answers::ExplainRequest>(Service&, const Call&);
template Attempt<http::Response> post_question<answers::ProfileRequest>(Service&, const Call&);

Attempt<http::Response> post_compare(Service& service, const Call& call) {
    return read_body(call.request)
        .and_then([&](const ParsedJson& body) { return resolve_question<answers::CompareRequest>(service, *body); })
        .and_then([&](const Resolved<answers::CompareRequest>& question) -> Attempt<http::Response> {
            if (!wants_table(call, "ledger")) {
                return or_refused(answer(question.request, question.scenarios)).map([](std::string&& text) {
                    return json_answer(std::move(text));
                });
            }
            std::string csv;
            for (const model::Placed& scenario : question.scenarios) {
                const model::Result<answers::Evaluated> evaluated = answers::evaluate_resolved(scenario.document, scenario.at);
                if (!evaluated) {
                    return refused(evaluated.error());
                }
                csv += answers::encode_ledger_csv(*evaluated, csv.empty());
            }
            return csv_answer(std::move(csv));
        });
}

template <class R> Attempt<http::Response> post_measured(Service& service, const Call& call) {
    return read_body(call.request)
        .and_then([&](const ParsedJson& body) { return resolve_question<R>(service, *body); })
        .and_then([&](const Resolved<R>& question) {
            return or_refused(answer(question.request, question.scenarios.front().document, service.store));
        })
        .map([](std::string&& text) { return json_answer(std::move(text)); });
}
template Attempt<http::Response> post_measured<answers::VarianceRequest>(Service&, const Call&);
template Attempt<http::Response> post_measured<answers::ActualsRequest>(Service&, const Call&);

Attempt<http::Response> post_calibrations(Service& service, const Call& call) {
    return read_body(call.request)
        .and_then([&](const ParsedJson& body) {
            return or_refused(
                answers::decode_request<answers::CalibrationRequest>(*body, service.questions).and_then([&](const auto& request) {
                    return answers::calibrate(request, service.store, author_of(call));
                }));
        })
        .map([](std::string&& text) { return json_answer(std::move(text)); });
}

} // namespace costcurve::api
