// Stored results of a scenario: /v1/scenarios/{id}/results.

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "model/documents/text.hpp"
#include "server/answers/evaluate.hpp"
#include "server/answers/tables/ledger_csv.hpp"
#include "server/answers/workbook/result_workbook.hpp"
#include "server/api/handlers/handlers.hpp"
#include "server/api/handlers/results.hpp"
#include "server/api/page_answer.hpp"
#include "server/api/request.hpp"
#include "server/api/service.hpp"
#include "server/api/tables.hpp"
#include "server/documents/json/json_text.hpp"
#include "server/documents/json/parsed_json.hpp"
#include "server/documents/store_entries.hpp"
#include "server/recalculation/result_diff.hpp"
#include "server/recalculation/standings.hpp"

namespace costcurve::api {

namespace {

Refusal not_found(std::string detail) { return {404, std::move(detail)}; }

http::Response body_of(const Service& service, const storage::StoredResult& result) {
    http::Response response = json_answer(service.store.result_body(result));
    response.headers.push_back({"ETag", entity_tag(result.number)});
    return response;
}

// The scenario of a stored result, evaluated again from the documents that it was computed from; the inputs hash confirms this.
// Supplies parts that the stored JSON lacks.
struct EvaluatedAgain {
    model::ScenarioDocument resolved;
    answers::Evaluated evaluated;
};
Attempt<EvaluatedAgain> evaluate_again(const Service& service, const std::string& scenario, const storage::StoredResult& result) {
    const std::string as_of = parse_json(service.store.result_body(result))->at("provenance").at("as_of").get<std::string>();
    documents::Source source(service.store, as_of);
    auto again = answers::resolve_stored(scenario, "/scenario", source).and_then([](model::ScenarioDocument document) {
        return answers::evaluate_resolved(document).map([&](answers::Evaluated evaluated) {
            return EvaluatedAgain{document, std::move(evaluated)};
        });
    });
    if (!again || again->evaluated.inputs_hash != result.inputs_hash) {
        return tl::unexpected(
            Refusal{409, fmt::format("this result is of version {} of the model, which can't compute it again; "
                                     "POST /v1/recalculations makes a new one, and POST /v1/evaluate?table=ledger "
                                     "has the ledger of the scenario as of any time",
                                     result.model_version)});
    }
    return std::move(*again);
}

Attempt<http::Response> ledger_of(const Service& service, const std::string& scenario, const storage::StoredResult& result) {
    return evaluate_again(service, scenario, result).map([](const EvaluatedAgain& again) {
        return csv_answer(answers::encode_ledger_csv(again.evaluated, true));
    });
}

Attempt<http::Response> workbook_of(const Service& service, const std::string& scenario, const storage::StoredResult& result) {
    return evaluate_again(service, scenario, result).and_then([&](const EvaluatedAgain& again) {
        return workbook_answer(answers::encode_result_workbook(again.resolved, again.evaluated)).map([&](http::Response response) {
            response.headers.push_back({"ETag", fmt::format("\"{}-xlsx\"", result.number)});
            return response;
        });
    });
}

} // namespace

Attempt<storage::StoredResult> find_result(const Service& service, const std::string& scenario, std::string_view number) {
    const std::int64_t wanted = model::read_number<std::int64_t>(number).value_or(0);
    const bool is_number = wanted > 0;
    const auto found =
        number == "latest" || is_number ? service.store.results(scenario, is_number ? wanted + 1 : 0, 1) : std::nullopt;
    if (!found || found->empty() || (is_number && found->front().number != wanted)) {
        return tl::unexpected(not_found(fmt::format("there is no result {} of a scenario {}; POST /v1/recalculations makes one",
                                                    shortened(number, 40), shortened(scenario, 130))));
    }
    return found->front();
}

Attempt<http::Response> list_results(Service& service, const Call& call) {
    const std::size_t limit = page_limit(call);
    const auto before = static_cast<std::int64_t>(number_parameter(call, "before").value_or(0));
    auto results = service.store.results(call.arguments.front(), before, limit + 1);
    if (!results) {
        return tl::unexpected(not_found("there never was such a scenario"));
    }
    return page_answer<documents::ResultEntry>(std::move(*results), limit,
                                               [](const documents::ResultEntry& result) { return result.number; });
}

Attempt<http::Response> get_result(Service& service, const Call& call) {
    return find_result(service, call.arguments[0], call.arguments[1])
        .and_then([&](const storage::StoredResult& result) -> Attempt<http::Response> {
            return wants_table(call, "ledger")         ? ledger_of(service, call.arguments[0], result)
                   : wants_table(call, kWorkbookTable) ? workbook_of(service, call.arguments[0], result)
                                                       : body_of(service, result);
        });
}

Attempt<http::Response> get_result_diff(Service& service, const Call& call) {
    const std::string& scenario = call.arguments[0];
    const auto newer = find_result(service, scenario, call.arguments[1]);
    if (!newer) {
        return tl::unexpected(newer.error());
    }
    const auto wanted = number_parameter(call, "against");
    if (!wanted && newer->number == 1) {
        return tl::unexpected(Refusal{404, "the scenario's first result has none before it; give against=, the number of another"});
    }
    const std::int64_t against = wanted ? static_cast<std::int64_t>(*wanted) : newer->number - 1;
    const auto older = find_result(service, scenario, std::to_string(against));
    if (!older) {
        return tl::unexpected(older.error());
    }
    if (older->headline.currency != newer->headline.currency) {
        return tl::unexpected(
            Refusal{409, fmt::format("result {} is in {}, result {} in {}: their amounts can't be compared", older->number,
                                     older->headline.currency, newer->number, newer->headline.currency)});
    }
    return json_answer(answers::encode_answer(recalculation::difference_of(service.store, scenario, *older, *newer)));
}

Attempt<http::Response> list_standings(Service& service, const Call& call) {
    const Attempt<std::int64_t> before = number_cursor(call);
    if (!before) {
        return tl::unexpected(before.error());
    }
    const std::size_t limit = page_limit(call);
    auto standings = service.store.standings(call.arguments.front(), *before, limit + 1);
    if (!standings) {
        return tl::unexpected(Refusal{404, "there never was such a comparison"});
    }
    return page_answer<recalculation::StandingEntry>(std::move(*standings), limit,
                                                     [](const recalculation::StandingEntry& standing) { return standing.number; });
}

} // namespace costcurve::api
