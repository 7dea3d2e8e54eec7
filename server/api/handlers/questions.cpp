// Handlers of questions: decode, resolve scenarios, answer.
#include "server/api/handlers/questions.hpp"

#include <algorithm>
#include <memory>

#include <fmt/format.h>

#include "server/actuals/calibration_answer.hpp"
#include "server/answers/evaluate.hpp"
#include "server/answers/scenario_selection.hpp"
#include "server/answers/tables/ledger_csv.hpp"
#include "server/answers/workbook/decision_workbook.hpp"
#include "server/api/handlers/handlers.hpp"
#include "server/api/handlers/jobs.hpp"
#include "server/api/handlers/queued_question.hpp"
#include "server/api/questions.hpp"
#include "server/api/request.hpp"
#include "server/api/service.hpp"
#include "server/api/tables.hpp"

namespace costcurve::api {

namespace {

// A decoded request with its scenarios; the body may be freed.
template <class R> struct Resolved {
    R request;
    std::vector<model::Placed> scenarios;
};

template <class R> Attempt<R> decode_question(const Service& service, const JsonValue& body) {
    model::Result<R> request = answers::decode_request<R>(body, service.questions);
    if (!request) {
        return refused(std::move(request.error()));
    }
    return std::move(*request);
}

template <class R>
Attempt<Resolved<R>> resolve_question(const Service& service, const JsonValue& body,
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

// A ranking over the shipped catalogue, of 2,200 documents, takes 65 to 73 MiB (measured 2026-11).
constexpr std::size_t kBytesOfRanking = 70U << 20U;

// Rough memory of a question while it is answered: one evaluation per scenario, and the numbers kept by a simulation.
template <class R> std::size_t bytes_of(const Resolved<R>& question) {
    const std::size_t evaluated = model::cost_of_evaluations(question.scenarios, 1).bytes;
    if constexpr (std::is_same_v<R, answers::SimulateRequest>) {
        const std::size_t numbers = question.request.samples * model::numbers_of_sample(question.scenarios, question.request);
        return evaluated + sizeof(double) * std::min(numbers, model::kMaxKept); // larger requests are refused
    }
    return evaluated;
}

template <class R>
Attempt<LongQuestion> prepare(const Service& service, const JsonValue& body, const std::optional<std::string>& as_of) {
    auto question = resolve_question<R>(service, body, as_of);
    if (!question) {
        return tl::unexpected(std::move(question.error()));
    }
    if constexpr (requires { R::stage; }) {
        const double deadline_s = question->request.deadline_s.value_or(service.questions.seconds);
        const std::size_t bytes = bytes_of(*question);
        return LongQuestion{deadline_s, bytes, R::stage, [question = std::move(*question)](const model::Runner& runner) {
                                return or_refused(answer(question.request, question.scenarios, runner));
                            }};
    } else {
        return LongQuestion{service.questions.seconds, bytes_of(*question), "",
                            [question = std::move(*question)](const model::Runner& /*runner*/) {
                                return or_refused(answer(question.request, question.scenarios));
                            }};
    }
}

template <>
Attempt<LongQuestion> prepare<answers::RankRequest>(const Service& service, const JsonValue& body,
                                                    const std::optional<std::string>& as_of) {
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
    return LongQuestion{deadline_s, kBytesOfRanking, answers::RankRequest::stage,
                        [question = std::move(*question), source](const model::Runner& runner) {
                            // reads the catalogue, within the limit of long questions
                            return or_refused(answers::answer(question, *source, runner));
                        }};
}

using Prepare = Attempt<LongQuestion> (*)(const Service&, const JsonValue&, const std::optional<std::string>&);
Attempt<LongQuestion> prepare_at(const Service& service, std::string_view path, const JsonValue& body,
                                 const std::optional<std::string>& as_of) {
    Prepare found = nullptr;
    const auto look = [&]<class R>(std::type_identity<R> /*question*/) { found = R::names.path == path ? prepare<R> : found; };
    LongQuestions::for_each(look);
    ShortQuestions::for_each(look);
    ResultQuestions::for_each(look);
    if (found == nullptr) { // a job queued by another version
        return tl::unexpected(Refusal{404, fmt::format("no question that is answered later has the path {}", path)});
    }
    return found(service, body, as_of);
}

// Some questions need only the scenarios; others also need measurements from the store.
template <class R> model::Result<std::string> answer_resolved(const Service& service, const Resolved<R>& question) {
    if constexpr (requires { answer(question.request, question.scenarios); }) {
        return answer(question.request, question.scenarios);
    } else {
        return answer(question.request, question.scenarios.front().document, service.store);
    }
}

Attempt<http::Response> ledger_csv(const std::vector<model::Placed>& scenarios) {
    std::string csv;
    for (const model::Placed& scenario : scenarios) {
        const model::Result<answers::Evaluated> evaluated = answers::evaluate_resolved(scenario.document, scenario.at);
        if (!evaluated) {
            return refused(evaluated.error());
        }
        csv += answers::encode_ledger_csv(*evaluated, csv.empty());
    }
    return csv_answer(std::move(csv));
}

Attempt<http::Response> comparison_workbook(const answers::CompareRequest& request, const std::vector<model::Placed>& scenarios) {
    std::vector<answers::Evaluated> plans;
    for (const model::Placed& scenario : scenarios) {
        model::Result<answers::Evaluated> evaluated = answers::evaluate_resolved(scenario.document, scenario.at);
        if (!evaluated) {
            return refused(std::move(evaluated.error()));
        }
        plans.push_back(std::move(*evaluated));
    }
    return workbook_answer(answers::encode_decision_workbook(plans, std::get<std::size_t>(request.baseline.which)));
}

// Number of evaluations, one per scenario unless stated; a comparison evaluates a scenario up to four times.
template <class R> double evaluations_of(const Resolved<R>& question) {
    if constexpr (requires { evaluations(question.request, question.scenarios); }) {
        return evaluations(question.request, question.scenarios);
    }
    return 4;
}

// Decodes the body, resolves its scenarios and answers.
template <class R> Attempt<http::Response> post_question(Service& service, const Call& call) {
    return read_body(call.request)
        .and_then([&](const ParsedJson& body) { return resolve_question<R>(service, *body); })
        .and_then([&](const Resolved<R>& question) {
            if (call.route.later != std::string_view() && prefers_async(call.request)) {
                return queue_question(service, call);
            }
            return answer_short(service, call, model::cost_of_evaluations(question.scenarios, evaluations_of(question)), [&] {
                if constexpr (std::is_same_v<R, answers::CompareRequest>) {
                    if (wants_table(call, kWorkbookTable)) {
                        return comparison_workbook(question.request, question.scenarios);
                    }
                }
                return std::is_same_v<R, answers::CompareRequest> && wants_table(call, "ledger")
                           ? ledger_csv(question.scenarios)
                           : or_refused(answer_resolved(service, question)).map([](std::string&& text) {
                                 return json_answer(std::move(text));
                             });
            });
        });
}

// Answers from stored documents.
template <class R> Attempt<http::Response> post_stored_question(Service& service, const Call& call) {
    return read_body(call.request)
        .and_then([&](const ParsedJson& body) { return decode_question<R>(service, *body); })
        .and_then([&](const R& request) {
            return answer_while_wanted(call, [&] {
                documents::Source source(service.store, request.as_of.as_of);
                return or_refused(answer(request, source)).map([](std::string&& text) { return json_answer(std::move(text)); });
            });
        });
}

// Answers at once with progress, a deadline and a limit of concurrent questions; or queues a job if the client prefers that.
Attempt<http::Response> post_long_question(Service& service, const Call& call) {
    return read_body(call.request)
        .and_then([&](const ParsedJson& body) { return prepare_at(service, call.route.path, *body, std::nullopt); })
        .and_then([&](LongQuestion&& question) {
            return prefers_async(call.request) ? queue_question(service, call) : answer_long(service, call, std::move(question));
        });
}

template <class Questions> void add_routes_of(std::vector<Route>& routes, const Route& common) {
    Questions::for_each([&]<class R>(std::type_identity<R> /*question*/) {
        Route& row = routes.emplace_back(common);
        row.path = R::names.path;
        row.help = R::names.help;
        row.body = R::names.request;
        row.answer = R::names.answer;
        if constexpr (requires { R::stage; }) {
            row.handle = post_long_question;
        } else if constexpr (requires(const R& request, documents::Source& source) { answer(request, source); }) {
            row.handle = post_stored_question<R>;
        } else {
            row.handle = post_question<R>;
        }
    });
}

} // namespace

void add_short_questions(std::vector<Route>& routes, const Route& common) { add_routes_of<ShortQuestions>(routes, common); }
void add_result_questions(std::vector<Route>& routes, const Route& common) { add_routes_of<ResultQuestions>(routes, common); }
void add_long_questions(std::vector<Route>& routes, const Route& common) { add_routes_of<LongQuestions>(routes, common); }
void add_stored_questions(std::vector<Route>& routes, const Route& common) { add_routes_of<StoredQuestions>(routes, common); }
void add_measured_questions(std::vector<Route>& routes, const Route& common) { add_routes_of<MeasuredQuestions>(routes, common); }

Attempt<LongQuestion> prepare_question(const Service& service, std::string_view path, std::string_view body,
                                       const std::optional<std::string>& as_of) {
    const auto load = [&](const storage::DocumentKey& key) { return service.store.snapshot(as_of)->load(key); };
    const model::Result<ParsedJson> parsed = answers::parse_body(upgraded_question(body, load));
    if (!parsed) {
        return refused(parsed.error());
    }
    return prepare_at(service, path, **parsed, as_of);
}

Attempt<http::Response> post_calibrations(Service& service, const Call& call) {
    return read_body(call.request)
        .and_then([&](const ParsedJson& body) {
            return or_refused(
                answers::decode_request<actuals::CalibrationRequest>(*body, service.questions).and_then([&](const auto& request) {
                    return actuals::calibrate(request, service.store, author_of(call)).map([](const auto& fitted) {
                        return answers::encode_answer(fitted);
                    });
                }));
        })
        .map([](std::string&& text) { return json_answer(std::move(text)); });
}

} // namespace costcurve::api
