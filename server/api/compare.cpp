// Evaluates all, then goes from the baseline to each of the others, step by step: POST /v1/compare.
#include "server/api/compare.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "model/figures.hpp"
#include "server/api/asked.hpp"
#include "server/api/evaluate_scenario.hpp"
#include "server/api/handlers.hpp"
#include "server/api/json_text.hpp"
#include "server/api/request.hpp"

namespace costcurve::api {

namespace {

using model::Code;
using nlohmann::json;

std::optional<double> cost_of(const model::ScenarioDocument& document) {
    model::Variant variant(document);
    const auto evaluated = variant.evaluate();
    return evaluated ? std::optional((*evaluated)->summary.total.cost) : std::nullopt;
}

void write_steps(JsonWriter& out, std::string_view name, const std::vector<model::Step>& steps) {
    out.key(name).begin_array();
    for (const model::Step& step : steps) {
        out.begin_object().member("cause", step.cause).member("amount", step.amount).end_object();
    }
    out.end_array();
}

void write_difference(JsonWriter& out, const model::Summary& of, const model::Summary& baseline) {
    out.key("difference").begin_object().key("total").begin_object();
    for (const auto& figure : model::kTotalFigures) {
        out.member(figure.name, *figure.read(of) - *figure.read(baseline));
    }
    out.end_object().key("by_category").begin_object();
    for (std::size_t c = 0; c < model::kCategories; ++c) {
        const model::Amounts& amounts = of.by_category[c];
        const model::Amounts& base = baseline.by_category[c];
        out.key(name_of(static_cast<model::Category>(c))).begin_object();
        out.member("cost", amounts.cost - base.cost).member("cash", amounts.cash - base.cash).end_object();
    }
    out.end_object().end_object();
}

// The baseline by its number, or by an id that stands in the list; the first where it is not said.
std::size_t read_baseline(Members& members, const Asked& asked) {
    const json* const value = members.find("baseline");
    if (value == nullptr) {
        return 0;
    }
    for (std::size_t i = 0; i < asked.scenarios.size(); ++i) {
        const json& scenario = *asked.scenarios[i].json;
        if (value->is_string() ? scenario == *value : *value == i) {
            return i;
        }
    }
    members.add("baseline", Code::unknown_reference,
                "baseline must be the number of one of the scenarios, from 0, or an id that stands in the list");
    return 0;
}

} // namespace

model::Result<Comparison> compare(const std::vector<model::Placed>& scenarios, std::size_t baseline) {
    Comparison comparison{baseline, {}, {}};
    comparison.scenarios.reserve(scenarios.size());
    model::Failure issues;
    for (const model::Placed& scenario : scenarios) {
        auto evaluated = evaluate_resolved(scenario.document, scenario.at);
        if (evaluated) {
            comparison.scenarios.push_back(std::move(*evaluated));
        } else {
            issues.insert(issues.end(), evaluated.error().begin(), evaluated.error().end());
        }
    }
    if (!issues.empty()) {
        return tl::unexpected(std::move(issues));
    }
    const model::Summary& from = comparison.scenarios[baseline].summary;
    for (std::size_t i = 0; i < scenarios.size(); ++i) {
        if (i != baseline) {
            const model::Summary& to = comparison.scenarios[i].summary;
            comparison.waterfalls.push_back({i, model::steps_by_category(from, to),
                                             model::steps_by_cause(scenarios[baseline].document, from.total.cost,
                                                                   scenarios[i].document, to.total.cost, cost_of)});
        }
    }
    return comparison;
}

std::string name_of_scenario(const model::ScenarioDocument& scenario, std::size_t index) {
    const std::string& name = scenario.name.empty() ? scenario.id : scenario.name;
    return name.empty() ? fmt::format("scenario {}", index + 1) : name;
}

std::string encode_comparison(const Comparison& comparison) {
    const Evaluated& baseline = comparison.scenarios[comparison.baseline];
    JsonWriter out;
    out.begin_object().member("baseline", static_cast<int>(comparison.baseline));
    out.member("currency", baseline.scenario.document().currency).key("scenarios").begin_array();
    for (std::size_t i = 0; i < comparison.scenarios.size(); ++i) {
        const Evaluated& one = comparison.scenarios[i];
        out.begin_object().member("name", name_of_scenario(one.scenario.document(), i));
        out.key("result").raw(encode_result(one, false));
        write_difference(out, one.summary, baseline.summary);
        out.end_object();
    }
    out.end_array().key("waterfalls").begin_array();
    for (const Waterfall& waterfall : comparison.waterfalls) {
        out.begin_object().member("from", static_cast<int>(comparison.baseline)).member("to", static_cast<int>(waterfall.to));
        write_steps(out, "steps", waterfall.by_cause);
        write_steps(out, "by_category", waterfall.by_category);
        out.end_object();
    }
    return out.end_array().end_object().take();
}

Attempt<http::Response> post_compare(Service& service, const Call& call) {
    const Attempt<json> body = read_body(call.request);
    if (!body) {
        return tl::unexpected(body.error());
    }
    Members members(*body, "", {"scenarios", "baseline", "set", "as_of"});
    Asked asked;
    ask_several(members, "scenarios", 1, asked);
    ask_moment(members, asked);
    const std::size_t baseline = read_baseline(members, asked);
    if (!members.issues.empty()) {
        return refused(std::move(members.issues));
    }
    const auto scenarios = resolve_asked(service, asked);
    if (!scenarios) {
        return tl::unexpected(scenarios.error());
    }
    auto comparison = compare(*scenarios, baseline);
    if (!comparison) {
        return refused(std::move(comparison.error()));
    }
    return json_answer(encode_comparison(*comparison));
}

} // namespace costcurve::api
