// Standings of comparisons and budgets, from the newest results of their scenarios.
#include "server/recalculation/standings.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "model/documents/automation.hpp"
#include "model/questions/ranking.hpp"
#include "model/questions/same.hpp"
#include "server/documents/json/parsed_json.hpp"
#include "server/documents/records.hpp"
#include "server/recalculation/comparison_event.hpp"
#include "server/recalculation/rebase.hpp"
#include "server/recalculation/recalculation.hpp"
#include "server/recalculation/standing_reasons.hpp"

namespace costcurve::recalculation {

namespace {

using model::EventKind;

constexpr std::string_view kModelVersionCause = "model_version"; // of events that no price or document caused

std::string kind_of(EventKind kind) { return std::string(model::name_of(kind)); }

// The newest results of a comparison's scenarios, side by side.
struct SideBySide {
    std::vector<std::optional<storage::NewestResult>> results; // as its scenarios stand
    model::Objective objective = model::Objective::cost;
    std::vector<model::Candidate> candidates;
    std::string currency; // "" where the figure is no money
    std::string problem;  // why they can't be compared; "" where they can
};

// What the comparison states, else the first scenario's result.
model::Objective objective_of(const model::Comparison& comparison, const std::optional<storage::NewestResult>& first) {
    const auto named = first ? model::value_of<model::Objective>(first->headline.decide_by) : std::nullopt;
    return comparison.objective.value_or(named.value_or(model::Objective::cost));
}

// Whether both state a member, and not the same; numbers to 1e-6, as model.md, section 9, has it of demand.
bool has_other(const nlohmann::json& a, const nlohmann::json& b, const char* member) {
    constexpr double kSame = 1e-6;
    const nlohmann::json of_a = a.value(member, nlohmann::json());
    const nlohmann::json of_b = b.value(member, nlohmann::json());
    if (of_a.is_number() && of_b.is_number()) {
        const auto x = of_a.get<double>();
        const auto y = of_b.get<double>();
        return std::abs(x - y) > kSame * std::max(std::abs(x), std::abs(y));
    }
    return !of_a.is_null() && !of_b.is_null() && of_a != of_b; // a result of an older program may lack it
}

// What two results show that their scenarios do not have alike: months, and the work of each workload; "" where nothing.
std::string work_difference(const nlohmann::json& a, const nlohmann::json& b) {
    for (const char* const what : {"start", "months"}) {
        if (has_other(a, b, what)) {
            return fmt::format("{} {} and {}", what, a.at(what).dump(), b.at(what).dump());
        }
    }
    const nlohmann::json& of_a = a.at("by_workload");
    const nlohmann::json& of_b = b.at("by_workload");
    for (const auto& [id, workload] : of_a.items()) {
        for (const char* const what : {"kind", "unit", "units_demanded"}) {
            if (!of_b.contains(id) || has_other(workload, of_b.at(id), what)) {
                return fmt::format("workload {}", id);
            }
        }
    }
    return of_a.size() == of_b.size() ? "" : "the number of workloads";
}

// "" where all do the same work.
std::string work_problem(const storage::RunCompletion& ending, const model::Comparison& comparison,
                         const std::vector<std::optional<storage::NewestResult>>& results) {
    const nlohmann::json first = *parse_json(ending.body_of(*results.front()));
    for (std::size_t i = 1; i < results.size(); ++i) {
        const std::string difference = work_difference(first, *parse_json(ending.body_of(*results[i])));
        if (!difference.empty()) {
            return fmt::format("{} and {} do not do the same work: {}", comparison.scenarios.front(), comparison.scenarios[i],
                               difference);
        }
    }
    return "";
}

SideBySide look(const storage::RunCompletion& ending, const model::Comparison& comparison) {
    SideBySide found;
    found.results.reserve(comparison.scenarios.size());
    for (const std::string& scenario : comparison.scenarios) {
        found.results.push_back(ending.newest(scenario));
    }
    found.objective = objective_of(comparison, found.results.front());
    for (std::size_t i = 0; i < found.results.size(); ++i) {
        const auto& result = found.results[i];
        found.candidates.push_back(
            result ? model::Candidate{figure_of(result->headline, found.objective), result->headline.feasible.value_or(false)}
                   : model::Candidate{std::nullopt, false});
        if (!result) {
            found.problem = fmt::format("{} has no result yet", comparison.scenarios[i]);
        } else if (model::is_money(found.objective)) {
            const std::string& currency = result->headline.currency;
            if (!found.currency.empty() && found.currency != currency && found.problem.empty()) {
                found.problem = fmt::format("its scenarios are in {} and {}", found.currency, currency);
            }
            found.currency = currency;
        }
    }
    if (found.problem.empty()) {
        found.problem = work_problem(ending, comparison, found.results);
    }
    return found;
}

// Of the number-th scenario: judged by its own figure in its own currency, comparable or not.
StandingScenario entry_of(const storage::RunCompletion& ending, const model::Comparison& comparison, const SideBySide& found,
                          std::size_t number) {
    const auto& result = found.results[number];
    const std::optional<double>& figure = found.candidates[number].figure;
    StandingScenario entry{comparison.scenarios[number], std::nullopt, figure, std::nullopt, "", std::nullopt};
    if (result) {
        entry.result = result->number;
        entry.feasible = result->headline.feasible;
        entry.currency = model::is_money(found.objective) ? result->headline.currency : "";
        entry.drivers = drivers_of_result(ending.body_of(*result), found.objective);
    }
    if (comparison.budget && figure) {
        entry.over_budget = model::is_cheaper(*comparison.budget, *figure);
    }
    return entry;
}

StandingAnswer answer_of(const storage::RunCompletion& ending, const model::Comparison& comparison, const SideBySide& found,
                         const storage::NewStanding& standing) {
    StandingAnswer answer{.recalculation = ending.run().id,
                          .objective = standing.objective,
                          .currency = standing.currency,
                          .cheapest = standing.cheapest,
                          .figure = found.problem.empty() ? std::optional(standing.figure) : std::nullopt,
                          .problem = found.problem,
                          .scenarios = {},
                          .budget = comparison.budget};
    for (std::size_t i = 0; i < comparison.scenarios.size(); ++i) {
        answer.scenarios.push_back(entry_of(ending, comparison, found, i));
    }
    return answer;
}

// A scenario's figure in the standing before, if that has the same objective and currency; else null.
nlohmann::json entry_before(const nlohmann::json& before, const StandingAnswer& now, const StandingScenario& entry) {
    if (before.value("objective", "") == now.objective) {
        for (const nlohmann::json& was : before.at("scenarios")) {
            if (was.at("scenario") == entry.scenario && was.value("currency", "") == entry.currency) {
                return was;
            }
        }
    }
    return nullptr;
}

// Whether this version of the model puts what was kept above the budget by itself.
bool is_over_by_version(const storage::RunCompletion& ending, const model::Comparison& comparison, model::Objective objective,
                        const std::optional<storage::Standing>& last, const StandingScenario& entry) {
    const std::optional<storage::NewestResult> now = ending.newest(entry.scenario);
    model::Comparison alone = comparison;
    alone.scenarios = {entry.scenario};
    const std::optional<Rebased> today = last ? rebased(ending, alone, *last, {now}, objective, std::nullopt) : std::nullopt;
    const std::optional<double> figure = today ? today->candidates.front().figure : std::nullopt;
    return figure && model::is_cheaper(*comparison.budget, *figure);
}

// An event for each scenario that is above the budget, and was not above the same budget in the standing before; for the log alone
// where the model's version is what put it there.
void record_exceeded(storage::RunCompletion& ending, const model::Comparison& comparison, model::Objective objective,
                     const StandingAnswer& now) {
    const std::optional<storage::Standing> last = now.budget ? ending.last(comparison.id) : std::nullopt;
    const nlohmann::json before = last ? *parse_json(last->body) : nlohmann::json::object();
    for (const StandingScenario& entry : now.scenarios) {
        if (!entry.over_budget.value_or(false)) {
            continue;
        }
        const nlohmann::json was = entry_before(before, now, entry);
        const bool is_known = was.is_object() && was.at("figure").is_number();
        if (is_known && was.value("over_budget", false) && before.at("budget") == *now.budget) {
            continue;
        }
        const bool by_version = is_known && is_over_by_version(ending, comparison, objective, last, entry);
        const BudgetExceeded exceeded{comparison.id,
                                      now.recalculation,
                                      entry.scenario,
                                      now.objective,
                                      entry.currency,
                                      *now.budget,
                                      is_known ? std::optional(was.at("figure").get<double>()) : std::nullopt,
                                      *entry.figure,
                                      std::string(by_version ? kModelVersionCause : "")};
        ending.record(
            {kind_of(EventKind::budget_exceeded), "comparison/" + comparison.id, answers::encode_answer(exceeded), "", by_version});
    }
}

// What the standing is an event of; nothing where it is as it was.
std::optional<EventKind> event_of(const model::Comparison& comparison, const std::optional<storage::Standing>& base,
                                  std::optional<std::size_t> incumbent, const std::vector<model::Candidate>& candidates,
                                  std::optional<std::size_t> cheapest) {
    if (!base) {
        return std::nullopt;
    }
    if (incumbent && !candidates[*incumbent].is_eligible) {
        return EventKind::comparison_infeasible;
    }
    if (cheapest != incumbent) {
        return EventKind::comparison_flipped;
    }
    const bool changed = cheapest && comparison.threshold_fraction &&
                         model::is_beyond(base->figure, *candidates[*cheapest].figure, *comparison.threshold_fraction);
    return changed ? std::optional(EventKind::comparison_changed) : std::nullopt;
}

// Its place in the comparison of the scenario that the standing has as the cheapest.
std::optional<std::size_t> place_of_cheapest(const model::Comparison& comparison,
                                             const std::optional<storage::Standing>& standing) {
    const std::vector<std::string>& ids = comparison.scenarios;
    const auto found = standing ? std::find(ids.begin(), ids.end(), standing->cheapest) : ids.end();
    return found != ids.end() ? std::optional(static_cast<std::size_t>(found - ids.begin())) : std::nullopt;
}

// Makes the base what this version has of it, where another made it; records what that changes for the log alone, as nothing that
// anybody watches has moved.
std::optional<std::int64_t> rebase(storage::RunCompletion& ending, const model::Comparison& comparison, const SideBySide& found,
                                   std::optional<storage::Standing>& base, std::optional<std::size_t>& incumbent,
                                   bool& is_rebased) {
    const std::optional<Rebased> today =
        base ? rebased(ending, comparison, *base, found.results, found.objective, incumbent) : std::nullopt;
    if (!today) {
        return std::nullopt;
    }
    is_rebased = true;
    const std::optional<EventKind> event = event_of(comparison, base, incumbent, today->candidates, today->cheapest);
    std::optional<std::int64_t> number;
    if (event) {
        number = ending.record({kind_of(*event), "comparison/" + comparison.id,
                                answers::encode_answer(ComparisonMoved{
                                    comparison.id, base->body, today->body, today->reasons, kModelVersionCause, {}}),
                                "", true});
    }
    const std::vector<std::string>& ids = comparison.scenarios;
    const std::optional<std::size_t> cheapest = today->cheapest;
    incumbent = cheapest;
    if (cheapest) {
        base->cheapest = ids[*cheapest];
        base->figure = *today->candidates[*cheapest].figure;
        base->body = today->body;
    } else {
        base.reset();
    }
    return number;
}

void keep_standing(storage::RunCompletion& ending, const model::Comparison& comparison) {
    SideBySide found = look(ending, comparison);
    storage::NewStanding standing{comparison.id, std::string(model::name_of(found.objective)), found.currency, "", 0.0, false, ""};
    std::optional<storage::Standing> base = ending.base(comparison.id, standing.objective, standing.currency);
    std::optional<std::size_t> incumbent = place_of_cheapest(comparison, base);
    std::optional<EventKind> event;
    std::optional<std::int64_t> number;
    const std::vector<std::string>& ids = comparison.scenarios;
    if (found.problem.empty()) {
        bool is_rebased = false;
        number = rebase(ending, comparison, found, base, incumbent, is_rebased);
        const std::optional<std::size_t> cheapest = model::cheapest_of(found.candidates, incumbent);
        if (cheapest) {
            standing.cheapest = ids[*cheapest];
            standing.figure = *found.candidates[*cheapest].figure;
        } else {
            found.problem = fmt::format("none of its scenarios can do its work with {} known", standing.objective);
        }
        event = event_of(comparison, base, incumbent, found.candidates, cheapest);
        standing.is_base = cheapest && (!base || event || is_rebased);
    }
    standing.currency = found.problem.empty() ? standing.currency : "";
    const StandingAnswer answer = answer_of(ending, comparison, found, standing);
    standing.body = answers::encode_answer(answer);
    if (event) {
        number =
            ending.record({kind_of(*event), "comparison/" + comparison.id,
                           answers::encode_answer(ComparisonMoved{comparison.id, base->body, standing.body,
                                                                  reasons_of(ending, base->body, answer), "", ending.undone()}),
                           ""});
    }
    record_exceeded(ending, comparison, found.objective, answer);
    ending.keep(standing, number);
}

} // namespace

void record_end(storage::RunCompletion& ending) { record_end_logged(ending, nullptr); }

void record_end_logged(storage::RunCompletion& ending, const failure::LogFailure& log) {
    const storage::Run& run = ending.run();
    ending.record({kind_of(EventKind::recalculation_done), fmt::format("recalculation/{}", run.id),
                   encode_run(run, run.done(), "", 0.0), run.webhook});
    if (run.state != storage::RunState::done) {
        return;
    }
    for (const storage::Revision& revision : ending.comparisons()) {
        try {
            keep_standing(ending, std::get<model::Comparison>(documents::decode_revision(revision)));
        } catch (const storage::StoreError& error) {
            if (error.cause() != storage::StoreError::Cause::unreadable) {
                throw;
            }
            failure::log_failure(log, error.what(), "comparison/" + revision.record.key.id); // it has no standing of this run
        }
    }
}

} // namespace costcurve::recalculation
