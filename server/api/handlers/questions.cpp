// The questions that the table of routes names, by their requests.
#include "server/api/handlers/questions.hpp"

#include <memory>

#include <nlohmann/json.hpp>

#include "server/answers/break_even.hpp"
#include "server/answers/compare.hpp"
#include "server/answers/explain.hpp"
#include "server/answers/map.hpp"
#include "server/answers/optimize.hpp"
#include "server/answers/profile.hpp"
#include "server/answers/rank.hpp"
#include "server/answers/scenario_selection.hpp"
#include "server/answers/sensitivity.hpp"
#include "server/answers/simulate.hpp"
#include "server/answers/solve.hpp"
#include "server/answers/telemetry/calibrate.hpp"
#include "server/answers/telemetry/variance.hpp"
#include "server/api/handlers/handlers.hpp"
#include "server/api/request.hpp"
#include "server/api/service.hpp"

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

template <class R> Attempt<Resolved<R>> resolve_question(const Service& service, const Call& call) {
    const Attempt<ParsedJson> body = read_body(call.request); // the request points into it
    if (!body) {
        return tl::unexpected(body.error());
    }
    model::Result<R> request = answers::decode_request<R>(**body, service.questions);
    if (!request) {
        return refused(std::move(request.error()));
    }
    const answers::ScenarioSelection selection = answers::selection_of(*request);
    documents::Source source(service.store, selection.as_of.as_of);
    auto scenarios = answers::resolve_selection(selection, source);
    if (!scenarios) {
        return refused(std::move(scenarios.error()));
    }
    return Resolved<R>{std::move(*request), std::move(*scenarios)};
}

Attempt<std::string> or_refused(model::Result<std::string> answer) {
    return std::move(answer).map_error([](model::Failure issues) { return refused(std::move(issues)).value(); });
}

} // namespace

template <class R> Attempt<http::Response> post_question(Service& service, const Call& call) {
    return resolve_question<R>(service, call)
        .and_then([](const Resolved<R>& question) { return or_refused(answer(question.request, question.scenarios)); })
        .map([](std::string&& text) { return json_answer(std::move(text)); });
}

template <class R> Attempt<http::Response> post_long_question(Service& service, const Call& call) {
    auto question = resolve_question<R>(service, call);
    if (!question) {
        return tl::unexpected(std::move(question.error()));
    }
    const double deadline_s = question->request.deadline_s.value_or(service.questions.seconds);
    return answer_long(service, call, deadline_s, kStage<R>, [question = std::move(*question)](const model::Runner& runner) {
        return or_refused(answer(question.request, question.scenarios, runner));
    });
}

template Attempt<http::Response> post_question<answers::CompareRequest>(Service&, const Call&);
template Attempt<http::Response> post_question<answers::BreakEvenRequest>(Service&, const Call&);
template Attempt<http::Response> post_question<answers::SolveRequest>(Service&, const Call&);
template Attempt<http::Response> post_question<answers::SensitivityRequest>(Service&, const Call&);
template Attempt<http::Response> post_question<answers::ExplainRequest>(Service&, const Call&);
template Attempt<http::Response> post_question<answers::ProfileRequest>(Service&, const Call&);
template Attempt<http::Response> post_long_question<answers::SimulateRequest>(Service&, const Call&);
template Attempt<http::Response> post_long_question<answers::MapRequest>(Service&, const Call&);
template Attempt<http::Response> post_long_question<answers::OptimizeRequest>(Service&, const Call&);

Attempt<http::Response> post_rank(Service& service, const Call& call) {
    const Attempt<ParsedJson> body = read_body(call.request);
    if (!body) {
        return tl::unexpected(body.error());
    }
    const model::Result<answers::RankRequest> request = answers::decode_request<answers::RankRequest>(**body, service.questions);
    if (!request) {
        return refused(request.error());
    }
    const auto source = std::make_shared<documents::Source>(service.store, request->as_of.as_of);
    model::Result<model::RankQuestion> question = answers::resolve_rank(*request, *source);
    if (!question) {
        return refused(std::move(question.error()));
    }
    const auto ask = [question = std::move(*question), source](const model::Runner& runner) {
        return or_refused(answers::answer(question, *source, runner)); // reads the catalogue, within the limit of long questions
    };
    return answer_long(service, call, request->deadline_s.value_or(service.questions.seconds), "plans", ask);
}

Attempt<http::Response> post_variances(Service& service, const Call& call) {
    return resolve_question<answers::VarianceRequest>(service, call)
        .and_then([&](const Resolved<answers::VarianceRequest>& question) {
            return or_refused(answer(question.request, question.scenarios.front().document, service.store));
        })
        .map([](std::string&& text) { return json_answer(std::move(text)); });
}

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
