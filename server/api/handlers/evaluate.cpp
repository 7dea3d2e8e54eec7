// POST /v1/evaluate, and its batch as a stream of lines.
#include <algorithm>
#include <chrono>

#include <fmt/format.h>

#include "server/answers/evaluate.hpp"
#include "server/answers/evaluate_request.hpp"
#include "server/answers/scenario_selection.hpp"
#include "server/answers/tables/ledger_csv.hpp"
#include "server/answers/workbook/result_workbook.hpp"
#include "server/api/handlers/handlers.hpp"
#include "server/api/long_question.hpp"
#include "server/api/problem.hpp"
#include "server/api/request.hpp"
#include "server/api/service.hpp"
#include "server/api/tables.hpp"
#include "server/documents/encode.hpp"
#include "server/documents/json/parsed_json.hpp"
#include "server/documents/patch.hpp"
#include "server/http/budget.hpp"

namespace costcurve::api {

namespace {

using answers::BatchRequest;
using answers::EvaluateRequest;

// Evaluates a scenario and records the time.
Attempt<answers::Evaluated> evaluate(Service& service, model::ScenarioDocument scenario, const std::string& pointer) {
    const auto start = std::chrono::steady_clock::now();
    model::HourTable hours = service.hours.take();
    model::Result<answers::Evaluated> evaluated = answers::evaluate_resolved(std::move(scenario), pointer, "", hours);
    service.hours.give(std::move(hours));
    service.metrics.evaluations.observe(std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
    if (!evaluated) {
        return refused(std::move(evaluated.error()));
    }
    return std::move(*evaluated);
}

// The items of a batch as one text. They may wait long for a slow client, and text needs a fraction of their documents' memory.
class BatchItems {
public:
    template <class Inputs> explicit BatchItems(const Inputs& inputs) {
        ends_.reserve(inputs.size());
        for (const auto& input : inputs) {
            text_ += input.value->dump();
            ends_.push_back(text_.size());
        }
        text_.shrink_to_fit();
    }
    [[nodiscard]] std::size_t size() const { return ends_.size(); }
    [[nodiscard]] ParsedJson at(std::size_t index) const {
        const std::size_t begin = index == 0 ? 0 : ends_[index - 1];
        return std::move(*parse(std::string_view(text_).substr(begin, ends_[index] - begin)));
    }
    [[nodiscard]] std::size_t bytes() const { return text_.capacity() + ends_.capacity() * sizeof ends_[0]; }

private:
    std::string text_;
    std::vector<std::size_t> ends_;
};

// Evaluates a batch lazily, item by item. All items use the same snapshot of the store.
class Batch {
public:
    Batch(Service& service, const BatchRequest& request, std::string request_id)
        : service_(service), request_id_(std::move(request_id)), as_of_(request.as_of.as_of), with_ledger_(request.ledger),
          items_(request.scenario ? BatchItems(request.sets) : BatchItems(request.scenarios)), has_sets_(request.scenario) {
        if (!as_of_) {
            as_of_ = service.store.snapshot()->reference();
        }
    }

    // For {scenario, sets}: resolves the scenario, once.
    Attempt<std::string> prepare(const JsonValue& scenario_input) {
        documents::Source source(service_.store, as_of_);
        model::Result<model::ScenarioDocument> scenario = answers::resolve_scenario(scenario_input, "/scenario", source);
        if (!scenario) {
            return refused(std::move(scenario.error()));
        }
        constexpr std::size_t kDocumentMultiple = 4; // memory per byte of text: 16 bytes for a number of four characters
        base_bytes_ = kDocumentMultiple * documents::encode_scenario(*scenario).size();
        base_ = std::move(*scenario);
        return "";
    }

    // Appends the next line; says whether there are more.
    bool next(std::string& out) {
        Attempt<std::string> line;
        const auto thrown = failure::guarded([&] { line = evaluate_item(*items_.at(index_)); });
        if (thrown) { // an error becomes a line, and the batch goes on
            line = tl::unexpected(refusal_of(service_, *thrown, request_id_));
        }
        if (line) {
            out += *line;
        } else {
            const Refusal& refusal = line.error();
            out += problem(refusal, request_id_).body;
        }
        out += '\n';
        return ++index_ < items_.size();
    }

    /// Bytes held between two lines.
    [[nodiscard]] std::size_t bytes() const { return items_.bytes() + base_bytes_; }

private:
    Attempt<std::string> evaluate_item(const JsonValue& item) {
        documents::Source source(service_.store, as_of_);
        const std::string at = has_sets_ ? "/scenario" : fmt::format("/scenarios/{}", index_);
        model::Result<model::ScenarioDocument> scenario =
            has_sets_ ? documents::patched(base_, item, at, fmt::format("/sets/{}", index_), source)
                      : answers::resolve_scenario(item, at, source);
        if (!scenario) {
            return refused(std::move(scenario.error()));
        }
        return evaluate(service_, std::move(*scenario), at).map([&](const answers::Evaluated& evaluated) {
            return answers::encode_result(evaluated, with_ledger_);
        });
    }

    Service& service_;
    std::string request_id_;
    std::optional<std::string> as_of_;
    bool with_ledger_;
    BatchItems items_;
    bool has_sets_;
    model::ScenarioDocument base_; ///< scenario of {scenario, sets}
    std::size_t base_bytes_ = 0;
    std::size_t index_ = 0;
};

} // namespace

Attempt<http::Response> post_evaluate(Service& service, const Call& call) {
    const Attempt<ParsedJson> body = read_body(call.request); // the request points into it
    if (!body) {
        return tl::unexpected(body.error());
    }
    const model::Result<EvaluateRequest> request = answers::decode_request<EvaluateRequest>(**body, service.questions);
    if (!request) {
        return refused(request.error());
    }
    documents::Source source(service.store, request->as_of.as_of);
    auto scenarios = answers::resolve_selection(answers::selection_of(*request), source);
    if (!scenarios) {
        return refused(std::move(scenarios.error()));
    }
    return answer_while_wanted(call, [&] {
        if (wants_table(call, kWorkbookTable)) {
            return evaluate(service, scenarios->front().document, "/scenario").and_then([&](const answers::Evaluated& evaluated) {
                return workbook_answer(answers::encode_result_workbook(scenarios->front().document, evaluated));
            });
        }
        return evaluate(service, std::move(scenarios->front().document), "/scenario").map([&](const answers::Evaluated& evaluated) {
            return wants_table(call, "ledger") ? csv_answer(answers::encode_ledger_csv(evaluated, true))
                                               : json_answer(answers::encode_result(evaluated, request->ledger));
        });
    });
}

Attempt<http::Response> post_batch(Service& service, const Call& call) {
    std::shared_ptr<Batch> batch; // shared_ptr only because std::function requires copyable captures
    {
        const Attempt<ParsedJson> body = read_body(call.request);
        if (!body) {
            return tl::unexpected(body.error());
        }
        const model::Result<BatchRequest> request = answers::decode_request<BatchRequest>(**body, service.questions);
        if (!request) {
            return refused(request.error());
        }
        // The request itself is already counted against the rate.
        service.limiter.charge(call.author, static_cast<double>(std::max(request->scenarios.size(), request->sets.size())) - 1);
        batch = std::make_shared<Batch>(service, *request, call.request.request_id);
        if (request->scenario) {
            if (Attempt<std::string> ready = batch->prepare(*request->scenario->value); !ready) {
                return tl::unexpected(std::move(ready.error()));
            }
        }
    }
    if (call.request.memory != nullptr) {
        call.request.memory->force(batch->bytes()); // the documents are gone
    }
    http::Response response;
    response.content_type = "application/x-ndjson; charset=utf-8";
    response.stream = [batch](std::string& out) { return batch->next(out); };
    return response;
}

} // namespace costcurve::api
