// Compares scenarios: evaluates all, then explains the difference between the baseline and each of the others.
#include "server/answers/compare.hpp"

#include <fmt/format.h>

#include "model/figures.hpp"
#include "model/questions/ranking.hpp"
#include "model/questions/variant.hpp"
#include "server/answers/evaluate.hpp"

namespace costcurve::answers {

namespace {

std::optional<double> cost_of(const model::ScenarioDocument& document) {
    model::Variant variant(document);
    const auto evaluated = variant.evaluate();
    return evaluated ? std::optional((*evaluated)->summary.total.cost) : std::nullopt;
}

// Adds results that need both full evaluations: investments, if the months are equal, and drivers.
void add_pairs(const std::vector<model::Placed>& scenarios, Comparison& comparison) {
    const std::size_t baseline = comparison.baseline;
    const model::Objective figure = comparison.scenarios[baseline].summary.decide_by;
    const model::ScenarioDocument& base = scenarios[baseline].document;
    comparison.investments.resize(scenarios.size());
    model::Variant base_variant(base);
    const auto base_evaluation = base_variant.evaluate();
    if (!base_evaluation) {
        return;
    }
    const model::Drivers base_drivers = drivers_of(**base_evaluation, figure);
    for (Waterfall& waterfall : comparison.waterfalls) {
        const model::ScenarioDocument& document = scenarios[waterfall.to].document;
        model::Variant variant(document);
        const auto evaluation = variant.evaluate();
        if (!evaluation) {
            continue;
        }
        if (document.months == base.months && document.start == base.start) {
            comparison.investments[waterfall.to] = model::investment_of(**evaluation, **base_evaluation);
        }
        waterfall.bridge = bridge(base_drivers, drivers_of(**evaluation, figure), base.currency);
    }
}

DifferenceAnswer difference_of(const model::Summary& summary, const model::Summary& baseline) {
    DifferenceAnswer difference;
    for (const auto& figure : model::kTotalFigures) {
        const std::optional<double> a = figure.read(summary);
        const std::optional<double> b = figure.read(baseline);
        difference.total.emplace_back(figure.name, a && b ? std::optional(*a - *b) : std::nullopt);
    }
    for (std::size_t c = 0; c < model::kCategories; ++c) {
        const model::Amounts& amounts = summary.by_category[c];
        const model::Amounts& base = baseline.by_category[c];
        difference.by_category.emplace_back(name_of(static_cast<model::Category>(c)),
                                            model::Amounts{amounts.cost - base.cost, amounts.cash - base.cash});
    }
    return difference;
}

} // namespace

void check(CompareRequest& request, const QuestionLimits& /*limits*/, model::Failure& issues) {
    for (std::size_t i = 0; i < request.scenarios.size(); ++i) {
        const auto* const id = std::get_if<std::string>(&request.baseline.which);
        const JsonValue& value = *request.scenarios[i].value;
        if (id != nullptr ? value.is_string() && value.text() == *id : std::get<std::size_t>(request.baseline.which) == i) {
            request.baseline.which = i;
            return;
        }
    }
    issues.push_back({"/baseline", model::Code::unknown_reference,
                      "baseline must be the number of one of the scenarios, from 0, or an id that stands in the list"});
}

model::Result<Comparison> compare(const std::vector<model::Placed>& scenarios, std::size_t baseline, bool ignore_unserved) {
    Comparison comparison{baseline, ignore_unserved, {}, {}, {}, {}};
    comparison.scenarios.reserve(scenarios.size());
    model::Failure issues;
    for (const model::Placed& scenario : scenarios) {
        auto evaluated = evaluate_resolved(scenario.document, scenario.at);
        if (evaluated) {
            comparison.scenarios.push_back(std::move(*evaluated));
        } else {
            issues.add_all(evaluated.error());
        }
    }
    if (!issues.empty()) {
        return tl::unexpected(std::move(issues));
    }
    const model::Summary& from = comparison.scenarios[baseline].summary;
    comparison.differences = differences_of(comparison.scenarios, baseline);
    for (std::size_t i = 0; i < scenarios.size(); ++i) {
        if (i != baseline) {
            const model::Summary& to = comparison.scenarios[i].summary;
            comparison.waterfalls.push_back({i,
                                             model::steps_by_category(from, to),
                                             model::steps_by_cause(scenarios[baseline].document, from.total.cost,
                                                                   scenarios[i].document, to.total.cost, cost_of),
                                             {}});
        }
    }
    add_pairs(scenarios, comparison);
    return comparison;
}

std::vector<model::ScenarioDifference> differences_of(std::span<const Evaluated> scenarios, std::size_t baseline) {
    std::vector<model::ScenarioDifference> all;
    const Evaluated& first = scenarios[baseline];
    for (std::size_t i = 0; i < scenarios.size(); ++i) {
        for (model::WorkDifference& difference :
             model::work_differences(first.scenario.document(), first.summary, scenarios[i].scenario.document(),
                                     scenarios[i].summary, first.summary.decide_by)) {
            all.push_back({std::move(difference), i});
        }
    }
    return all;
}

std::string name_of_scenario(const model::ScenarioDocument& scenario, std::size_t index) {
    const std::string& name = scenario.name.empty() ? scenario.id : scenario.name;
    return name.empty() ? fmt::format("scenario {}", index + 1) : name;
}

std::string encode_comparison(const Comparison& comparison) {
    const Evaluated& baseline = comparison.scenarios[comparison.baseline];
    std::vector<const model::Summary*> summaries;
    std::vector<const model::ScenarioDocument*> documents;
    for (const Evaluated& evaluated : comparison.scenarios) {
        summaries.push_back(&evaluated.summary);
        documents.push_back(&evaluated.scenario.document());
    }
    const model::Objective decide_by = baseline.summary.decide_by;
    const bool is_comparable = comparison.differences.empty();
    ComparisonAnswer answer{comparable_of(comparison.differences, comparison.ignore_unserved),
                            comparison.baseline,
                            baseline.scenario.document().currency,
                            decide_by,
                            is_comparable ? model::cheapest_of(summaries, decide_by, comparison.ignore_unserved) : std::nullopt,
                            {},
                            {},
                            {}};
    if (const auto ranking = is_comparable ? std::nullopt : model::rank_by_unit(documents, summaries)) {
        answer.by_unit = {ranking->unit, ranking->levelized, ranking->cheapest};
    }
    for (std::size_t i = 0; i < comparison.scenarios.size(); ++i) {
        const Evaluated& evaluated = comparison.scenarios[i];
        answer.scenarios.push_back({name_of_scenario(evaluated.scenario.document(), i),
                                    {encode_result(evaluated, false)},
                                    difference_of(evaluated.summary, baseline.summary),
                                    comparison.investments[i]});
    }
    for (const Waterfall& waterfall : comparison.waterfalls) {
        answer.waterfalls.push_back(
            {comparison.baseline, waterfall.to, waterfall.by_cause, waterfall.by_category, waterfall.bridge});
    }
    return encode_answer(answer);
}

model::Result<std::string> answer(const CompareRequest& request, const std::vector<model::Placed>& scenarios) {
    return compare(scenarios, std::get<std::size_t>(request.baseline.which), request.ignore_unserved).map(encode_comparison);
}

} // namespace costcurve::answers
