// Walks the result as JSON, so that a figure that explain does not know is found.
#include "tests/property/explained.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "server/answers/evaluate.hpp"
#include "server/documents/json/parsed_json.hpp"
#include "tests/support/scenarios.hpp"
#include "tests/support/terms.hpp"

namespace costcurve::tests {

using namespace costcurve::model;
using nlohmann::json;

namespace {

// What is no figure of the result has no tree (docs/api.md, explain).
bool is_explained(const std::string& pointer) {
    const auto has = [&](std::string_view part) { return pointer.find(part) != std::string::npos; };
    return !has("/provenance") && !has("/infeasible_because/");
}

void explain_numbers(const json& value, const std::string& pointer, const Answer& answer, std::optional<int> depth,
                     std::vector<std::string>& broken) {
    if (value.is_structured()) {
        for (const auto& [name, part] : value.items()) {
            explain_numbers(part, pointer + "/" + name, answer, depth, broken);
        }
    } else if (value.is_number() && is_explained(pointer)) {
        const Result<Term> tree = explain(answer.scenario, answer.compiled, answer.ledger, answer.summary, pointer, depth);
        if (!tree) {
            broken.push_back(fmt::format("{}: {}", pointer, tree.error().front().message));
            return;
        }
        if (tree->value != value.get<double>()) {
            broken.push_back(fmt::format("{}: {} is not {}", pointer, tree->value, value.get<double>()));
        }
        for (const std::string& term : broken_terms(*tree)) {
            broken.push_back(pointer + ": " + term);
        }
    }
}

} // namespace

std::vector<std::string> unexplained(const ScenarioDocument& document, bool open) {
    constexpr int kDeep = 30;
    const Answer answer = evaluate_document(document);
    const json result = *parse_json(answers::encode_result(*answers::evaluate_resolved(document), false));
    std::vector<std::string> broken;
    explain_numbers(result, "", answer, open ? std::optional(kDeep) : std::nullopt, broken);
    return broken;
}

} // namespace costcurve::tests
