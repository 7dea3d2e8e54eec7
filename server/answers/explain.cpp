// An explanation's terms as JSON. An unknown part of an input is null.
#include "server/answers/explain.hpp"

#include "server/answers/evaluate.hpp"

namespace costcurve::answers {

namespace {

TermAnswer answer_of(const model::Term& term) {
    TermAnswer answer{term.term, term.formula, term.value, term.unit, term.rule, {}, {}};
    for (const model::TermInput& input : term.inputs) {
        answer.inputs.push_back({input.name, input.value, input.unit,
                                 input.source.empty() ? std::nullopt : std::optional(input.source),
                                 input.revision > 0 ? std::optional(input.revision) : std::nullopt, input.currency,
                                 input.currency.empty() ? std::nullopt : std::optional(input.exchange_rate),
                                 input.is_price ? std::optional(input.price_day) : std::nullopt});
    }
    answer.terms.reserve(term.terms.size());
    for (const model::Term& part : term.terms) {
        answer.terms.push_back(answer_of(part));
    }
    return answer;
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

std::string encode_term(const model::Term& tree) { return encode_answer(answer_of(tree)); }

model::Result<std::string> answer(const ExplainRequest& request, const std::vector<model::Placed>& scenarios) {
    return evaluate_resolved(scenarios.front().document, "/scenario")
        .and_then(
            [&](const Evaluated& evaluated) { return explain_evaluated(evaluated, request.figure, request.depth, "/figure"); })
        .map(encode_term);
}

} // namespace costcurve::answers
