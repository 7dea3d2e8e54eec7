// Uncertain inputs and the spread of an answer as JSON Schema, for the questions that have them.
#include <nlohmann/json.hpp>

#include "model/questions/distribution.hpp"
#include "model/questions/draws.hpp"
#include "server/api/openapi_schemas.hpp"
#include "server/api/uncertainty.hpp"

namespace costcurve::api {

namespace {

constexpr auto kNumber = "number";
constexpr auto kInteger = "integer";

// One schema a kind, by the table that decodes them.
Schema distribution() {
    Schema kinds = Schema::object();
    kinds["oneOf"] = Schema::array();
    const auto words = model::enum_names<model::DistributionKind>;
    for (std::size_t k = 0; k < words.size(); ++k) {
        Schema members = {{"kind", {{"const", words[k]}}}};
        for (const model::DistributionMember& member : model::members_of(static_cast<model::DistributionKind>(k))) {
            Schema numbers = member.number != nullptr ? bounded_number() : long_list_of(bounded_number(), model::kMostListed);
            members[std::string(member.name)] = described(std::move(numbers), member.help);
        }
        members["relative"] = {{"type", "boolean"}, {"default", false}, {"description", "multiplies what the scenario states"}};
        kinds["oneOf"].push_back(closed_object(std::move(members), {"relative"}));
    }
    return kinds;
}

} // namespace

void add_distribution_schema(Schema& schemas) { schemas["distribution"] = distribution(); }

Schema uncertain_members(std::size_t default_samples) {
    Schema input = closed_object({{"pointer", pointer_to("a number of the scenario, or a curve, whose factor it then is")},
                                  {"distribution", reference_to("distribution")},
                                  {"scenario", described(count(), "only that one; else every scenario that has it")}},
                                 {"scenario"});
    Schema correlation = closed_object({{"a", pointer_to("an input")},
                                        {"b", pointer_to("another")},
                                        {"rho", {{"type", kNumber}, {"minimum", -1}, {"maximum", 1}}}});
    Schema samples = {{"type", kInteger}, {"minimum", 2}, {"default", default_samples}};
    Schema seed = {{"type", kInteger}, {"minimum", 0}, {"maximum", 9'007'199'254'740'991}, {"default", 0}};
    Schema sampling = choice_of(model::enum_names<model::Sampling>);
    sampling["default"] = "random";
    return {
        {"inputs", long_list_of(std::move(input), kMostUncertain)},
        {"correlations", described(long_list_of(std::move(correlation), kMostUncertain * kMostUncertain), "Spearman's, of ranks")},
        {"samples", described(std::move(samples), "up to the setting --max-samples")},
        {"seed", std::move(seed)},
        {"sampling", std::move(sampling)}};
}

Schema spread_members() {
    Schema figures = {{"samples", described(count(), "that have the figure")}};
    for (const char* const name : {"mean", "standard_error", "p5", "p10", "p50", "p90", "p95"}) {
        figures[name] = of_type(kNumber);
    }
    figures["cvar_95"] = described(of_type(kNumber), "mean of the highest 5 %");
    figures["quantiles"] = described(list_of(of_type(kNumber)), "of 0, 5, … 100 %: from the least sample to the greatest");
    return figures;
}

} // namespace costcurve::api
