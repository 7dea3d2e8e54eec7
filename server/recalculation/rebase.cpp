// Standings of an older model version, evaluated again by this one at the revisions of their results.
#include "server/recalculation/rebase.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>

#include <nlohmann/json.hpp>

#include "model/questions/same.hpp"
#include "server/answers/encode_result.hpp"
#include "server/documents/json/parsed_json.hpp"
#include "server/recalculation/as_it_was.hpp"
#include "server/recalculation/recalculation.hpp"
#include "server/recalculation/result_diff.hpp"
#include "server/recalculation/standing_reasons.hpp"

namespace costcurve::recalculation {

namespace {

using nlohmann::json;
using storage::Headline;

using HeadlineFigure = std::optional<double> (*)(const Headline& headline);
constexpr auto kHeadlineFigures = std::to_array<HeadlineFigure>({
    [](const Headline& headline) { return std::optional(headline.cost); },
    [](const Headline& headline) { return std::optional(headline.cash); },
    [](const Headline& headline) { return std::optional(headline.npv); },
    [](const Headline& headline) { return std::optional(headline.npv_after_tax); },
    [](const Headline& headline) { return headline.energy_kwh; },
    [](const Headline& headline) { return headline.carbon_kg; },
});
static_assert(kHeadlineFigures.size() == model::enum_names<model::Objective>.size());

// A scenario's figures by this model version.
struct Again {
    Headline headline;
    std::optional<StandingDrivers> drivers;
};

std::optional<Again> evaluated_again(const storage::RunCompletion& ending, const std::string& scenario, std::int64_t number,
                                     model::Objective objective) {
    const std::optional<storage::NewestResult> result = ending.result(scenario, number);
    if (!result) {
        return std::nullopt;
    }
    const LoadRevision load = [&](const storage::DocumentKey& key, std::int64_t revision) {
        return ending.revision(key, revision);
    };
    const auto evaluated = evaluate_as_it_was(scenario, revisions_of(ending.body_of(*result)), load);
    if (!evaluated) {
        return std::nullopt;
    }
    return Again{headline_of(*evaluated), drivers_of_result(answers::encode_result(*evaluated, false), objective)};
}

// Figures of the newest result, used if the earlier result can't be evaluated any more.
std::optional<Again> as_now(const storage::RunCompletion& ending, const std::optional<storage::NewestResult>& now,
                            model::Objective objective) {
    return now ? std::optional(Again{now->headline, drivers_of_result(ending.body_of(*now), objective)}) : std::nullopt;
}

// Writes recomputed figures into a scenario's entry of the standing.
void restate(const Again& again, model::Objective objective, json& entry) {
    const std::optional<double> figure = figure_of(again.headline, objective);
    entry["result"] = nullptr; // there is none of this version
    entry["figure"] = figure ? json(*figure) : json(nullptr);
    entry["feasible"] = again.headline.feasible ? json(*again.headline.feasible) : json(nullptr);
    entry.erase("over_budget");
    entry.erase("drivers");
    if (again.drivers) {
        entry["drivers"] = *parse_json(answers::encode_answer(*again.drivers));
    }
}

// The scenario's entry in the standing; null if absent.
json* entry_of_scenario(json& standing, const std::string& scenario) {
    json& entries = standing.at("scenarios");
    const auto found = std::find_if(entries.begin(), entries.end(), [&](const json& it) { return it.at("scenario") == scenario; });
    return found == entries.end() ? nullptr : &*found;
}

// An older program's entry does not say whether it can do its work: it can where its figure is known.
model::Candidate candidate_of(const json& entry) {
    const json figure = entry.value("figure", json());
    const json feasible = entry.value("feasible", json());
    return {figure.is_number() ? std::optional(figure.get<double>()) : std::nullopt,
            feasible.is_boolean() ? feasible.get<bool>() : figure.is_number()};
}

// Restates a scenario if its two results are of different model versions; returns the reason, otherwise "".
std::string restate_scenario(const storage::RunCompletion& ending, const std::string& scenario,
                             const std::optional<storage::NewestResult>& now, model::Objective objective, json& entry) {
    const json result = entry.value("result", json());
    if (!now || !result.is_number()) {
        return "";
    }
    const auto number = result.get<std::int64_t>();
    std::string why = version_change(ending.model_version_of(scenario, number), ending.model_version_of(scenario, now->number));
    if (!why.empty()) {
        std::optional<Again> again = evaluated_again(ending, scenario, number, objective);
        if (!again) {
            again = as_now(ending, now, objective);
        }
        restate(*again, objective, entry);
    }
    return why;
}

} // namespace

std::optional<double> figure_of(const Headline& headline, model::Objective objective) {
    return kHeadlineFigures.at(static_cast<std::size_t>(objective))(headline);
}

std::optional<Rebased> rebased(const storage::RunCompletion& ending, const model::Comparison& comparison,
                               const storage::Standing& base, const std::vector<std::optional<storage::NewestResult>>& now,
                               model::Objective objective, std::optional<std::size_t> incumbent) {
    Rebased rebased;
    json standing = *parse_json(base.body);
    bool is_of_another = false;
    for (std::size_t i = 0; i < comparison.scenarios.size(); ++i) {
        const std::string& scenario = comparison.scenarios[i];
        json* const entry = entry_of_scenario(standing, scenario);
        if (entry == nullptr) {
            rebased.candidates.emplace_back();
            continue;
        }
        const model::Candidate before = candidate_of(*entry);
        std::string why = restate_scenario(ending, scenario, now[i], objective, *entry);
        is_of_another = is_of_another || !why.empty();
        const model::Candidate& after = rebased.candidates.emplace_back(candidate_of(*entry));
        if (before.figure && after.figure && !model::is_same(*before.figure, *after.figure)) {
            rebased.reasons.push_back({scenario, *before.figure, *after.figure, std::move(why)});
        }
    }
    if (!is_of_another) {
        return std::nullopt;
    }
    std::stable_sort(rebased.reasons.begin(), rebased.reasons.end(), [](const StandingReason& a, const StandingReason& b) {
        return std::abs(a.now - a.before) > std::abs(b.now - b.before);
    });
    rebased.cheapest = model::cheapest_of(rebased.candidates, incumbent);
    standing["cheapest"] = rebased.cheapest ? json(comparison.scenarios[*rebased.cheapest]) : json(nullptr);
    standing["figure"] = rebased.cheapest ? json(*rebased.candidates[*rebased.cheapest].figure) : json(nullptr);
    rebased.body = standing.dump();
    return rebased;
}

} // namespace costcurve::recalculation
